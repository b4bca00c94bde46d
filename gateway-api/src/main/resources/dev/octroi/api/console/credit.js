// What payers that sign for themselves have had before they paid, what they never paid, and their channels.
import { every, get } from './api.js';
import { badge, facts, h, notice, section } from './dom.js';
import { short, usd, when } from './format.js';
import { table } from './table.js';

export function credit(signal) {
  const shown = h('div', { class: 'stack' });
  let mark = '';
  every(30, signal, async () => {
    try {
      const found = await Promise.all([get('credit', {}, signal), get('channels', { limit: 100 }, signal)]);
      const next = JSON.stringify(found);
      if (next !== mark) {
        mark = next;
        shown.replaceChildren(...parts(found));
      }
    } catch (error) {
      if (!signal.aborted && error.status !== 0) {
        mark = '';
        shown.replaceChildren(section('Credit', notice('bad', error.message)));
      }
      throw error;
    }
  });
  return shown;
}

function parts([found, channels]) {
  return [
    section('Credit',
      facts([['Owed for answers that left before they were paid for', `${usd(found.owed)} of at most ${usd(found.most)}`]]),
      table({
        caption: 'Payers with losses, the largest first', quiet: true, rows: found.losses, empty: 'No payer has failed to pay.',
        columns: [
          { title: 'Payer', cell: (row) => h('a', { href: `#/payments?payer=${encodeURIComponent(row.payer)}` }, short(row.payer)) },
          { title: 'Network', cell: (row) => row.network },
          { title: 'Lost', end: true, cell: (row) => usd(row.lost) }],
      })),
    ...(channels.data.length ? [section('Channels', channelTable(channels.data, 'Channels that calls are paid out of, the latest used first'))] : []),
  ];
}

export function channelTable(rows, caption) {
  return table({
    caption, quiet: true, rows,
    columns: [
      { title: 'Channel', cell: (row) => h('a', { href: `#/payments?payer=${row.id}` }, short(row.id)) },
      { title: 'Payer', cell: (row) => h('a', { href: `#/payments?payer=${row.payer}` }, short(row.payer)) },
      { title: 'Token', cell: (row) => short(row.asset) },
      { title: 'State', cell: (row) => badge(row.state) },
      { title: 'Charged in all', end: true, cell: (row) => usd(row.charged) },
      { title: 'Highest voucher', end: true, cell: (row) => usd(row.signed) },
      { title: 'Left', end: true, cell: (row) => usd(row.left) },
      { title: 'Last used', cell: (row) => when(row.used) }],
  });
}
