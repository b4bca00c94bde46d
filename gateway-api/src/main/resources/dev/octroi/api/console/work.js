// Leases, calls and jobs: what outlives the request that paid for it.
import { get } from './api.js';
import { badge, h, head, section, word } from './dom.js';
import { between, code, count, short, usd, when } from './format.js';
import { searched } from './table.js';

const PAGE = { limit: 50 };

const states = (...names) => names.map((name) => [name, word(name)]);
const LEASES = states('active', 'renewal_due', 'expired', 'released');
const CALLS = states('initiated', 'ringing', 'in_progress', 'completed', 'failed', 'no_answer', 'busy');
const JOBS = states('queued', 'in_progress', 'completed', 'failed');

export async function leases({ query, signal }) {
  const [search, list] = await searched({
    caption: 'Leases of phone numbers, the latest first', quiet: true, empty: 'No number was leased yet.',
    columns: [
      { title: 'Number', cell: (row) => code(row.phone) }, { title: 'State', cell: (row) => badge(row.state) },
      { title: 'Country', cell: (row) => row.country }, { title: 'Bought', cell: (row) => when(row.bought) },
      { title: 'Term ends', cell: (row) => when(row.expires) },
      { title: 'Next term', cell: (row) => (row.renewalPayment ? h('a', { href: `#/payments/${row.renewalPayment}` }, 'payment under way') : '–') },
      { title: 'Ended', cell: (row) => when(row.ended) }, { title: 'Owner', cell: (row) => short(row.owner) }],
    fields: [['state', 'State', LEASES], ['owner', 'Owner']], query, signal,
    load: (wanted) => get('leases', { ...PAGE, ...wanted }, signal),
  });
  return [head('Leases', 'Leased phone numbers, their owners and terms.'), search, section('All leases', list)];
}

export async function calls({ query, signal }) {
  const [search, list] = await searched({
    caption: 'Calls, the latest first', quiet: true, empty: 'No call was placed yet.',
    columns: [
      { title: 'Placed', cell: (row) => when(row.placed) }, { title: 'State', cell: (row) => badge(row.status) },
      { title: 'From', cell: (row) => code(row.from) }, { title: 'To', cell: (row) => code(row.to) },
      { title: 'Minutes', end: true, cell: (row) => `${row.minutes === null ? '–' : count(row.minutes)} of ${row.maxMinutes}` },
      { title: 'Lasted', cell: (row) => (row.ended ? between(row.placed, row.ended) : '–') },
      { title: 'Call', cell: (row) => short(row.id) }, { title: 'At the vendor', cell: (row) => short(row.reference) },
      { title: 'Owner', cell: (row) => short(row.owner) }],
    fields: [['state', 'State', CALLS], ['owner', 'Owner']], query, signal,
    load: (wanted) => get('calls', { ...PAGE, ...wanted }, signal),
  });
  return [head('Calls', 'Voice calls. What was said is not kept here.'), search, section('All calls', list)];
}

export async function jobs({ query, signal }) {
  const [search, list] = await searched({
    caption: 'Jobs, the latest first', quiet: true, empty: 'No job is kept.',
    columns: [
      { title: 'Ordered', cell: (row) => when(row.created) }, { title: 'State', cell: (row) => badge(row.state) },
      { title: 'Model', cell: (row) => row.model }, { title: 'Size', cell: (row) => row.size },
      { title: 'Pictures', end: true, cell: (row) => count(row.pictures) },
      { title: 'Price', end: true, cell: (row) => usd(row.price) },
      { title: 'Paid', cell: (row) => h('a', { href: `#/payments/${row.payment}` }, row.settled ? 'yes' : 'not yet') },
      { title: 'Attempts', end: true, cell: (row) => count(row.attempt) }, { title: 'Node', cell: (row) => row.node ?? '–' },
      { title: 'Job', cell: (row) => short(row.name) }, { title: 'Owner', cell: (row) => short(row.owner) }],
    fields: [['state', 'State', JOBS], ['owner', 'Owner']], query, signal,
    load: (wanted) => get('jobs', { ...PAGE, ...wanted }, signal),
  });
  return [head('Jobs', 'Orders for pictures that take longer than their call.'), search, section('All jobs', list)];
}
