// Elements are built, never parsed: whatever a caller of the gateway chose to send stays text.

/** An element; members that begin with "on" are listeners, false and null are left out. */
export function h(tag, members = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(members)) {
    if (value === false || value === null || value === undefined) {
      continue;
    }
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Tells those who listen to the page. */
export function announce(text) {
  document.getElementById('announcer').textContent = text;
}

const TONES = {
  settled: 'good', done: 'good', paid: 'good', active: 'good', up: 'good', completed: 'good',
  claimed: 'calm', settling: 'calm', sending: 'calm', queued: 'calm', in_progress: 'calm',
  initiated: 'calm', ringing: 'calm', tried: 'warn', renewal_due: 'warn', owed: 'warn',
  in_doubt: 'warn', unknown: 'warn', down: 'bad', failed: 'bad', revoked: 'bad',
};

/** A state as a word and a colour; the word alone says it all. */
export function badge(state) {
  const word = state.replace(/[_-]/g, ' ');
  return h('span', { class: `badge ${TONES[state] ?? 'mute'}` }, word);
}

export function notice(tone, text) {
  return h('p', { class: `notice ${tone}`, role: tone === 'bad' ? 'alert' : 'status' }, text);
}

/** The head of a page; its heading takes the focus when the page changes. */
export function head(title, lead, ...actions) {
  return h('div', { class: 'head' },
    h('div', {}, h('h1', { tabindex: '-1' }, title), lead ? h('p', { class: 'lead' }, lead) : null),
    actions.length ? h('div', { class: 'actions' }, actions) : null);
}

export function section(title, ...children) {
  return h('section', { class: 'card', 'aria-label': title }, h('h2', {}, title), children);
}

/** Pairs of names and values; what is unknown is left out. */
export function facts(pairs) {
  return h('dl', { class: 'facts' }, pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}

export function button(text, onclick, tone = '') {
  return h('button', { type: 'button', class: tone, onclick }, text);
}

let fields = 0;

/** A labelled control; its hint is read with it. */
export function field(label, control, hint) {
  const id = control.id || `field-${++fields}`;
  control.id = id;
  if (hint) {
    control.setAttribute('aria-describedby', `${id}-hint`);
  }
  return h('div', { class: 'field' }, h('label', { for: id }, label), control,
    hint ? h('p', { class: 'hint', id: `${id}-hint` }, hint) : null);
}

/**
 * Asks before something is done, and for what that needs. Stays open, with the refusal, until it is
 * done or dismissed.
 *
 * @param asked { title, text, controls, confirm, tone, act }: act gets the form's values
 * @returns what act returned, or null if it was dismissed
 */
export function ask({ title, text, controls = [], confirm, tone = 'primary', act }) {
  return new Promise((resolve) => {
    let result = null;
    const refusal = h('div', { 'aria-live': 'assertive' });
    const yes = h('button', { type: 'submit', class: tone }, confirm);
    const form = h('form', {
      onsubmit: async (event) => {
        event.preventDefault();
        yes.disabled = true;
        refusal.replaceChildren();
        try {
          result = await act(Object.fromEntries(new FormData(form)));
          dialog.close();
        } catch (error) {
          refusal.replaceChildren(notice('bad', error.message));
          yes.disabled = false;
        }
      },
    }, h('h2', { id: 'dialog-title' }, title), text ? h('p', {}, text) : null, controls, refusal,
    h('div', { class: 'actions' }, button('Cancel', () => dialog.close()), yes));
    const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' }, form);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Why something is done; the operator's log keeps it. */
export function reason() {
  return field('Reason', h('textarea', { name: 'reason', required: true, maxlength: 150, rows: 2 }),
    '1 to 150 characters, kept in the books or the operator’s log.');
}
