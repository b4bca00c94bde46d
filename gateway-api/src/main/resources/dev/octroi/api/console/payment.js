import { every, get, post } from './api.js';
import { announce, ask, badge, changing, facts, field, h, head, reason, section } from './dom.js';
import { between, call, code, usd, when } from './format.js';
import { isRefunded, paymentBadge, paymentWord, state, why } from './payments.js';
import { table } from './table.js';

const OPEN = ['claimed', 'settling', 'in_doubt'];

export async function payment({ id, signal, again }) {
  const shown = h('div', { class: 'stack' });
  let mark = '';
  const refresh = async () => {
    const [found, effects, refunds] = await Promise.all([
      get(`payments/${encodeURIComponent(id)}`, {}, signal),
      get('effects', { payment: id }, signal),
      get('refunds', { payment: id }, signal)]);
    const next = JSON.stringify([found, effects, refunds]);
    if (next !== mark) {
      mark = next;
      shown.replaceChildren(...parts(found, effects.data, refunds.data, again));
      announce(`The payment is ${paymentWord(state(found))}`);
    }
    return found;
  };
  await refresh();
  every(5, signal, refresh, 5);
  return [h('p', { class: 'crumb' }, h('a', { href: '#/payments' }, 'Payments')),
    head('Payment', h('code', {}, id)), shown];
}

function parts(found, effects, refunds, again) {
  return [
    h('div', { class: 'pair' },
      section('Call and payment', facts([
        ['State', paymentBadge(found)], ['Not charged because', ['released', 'failed'].includes(found.state) ? why(found) : null],
        ['Amount', usd(found.amount)],
        ['Charged', found.charged ? usd(found.charged) : null], ['Refunded', found.refunded ? usd(found.refunded) : null],
        ['Call', call(found)],
        ['Group', found.group], ['Reason', ['released', 'failed'].includes(found.state) ? null : found.reason], ['Payer', code(found.payer)],
        ['API key', found.key ? h('a', { href: `#/keys/${found.key}` }, found.key) : null],
        ['Transaction', found.transaction ? code(found.transaction) : null],
        ['Network', found.network], ['Asset', code(found.asset)], ['Paid to', code(found.payTo)],
        ['Nonce', code(found.nonce)], ['Request id', found.requestId ? code(found.requestId) : null],
        ['Authorization ends', when(found.validBefore)], ['Attempts', `${found.attempt}`]]),
      actions(found, again)),
      section('Timeline', timeline(found, effects, refunds))),
    section('Journal', table({
      caption: 'Lines of the journal', quiet: true, rows: found.journal, empty: 'No money has moved.',
      columns: [
        { title: 'When', cell: (row) => when(row.at) }, { title: 'From', cell: (row) => code(row.debit) },
        { title: 'To', cell: (row) => code(row.credit) },
        { title: 'Amount', end: true, cell: (row) => usd(row.amount) }],
    })),
    effects.length ? section('Effects at vendors', effects.map(effectFacts)) : null,
    refunds.length ? section('Refunds', table({
      caption: 'Refunds of this payment', quiet: true, rows: refunds,
      columns: [
        { title: 'Requested', cell: (row) => when(row.asked) }, { title: 'State', cell: (row) => badge(row.state) },
        { title: 'Amount', end: true, cell: (row) => usd(row.amount) }, { title: 'Reason', cell: (row) => row.reason },
        { title: 'Transaction', cell: (row) => code(row.transaction) }, { title: 'Note', cell: (row) => row.note ?? '–' }],
    })) : null,
  ].filter((part) => part !== null);
}

/** Everything that is known to have happened, in its order. */
function timeline(found, effects, refunds) {
  const events = [
    ...found.timeline.map(({ at, what }) => ({ at, what, tone: what.replace(' ', '_') })),
    ...effects.map((effect) => ({ at: effect.begun, what: `effect ${effect.kind} started`, more: effect.outcome.replace('_', ' ') })),
    ...refunds.map((refund) => ({ at: refund.asked, what: `refund of ${usd(refund.amount)} requested`, more: refund.state })),
  ];
  events.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  return h('ol', { class: 'timeline' }, events.map((event, place) => h('li', { class: event.tone ?? null },
    h('strong', {}, paymentWord(event.what)), event.more ? h('span', {}, event.more) : null, when(event.at, { day: true }),
    place ? h('span', { class: 'gap' }, `+${between(events[place - 1].at, event.at)}`) : null)));
}

function effectFacts(effect) {
  return facts([['Kind', effect.kind], ['Outcome', badge(effect.outcome)], ['Started', when(effect.begun)],
    ['Vendor’s reference', effect.reference ? code(effect.reference) : null], ['Note', effect.note],
    ['Key at the vendor', code(effect.vendorKey)], ['Asked for', code(effect.intent)]]);
}

function actions(found, again) {
  if (found.state === 'settled') {
    if (isRefunded(found)) {
      return h('p', { class: 'hint' }, found.refundOwed ? 'The whole amount is to be paid back.' : 'The whole amount is refunded.');
    }
    return h('div', { class: 'actions' }, changing('refunds', 'Refund…', async () => {
      if (await refund(found)) {
        announce('The refund is recorded');
        again();
      }
    }));
  }
  if (found.timeline.some((event) => event.what === 'in doubt') && OPEN.includes(found.state)) {
    return h('div', { class: 'actions' }, decide(found, again));
  }
  if (['failed', 'released'].includes(found.state)) {
    return h('div', { class: 'actions' }, changing('payments', 'Ask the chain…', async () => {
      if (await redrive(found)) {
        again();
      }
    }));
  }
  return null;
}

/** What may be done about a payment whose end the gateway has not seen. */
export function decide(found, again) {
  const done = (what) => async () => {
    if (await what(found)) {
      again();
    }
  };
  return [changing('payments', 'Ask the chain…', done(redrive)), changing('payments', 'Write off…', done(writeOff), 'danger')];
}

async function redrive(found) {
  const shown = await ask({
    title: 'Ask the chain now?',
    text: `The gateway looks up the payment of ${usd(found.amount)} by ${found.payer} on the chain. It closes the payment only if the chain proves the outcome.`,
    controls: [reason()],
    confirm: 'Ask the chain',
    act: (given) => post(`payments/${found.id}/redrive`, given),
  });
  if (shown) {
    announce(`The payment is ${paymentWord(shown.state)}`);
  }
  return shown;
}

function writeOff(found) {
  return ask({
    title: 'Write this payment off?',
    text: `${usd(found.amount)} of ${found.payer} is closed as failed. The gateway refuses this before the authorization has ended, and where the chain proves the payment. This cannot be undone.`,
    controls: [reason()],
    confirm: 'Write off',
    tone: 'danger',
    act: (given) => post(`payments/${found.id}/write-off`, given),
  });
}

function refund(found) {
  const requestKey = crypto.randomUUID();
  return ask({
    title: 'Refund this payment?',
    text: `The money goes to ${found.payer}, at most what was charged. Sandbox money is returned at once; on a chain the treasury pays it.`,
    controls: [
      field('Amount in dollars', h('input', { name: 'amount', inputmode: 'decimal', pattern: '[0-9]+([.][0-9]{1,6})?', maxlength: 20 }), 'Empty: the whole rest.'),
      reason()],
    confirm: 'Refund',
    act: ({ amount, reason: why }) => post('refunds', { payment: found.id, amount: amount || null, reason: why, requestKey }),
  });
}

