import { get, post, put } from './api.js';
import { announce, ask, badge, changing, facts, field, h, head, live, section, tellOnce } from './dom.js';
import { code, micros, usd, when } from './format.js';
import { searched, table } from './table.js';

const STATES = [['active', 'active'], ['expired', 'expired'], ['revoked', 'revoked']];
const LIMITS = [['perCall', 'Per call'], ['daily', 'Per day'], ['monthly', 'Per month']];

export async function keys({ query, signal }) {
  const [search, found] = await searched({
    fields: [['name', 'Name'], ['state', 'State', STATES]], query,
    caption: 'API keys', quiet: true, empty: 'There is no such API key.',
    columns: [
      { title: 'Name', cell: (row) => h('a', { href: `#/keys/${row.id}` }, row.name) },
      { title: 'State', cell: (row) => badge(row.state) },
      { title: 'Begins with', cell: (row) => code(`${row.prefix}…`) },
      { title: 'Groups', cell: (row) => row.groups.join(', ') || 'all' },
      { title: 'Per call', end: true, cell: (row) => usd(row.limits.perCall) },
      { title: 'Per day', end: true, cell: (row) => usd(row.limits.daily) },
      { title: 'Per month', end: true, cell: (row) => usd(row.limits.monthly) },
      { title: 'Created', cell: (row) => when(row.created) }],
    signal, load: (wanted) => get('keys', wanted, signal),
  });
  return [head('Keys', 'API keys and what they may spend.',
    changing('keys', 'New key…', create, 'primary')), search, section('Keys', found)];
}

export async function key({ id, signal, again }) {
  const shown = await live({
    load: () => get(`keys/${encodeURIComponent(id)}`, {}, signal), render: (found) => parts(found, again), signal,
  });
  return [h('p', { class: 'crumb' }, h('a', { href: '#/keys' }, 'Keys')), shown];
}

function parts(shown, again) {
  const { key: found, wallets } = shown;
  return [
    head(found.name, h('code', {}, found.id), actions(found, again)),
    h('div', { class: 'pair' },
      section('Key', facts([['State', badge(found.state)], ['Begins with', code(`${found.prefix}…`)],
        ['Groups', found.groups.join(', ') || 'all'],
        ['Requests per minute', found.requestsPerMinute === null ? 'the limit of all callers' : `${found.requestsPerMinute}`],
        ['Account', code(found.account)], ['Created', when(found.created)], ['Expires', found.expires ? when(found.expires) : 'never'],
        ['Revoked', found.revoked ? when(found.revoked) : null]]),
      h('p', {}, h('a', { href: `#/payments?key=${found.id}` }, 'Payments of this key'))),
      section('Budget', budget('Today', shown.spentToday, found.limits.daily), budget('This month', shown.spentThisMonth, found.limits.monthly), limits(found))),
    section('Wallets', table({
      caption: 'Wallets of the account', quiet: true, rows: wallets, empty: 'The account has no wallet.',
      columns: [{ title: 'Network', cell: (row) => row.network }, { title: 'Address', cell: (row) => code(row.address) },
        { title: 'Balance', end: true, cell: (row) => usd(row.balance) }],
    })),
  ];
}

/** What is spent of a limit; a word and a bar. */
function budget(name, spent, limit) {
  const label = limit === null ? `${usd(spent)}, without a limit` : `${usd(spent)} of ${usd(limit)}`;
  const share = limit === null || micros(limit) === 0n ? 0 : Number((micros(spent ?? '0') * 1000n) / micros(limit)) / 1000;
  return h('div', { class: 'budget' }, h('p', {}, h('span', {}, name), h('span', {}, label)),
    limit === null ? null : h('meter', { min: 0, max: 1, high: 0.8, optimum: 0, value: Math.min(1, share), 'aria-label': `${name}: ${label}` }));
}

function limits(found) {
  return table({
    caption: 'Limits of spending', quiet: true, rows: LIMITS,
    columns: [{ title: 'Limit', cell: ([, name]) => name },
      { title: 'Granted', end: true, cell: ([limit]) => usd(found.granted[limit]) },
      { title: 'Set by the owner', end: true, cell: ([limit]) => usd(found.own[limit]) },
      { title: 'In force', end: true, cell: ([limit]) => usd(found.limits[limit]) }],
  });
}

function actions(found, again) {
  if (found.state === 'revoked') {
    return null;
  }
  const then = (what, said) => async () => {
    if (await what(found)) {
      announce(said);
      again();
    }
  };
  return [changing('keys', 'Limits…', then(grant, 'The limits are changed')), changing('keys', 'Rotate…', then(rotate, 'The key has a new secret')),
    changing('keys', 'Revoke…', then(revoke, 'The key is revoked'), 'danger')];
}

function dollar(name, label, value = '') {
  return field(label, h('input', { name, value: value ?? '', inputmode: 'decimal', pattern: '[0-9]+([.][0-9]{1,6})?', maxlength: 20 }), 'Dollars. Empty: no limit.');
}

function amounts(given) {
  return Object.fromEntries(LIMITS.map(([limit]) => [limit, given[limit] || null]));
}

function grant(found) {
  return ask({
    title: `Limits of ${found.name}`,
    text: 'The limits that you grant. The key’s owner can only lower them.',
    controls: LIMITS.map(([limit, name]) => dollar(limit, name, found.granted[limit])),
    confirm: 'Grant',
    act: (given) => put(`keys/${found.id}/limits`, amounts(given)),
  });
}

async function rotate(found) {
  const issued = await ask({
    title: `A new secret for ${found.name}?`,
    controls: [field('The old secret ends', h('select', { name: 'overlap' },
      [['86400', 'after a day'], ['3600', 'after an hour'], ['0', 'at once'], ['604800', 'after a week']].map(([value, text]) => h('option', { value }, text))))],
    confirm: 'Create a new secret',
    act: ({ overlap }) => post(`keys/${found.id}/rotate`, { overlapSeconds: Number(overlap) }),
  });
  return issued && tellOnce('The key’s secret', 'Secret', issued.secret);
}

function revoke(found) {
  return ask({
    title: `Revoke ${found.name}?`, text: 'Its calls are refused from now on, on other nodes within 5 seconds. This cannot be undone.',
    confirm: 'Revoke', tone: 'danger', act: () => post(`keys/${found.id}/revoke`),
  });
}

async function create() {
  const issued = await ask({
    title: 'A new key',
    text: 'The key gets an account and wallets of its own.',
    controls: [
      field('Name', h('input', { name: 'name', required: true, maxlength: 100 })),
      field('Groups', h('input', { name: 'groups', maxlength: 400, autocapitalize: 'none' }), 'Separated by commas, such as cryptodata, images; empty: all.'),
      LIMITS.map(([limit, name]) => dollar(limit, name))],
    confirm: 'Create the key',
    act: (given) => {
      const groups = given.groups.split(',').map((group) => group.trim()).filter((group) => group);
      return post('keys', { name: given.name, ...amounts(given), ...(groups.length ? { groups } : {}) });
    },
  });
  if (issued) {
    await tellOnce('The key’s secret', 'Secret', issued.secret);
    location.hash = `#/keys/${issued.key.key.id}`;
  }
}
