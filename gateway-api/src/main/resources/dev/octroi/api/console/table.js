import { every } from './api.js';
import { h, button, field, notice } from './dom.js';

/** Who has asked for more pages than this reads in them, and they stay as they are. */
const MOST_REFRESHED = 4;

/**
 * A table with a caption; narrow screens show its rows as cards. The roles are said because such
 * cards are no table to browsers any more.
 *
 * @param columns [{ title, cell, end }]: cell makes the content of a row, end aligns numbers, and what is
 *   minor is left out on narrow screens
 */
export function table({ caption, columns, rows, empty = 'Nothing here.', quiet = false }) {
  const body = h('tbody', { role: 'rowgroup' });
  const most = matchMedia('(max-width: 760px)').matches ? 25 : 100;
  let shownRows = most;
  let all = rows;
  const rest = button('', () => {
    shownRows += most;
    refill(all);
  });
  const refill = (next) => {
    all = next;
    fill(body, columns, all.slice(0, shownRows), empty);
    rest.hidden = all.length <= shownRows;
    rest.textContent = `Show more (${all.length - shownRows})`;
  };
  const element = h('table', { role: 'table' },
    h('caption', { class: quiet ? 'unseen' : null }, caption),
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, columns.map((column) =>
      h('th', { scope: 'col', role: 'columnheader', class: style(column) },
        column.title)))),
    body);
  refill(rows);
  element.refill = refill;
  return h('div', { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' }, element, rest);
}

function fill(body, columns, rows, empty) {
  body.replaceChildren(...(rows.length ? rows.map((row) => line(columns, row)) : [
    h('tr', { role: 'row', class: 'empty' },
      h('td', { role: 'cell', colspan: columns.length }, empty))]));
}

function style({ end, minor }) {
  return [end && 'end', minor && 'minor'].filter(Boolean).join(' ') || null;
}

function line(columns, row) {
  return h('tr', { role: 'row', class: row.isNew ? 'new' : null }, columns.map((column) =>
    h('td', { role: 'cell', 'data-label': column.title, class: style(column) },
      column.cell(row))));
}

/** A table of many pages; more are asked for and appended, and those that are shown are asked for again. */
export async function paged({ load, signal, seconds = 10, ...options }) {
  const first = await load(null);
  let rows = [...first.data];
  let cursor = first.nextCursor;
  let pages = 1;
  let mark = JSON.stringify(rows);
  const shown = table({ ...options, rows });
  const refusal = h('div');
  const more = button('Show more', async () => {
    more.disabled = true;
    refusal.replaceChildren();
    try {
      const page = await load(cursor);
      rows.push(...page.data);
      cursor = page.nextCursor;
      pages += 1;
      mark = JSON.stringify(rows);
      shown.firstChild.refill(rows);
      more.hidden = !cursor;
    } catch (error) {
      refusal.replaceChildren(notice('bad', error.message));
    }
    more.disabled = false;
  });
  more.hidden = !cursor;
  const refresh = async () => {
    if (more.disabled || pages > MOST_REFRESHED || shown.contains(document.activeElement)) {
      return;
    }
    let next = { data: [], nextCursor: null };
    const fresh = [];
    for (let page = 0; page < pages && (page === 0 || next.nextCursor); page++) {
      next = await load(next.nextCursor);
      fresh.push(...next.data);
    }
    if (JSON.stringify(fresh) !== mark && !more.disabled) {
      rows = fresh;
      cursor = next.nextCursor;
      mark = JSON.stringify(rows);
      shown.firstChild.refill(rows);
      more.hidden = !cursor;
    }
  };
  if (signal) {
    every(seconds, signal, refresh, seconds);
  }
  return h('div', { class: 'stack' }, shown, refusal, more);
}

/**
 * A table of many pages with a search before it, which the address can begin: what is given must all fit.
 *
 * @param fields [[name, label, choices]]: choices as [[value, text]] make a list to choose from
 * @param load asks for a page: given what is looked for, and where to go on
 */
export async function searched({ fields, query, signal, load, ...options }) {
  const found = h('div', { class: 'stack' });
  let searching = new AbortController();
  signal.addEventListener('abort', () => searching.abort());
  const search = async (wanted) => {
    searching.abort();
    searching = new AbortController();
    found.replaceChildren(await paged({ ...options, signal: searching.signal, load: (cursor) => load({ ...wanted, cursor }) }));
  };
  const control = ([name, label, choices]) => field(label, choices
    ? h('select', { name }, [['', 'All'], ...choices].map(([value, text]) => h('option', { value }, text)))
    : h('input', { name, maxlength: 256, autocapitalize: 'none', spellcheck: 'false' }));
  const form = h('form', {
    class: 'fields',
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        await search(values(form));
      } catch (error) {
        found.replaceChildren(notice('bad', error.message));
      }
    },
  }, fields.map(control), TIMES.map(([name, label]) => field(label, h('input', { name, type: 'datetime-local' }))),
  h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Search')));
  const asked = [...query].filter(([name]) => form.elements[name]);
  asked.forEach(([name, value]) => { form.elements[name].value = value; });
  await search(values(form));
  return [h('details', { class: 'card', open: asked.length > 0 }, h('summary', {}, 'Search'), form), found];
}

const TIMES = [['since', 'Since'], ['until', 'Until']];

/** What a search's form says, its times in UTC. */
export function values(form) {
  const wanted = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
  for (const [name] of TIMES) {
    wanted[name] = wanted[name] ? new Date(wanted[name]).toISOString() : '';
  }
  return wanted;
}
