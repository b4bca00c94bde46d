import { h, button, notice } from './dom.js';

/**
 * A table with a caption; narrow screens show its rows as cards. The roles are said because such
 * cards are no table to browsers any more.
 *
 * @param columns [{ title, cell, end }]: cell makes the content of a row, end aligns numbers, and what is
 *   minor is left out on narrow screens
 */
export function table({ caption, columns, rows, empty = 'Nothing here.', quiet = false }) {
  const body = h('tbody', { role: 'rowgroup' });
  const element = h('table', { role: 'table' },
    h('caption', { class: quiet ? 'unseen' : null }, caption),
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, columns.map((column) =>
      h('th', { scope: 'col', role: 'columnheader', class: style(column) },
        column.title)))),
    body);
  fill(body, columns, rows, empty);
  element.refill = (next) => fill(body, columns, next, empty);
  return h('div', { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' }, element);
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

/** A table of many pages; more are asked for and appended. */
export async function paged({ load, ...options }) {
  const first = await load(null);
  const rows = [...first.data];
  let cursor = first.nextCursor;
  const shown = table({ ...options, rows });
  const refusal = h('div');
  const more = button('Show more', async () => {
    more.disabled = true;
    refusal.replaceChildren();
    try {
      const page = await load(cursor);
      rows.push(...page.data);
      cursor = page.nextCursor;
      shown.firstChild.refill(rows);
      more.hidden = !cursor;
    } catch (error) {
      refusal.replaceChildren(notice('bad', error.message));
    }
    more.disabled = false;
  });
  more.hidden = !cursor;
  return h('div', { class: 'stack' }, shown, refusal, more);
}
