// Where events are sent to, whether they arrive, and what each attempt came to.
import { get, post } from './api.js';
import { badge, changing, h, head, live, notice, section, word } from './dom.js';
import { code, count, http, when } from './format.js';
import { searched, table } from './table.js';

const TYPES = ['payment.settled', 'payment.refunded', 'payment.in_doubt', 'payment.failed', 'lease.expiring', 'job.done', 'budget.nearly_used'];
const STATES = ['waiting', 'delivered', 'failed'];

export async function webhooks({ query, signal }) {
  const said = h('div', { 'aria-live': 'polite' });
  const endpoints = await live({
    load: () => get('webhooks', {}, signal),
    render: ({ data }) => table({
      caption: 'Endpoints', quiet: true, rows: data, empty: 'The settings have no webhook (gateway.webhooks).',
      columns: [
        { title: 'Endpoint', cell: (row) => h('b', {}, row.endpoint) },
        { title: 'State', cell: (row) => badge(row.state === 'active' && row.retrying ? 'failing' : row.state) },
        { title: 'Address', cell: (row) => code(row.url) },
        { title: 'Events', cell: (row) => (row.events.length === TYPES.length ? 'all' : row.events.join(', ')) },
        { title: 'Waiting', end: true, cell: (row) => count(row.waiting) },
        { title: 'Oldest waiting', cell: (row) => when(row.oldestWaiting) },
        { title: 'Failed', end: true, cell: (row) => count(row.failed) },
        { title: 'Delivered', end: true, cell: (row) => count(row.delivered) },
        { title: 'Last delivered', cell: (row) => when(row.lastDelivered) },
        { title: 'Actions', cell: (row) => changing('webhooks', 'Send a test', (event) => test(row, event.currentTarget, said)) }],
    }),
    signal,
  });
  const [search, deliveries] = await searched({
    caption: 'Deliveries, the latest first', quiet: true, empty: 'No event was sent yet.',
    columns: [
      { title: 'Event', cell: (row) => row.type }, { title: 'State', cell: (row) => badge(row.state) },
      { title: 'Endpoint', cell: (row) => row.endpoint }, { title: 'Happened', cell: (row) => when(row.created) },
      { title: 'Attempts', cell: (row) => (row.tried ? [count(row.attempts), ', last ', when(row.tried)] : count(row.attempts)) },
      { title: 'Next attempt', cell: (row) => when(row.due) },
      { title: 'Answer', cell: answer },
      { title: 'Actions', cell: (row) => changing('webhooks', 'Send again', (event) => resend(row, event.currentTarget, said)) }],
    fields: [['state', 'State', STATES.map((state) => [state, word(state)])], ['endpoint', 'Endpoint'],
      ['type', 'Event', TYPES.map((type) => [type, type])]],
    query, signal, load: (wanted) => get('webhooks/deliveries', wanted, signal),
  });
  return [head('Webhooks', 'Events that are sent to endpoints of the settings. An endpoint that answers 410 is disabled until it takes a test.'),
    said, section('Endpoints', endpoints), search, section('Deliveries', deliveries)];
}

function answer(row) {
  if (!row.tried) {
    return '–';
  }
  const start = row.status === null ? 'no answer' : http(row.status);
  return row.answer ? h('details', {}, h('summary', {}, start), h('p', {}, row.answer)) : start;
}

/** Tells what came of it, also where nothing did. */
async function act(pressed, said, done) {
  pressed.disabled = true;
  try {
    const [tone, text] = await done();
    said.replaceChildren(notice(tone, text));
  } catch (error) {
    said.replaceChildren(notice('bad', error.message));
  }
  pressed.disabled = false;
}

function test(row, pressed, said) {
  return act(pressed, said, async () => {
    const result = await post(`webhooks/${row.endpoint}/test`);
    const told = `${result.status === null ? '' : `HTTP ${result.status} `}${result.answer} (${count(result.millis)} ms)`;
    return result.delivered ? ['good', `${row.endpoint} took the test: ${told}`] : ['bad', `${row.endpoint} did not take the test: ${told}`];
  });
}

function resend(row, pressed, said) {
  return act(pressed, said, async () => {
    await post(`webhooks/deliveries/${row.id}/resend`);
    return ['good', `The event is sent to ${row.endpoint} again`];
  });
}
