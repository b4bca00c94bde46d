import { every, get } from './api.js';
import { channelTable } from './credit.js';
import { announce, badge, button, field, h, head, notice, section, word } from './dom.js';
import { call, http, micros, short, usd, when } from './format.js';
import { paged, table, values } from './table.js';

const LIVE_SECONDS = 4;
const LIVE_ROWS = 40;
const ADDRESS = /^0x[0-9a-f]{40}$/i;

const STATES = ['settled', 'released', 'failed', 'in_doubt', 'settling', 'claimed'];

/** States of payments that are shown in other words than the interface has for them. */
const WORDS = { released: 'not charged', claimed: 'reserved' };

export function paymentWord(name) {
  return WORDS[name] ?? word(name);
}

/** The state of a payment, or of its refunds, as a badge. */
export function paymentBadge(row) {
  return badge(state(row), paymentWord(state(row)));
}

/** The state of a payment, and of its refunds where it has some. */
export function state(row) {
  if (row.state !== 'settled' || !row.refunded) {
    return row.state;
  }
  if (row.refundOwed) {
    return 'refund_owed';
  }
  return isRefunded(row) ? 'refunded' : 'partly_refunded';
}

/** Whether nothing is left to be given back. */
export function isRefunded(row) {
  return row.refunded !== null && micros(row.refunded) >= micros(row.charged ?? row.amount);
}

/** Why a payment was not charged: the answer's status, the reason and the upstream. */
export function why(row) {
  if (!row.status && !row.reason) {
    return null;
  }
  return [row.status ? http(row.status) : null, row.reason, row.upstream ? `upstream ${row.upstream}` : null]
    .filter(Boolean).join(', ');
}

const COLUMNS = [
  { title: 'Reserved', cell: (row) => when(row.timeline[0]?.at) },
  { title: 'State', cell: (row) => h('div', { class: 'stated' }, paymentBadge(row), ['released', 'failed'].includes(row.state) ? h('span', { class: 'hint' }, why(row)) : null) },
  { title: 'Amount', end: true, cell: (row) => usd(row.charged ?? row.amount) },
  { title: 'Call', cell: (row) => call(row, `#/payments/${row.id}`) },
  { title: 'Group', cell: (row) => row.group ?? '–' },
  { title: 'Payer', minor: true, cell: (row) => short(row.payer) },
  { title: 'Transaction', minor: true, cell: (row) => short(row.transaction) },
];

export async function payments({ query, signal }) {
  const shown = h('div', { class: 'stack' });
  const live = liveList(signal);
  const found = h('div', { class: 'stack' });
  let searching = new AbortController();
  signal.addEventListener('abort', () => searching.abort());
  const search = searchForm(async (wanted) => {
    live.hidden = true;
    searching.abort();
    searching = new AbortController();
    found.replaceChildren(h('p', { class: 'nothing' }, 'Searching…'));
    try {
      const list = await paged({
        caption: 'Payments found, the latest first',
        quiet: true,
        columns: COLUMNS,
        empty: 'No payment fits all of that in this time.',
        signal: searching.signal,
        load: (cursor) => get('payments', { ...wanted, cursor }, signal),
      });
      const channels = ADDRESS.test(wanted.payer ?? '') ? await get('channels', { payer: wanted.payer, limit: 100 }, searching.signal) : { data: [] };
      found.replaceChildren(section('Payments found', list), ...(channels.data.length
        ? [section('Channels of this payer', channelTable(channels.data, 'Channels of this payer, the latest used first'))] : []));
      announce('Search done');
    } catch (error) {
      found.replaceChildren(notice('bad', error.message));
    }
  }, () => {
    searching.abort();
    found.replaceChildren();
    live.hidden = false;
  }, query);
  shown.append(search, found, live);
  return [head('Payments', 'Every call that was paid for, and every one that was not charged.'), shown];
}

/** The latest payments, asked for every few seconds; a pause keeps the list as it is. */
function liveList(signal) {
  const list = h('div');
  const refusal = h('div');
  let paused = false;
  let known = null;
  const state = h('p', { class: 'live' }, 'Live');
  const pause = button('Pause', () => {
    paused = !paused;
    pause.setAttribute('aria-pressed', paused);
    pause.textContent = paused ? 'Go on' : 'Pause';
    state.textContent = paused ? 'Paused' : 'Live';
    state.classList.toggle('paused', paused);
    announce(paused ? 'The list is paused' : 'The list is live');
  });
  pause.setAttribute('aria-pressed', 'false');
  const box = section('Latest payments', h('div', { class: 'bar' }, state, pause), refusal, list);
  every(LIVE_SECONDS, signal, async () => {
    if (paused || box.hidden) {
      return;
    }
    try {
      const { data } = await get('payments', { limit: LIVE_ROWS }, signal);
      refusal.replaceChildren();
      if (!paused) {
        known = show(list, data, known);
      }
    } catch (error) {
      if (!signal.aborted) {
        refusal.replaceChildren(error.status === 0 ? '' : notice('bad', error.message));
      }
    }
  });
  return box;
}

/** Rows are replaced only where something changed, so that what is read or focused stays. */
function show(list, data, known) {
  const mark = JSON.stringify(data.map((row) => [row.id, row.state, row.delivered, row.transaction, row.refunded, row.refundOwed]));
  if (known?.mark === mark) {
    return known;
  }
  const rows = data.map((row) => ({ ...row, isNew: known !== null && !known.ids.has(row.id) }));
  const fresh = rows.filter((row) => row.isNew).length;
  const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  if (list.firstChild) {
    list.firstChild.firstChild.refill(rows);
  } else {
    list.append(table({
      caption: 'The latest payments', quiet: true, columns: COLUMNS, rows,
      empty: 'No payment in the last 7 days.',
    }));
  }
  if (focused) {
    list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
  if (fresh) {
    announce(`${fresh} new ${fresh === 1 ? 'payment' : 'payments'}`);
  }
  return { mark, ids: new Set(data.map((row) => row.id)) };
}

/** With what the address asks for, it is open and searches at once. */
function searchForm(onsearch, onclear, query) {
  const text = (name, more = {}) => h('input', { name, maxlength: 256, autocapitalize: 'none', spellcheck: 'false', ...more });
  const form = h('form', {
    class: 'fields',
    onsubmit: (event) => {
      event.preventDefault();
      onsearch(values(form));
    },
    onreset: onclear,
  },
  field('State', h('select', { name: 'state' }, h('option', { value: '' }, 'All states'), STATES.map((name) => h('option', { value: name }, paymentWord(name))))),
  field('Group', text('group')), field('Path contains', text('path')), field('Payer', text('payer')), field('Transaction', text('transaction')),
  field('Request id', text('requestId')), field('Nonce', text('nonce')), field('Key id', text('key')),
  field('Since', text('since', { type: 'datetime-local' })), field('Until', text('until', { type: 'datetime-local' })),
  h('div', { class: 'actions' }, h('button', { type: 'reset' }, 'Back to the latest'), h('button', { type: 'submit', class: 'primary' }, 'Search')));
  for (const [name, value] of query) {
    if (form.elements[name]) {
      form.elements[name].value = value;
    }
  }
  const asked = query.size > 0;
  if (asked) {
    setTimeout(() => form.requestSubmit());
  }
  return h('details', { class: 'card', open: asked }, h('summary', {}, 'Search'),
    h('p', { class: 'hint' }, 'Payments that match all fields. Without “Since”, the last 7 days are searched.'), form);
}

