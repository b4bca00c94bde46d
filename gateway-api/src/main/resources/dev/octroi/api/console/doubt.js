// What the gateway does not know the end of, and what only the operator can decide.
import { get, post } from './api.js';
import { announce, ask, badge, changing, field, h, head, live, notice, reason, section } from './dom.js';
import { code, short, usd, when } from './format.js';
import { decide } from './payment.js';
import { table } from './table.js';

export async function doubt({ signal, again }) {
  const shown = await live({
    load: () => Promise.all([
      get('payments/unresolved', { limit: 100 }, signal),
      get('effects', { limit: 100 }, signal),
      get('refunds', { limit: 100 }, signal)]),
    render: (found) => parts(found, again), signal,
  });
  return [
    head('Needs attention', 'Payments, effects and refunds whose outcome is open. The gateway works on all of them by itself; here you can step in.'),
    shown];
}

function parts([payments, effects, refunds], again) {
  const open = payments.data.length + effects.data.length + refunds.data.length;
  return [
    open ? null : notice('good', 'Nothing needs your attention.'),
    payments.unread.length
      ? notice('warn', `The gateway cannot read ${payments.unread.join(', ')}: it cannot look up payments in doubt there. Set gateway.chain.rpc-url (for Solana gateway.solana.rpc-url) so that the gateway asks the chain itself.`)
      : null,
    section('Payments in doubt', unresolved(payments.data, again)),
    section('Effects with unknown outcome', unknown(effects.data, again)),
    section('Refunds to be paid', owed(refunds.data, again)),
  ].filter((part) => part !== null);
}

function unresolved(rows, again) {
  return table({
    caption: 'Payments in doubt, the oldest first', quiet: true, rows, empty: 'None.',
    columns: [
      { title: 'Since', cell: (row) => when(row.since) },
      { title: 'Payment', cell: (row) => h('a', { href: `#/payments/${row.id}` }, short(row.id)) },
      { title: 'Amount', end: true, cell: (row) => usd(row.amount) },
      { title: 'Payer', cell: (row) => short(row.payer) },
      { title: 'Sent', cell: (row) => (row.sent ? 'yes' : 'no') },
      { title: 'May settle until', cell: (row) => when(row.validBefore) },
      { title: 'Transaction', cell: (row) => short(row.transaction) },
      { title: 'Actions', cell: (row) => h('div', { class: 'actions' }, decide(row, again)) }],
  });
}

function unknown(rows, again) {
  return table({
    caption: 'Effects with unknown outcome, the oldest first', quiet: true, rows, empty: 'None.',
    columns: [
      { title: 'Begun', cell: (row) => when(row.begun) },
      { title: 'Kind', cell: (row) => row.kind },
      { title: 'Payment', cell: (row) => h('a', { href: `#/payments/${row.payment}` }, short(row.payment)) },
      { title: 'Key at the vendor', cell: (row) => code(row.vendorKey) },
      { title: 'Note', cell: (row) => row.note ?? '–' },
      { title: 'Actions', cell: (row) => changing('effects', 'Close…', () => close(row, again)) }],
  });
}

async function close(effect, again) {
  const outcome = h('select', { name: 'outcome', required: true },
    h('option', { value: '' }, 'Choose…'), h('option', { value: 'done' }, 'It was done'),
    h('option', { value: 'not_done' }, 'It was not done: refund it'));
  const closed = await ask({
    title: `Close this ${effect.kind}?`,
    text: `State what its vendor told you. The vendor was asked for: ${effect.intent}`,
    controls: [
      field('Outcome', outcome),
      field('Vendor’s reference', h('input', { name: 'reference', maxlength: 256 }), 'Needed if it was done.'),
      reason()],
    confirm: 'Close it',
    act: (given) => post(`effects/${effect.id}/close`, given),
  });
  if (closed) {
    announce('The effect is closed');
    again();
  }
}

function owed(rows, again) {
  return table({
    caption: 'Refunds that are not paid yet, the oldest first', quiet: true, rows, empty: 'None.',
    columns: [
      { title: 'Asked', cell: (row) => when(row.asked) },
      { title: 'State', cell: (row) => badge(row.state) },
      { title: 'Amount', end: true, cell: (row) => usd(row.amount) },
      { title: 'Payment', cell: (row) => h('a', { href: `#/payments/${row.payment}` }, short(row.payment)) },
      { title: 'To', cell: (row) => short(row.payer) },
      { title: 'Reason', cell: (row) => row.reason },
      { title: 'Note', cell: (row) => row.note ?? '–' },
      { title: 'Actions', cell: (row) => (row.state === 'owed' ? changing('refunds', 'Mark as paid…', () => paid(row, again)) : '–') }],
  });
}

async function paid(refund, again) {
  const noted = await ask({
    title: 'Have you paid this refund yourself?',
    text: `${usd(refund.amount)} to ${refund.payer} on ${refund.network}. The treasury will not pay it again.`,
    controls: [field('Transaction', h('input', { name: 'transaction', required: true, maxlength: 128 }), 'The hash of the transaction that paid it.')],
    confirm: 'Mark as paid',
    act: (given) => post(`refunds/${refund.id}/paid`, given),
  });
  if (noted) {
    announce('The refund is noted as paid');
    again();
  }
}
