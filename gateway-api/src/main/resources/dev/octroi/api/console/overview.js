import { every, get, post } from './api.js';
import { announce, button, h, head, notice, section } from './dom.js';
import { code, count, dollars, micros } from './format.js';
import { bars, order } from './plot.js';
import { table } from './table.js';

const HOUR = 3_600_000;
const SPANS = [
  { name: '24 hours', step: 'hour', millis: 24 * HOUR },
  { name: '7 days', step: 'hour', millis: 7 * 24 * HOUR },
  { name: '30 days', step: 'day', millis: 30 * 24 * HOUR },
  { name: '12 months', step: 'day', millis: 365 * 24 * HOUR },
];

let chosen = SPANS[0];

export function overview({ signal }) {
  const shown = h('div', { class: 'stack figures' }, h('p', { class: 'nothing' }, 'Summing up…'));
  let plots = new AbortController();
  const refresh = async () => {
    try {
      const answer = await revenue(signal);
      plots.abort();
      plots = new AbortController();
      shown.replaceChildren(...figures(answer, plots.signal));
    } catch (error) {
      if (!signal.aborted) {
        shown.replaceChildren(notice('bad', error.message));
      }
    }
  };
  signal.addEventListener('abort', () => plots.abort());
  // Begins once the page is shown: a plot takes its size from it.
  every(60, signal, refresh);
  return [head('Overview', 'Summed up from the journal.', spans(refresh)), shown, books()];
}

function spans(refresh) {
  const choices = SPANS.map((span) => button(span.name, () => {
    chosen = span;
    choices.forEach((choice, at) => choice.setAttribute('aria-pressed', SPANS[at] === span));
    announce(`The last ${span.name}`);
    refresh();
  }));
  choices.forEach((choice, at) => choice.setAttribute('aria-pressed', SPANS[at] === chosen));
  return h('div', { class: 'choice', role: 'group', 'aria-label': 'Period' }, choices);
}

/** Whole steps, so that the first bar is not half a one. */
function revenue(signal) {
  const length = chosen.step === 'hour' ? HOUR : 24 * HOUR;
  const from = (Math.floor((Date.now() - chosen.millis) / length) + 1) * length;
  return get('revenue', { step: chosen.step, from: new Date(from).toISOString() }, signal);
}

function figures(answer, signal) {
  const rows = answer.data.map((row) => ({
    ...row, group: row.group ?? 'other', at: Date.parse(row.from), taken: micros(row.taken), back: micros(row.givenBack),
  }));
  const groups = order(new Set(rows.map((row) => row.group)));
  const steps = times(answer);
  const labels = steps.map((at) => label(at, answer.step));
  const plot = (value) => groups.map((group) => {
    const values = new Array(steps.length).fill(0);
    for (const row of rows.filter((each) => each.group === group)) {
      values[steps.indexOf(row.at)] = value(row);
    }
    return { group, values };
  });
  const taken = rows.reduce((sum, row) => sum + row.taken, 0n);
  const back = rows.reduce((sum, row) => sum + row.back, 0n);
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return [
    h('dl', { class: 'tiles' },
      tile('Revenue', dollars(taken - back, 2), `in the last ${chosen.name}`),
      tile('Paid calls', count(calls), calls ? `${dollars(taken / BigInt(calls))} each` : 'none yet'),
      tile('Given back', dollars(back, 2), 'refunds and losses'),
      tile('Groups', `${groups.length}`, groups.slice(0, 3).join(', '))),
    answer.closedBefore && answer.closedBefore > answer.from
      ? notice('warn', `The books are closed for all before ${answer.closedBefore}.`) : null,
    h('div', { class: 'pair' },
      section('Revenue', rows.length ? bars({ labels, signal, unit: money, series: plot((row) => Number(row.taken - row.back) / 1e6), said: `Revenue of the last ${chosen.name} by group, ${dollars(taken - back)} in all; the table below has the numbers.` }) : nothing()),
      section('Paid calls', rows.length ? bars({ labels, signal, unit: count, series: plot((row) => row.calls), said: `Paid calls of the last ${chosen.name} by group, ${count(calls)} in all; the table below has the numbers.` }) : nothing())),
    byGroup(groups, rows),
    byTime(rows, answer.step),
  ].filter((part) => part !== null);
}

function nothing() {
  return h('p', { class: 'nothing' }, 'Nothing was paid in this time.');
}

function tile(name, value, more) {
  return h('div', { class: 'tile' }, h('dt', {}, name), h('dd', {}, h('strong', {}, value), h('span', {}, more)));
}

function money(value) {
  return `$${value.toLocaleString('en', { maximumFractionDigits: value < 1 ? 4 : 2 })}`;
}

function times(answer) {
  const length = answer.step === 'hour' ? HOUR : 24 * HOUR;
  const steps = [];
  for (let at = Math.floor(Date.parse(answer.from) / length) * length; at < Date.parse(answer.to); at += length) {
    steps.push(at);
  }
  return steps;
}

function label(at, step) {
  const date = new Date(at);
  return step === 'hour' && chosen === SPANS[0]
    ? date.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    : date.toLocaleDateString('en', { month: 'short', day: 'numeric', ...(step === 'hour' ? { hour: '2-digit', hourCycle: 'h23' } : { timeZone: 'UTC' }) });
}

function byGroup(groups, rows) {
  const sums = groups.map((group) => rows.filter((row) => row.group === group).reduce((sum, row) => ({
    group, calls: sum.calls + row.calls, taken: sum.taken + row.taken, back: sum.back + row.back,
  }), { group, calls: 0, taken: 0n, back: 0n }));
  return section('By group', table({
    caption: `Revenue and calls by group, the last ${chosen.name}`,
    quiet: true,
    columns: columns({ title: 'Group', cell: (row) => row.group }),
    rows: sums,
    empty: 'Nothing was paid in this time.',
  }));
}

function byTime(rows, step) {
  return h('details', { class: 'card' }, h('summary', {}, `Every ${step} as a table`), table({
    caption: `Revenue and calls by ${step} and group`,
    quiet: true,
    columns: columns({ title: step === 'hour' ? 'Hour' : 'Day (UTC)', cell: (row) => h('time', { datetime: row.from }, label(row.at, step)) }, { title: 'Group', cell: (row) => row.group }),
    rows: [...rows].reverse(),
  }));
}

function columns(...first) {
  return [...first,
    { title: 'Calls', end: true, cell: (row) => count(row.calls) },
    { title: 'Taken', end: true, cell: (row) => dollars(row.taken) },
    { title: 'Given back', end: true, cell: (row) => dollars(row.back) },
    { title: 'Revenue', end: true, cell: (row) => dollars(row.taken - row.back) }];
}

function books() {
  const said = h('div', { 'aria-live': 'polite' });
  const verify = button('Verify the books', async () => {
    verify.disabled = true;
    said.replaceChildren(notice('calm', 'Comparing ledger, journal and chain…'));
    try {
      const report = await post('books/verify');
      said.replaceChildren(...told(report));
    } catch (error) {
      said.replaceChildren(notice('bad', error.message));
    }
    verify.disabled = false;
  });
  return section('Books', h('p', {}, 'Compares every payment with its journal lines, and both with the chain.'), verify, said);
}

function told(report) {
  const looked = `${count(report.payments)} payments and ${count(report.lines)} journal lines; ${count(report.proven)} proven by the chain.`;
  return report.clean
    ? [notice('good', `The books agree: ${looked}`)]
    : [notice('bad', `The books do not agree: ${looked}`), table({
      caption: 'Differences',
      columns: [
        { title: 'Rule', cell: (row) => row.check },
        { title: 'About', cell: (row) => code(row.subject) },
        { title: 'Stated', cell: (row) => row.stated },
        { title: 'Found', cell: (row) => row.found }],
      rows: report.differences })];
}
