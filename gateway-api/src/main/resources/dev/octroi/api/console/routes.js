import { get } from './api.js';
import { badge, changing, facts, field, h, head, live, section } from './dom.js';
import { propose } from './changes.js';
import { code, usd } from './format.js';
import { table } from './table.js';

const KEY = /^[a-z][a-z0-9-]*(\.[A-Za-z0-9_-]+)?$/;

/** What the form has a field for; all else is set below, line by line. */
const FIELDS = [
  ['path', 'Path', 'Where it lies, such as /weather. / is everything that the gateway does not serve itself.', { required: true }],
  ['target', 'Server', 'gateway.changes.targets must name it.', { type: 'url', required: true }],
  ['price', 'Price', 'Dollars a call, where no rule says otherwise.', { inputmode: 'decimal' }],
  ['rules', 'Rules', 'Prices by method and path: POST /search=0.05, /reports/*=0.02'],
  ['free', 'Free paths', 'Such as /about, /public/*'],
  ['description', 'Description', 'What is sold, in a sentence.'],
  ['openapi', 'OpenAPI document', 'Its address. It is fetched once, now.', { type: 'url' }],
];

export async function routes({ signal, again }) {
  const shown = await live({
    load: () => get('routes', {}, signal), signal,
    render: ({ data }) => section('All routes', table({
      caption: 'Routes', quiet: true, rows: data, empty: 'There is no route.',
      columns: [{ title: 'Route', cell: (row) => h('a', { href: `#/routes/${row.word}` }, row.word) },
        { title: 'State', cell: (row) => badge(row.enabled ? 'active' : 'disabled') }, { title: 'Path', cell: (row) => code(row.path) },
        { title: 'Server', cell: (row) => row.target }, { title: 'Price', end: true, cell: (row) => (row.price === null ? 'by rules' : usd(row.price)) },
        { title: 'Description', cell: (row) => row.description || '–' }],
    })),
  });
  return [head('Routes', 'Servers of your own that are sold below a path.', changing('changes', 'New route…', () => edit(null, again), 'primary')), shown];
}

export async function route({ id, signal, again }) {
  const shown = await live({
    load: async () => (await get('routes', {}, signal)).data.find((row) => row.word === id) ?? null, signal,
    render: (row) => (row ? parts(row, again) : head('There is no such route', 'A change may have taken it away.')),
  });
  return [h('p', { class: 'crumb' }, h('a', { href: '#/routes' }, 'Routes')), shown];
}

function parts(row, again) {
  const own = Object.keys(row.lines).filter((key) => row.lines[key].place.startsWith('change '));
  return [
    head(row.word, row.description, changing('changes', 'Change…', () => edit(row, again)),
      changing('changes', row.enabled ? 'Disable…' : 'Enable…', () => turn(row, again), row.enabled ? 'danger' : 'primary'),
      own.length ? changing('changes', 'Back to the file…', () => reset(row, again)) : null),
    section('Route', facts([['State', badge(row.enabled ? 'active' : 'disabled')], ['Path', code(row.path)], ['Server', row.target],
      ['Price', row.price === null ? 'by rules' : usd(row.price)]])),
    section('Settings', table({
      caption: 'What is set of it, and where', quiet: true, rows: Object.entries(row.lines),
      columns: [{ title: 'Setting', cell: ([key]) => code(key) }, { title: 'Value', cell: ([, set]) => set.value || '–' }, { title: 'Set by', cell: ([, set]) => set.place }],
    }))];
}

function key(word, setting) {
  return `gateway.routes.${word}.${setting}`;
}

function turn(row, again) {
  const next = !row.enabled;
  return propose({
    title: `${next ? 'Enable' : 'Disable'} ${row.word}?`, text: next ? 'It is sold again.' : 'Its paths are 404 then, and no caller is charged.', controls: [],
    lines: () => ({ [key(row.word, 'enabled')]: `${next}` }),
  }).then((change) => change && again());
}

function reset(row, again) {
  return propose({
    title: `Give ${row.word} back to the file?`, text: 'What changes have set of it is taken away. A route that the file does not have is gone then.', controls: [],
    lines: () => ({ [`gateway.routes.${row.word}`]: null }),
  }).then((change) => change && again());
}

function edit(row, again) {
  const set = (setting) => row?.lines[key(row.word, setting)]?.value ?? '';
  return propose({
    title: row ? `Change ${row.word}` : 'A new route',
    text: row ? 'A field that you empty goes back to what the file says.' : null,
    controls: [
      row ? null : field('Name', h('input', { name: 'word', required: true, pattern: '[a-z][a-z0-9]{0,31}', autocapitalize: 'none' }), 'Lower-case letters and digits: figures and keys know it by this.'),
      FIELDS.map(([name, label, hint, more = {}]) => field(label, h('input', { name, value: set(name), autocapitalize: 'none', maxlength: 4000, ...more }), hint)),
      field('Credential’s header', h('input', { name: 'header', maxlength: 64, autocapitalize: 'none', placeholder: 'Authorization' }), 'Sent to the server with each call, in place of the caller’s.'),
      field('Credential', h('input', { name: 'credential', type: 'password', autocomplete: 'off', maxlength: 4000 }), 'It is sealed, and never shown again.'),
      field('Further settings', h('textarea', { name: 'further', rows: 3, maxlength: 4000, autocapitalize: 'none', spellcheck: 'false' }), 'One a line, such as settle=before or cache=60s.')],
    lines: (given) => {
      const word = row?.word ?? given.word;
      const lines = {};
      for (const [name] of FIELDS) {
        if (given[name].trim() !== set(name)) {
          lines[key(word, name)] = given[name].trim() || null;
        }
      }
      if (given.header.trim()) {
        lines[key(word, `header.${given.header.trim()}`)] = given.credential || null;
      }
      for (const text of given.further.split('\n').map((part) => part.trim()).filter((part) => part)) {
        const at = text.indexOf('=');
        if (at < 1 || !KEY.test(text.slice(0, at).trim())) {
          throw new Error(`“${text}” is no setting such as settle=before.`);
        }
        lines[key(word, text.slice(0, at).trim())] = text.slice(at + 1).trim();
      }
      return lines;
    },
  }).then((change) => change && again());
}
