// What is left of revenue after what vendors charge and gas, by group and by row.
import { get } from './api.js';
import { announce, h, head, live, notice, section } from './dom.js';
import { call, count, dollars, micros, usd } from './format.js';
import { SPANS, begin, spans } from './grain.js';
import { table } from './table.js';

const CHOICES = [SPANS.day, SPANS.week, SPANS.month];

let chosen = SPANS.day;

export async function margin({ signal, again }) {
  const shown = await live({
    load: () => get('margin', { from: new Date(begin(chosen)).toISOString() }, signal),
    render: parts, signal, seconds: 30,
  });
  return [
    head('Margin', 'Revenue, less what vendors charge and less gas.', spans(CHOICES, chosen, (span) => {
      chosen = span;
      announce(`The last ${span.name}`);
      again();
    })),
    shown,
    h('details', { class: 'card' }, h('summary', {}, 'What these figures cover'),
      h('p', {}, 'Revenue is what callers paid less what was given back, from the journal. Vendor cost is the number of calls that an upstream was asked for, whether or not they were charged, times the cost of a call in the settings of now. A call counts once, however often it was tried; what came out of the cache does not count.'),
      h('p', {}, 'Gas is that of the gateway’s own transactions on an EVM chain, from their receipts, once they are final. The payments of a transaction share it. Fees on Solana are not told here.'))];
}

function parts(found) {
  return [
    tiles(found.total),
    found.closedBefore && found.closedBefore > found.from
      ? notice('warn', `The books are closed for all before ${found.closedBefore}.`) : null,
    section('By group', figures('Margin by group', found.groups, [{ title: 'Group', cell: group }])),
    section('By row', figures('Margin by row of the catalogue, the highest revenue first', found.rows, [
      { title: 'Row', cell: (row) => (row.path ? call(row) : 'no row') },
      { title: 'Group', cell: group }])),
  ];
}

function group(row) {
  return row.group ?? 'none';
}

function tiles(total) {
  const tile = (name, value, more) => h('div', { class: 'tile' }, h('dt', {}, name), h('dd', {}, h('strong', {}, value), h('span', {}, more)));
  return h('dl', { class: 'tiles' },
    tile('Revenue', revenue(total), `${count(total.calls)} paid calls`),
    tile('Vendor cost', total.cost === null ? 'no cost set' : usd(total.cost), `${count(total.asked)} calls of upstreams${total.uncosted ? `, ${count(total.uncosted)} of them without a cost` : ''}`),
    tile('Gas', gas(total), total.gasUsd === null ? 'gateway.chain.coin-price is not set' : 'of the gateway’s own transactions'),
    tile('Margin', left(total), `in the last ${chosen.name}`));
}

function figures(caption, rows, columns) {
  return table({
    caption, quiet: true, rows, empty: 'Nothing was paid or asked for in this time.',
    columns: [...columns,
      { title: 'Paid calls', end: true, cell: (row) => count(row.figures.calls) },
      { title: 'Revenue', end: true, cell: (row) => revenue(row.figures) },
      { title: 'Upstream calls', end: true, cell: (row) => count(row.figures.asked) },
      { title: 'Vendor cost', end: true, cell: (row) => cost(row.figures) },
      { title: 'Gas', end: true, cell: (row) => gas(row.figures) },
      { title: 'Margin', end: true, cell: (row) => left(row.figures) }],
  });
}

function revenue(sums) {
  return dollars(micros(sums.taken) - micros(sums.givenBack));
}

function cost(sums) {
  if (sums.cost === null) {
    return 'no cost set';
  }
  return sums.uncosted ? `${usd(sums.cost)}, ${count(sums.uncosted)} calls without a cost` : usd(sums.cost);
}

/** In dollars if the coin has a price, else in the coin; exact amounts are in the interface. */
function gas(sums) {
  const coins = Object.entries(sums.gas);
  if (!coins.length) {
    return '–';
  }
  return sums.gasUsd === null ? coins.map(([network, amount]) => `${amount} of ${network}`).join(', ') : cut(sums.gasUsd);
}

function left(sums) {
  return sums.margin === null ? 'not known' : cut(sums.margin);
}

/** Millionths of a dollar; what is smaller is cut off. */
function cut(amount) {
  return h('span', { title: amount }, usd(amount));
}
