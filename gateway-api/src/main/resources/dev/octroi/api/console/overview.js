import { every, get, post } from './api.js';
import { credit } from './credit.js';
import { announce, changing, h, head, notice, section } from './dom.js';
import { code, count, dollars, micros } from './format.js';
import { begin, floor, label, SPANS, spans, steps } from './grain.js';
import { bars, order } from './plot.js';
import { table } from './table.js';

const CHOICES = Object.values(SPANS);

let chosen = SPANS.day;

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
      if (!signal.aborted && error.status !== 0) {
        shown.replaceChildren(notice('bad', error.message));
      }
      throw error;
    }
  };
  signal.addEventListener('abort', () => plots.abort());
  // Begins once the page is shown: a plot takes its size from it.
  every(60, signal, refresh);
  return [head('Overview', 'Summed up from the journal.', spans(CHOICES, chosen, (span) => {
    chosen = span;
    announce(`The last ${span.name}`);
    refresh().catch(() => {});
  })), shown, credit(signal), books()];
}

function revenue(signal) {
  return get('revenue', { step: chosen.step, from: new Date(begin(chosen)).toISOString() }, signal);
}

function figures(answer, signal) {
  const rows = answer.data.map((row) => ({
    ...row, group: row.group ?? 'other', at: floor(Date.parse(row.from), chosen.grain), taken: micros(row.taken), back: micros(row.givenBack),
  }));
  const groups = order(new Set(rows.map((row) => row.group)));
  const times = steps(chosen, Date.parse(answer.from));
  const labels = times.map((at) => label(at, chosen.grain));
  const plot = (value) => groups.map((group) => {
    const values = new Array(times.length).fill(0);
    for (const row of rows.filter((each) => each.group === group)) {
      values[times.indexOf(row.at)] += value(row);
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
      section('Paid calls', rows.length ? bars({ labels, signal, unit: count, whole: true, series: plot((row) => row.calls), said: `Paid calls of the last ${chosen.name} by group, ${count(calls)} in all; the table below has the numbers.` }) : nothing())),
    byGroup(groups, rows),
    byTime(rows),
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

function byTime(rows) {
  const sums = new Map();
  for (const row of rows) {
    const place = `${row.at} ${row.group}`;
    const sum = sums.get(place) ?? { at: row.at, group: row.group, calls: 0, taken: 0n, back: 0n };
    sums.set(place, { ...sum, calls: sum.calls + row.calls, taken: sum.taken + row.taken, back: sum.back + row.back });
  }
  const { grain } = chosen;
  return h('details', { class: 'card' }, h('summary', {}, `Every ${grain} as a table`), table({
    caption: `Revenue and calls by ${grain} and group`,
    quiet: true,
    columns: columns({ title: grain === 'hour' ? 'Hour' : `${grain[0].toUpperCase()}${grain.slice(1)} (UTC)`, cell: (row) => h('time', { datetime: new Date(row.at).toISOString() }, label(row.at, grain)) }, { title: 'Group', cell: (row) => row.group }),
    rows: [...sums.values()].reverse(),
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
  const verify = changing('books', 'Verify the books', async () => {
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
