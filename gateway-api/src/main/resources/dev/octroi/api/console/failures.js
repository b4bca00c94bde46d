// What fails: how calls ended, over time and by row, and why payments were not charged.
import { every, get } from './api.js';
import { announce, badge, h, head, notice, section } from './dom.js';
import { call, code, count, http, short, when } from './format.js';
import { begin, floor, label, SPANS, spans, steps } from './grain.js';
import { paymentWord } from './payments.js';
import { bars } from './plot.js';
import { table } from './table.js';

const CHOICES = [SPANS.day, SPANS.week, SPANS.month];

/** The interface's words for how calls end, and those that people read; what was served is no failure. */
const OUTCOMES = {
  client_error: 'client error', server_error: 'server error', timeout: 'timeout', refused: 'payment refused',
  limited: 'too many', cut: 'caller gone',
};

let chosen = SPANS.day;
let group = '';

export function failures({ query, signal }) {
  group = query.get('group') ?? group;
  const shown = h('div', { class: 'stack figures' }, h('p', { class: 'nothing' }, 'Reading…'));
  let plots = new AbortController();
  let mark = '';
  const refresh = async () => {
    try {
      const found = await get('failures', { step: chosen.step, from: new Date(begin(chosen)).toISOString(), group }, signal);
      const next = JSON.stringify({ ...found, to: null });
      if (next === mark) {
        return;
      }
      mark = next;
      plots.abort();
      plots = new AbortController();
      shown.replaceChildren(...parts(found, plots.signal));
    } catch (error) {
      if (!signal.aborted && error.status !== 0) {
        shown.replaceChildren(notice('bad', error.message));
      }
      throw error;
    }
  };
  signal.addEventListener('abort', () => plots.abort());
  every(15, signal, refresh);
  return [
    head('Failures', 'How calls ended on all nodes. Counts are at most 15 seconds old.', spans(CHOICES, chosen, (span) => {
      chosen = span;
      announce(`The last ${span.name}`);
      refresh().catch(() => {});
    })),
    shown,
    h('details', { class: 'card' }, h('summary', {}, 'What these figures cover'),
      h('p', {}, 'Calls are counted in the memory of each node, by row of the catalogue, and added up by the hour. They cover every call below a group or a route, and not the gateway’s own paths. A node that is killed loses up to 15 seconds of its counts. Counts are kept for 31 days.'),
      h('p', {}, 'Reasons and payers come from the ledger: payments that failed or were not charged. A payment that was sent again and settled is not among them any more.'),
      h('p', {}, 'Times are from the request to the last byte of the answer, without challenges, estimated from a histogram.'))];
}

function total(row) {
  return Object.entries(row.calls).reduce((sum, [name, calls]) => (name === 'challenge' ? sum : sum + calls), 0);
}

function failed(row) {
  return Object.keys(OUTCOMES).reduce((sum, name) => sum + row.calls[name], 0);
}

function share(part, whole) {
  return whole ? `${((part / whole) * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %` : '–';
}

function millis(value) {
  return value === null ? '–' : value < 10_000 ? `${count(value)} ms` : `${count(Math.round(value / 1000))} s`;
}

function parts(found, signal) {
  const times = steps(chosen, Date.parse(found.from));
  const labels = times.map((at) => label(at, chosen.grain));
  const at = (value, none) => {
    const values = new Array(times.length).fill(none);
    for (const step of found.steps) {
      values[times.indexOf(floor(Date.parse(step.from), chosen.grain))] = value(step);
    }
    return values;
  };
  const all = found.steps.reduce((sum, step) => sum + total(step), 0);
  const bad = found.steps.reduce((sum, step) => sum + failed(step), 0);
  const happened = Object.keys(OUTCOMES).filter((name) => found.steps.some((step) => step.calls[name]));
  return [
    group ? h('p', { class: 'notice calm' }, `Only group ${group}. `, h('a', { href: '#/failures?group=' }, 'Show all groups')) : null,
    funnel(found.funnel),
    h('div', { class: 'pair' },
      section('Failures over time',
        h('p', { class: 'hint' }, `${count(bad)} of ${count(all)} calls failed (${share(bad, all)}) in the last ${chosen.name}. Challenges are not counted.`),
        happened.length ? bars({
          labels, signal, unit: count, whole: true, said: `Failed calls of the last ${chosen.name}, ${count(bad)} in all; the table below has the numbers.`,
          series: happened.map((name) => ({ group: OUTCOMES[name], values: at((step) => step.calls[name], 0) })),
        }) : h('p', { class: 'nothing' }, 'No call failed in this time.')),
      section('Latency over time',
        h('p', { class: 'hint' }, 'From the request to the last byte of the answer, without challenges; estimated from a histogram.'),
        found.steps.length ? bars({
        labels, signal, type: 'line', unit: millis, said: `Latency of calls in the last ${chosen.name} as p50, p95 and p99; the table below has the numbers.`,
        series: ['p50', 'p95', 'p99'].map((name) => ({ group: name, values: at((step) => step[name], null) })),
      }) : h('p', { class: 'nothing' }, 'No call in this time.'))),
    section('Why payments were not charged', reasons(found.reasons)),
    section('By row', byRow(found.rows)),
    section('By payer', byPayer(found.payers)),
    h('details', { class: 'card' }, h('summary', {}, `Every ${chosen.grain} as a table`), byTime(found.steps)),
  ].filter((part) => part !== null);
}

/** Challenges, payments and deliveries, each with its share of the step before. */
function funnel({ challenges, payments, deliveries }) {
  const step = (name, value, more) => h('div', { class: 'tile' }, h('dt', {}, name), h('dd', {}, h('strong', {}, count(value)), h('span', {}, more)));
  return h('dl', { class: 'tiles' },
    step('Challenges', challenges, 'calls that were told the price'),
    step('Payments', payments, payments <= challenges ? `${share(payments, challenges)} of challenges` : 'calls that brought one, or an API key'),
    step('Deliveries', deliveries, `${share(deliveries, payments)} of payments`),
    step('Not delivered', payments - deliveries, 'refused, failed or cut off'));
}

function reasons(rows) {
  return table({
    caption: 'Payments that were not charged, by reason', quiet: true, rows, empty: 'Every payment of this time was charged.',
    columns: [
      { title: 'Payments', end: true, cell: (row) => count(row.payments) },
      { title: 'State', cell: (row) => badge(row.state, paymentWord(row.state)) },
      { title: 'Status', cell: (row) => h('span', { class: 'short' }, http(row.status)) },
      { title: 'Reason', cell: (row) => row.reason ?? '–' },
      { title: 'Upstream', cell: (row) => row.upstream ?? '–' },
      { title: 'Group', cell: (row) => (row.group ? h('a', { href: `#/failures?group=${encodeURIComponent(row.group)}` }, row.group) : '–') },
      { title: 'Latest', cell: (row) => when(row.latest) },
      { title: 'Example', cell: (row) => h('a', { href: `#/payments/${row.example}` }, short(row.example)) }],
  });
}

function byRow(rows) {
  return table({
    caption: 'Calls by row of the catalogue, those with the most failures first', quiet: true, rows, empty: 'No call in this time.',
    columns: [
      { title: 'Row', cell: (row) => call(row) },
      { title: 'Group', cell: (row) => h('a', { href: `#/failures?group=${encodeURIComponent(row.group)}` }, row.group) },
      { title: 'Failed', end: true, cell: (row) => `${count(failed(row))} of ${count(total(row))}` },
      { title: 'Share', end: true, cell: (row) => share(failed(row), total(row)) },
      { title: 'How', cell: (row) => how(row) || '–' },
      { title: 'Challenges', end: true, minor: true, cell: (row) => count(row.calls.challenge) },
      ...latencies()],
  });
}

/** The failures of a row in words, without those that did not happen. */
function how({ calls }) {
  return Object.entries(OUTCOMES).filter(([name]) => calls[name]).map(([name, title]) => `${count(calls[name])} × ${title}`).join(', ');
}

function latencies() {
  return ['p50', 'p95', 'p99'].map((name) => ({ title: name, end: true, cell: (row) => millis(row[name]) }));
}

function byPayer(rows) {
  return table({
    caption: 'Payers whose payments were not charged', quiet: true, rows, empty: 'None.',
    columns: [
      { title: 'Payer', cell: (row) => code(row.payer) }, { title: 'Network', cell: (row) => row.network },
      { title: 'Not charged', end: true, cell: (row) => h('a', { href: `#/payments?payer=${encodeURIComponent(row.payer)}` }, `${count(row.payments)} ${row.payments === 1 ? 'payment' : 'payments'}`) },
      { title: 'Latest', cell: (row) => when(row.latest) }],
  });
}

function byTime(rows) {
  return table({
    caption: `Calls by ${chosen.grain}`, quiet: true, rows: [...rows].reverse(), empty: 'No call in this time.',
    columns: [
      { title: chosen.grain === 'hour' ? 'Hour' : 'Day (UTC)', cell: (row) => h('time', { datetime: row.from }, label(Date.parse(row.from), chosen.grain)) },
      { title: 'Served', end: true, cell: (row) => count(row.calls.served) },
      ...Object.entries(OUTCOMES).map(([name, title]) => ({ title: title[0].toUpperCase() + title.slice(1), end: true, cell: (row) => count(row.calls[name]) })),
      { title: 'Challenges', end: true, cell: (row) => count(row.calls.challenge) },
      ...latencies()],
  });
}
