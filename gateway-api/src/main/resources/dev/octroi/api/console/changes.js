// Changes of routes and prices: what was written, and the way to write another.
import { get, post } from './api.js';
import { announce, ask, badge, field, h, head, live, notice, section } from './dom.js';
import { code, count, usd, when } from './format.js';
import { table } from './table.js';

const COLUMNS = [
  { title: 'Change', cell: (row) => `${row.number}` },
  { title: 'Holds from', cell: (row) => when(row.from) },
  { title: 'State', cell: (row) => badge(row.state) },
  { title: 'Lines', cell: (row) => h('div', { class: 'stack lines' }, Object.entries(row.lines).map(line)) },
  { title: 'Note', cell: (row) => row.note || '–' },
  { title: 'By', cell: (row) => row.by },
  { title: 'Written', cell: (row) => when(row.written) },
];

function line([key, value]) {
  return h('span', {}, code(key), value === null ? ' back to the file' : [' = ', value]);
}

export async function changes({ signal }) {
  const shown = await live({
    load: () => get('changes', { limit: 100 }, signal), signal,
    render: ({ data, problems }) => [
      problems.length ? notice('bad', `Left out: ${problems.join('; ')}`) : null,
      section('All changes', table({ caption: 'Changes, the latest first', quiet: true, columns: COLUMNS, rows: data, empty: 'Nothing was changed yet: the file says all.' }))],
  });
  return [head('Changes', 'Changes of routes and prices hold on all nodes from one moment on, above what the file says.'), shown];
}

/**
 * Asks for a change, shows what it does, and writes it.
 *
 * @param asked { title, text, controls, lines }: lines makes the change's lines of the form's values
 * @returns the change, or null if it was dismissed
 */
export async function propose({ title, text, controls, lines }) {
  const foreseen = await ask({
    title, text, confirm: 'Preview…',
    controls: [controls, field('Holds from', h('input', { name: 'from', type: 'datetime-local' }), 'Your local time. Empty: as soon as all nodes know it.'),
      field('Note', h('input', { name: 'note', maxlength: 500 }), 'Why, for those who read it later.')],
    act: async ({ from, note, ...given }) => {
      const { latest } = await get('changes', { limit: 1 });
      const change = { lines: lines(given), note, after: latest, ...(from ? { from: new Date(from).toISOString() } : {}) };
      return { change, preview: await post('changes/preview', change) };
    },
  });
  if (!foreseen) {
    return null;
  }
  const written = await ask({
    title: 'Change this on all nodes?', confirm: 'Change',
    controls: [h('div', { class: 'stack lines' }, Object.entries(foreseen.change.lines).map(([key, value]) =>
      line([key, value !== null && key.includes('.header.') ? '****' : value]))), effects(foreseen.preview)],
    act: () => post('changes', foreseen.change),
  });
  if (written) {
    announce(`Change ${written.number} is written`);
  }
  return written;
}

/** What the calls of the last day would have paid. */
function effects({ rows, all }) {
  if (!rows.length) {
    return notice('calm', 'No price changes.');
  }
  const sum = all.calls === 0 ? 'No call of the last day bought what changes.'
    : `Paid calls of the last day: ${count(all.calls)}. They paid ${usd(all.paid)} and would pay ${usd(all.would)}.`;
  return h('div', {}, notice('calm', sum), table({
    caption: 'What this does to the paid calls of the last day', rows,
    columns: [{ title: 'Sold', cell: (row) => row.row }, { title: 'Before', end: true, cell: (row) => usd(row.before) },
      { title: 'After', end: true, cell: (row) => usd(row.after) }, { title: 'Calls', end: true, cell: (row) => count(row.calls) },
      { title: 'Paid', end: true, cell: (row) => usd(row.paid) }, { title: 'Would pay', end: true, cell: (row) => usd(row.would) }],
  }));
}
