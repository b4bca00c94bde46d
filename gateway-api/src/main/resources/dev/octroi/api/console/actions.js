// What operators did through the interface, and how it stood before and after.
import { get } from './api.js';
import { badge, field, h, head, section } from './dom.js';
import { code, when } from './format.js';
import { paged } from './table.js';

export async function actions({ query, signal }) {
  const found = h('div', { class: 'stack' });
  let searching = new AbortController();
  signal.addEventListener('abort', () => searching.abort());
  const search = async (wanted) => {
    searching.abort();
    searching = new AbortController();
    found.replaceChildren(await paged({
      caption: 'Actions of operators, the latest first', quiet: true, empty: 'No operator has changed anything.',
      columns: [
        { title: 'When', cell: (row) => when(row.at) },
        { title: 'Operator', cell: (row) => h('b', {}, row.operator) },
        { title: 'From', cell: (row) => code(row.address) },
        { title: 'Action', cell: (row) => h('span', { class: 'call' }, h('b', {}, row.method), ' ', row.path) },
        { title: 'Result', cell: (row) => badge(row.status < 400 ? 'done' : 'refused') },
        { title: 'What', cell: details }],
      signal: searching.signal, load: (cursor) => get('actions', { ...wanted, cursor }, signal),
    }));
  };
  const text = (name) => h('input', { name, maxlength: 256, value: query.get(name) ?? '', autocapitalize: 'none', spellcheck: 'false' });
  const form = h('form', {
    class: 'fields',
    onsubmit: (event) => {
      event.preventDefault();
      const wanted = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
      for (const name of ['since', 'until']) {
        wanted[name] = wanted[name] ? new Date(wanted[name]).toISOString() : '';
      }
      search(wanted);
    },
  }, field('Operator', text('operator')), field('Path contains', text('path')),
  field('Since', h('input', { name: 'since', type: 'datetime-local' })), field('Until', h('input', { name: 'until', type: 'datetime-local' })),
  h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Search')));
  await search({ operator: query.get('operator'), path: query.get('path') });
  return [head('Operator actions', 'Every change through the admin interface: by whom, what, and how it stood before and after. Secrets are masked.'),
    h('details', { class: 'card' }, h('summary', {}, 'Search'), form), section('All actions', found)];
}

function details(row) {
  const parts = [['Asked', row.asked], ['Before', row.before], ['After', row.after], ['Status', row.status]].filter(([, value]) => value !== null);
  return h('details', {}, h('summary', {}, `HTTP ${row.status}`), parts.slice(0, -1).map(([name, value]) => [
    h('h3', {}, name), h('pre', { tabindex: '0', 'aria-label': name }, JSON.stringify(value, null, 2))]));
}
