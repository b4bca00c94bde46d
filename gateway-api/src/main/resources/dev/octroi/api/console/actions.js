// What operators did through the interface, and how it stood before and after.
import { get } from './api.js';
import { badge, h, head, section } from './dom.js';
import { call, code, http, when } from './format.js';
import { searched } from './table.js';

export async function actions({ query, signal }) {
  const [search, found] = await searched({
    caption: 'Actions of operators, the latest first', quiet: true, empty: 'No operator has changed anything.',
    columns: [
      { title: 'When', cell: (row) => when(row.at) },
      { title: 'Operator', cell: (row) => h('b', {}, row.operator) },
      { title: 'From', cell: (row) => h('span', { class: 'short' }, code(row.address)) },
      { title: 'Action', cell: (row) => call(row) },
      { title: 'Result', cell: (row) => badge(row.status === null ? 'unknown' : row.status < 400 ? 'done' : 'refused') },
      { title: 'What', cell: details }],
    fields: [['operator', 'Operator'], ['path', 'Path contains']],
    query, signal, load: (wanted) => get('actions', wanted, signal),
  });
  return [head('Operator actions', 'Every change through the admin interface: by whom, what, and how it stood before and after. Secrets are masked.'),
    search, section('All actions', found)];
}

function details(row) {
  const parts = [['Asked', row.asked], ['Before', row.before], ['After', row.after]].filter(([, value]) => value !== null);
  return h('details', {}, h('summary', {}, http(row.status)), parts.map(([name, value]) => [
    h('h3', {}, name), h('pre', { tabindex: '0', 'aria-label': name }, JSON.stringify(value, null, 2))]));
}
