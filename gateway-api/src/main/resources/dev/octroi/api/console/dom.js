// Elements are built, never parsed: whatever a caller of the gateway chose to send stays text.
import { every, forbidden } from './api.js';


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
  claimed: 'calm', in_use: 'calm', settling: 'calm', sending: 'calm', queued: 'calm', in_progress: 'calm',
  initiated: 'calm', ringing: 'calm', tried: 'warn', renewal_due: 'warn', owed: 'warn', draining: 'warn',
  in_doubt: 'warn', unknown: 'warn', down: 'bad', failed: 'bad', revoked: 'bad', failing: 'warn',
  refunded: 'calm', delivered: 'good', disabled: 'bad', partly_refunded: 'calm', refund_owed: 'warn',
};

export function word(state) {
  return state.replace(/[_-]/g, ' ');
}

/** A state as a word and a colour; the word alone says it all. */
export function badge(state, text = word(state)) {
  return h('span', { class: `badge ${TONES[state] ?? 'mute'}` }, text);
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

/**
 * A button that changes something; it cannot be pressed where the operator's role does not permit that.
 *
 * @param what the first word of the path that is asked for
 */
export function changing(what, text, onclick, tone) {
  const why = forbidden(what);
  const made = button(text, onclick, tone);
  if (why) {
    made.disabled = true;
    made.title = why;
    made.setAttribute('aria-describedby', 'operator');
  }
  return made;
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
 * @param asked { title, text, controls, confirm, tone, act, keep }: act gets the form's values; keep: it can
 *   be ended by the confirming button only, because what it shows cannot be shown again
 * @returns what act returned, or null if it was dismissed
 */
export function ask({ title, text, controls = [], confirm, tone = 'primary', act, keep = false }) {
  return new Promise((resolve) => {
    let result = null;
    let confirmed = !keep;
    const refusal = h('div', { 'aria-live': 'assertive' });
    const yes = h('button', { type: 'submit', class: tone }, confirm);
    const form = h('form', {
      onsubmit: async (event) => {
        event.preventDefault();
        yes.disabled = true;
        refusal.replaceChildren();
        try {
          result = await act(Object.fromEntries(new FormData(form)));
          confirmed = true;
          dialog.close();
        } catch (error) {
          refusal.replaceChildren(notice('bad', error.message));
          yes.disabled = false;
        }
      },
    }, h('h2', { id: 'dialog-title' }, title), text ? h('p', {}, text) : null, controls, refusal,
    h('div', { class: 'actions' }, keep ? null : button('Cancel', () => dialog.close()), yes));
    const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' }, form);
    const stay = (event) => event.preventDefault();
    if (keep) {
      dialog.addEventListener('cancel', stay);
      dialog.addEventListener('keydown', (event) => event.key === 'Escape' && event.preventDefault());
      window.addEventListener('beforeunload', stay);
    }
    dialog.addEventListener('close', () => {
      if (!confirmed) {
        // Browsers close a dialog that is asked to close twice.
        dialog.showModal();
        return;
      }
      window.removeEventListener('beforeunload', stay);
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

/**
 * A part of a page that is asked for again now and then, and made anew only where something changed; not while a
 * dialog is open or the operator types in it.
 *
 * @param load asks for what is shown
 * @param render makes elements of it
 */
export async function live({ load, render, signal, seconds = 10 }) {
  const box = h('div', { class: 'stack' });
  let mark = '';
  const refresh = async () => {
    const found = await load();
    const next = JSON.stringify(found);
    const typing = box.contains(document.activeElement) && document.activeElement.matches('input, select, textarea');
    if (next === mark || (mark && (typing || document.querySelector('dialog[open]')))) {
      return;
    }
    mark = next;
    const focused = box.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    box.replaceChildren(...[render(found)].flat().filter((part) => part !== null));
    if (focused) {
      box.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
  };
  await refresh();
  every(seconds, signal, refresh, seconds);
  return box;
}

/** Shows a secret that cannot be shown again, until the operator says that it is kept. */
export async function tellOnce(title, name, secret) {
  const shown = h('input', { value: secret, readonly: true, class: 'secret', onfocus: (event) => event.target.select() });
  const copied = h('p', { class: 'hint', role: 'status' });
  await ask({
    title,
    controls: [notice('warn', `The ${name.toLowerCase()} is shown once and cannot be shown again.`), field(name, shown),
      button('Copy', async () => {
        copied.textContent = (await copy(shown)) ? `The ${name.toLowerCase()} is copied.` : 'The browser does not copy: select the text and copy it.';
      }), copied],
    confirm: 'I have kept it', act: () => true, keep: true,
  });
  return true;
}

/** Copies a text; true if that was possible. */
async function copy(control) {
  control.select();
  try {
    await navigator.clipboard.writeText(control.value);
    return true;
  } catch {
    // Pages that are not served over TLS have no clipboard.
    return document.execCommand('copy');
  }
}
