// Sign-in, and which page is shown.
import { actions } from './actions.js';
import { every, get, isSignedIn, operator, signIn, signOut, whenConnection, whenSignedOut } from './api.js';
import { announce, button, field, h, head, notice } from './dom.js';
import { changes } from './changes.js';
import { doubt } from './doubt.js';
import { failures } from './failures.js';
import { key, keys } from './keys.js';
import { margin } from './margin.js';
import { operators } from './operators.js';
import { overview } from './overview.js';
import { payment } from './payment.js';
import { payments } from './payments.js';
import { prices } from './prices.js';
import { route as oneRoute, routes } from './routes.js';
import { upstreams } from './upstreams.js';
import { webhooks } from './webhooks.js';
import { calls, jobs, leases } from './work.js';

const PAGES = { '': overview, margin, payments, failures, doubt, keys, leases, calls, jobs, upstreams, routes, prices, changes, webhooks, operators, actions };
const DETAILS = { payments: payment, keys: key, routes: oneRoute };

const main = document.getElementById('main');
const nav = document.getElementById('nav');
const leave = document.getElementById('sign-out');
let page = new AbortController();
let session = new AbortController();
// The operator begins at the top of the first page, and at the heading of each one that follows.
let shownBefore = false;
// The page could not be shown, and is tried again once the gateway answers.
let failed = false;

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [name = '', id] = path.split('/');
  return { name, id, query: new URLSearchParams(query), make: id ? DETAILS[name] : PAGES[name] };
}

async function show() {
  page.abort();
  page = new AbortController();
  const { signal } = page;
  if (!isSignedIn()) {
    showSignIn();
    return;
  }
  const { name, id, query, make } = route();
  for (const link of nav.querySelectorAll('a')) {
    const here = link.getAttribute('href') === `#/${name}`;
    link.toggleAttribute('aria-current', here);
    if (here) {
      link.setAttribute('aria-current', 'page');
      // Not scrollIntoView: from there browsers go on with the Tab key, past the link to the content.
      nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.clientWidth) / 2;
    }
  }
  main.setAttribute('aria-busy', 'true');
  failed = false;
  try {
    tellOperator(await operator(signal));
    const content = make ? await make({ id, query, signal, again: show }) : [head('There is no such page')];
    if (!signal.aborted) {
      put(content);
    }
  } catch (error) {
    if (!signal.aborted) {
      failed = true;
      put([head('This cannot be shown'), notice('bad', error.message), button('Try again', show)]);
    }
  }
}

/** An operator whose role does not permit everything is told so on each page. */
function tellOperator({ name, role }) {
  const shown = document.getElementById('operator');
  shown.hidden = role === null;
  shown.textContent = `${name}: role ${role}`;
}

function put(content) {
  main.replaceChildren(...content);
  main.removeAttribute('aria-busy');
  const heading = main.querySelector('h1');
  document.title = `${heading.textContent} – Octroi console`;
  if (shownBefore) {
    heading.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
  shownBefore = true;
}

function signedIn(yes) {
  nav.hidden = !yes;
  leave.hidden = !yes;
  document.getElementById('operator').hidden = true;
  document.body.classList.toggle('in', yes);
  session.abort();
  if (yes) {
    session = new AbortController();
    every(30, session.signal, countOpenEnds);
  }
}

/** How much waits for a decision; told beside the page where they are made. */
async function countOpenEnds() {
  try {
    const [payments, effects, refunds] = await Promise.all(
      ['payments/unresolved', 'effects', 'refunds'].map((path) => get(path, {}, session.signal)));
    const open = payments.data.length + effects.data.length + refunds.data.length;
    const shown = document.getElementById('open-ends');
    shown.textContent = `${open}`;
    shown.hidden = open === 0;
  } catch {
    // The page that is shown says what is wrong.
  }
}

function showSignIn(why) {
  signedIn(false);
  const said = h('div', { 'aria-live': 'assertive' }, why ? notice('bad', why) : null);
  const given = h('input', {
    name: 'token', type: 'password', required: true, autocomplete: 'current-password',
    autocapitalize: 'none', spellcheck: 'false',
  });
  const keep = h('input', { name: 'keep', type: 'checkbox', id: 'keep' });
  const form = h('form', {
    onsubmit: async (event) => {
      event.preventDefault();
      said.replaceChildren();
      form.querySelector('button').disabled = true;
      try {
        await signIn(given.value.trim(), keep.checked);
        signedIn(true);
        announce('Signed in');
        show();
      } catch (error) {
        said.replaceChildren(notice('bad', error.message));
        form.querySelector('button').disabled = false;
        given.focus();
      }
    },
  },
  field('Operator’s token', given, 'The setting gateway.admin.token, or the file admin-token in the data folder.'),
  h('div', { class: 'check' }, keep, h('label', { for: 'keep' }, 'Keep it until this tab is closed')),
  said, h('button', { type: 'submit', class: 'primary' }, 'Sign in'));
  put([h('div', { class: 'sign-in card' }, h('h1', { tabindex: '-1' }, 'Sign in'), form)]);
  given.focus();
}

const lost = document.getElementById('connection');
let retrying = new AbortController();
const retry = () => (isSignedIn() ? get('node') : Promise.resolve()).catch(() => {});

whenConnection((answers) => {
  lost.hidden = answers;
  retrying.abort();
  if (!answers) {
    retrying = new AbortController();
    every(3, retrying.signal, retry, 3);
    return;
  }
  announce('The gateway answers again');
  if (failed) {
    show();
  }
});
document.getElementById('retry').addEventListener('click', retry);

whenSignedOut((why) => {
  page.abort();
  showSignIn(why);
});
leave.addEventListener('click', () => signOut());
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener('hashchange', show);
signedIn(isSignedIn());
show();
