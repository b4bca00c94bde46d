// Pays for the call of this page with a browser wallet, or with sandbox money, and shows the answer.
// What others wrote (the answer, a refusal, a wallet's name) becomes text of the page, never markup.
// A payment is kept from before it is sent until its outcome is known: the same one is sent again.
/** What the gateway wants to be left of an authorization’s life. */
const LEAST_SECONDS = 6;
const SHOWN_CHARS = 512 * 1024;
const KEPT_RECEIPTS = 20;
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const REASONS = {
  invalid_exact_evm_insufficient_balance: 'the account holds too little of this token on this network',
  insufficient_funds: 'the account holds too little of this token on this network',
  invalid_exact_evm_signature: 'the signature is not the account’s',
  invalid_exact_evm_payload_authorization_valid_before: 'it had expired, or the clock of this device is behind',
  invalid_exact_evm_payload_authorization_valid_after: 'the clock of this device is ahead',
  invalid_exact_evm_nonce_already_used: 'it has been used already, and its answer was delivered',
  nonce_already_used: 'it has been used already, and its answer was delivered',
};
const TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

const { method, base, sandbox } = document.querySelector('main').dataset;
const isSandbox = sandbox === 'true';
const url = location.href.replace(/#.*/, '');
const at = (id) => document.getElementById(id);
const body = at('body');
const wallets = [];
let agreed = null;
let busy = false;

/** What is told to the person as it stands. */
class Told extends Error {}

function element(tag, members = {}, ...children) {
  const made = Object.assign(document.createElement(tag), members);
  made.append(...children);
  return made;
}

function tell(sentence) {
  at('status').textContent = sentence;
}

// What this browser keeps. Where it keeps nothing, the page does until it is left.

const memory = new Map();

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? memory.get(key) ?? otherwise;
  } catch {
    return memory.get(key) ?? otherwise;
  }
}

function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    memory.set(key, value);
  }
}

const RECEIPTS = 'octroi.receipts';
const PENDING = `octroi.pending ${method} ${url}`;

function pending() {
  return read(PENDING, null);
}

function settlePending() {
  memory.delete(PENDING);
  try {
    localStorage.removeItem(PENDING);
  } catch {
    // It was never kept there.
  }
}

// Amounts are whole atomic units; a token has six decimals.

function decimal(atomic) {
  const units = BigInt(atomic);
  const part = (units % 1000000n).toString().padStart(6, '0').replace(/0{1,4}$/, '');
  return `${units / 1000000n}.${part}`;
}

/** The offer as the page lists it, whatever its amount. */
function listed(offer) {
  return [...document.querySelectorAll('dl[data-asset]')].find(
    (one) => one.dataset.asset === offer.asset,
  );
}

function price(offer) {
  const token = listed(offer)?.dataset.token ?? `${offer.extra?.name ?? offer.asset} on ${offer.network}`;
  return `${decimal(offer.amount)} ${token}`;
}

function fromBase64(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

function toBase64(value) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
}

/** A header of base64 JSON; null where it is not there or none. */
function header(answer, name) {
  try {
    return fromBase64(answer.headers.get(name));
  } catch {
    return null;
  }
}

// The call.

function request(payment, sent) {
  const headers = { Accept: 'application/json, */*;q=0.9' };
  if (payment) {
    headers['PAYMENT-SIGNATURE'] = payment;
  }
  if (body) {
    headers['Content-Type'] = 'application/json';
  }
  return fetch(url, { method, headers, body: sent, cache: 'no-store', redirect: 'manual' });
}

/** Asks what the call costs now. */
async function challenge(sent) {
  let answer;
  try {
    answer = await request(null, sent);
  } catch {
    throw new Told('The gateway does not answer. Nothing was signed.');
  }
  const required = header(answer, 'PAYMENT-REQUIRED');
  if (answer.status === 402 && required) {
    return { required, encoded: answer.headers.get('PAYMENT-REQUIRED') };
  }
  if (answer.type === 'opaqueredirect') {
    throw new Told('The gateway asked for no payment: it leads to another address. Nothing was signed.');
  }
  await show(answer);
  throw new Told(
    answer.ok
      ? 'This call costs nothing now. Here is its answer.'
      : `The gateway asked for no payment but answered with ${answer.status}. Nothing was signed.`,
  );
}

function payable(offer) {
  return (
    offer.scheme === 'exact' &&
    /^eip155:\d+$/.test(offer.network) &&
    offer.extra?.name !== undefined &&
    offer.extra?.version !== undefined &&
    (offer.extra.assetTransferMethod ?? 'eip3009') === 'eip3009'
  );
}

/** A person who has seen another price is asked again. */
function agree(offer) {
  const said = price(offer);
  const shown = [...document.querySelectorAll('dl[data-asset]')].some(
    (one) => one.dataset.asset === offer.asset && one.dataset.amount === offer.amount,
  );
  if (!shown && agreed !== said) {
    agreed = said;
    at('price').textContent = said;
    throw new Told(`The price is ${said} now. Press again to pay that. Nothing was signed.`);
  }
}

// Wallets.

function codeOf(error) {
  return error?.data?.originalError?.code ?? error?.code;
}

async function asked(wallet, what, params) {
  try {
    return await wallet.provider.request({ method: what, params });
  } catch (error) {
    if (codeOf(error) === 4001) {
      throw new Told('You rejected it in the wallet. Nothing was charged.');
    }
    if (codeOf(error) === -32002) {
      throw new Told('The wallet already waits for you: open it, answer it there, and try again.');
    }
    throw error;
  }
}

async function onChain(wallet, offer) {
  const chainId = `0x${BigInt(offer.network.slice('eip155:'.length)).toString(16)}`;
  const here = async () => BigInt(await asked(wallet, 'eth_chainId')) === BigInt(chainId);
  if (await here()) {
    return;
  }
  const chain = JSON.parse(listed(offer)?.dataset.chain || 'null');
  const name = chain?.chainName ?? offer.network;
  tell(`Waiting for the wallet to change to ${name}…`);
  try {
    await asked(wallet, 'wallet_switchEthereumChain', [{ chainId }]);
  } catch (error) {
    if (error instanceof Told) {
      throw error;
    }
    if (codeOf(error) !== 4902 || !chain?.rpcUrls) {
      throw new Told(`The wallet is on another network: change it to ${name}, and try again. Nothing was signed.`);
    }
    await asked(wallet, 'wallet_addEthereumChain', [{ chainId, ...chain }]);
  }
  if (!(await here())) {
    throw new Told(`The wallet is still on another network than ${name}. Nothing was signed.`);
  }
}

/** The offer whose network the wallet is on, or else the first that it can sign. */
async function chosen(wallet, offers) {
  const signable = offers.filter(payable);
  if (signable.length === 0) {
    throw new Told('A browser wallet can sign none of the offers. The ways below can be used.');
  }
  const network = `eip155:${BigInt(await asked(wallet, 'eth_chainId'))}`;
  return signable.find((offer) => offer.network === network) ?? signable[0];
}

function random(bytes) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

async function signedBy(wallet, { required }) {
  tell(`Waiting for ${wallet.name}…`);
  const [from] = await asked(wallet, 'eth_requestAccounts');
  if (!from) {
    throw new Told('The wallet has connected no account. Nothing was signed.');
  }
  const offer = await chosen(wallet, required.accepts);
  agree(offer);
  await onChain(wallet, offer);
  const now = Math.floor(Date.now() / 1000);
  const authorization = {
    from,
    to: offer.payTo,
    value: offer.amount,
    validAfter: String(now - 600),
    validBefore: String(now + Math.min(offer.maxTimeoutSeconds, 3600)),
    nonce: `0x${random(32)}`,
  };
  tell(`Sign ${price(offer)} in ${wallet.name}.`);
  const signature = await asked(wallet, 'eth_signTypedData_v4', [
    from,
    JSON.stringify({
      types: TYPES,
      primaryType: 'TransferWithAuthorization',
      domain: {
        name: offer.extra.name,
        version: offer.extra.version,
        chainId: Number(offer.network.slice('eip155:'.length)),
        verifyingContract: offer.asset,
      },
      message: authorization,
    }),
  ]);
  if (Number(authorization.validBefore) < Date.now() / 1000 + LEAST_SECONDS) {
    throw new Told('It was signed too late and has expired. Nothing was sent or charged: try again.');
  }
  const envelope = {
    x402Version: 2,
    resource: required.resource,
    accepted: offer,
    payload: { signature, authorization },
  };
  const identifier = required.extensions?.['payment-identifier'];
  if (identifier) {
    envelope.extensions = { 'payment-identifier': { info: { ...identifier.info, id: random(16) } } };
  }
  return { payment: toBase64(envelope), offer, validBefore: Number(authorization.validBefore) };
}

async function signedBySandbox({ required, encoded }) {
  tell('Asking the sandbox payer…');
  const answer = await fetch(`${new URL(base).pathname.replace(/\/$/, '')}/docs/pay`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ challenge: encoded }),
  });
  if (!answer.ok) {
    const why = await sentence(answer);
    throw new Told(`The sandbox payer did not pay: ${why} Nothing was charged.`);
  }
  const { payment } = await answer.json();
  const envelope = fromBase64(payment);
  const offer = required.accepts.find((one) => one.asset === envelope.accepted.asset) ?? envelope.accepted;
  agree(offer);
  return { payment, offer, validBefore: Number(envelope.payload.authorization.validBefore) };
}

// What came back.

/** The gateway's own sentence about a refusal. */
async function sentence(answer) {
  try {
    const { error } = await answer.clone().json();
    const text = String(error?.message ?? error).slice(0, 300);
    return /[.!?]$/.test(text) ? text : `${text}.`;
  } catch {
    return 'no reason was given.';
  }
}

async function send(payment) {
  tell('Paying, and waiting for the answer…');
  let answer;
  let bytes;
  try {
    answer = await request(payment.payment, payment.body);
    bytes = await answer.clone().arrayBuffer();
  } catch {
    throw new Told('The answer did not arrive, so it is not known whether the payment was taken.');
  }
  if (answer.type === 'opaqueredirect') {
    throw new Told('The answer leads to another address, which this page does not follow.');
  }
  const settlement = header(answer, 'PAYMENT-RESPONSE');
  if (answer.ok) {
    settlePending();
    const paid = settlement?.success === true;
    if (paid) {
      remember(answer, settlement, payment);
    }
    await show(answer, bytes);
    tell(
      paid
        ? `Paid ${price({ ...payment.offer, amount: settlement.amount ?? payment.offer.amount })}.`
        : 'Answered. Nothing was charged.',
    );
    at('answer').focus();
    return;
  }
  await refused(answer, settlement, bytes);
}

async function refused(answer, settlement, bytes) {
  const { status } = answer;
  const said = await sentence(answer);
  const ours = answer.headers.has('X-Request-Id');
  const wait = answer.headers.get('Retry-After');
  const later = wait ? ` Wait ${wait} s before you send it again.` : '';
  if (status === 402) {
    settlePending();
    const reason = settlement?.errorReason ?? said.replace(/\.$/, '');
    const used = reason.includes('nonce_already_used');
    throw new Told(
      `The payment was not taken: ${REASONS[reason] ?? reason}. ${used ? 'To have another answer, pay again.' : 'Nothing was charged.'}`,
    );
  }
  if (status === 409 || status === 408 || status === 429 || status === 503 || (status > 500 && !ours)) {
    throw new Told(`The gateway answered with ${status}: ${said}${later}`);
  }
  if (status >= 500) {
    throw new Told(`The call failed with ${status}: ${said} It was not charged.${later}`);
  }
  settlePending();
  await show(answer, bytes);
  throw new Told(`The call was refused with ${status}: ${said} Nothing was charged.`);
}

/** The same JSON over lines: numbers keep their spelling. Throws where it is none. */
function pretty(json) {
  JSON.parse(json);
  const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
  let depth = 0;
  let text = '';
  const line = () => `\n${'  '.repeat(Math.min(depth, 40))}`;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === '{' || token === '[') {
      const isEmpty = tokens[i + 1] === '}' || tokens[i + 1] === ']';
      depth += isEmpty ? 0 : 1;
      text += isEmpty ? token + tokens[++i] : token + line();
    } else if (token === '}' || token === ']') {
      depth--;
      text += line() + token;
    } else {
      text += token === ',' ? token + line() : token === ':' ? ': ' : token;
    }
  }
  return text;
}

function fileName(type) {
  const last = new URL(url).pathname.split('/').pop().replace(/[^\w.-]/g, '') || 'answer';
  const [form, suffix] = type.split('/').pop().split('+');
  const ending = type.startsWith('image/') ? form : (suffix ?? form);
  return /\.\w+$/.test(last) || !/^\w{1,8}$/.test(ending) ? last : `${last}.${ending}`;
}

/** Shows a body as what it is: JSON, text, a picture, or else a file to be had. */
async function show(answer, bytes) {
  const content = bytes ?? (await answer.clone().arrayBuffer());
  const type = (answer.headers.get('Content-Type') ?? '').split(';')[0].trim().toLowerCase();
  const shown = [];
  if (PICTURES.includes(type)) {
    const picture = element('img', { alt: 'The picture that was answered' });
    picture.src = URL.createObjectURL(new Blob([content], { type }));
    shown.push(picture);
  } else if (/^text\/|[/+](json|xml|yaml|javascript)$/.test(type)) {
    shown.push(...text(new TextDecoder().decode(content), type));
  }
  // Never as its own type: a page of a stranger's must not open as one of this host.
  const file = element('a', {
    href: URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' })),
    download: fileName(type),
    textContent: `Download (${content.byteLength} bytes${type ? `, ${type}` : ''})`,
  });
  at('shown').replaceChildren(...shown, element('p', {}, file));
  at('answer').hidden = false;
}

function text(whole, type) {
  let read = whole.slice(0, SHOWN_CHARS);
  if (/json$/.test(type) && whole.length <= SHOWN_CHARS) {
    try {
      read = pretty(whole);
    } catch {
      // Not JSON, whatever it is called.
    }
  }
  const cut = whole.length > SHOWN_CHARS ? [element('p', { textContent: 'This is its beginning.' })] : [];
  const place = element('pre', { tabIndex: 0 }, element('code', { textContent: read }));
  place.setAttribute('aria-label', 'The answer as text');
  return [...cut, place, element('div', { className: 'row' }, copier(() => whole, 'Copy the answer'))];
}

// Receipts.

function remember(answer, settlement, payment) {
  const receipt = {
    at: new Date().toISOString(),
    call: `${method} ${url}`,
    price: price({ ...payment.offer, amount: settlement.amount ?? payment.offer.amount }),
    sandbox: isSandbox,
    payment: answer.headers.get('X-Payment-Id'),
    settlement,
  };
  keep(RECEIPTS, [receipt, ...read(RECEIPTS, [])].slice(0, KEPT_RECEIPTS));
  list();
}

function list() {
  const kept = read(RECEIPTS, []);
  at('receipts').hidden = kept.length === 0;
  at('list').replaceChildren(
    ...kept.map((one) =>
      element(
        'li',
        {},
        `${new Date(one.at).toLocaleString()}: ${one.price}${one.sandbox ? ' (sandbox money)' : ''} for `,
        element('code', { textContent: one.call }),
        one.settlement?.transaction ? ', transaction ' : '',
        element('code', { textContent: one.settlement?.transaction ?? '' }),
        copier(() => JSON.stringify(one, null, 2), 'Copy the receipt'),
      ),
    ),
  );
}

// What is pressed.

function copier(what, label) {
  const button = element('button', { type: 'button', className: 'copy', textContent: label });
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(what());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'The browser does not let this page copy';
    }
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
  return button;
}

/** One thing at a time, and its end told. */
async function doing(work) {
  if (busy) {
    return;
  }
  busy = true;
  render();
  try {
    await work();
  } catch (error) {
    tell(error instanceof Told ? error.message : `It did not work: ${String(error?.message ?? error).slice(0, 200)}`);
  } finally {
    busy = false;
    render();
  }
}

function pay(sign) {
  return doing(async () => {
    const sent = body?.value;
    tell('Asking for the price…');
    const made = await sign(await challenge(sent));
    // Another tab may have signed for the same call meanwhile.
    if (pending()) {
      throw new Told('Another payment for this call is under way. The new one was not sent.');
    }
    keep(PENDING, { ...made, body: sent });
    await send(pending());
  });
}

function action(label, press, isMain) {
  const button = element('button', { type: 'button', className: isMain ? 'main' : '', textContent: label });
  button.disabled = busy;
  button.addEventListener('click', press);
  return button;
}

function ways() {
  const known = [...wallets];
  if (known.length === 0 && window.ethereum?.request) {
    known.push({ name: 'the browser’s wallet', provider: window.ethereum });
  }
  const buttons = known.map((wallet) => {
    const button = action(`Pay with ${wallet.name}`, () => pay((asked) => signedBy(wallet, asked)), !isSandbox);
    if (wallet.icon?.startsWith('data:image/')) {
      button.prepend(element('img', { src: wallet.icon, alt: '' }));
    }
    return button;
  });
  if (isSandbox) {
    buttons.unshift(action('Pay with sandbox money', () => pay(signedBySandbox), true));
  }
  return buttons.length > 0
    ? buttons
    : [element('p', { textContent: 'This browser has no wallet that the page can find. Add one, or open this page in your wallet’s own browser; the ways below need none.' })];
}

/** Either the ways to pay, or what is to be done about the payment whose end is not known. */
function render() {
  const open = pending();
  if (!open) {
    at('again').replaceChildren();
    at('ways').replaceChildren(...ways());
    return;
  }
  const end = new Date(open.validBefore * 1000);
  const isOver = end < new Date();
  at('ways').replaceChildren(
    element('p', {
      textContent: isOver
        ? `A payment of ${price(open.offer)} was sent, and its end is not known. Its time is over: it will not be charged any more. If it was charged, its answer may still be had by sending it again.`
        : `A payment of ${price(open.offer)} was sent, and its end is not known. Send it again: it is charged once at most. Until ${end.toLocaleTimeString()} it may be charged.`,
    }),
  );
  at('again').replaceChildren(
    action('Send the same payment again', () => doing(() => send(open)), true),
    action('Put it away and pay anew', () => {
      settlePending();
      tell(isOver ? '' : 'The former payment is put away. It may still be charged until its time is over.');
      render();
    }),
  );
}

window.addEventListener('eip6963:announceProvider', ({ detail }) => {
  if (detail?.provider?.request && !wallets.some((one) => one.provider === detail.provider)) {
    const { name, icon } = detail.info ?? {};
    wallets.push({ name: String(name ?? 'a wallet').slice(0, 60), icon, provider: detail.provider });
    render();
  }
});
window.addEventListener('ethereum#initialized', render);
window.addEventListener('storage', () => {
  render();
  list();
});
at('forget').addEventListener('click', () => {
  keep(RECEIPTS, []);
  list();
});
for (const place of document.querySelectorAll('[data-copy]')) {
  place.after(copier(() => place.textContent, place.dataset.copy));
}
at('pay').hidden = false;
render();
list();
window.dispatchEvent(new Event('eip6963:requestProvider'));
