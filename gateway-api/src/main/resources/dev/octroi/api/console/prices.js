import { get } from './api.js';
import { propose } from './changes.js';
import { changing, facts, field, h, head, notice, section } from './dom.js';
import { call, code, count, usd, when } from './format.js';
import { table } from './table.js';

const BY_TOKENS = 'by what is used';

const COLUMNS = [
  { title: 'Sold', cell: (row) => call(row) },
  { title: 'Group', cell: (row) => row.group },
  { title: 'List price', end: true, cell: (row) => price(row.list) },
  { title: 'Now', end: true, cell: (row) => price(row.price) },
  { title: 'Why', cell: why },
  { title: 'Next', cell: (row) => (row.next ? [price(row.next.price), ' from ', when(row.next.from)] : '–') },
  { title: 'Change', cell: (row) => changing('changes', 'Change…', () => change(row)) },
];

/** In short: the explanation above names the line. */
function why({ rule, version }) {
  const made = rule.startsWith('row.') ? 'own price' : rule.startsWith('group.') ? 'price of the group' : rule;
  return h('span', {}, version === 'first' || rule.includes(version) ? made : `${made}, ${version}`);
}

function price(value) {
  return value === null ? BY_TOKENS : usd(value);
}

/** What is asked in place of the list price. */
async function change(row) {
  const what = { row: `row.${row.method}${row.path}`, group: `group.${row.group}` };
  await propose({
    title: 'Change a price', text: `${row.method} ${row.path} costs ${price(row.price)} now.`,
    controls: [
      field('Of', h('select', { name: 'of' }, h('option', { value: 'row' }, 'this row'), h('option', { value: 'group' }, `the group ${row.group}, where no row has a price of its own`))),
      field('New price', h('input', { name: 'price', inputmode: 'decimal', maxlength: 20, autocapitalize: 'none' }), 'Dollars, or list for the list price. Empty: what the file says.'),
      field('For the key', h('input', { name: 'key', maxlength: 64, autocapitalize: 'none' }), 'The id of an API key. Empty: for all callers.')],
    lines: (given) => ({ [(given.key.trim() ? `key.${given.key.trim()}.` : '') + what[given.of]]: given.price.trim() || null }),
  });
}

export async function prices({ signal }) {
  const { data } = await get('prices', {}, signal);
  const list = table({ caption: 'Everything that is sold', quiet: true, columns: COLUMNS, rows: data, empty: 'Nothing of that is sold.' });
  const told = h('p', { class: 'hint', role: 'status' });
  const group = h('select', { oninput: () => filter() }, h('option', { value: '' }, 'All groups'),
    [...new Set(data.map((row) => row.group))].map((name) => h('option', { value: name }, name)));
  const words = h('input', { type: 'search', autocapitalize: 'none', oninput: () => filter() });
  const filter = () => {
    const found = data.filter((row) => (!group.value || row.group === group.value) && row.path.includes(words.value.trim().toLowerCase()));
    list.firstChild.refill(found);
    told.textContent = `${count(found.length)} of ${count(data.length)}`;
  };
  filter();
  return [head('Prices', 'What everything costs, and which line makes the price.', h('a', { href: '#/changes' }, 'Changes')), explain(signal),
    section('Price book', h('div', { class: 'fields' }, field('Group', group), field('Path contains', words)), told, list)];
}

function explain(signal) {
  const said = h('div', { 'aria-live': 'polite' });
  const form = h('form', {
    class: 'fields',
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        said.replaceChildren(reason(await get('prices/explain', Object.fromEntries(new FormData(form)), signal)));
      } catch (error) {
        said.replaceChildren(notice('bad', error.message));
      }
    },
  },
  field('Method', h('select', { name: 'method' }, h('option', {}, 'GET'), h('option', {}, 'POST'))),
  field('Path', h('input', { name: 'path', required: true, maxlength: 512, autocapitalize: 'none', placeholder: '/v1/marketplace/cryptodata/exchange/price' })),
  field('Key id', h('input', { name: 'key', maxlength: 64 }), 'Empty: for callers that sign for themselves.'),
  h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Explain')));
  return section('Explain a price', form, said);
}

function reason(row) {
  return facts([['Sold', call(row)], ['Price now', h('strong', {}, price(row.price))],
    ['Made by', code(row.rule)], ['Version of the book', row.version], ['List price', price(row.list)],
    ['Also taken still', row.stillTaken ? usd(row.stillTaken) : null],
    ['Next', row.next ? [price(row.next.price), ' from ', when(row.next.from), ' by ', row.next.rule] : 'no change is planned']]);
}
