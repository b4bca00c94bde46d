// Pays on the paywall's page in a browser, with wallets that sign by a real key and misbehave where told to.
// Prints what was seen of each case. usage: node paywall.mjs PICTURES BASE READ ORDER
import { readFile } from 'node:fs/promises';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { audit, launch, open, overflows, shot } from './browser.mjs';

const [pictures, base, read, order] = process.argv.slice(2);
const HOSTILE = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>';
const BASE_CHAIN = '0x2105';
const browser = await launch();
const account = privateKeyToAccount(generatePrivateKey());
const other = privateKeyToAccount(generatePrivateKey());
const report = { payer: account.address };

function failure(code, message = 'the wallet says no') {
  return { error: { code, message } };
}

/** A wallet: its chain, the chains that it knows, what it rejects, and what it was asked. */
function wallet({ chain = BASE_CHAIN, knows = [BASE_CHAIN], rejects = [], stays = false, signer = account } = {}) {
  const asked = [];
  return {
    asked,
    async answer(method, params) {
      asked.push({ method, params });
      if (rejects.includes(method)) {
        return failure(4001);
      }
      switch (method) {
        case 'eth_requestAccounts':
          return { result: [account.address.toLowerCase()] };
        case 'eth_chainId':
          return { result: chain };
        case 'wallet_switchEthereumChain':
          if (!knows.includes(params[0].chainId)) {
            return failure(4902);
          }
          chain = stays ? chain : params[0].chainId;
          return { result: null };
        case 'wallet_addEthereumChain':
          chain = params[0].chainId;
          return { result: null };
        case 'eth_signTypedData_v4': {
          const { EIP712Domain, ...types } = JSON.parse(params[1]).types;
          return { result: await signer.signTypedData({ ...JSON.parse(params[1]), types }) };
        }
        default:
          return failure(4200);
      }
    },
  };
}

/** In the page, before its own script: as an extension puts its provider there. */
function install({ names, legacy, hostile }) {
  window.hacked = 0;
  window.blobs = [];
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    window.blobs.push(blob.type);
    return createObjectURL(blob);
  };
  const provider = (name) => ({
    async request({ method, params }) {
      const { result, error } = await window.walletAnswers(name, method, params ?? []);
      if (error) {
        throw Object.assign(new Error(error.message), { code: error.code });
      }
      return result;
    },
  });
  if (legacy) {
    window.ethereum = provider(names[0]);
    return;
  }
  const known = names.map((name) => ({
    info: { uuid: name, name, rdns: 'example.wallet', icon: name === hostile ? 'javascript:alert(1)' : 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>' },
    provider: provider(name),
  }));
  const announce = () =>
    known.forEach((detail) =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(detail) })),
    );
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
}

/** The page with these wallets in the browser. */
async function visit({ wallets = {}, legacy = false, path = read, ...options } = {}) {
  const { page, seen } = await open(browser, options);
  await page.context().exposeFunction('walletAnswers', (name, method, params) => wallets[name].answer(method, params));
  await page.context().addInitScript(install, { names: Object.keys(wallets), legacy, hostile: HOSTILE });
  if (Object.keys(wallets).length === 0) {
    await page.addInitScript(() => delete window.ethereum);
  }
  const answer = await page.goto(base + path);
  await page.locator('#ways > *').first().waitFor();
  return { page, seen, answer };
}

async function press(page, name) {
  await page.getByRole('button', { name, exact: true }).click();
}

/** What is told at the end of whatever was pressed. */
async function told(page) {
  await page.locator('#status', { hasText: /[.]$/ }).waitFor();
  await page.waitForFunction(() => document.querySelector('#status').textContent.endsWith('.') && !document.querySelector('button:disabled'));
  return page.locator('#status').innerText();
}

/** The paid request, and no other, is answered so. */
function onPaid(page, answer) {
  return page.route(
    (url) => url.pathname === read.split('?')[0],
    (route) => (route.request().headers()['payment-signature'] ? answer(route) : route.fallback()),
  );
}

function signatures(one) {
  return one.asked.filter(({ method }) => method === 'eth_signTypedData_v4').length;
}

async function done(name, { page, seen }, more) {
  const hacked = await page.evaluate(() => window.hacked);
  report[name] = { ...more, hacked, ...seen };
  await page.context().close();
}

async function looks() {
  for (const [name, options] of Object.entries({
    'phone-light': { width: 390, height: 844 },
    'phone-dark': { width: 390, height: 844, scheme: 'dark' },
    'desktop-light': {},
    'desktop-dark': { scheme: 'dark' },
  })) {
    const one = await visit({ wallets: { 'A Wallet With a Name of Some Length': wallet(), [HOSTILE]: wallet() }, ...options });
    await press(one.page, 'Pay with sandbox money');
    const said = await told(one.page);
    await shot(one.page, pictures, `paywall-${name}`, true);
    await done(`look-${name}`, one, { told: said, overflows: await overflows(one.page), accessibility: await audit(one.page) });
  }
}

/** Another chain, which the wallet has to add; two wallets, one of a hostile name. */
async function paid() {
  const mine = wallet({ chain: '0x1', knows: ['0x1'] });
  const one = await visit({ wallets: { 'Test Wallet': mine, [HOSTILE]: wallet() } });
  const { page } = one;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const buttons = await page.locator('#ways button').allInnerTexts();
  const status = page.waitForResponse((answer) => answer.request().headers()['payment-signature'] !== undefined);
  await press(page, 'Pay with Test Wallet');
  const answer = await status;
  const said = await told(page);
  const focused = await page.evaluate(() => document.activeElement.id);
  const raw = await answer.text();
  const receipt = JSON.parse(Buffer.from((await answer.allHeaders())['payment-response'], 'base64').toString());
  await press(page, 'Copy the receipt');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  await page.locator('[data-copy="Copy the command"] + button').first().click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const shown = await page.locator('#shown code').innerText();
  await page.reload();
  const receipts = await page.locator('#list li').allInnerTexts();
  await done('paid', one, {
    heading: await page.locator('h1').innerText(),
    buttons, status: answer.status(), told: said, receipt, copied, command, shown, focused, receipts,
    same: raw.replace(/\s/g, '') === shown.replace(/\s/g, ''),
    kept: await page.evaluate(() => Object.keys(localStorage)),
    asked: mine.asked.map(({ method }) => method),
    added: mine.asked.find(({ method }) => method === 'wallet_addEthereumChain').params[0],
    signed: JSON.parse(mine.asked.find(({ method }) => method === 'eth_signTypedData_v4').params[1]),
  });
}

async function saying(name, mine, more = {}) {
  const one = await visit({ wallets: { 'Test Wallet': mine }, ...more });
  await press(one.page, more.legacy ? 'Pay with the browser’s wallet' : 'Pay with Test Wallet');
  const said = await told(one.page);
  await done(name, one, {
    told: said, asked: mine.asked.map(({ method }) => method),
    ways: await one.page.locator('#ways').innerText(),
  });
}

/** The first paid request gets no answer, the page is loaded again, and the same payment is sent. */
async function lost() {
  const mine = wallet();
  const one = await visit({ wallets: { 'Test Wallet': mine } });
  const { page } = one;
  const sent = [];
  let fails = true;
  await onPaid(page, (route) => {
    sent.push(route.request().headers()['payment-signature']);
    return fails ? route.abort('connectionreset') : route.continue();
  });
  await press(page, 'Pay with Test Wallet');
  const first = await told(page);
  await page.reload();
  await page.getByRole('button', { name: 'Send the same payment again' }).waitFor();
  const ways = await page.locator('#ways').innerText();
  const others = await page.locator('#ways button').count();
  fails = false;
  await press(page, 'Send the same payment again');
  await page.locator('#status', { hasText: 'Paid' }).waitFor();
  await done('lost', one, {
    told: first, ways, others, then: await told(page), signatures: signatures(mine), same: sent.length === 2 && sent[0] === sent[1],
    kept: await page.evaluate(() => Object.keys(localStorage)),
  });
}

/** A second tab signs for the same call while the wallet of the first one waits for the person. */
async function twice() {
  const mine = wallet();
  const { answer } = mine;
  let release;
  const waiting = new Promise((resolve) => { release = resolve; });
  let signed = 0;
  mine.answer = async (method, params) => {
    if (method === 'eth_signTypedData_v4' && signed++ === 0) {
      await waiting;
    }
    return answer(method, params);
  };
  const one = await visit({ wallets: { 'Test Wallet': mine } });
  const second = await one.page.context().newPage();
  await second.goto(base + read);
  let sent = 0;
  const abort = (route) => {
    sent++;
    return route.abort('connectionreset');
  };
  await onPaid(one.page, abort);
  await onPaid(second, abort);
  await press(one.page, 'Pay with Test Wallet');
  await one.page.locator('#status', { hasText: 'Sign 0.0095' }).waitFor();
  await press(second, 'Pay with Test Wallet');
  await second.locator('#status', { hasText: 'did not arrive' }).waitFor();
  release();
  await one.page.locator('#status', { hasText: 'Another payment' }).waitFor();
  await done('twice', one, {
    told: await told(one.page), sent, again: await one.page.locator('#again').innerText(),
  });
}

async function payerRefuses() {
  const one = await visit();
  await one.page.route(`${base}/docs/pay`, (route) =>
    route.fulfill({ status: 403, contentType: 'application/json', body: JSON.stringify({ error: 'Not from there.' }) }),
  );
  await press(one.page, 'Pay with sandbox money');
  await done('payerRefused', one, { told: await told(one.page) });
}

/** A 503 and a 500 of the gateway's: the same payment again. */
async function failing(name, status, headers, error) {
  const mine = wallet();
  const one = await visit({ wallets: { 'Test Wallet': mine } });
  const { page } = one;
  let times = 0;
  await onPaid(page, (route) =>
    times++ === 0
      ? route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify({ error }) })
      : route.continue(),
  );
  await press(page, 'Pay with Test Wallet');
  const said = await told(page);
  await press(page, 'Send the same payment again');
  await page.locator('#status', { hasText: 'Paid' }).waitFor();
  await done(name, one, { told: said, then: await told(page), signatures: signatures(mine) });
}

/** Settled by the gateway, but answered by a stranger. */
async function answered(name, contentType, body) {
  const one = await visit({ wallets: { 'Test Wallet': wallet() } });
  const { page } = one;
  await onPaid(page, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, contentType, body });
  });
  await press(page, 'Pay with Test Wallet');
  const said = await told(page);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Download/ }).click();
  const file = await download;
  await done(name, one, {
    told: said,
    shown: await page.locator('#shown').innerText(),
    elements: await page.locator('#shown *').evaluateAll((all) => all.map((one) => one.tagName)),
    picture: await page.locator('#shown img').evaluateAll((all) => all.map((one) => one.naturalWidth)),
    file: file.suggestedFilename(),
    same: (await readFile(await file.path())).equals(Buffer.from(body)),
    blobs: await page.evaluate(() => window.blobs),
  });
}

async function challengedAgain() {
  await saying('stolen', wallet({ signer: other }));
  const one = await visit({ wallets: { 'Test Wallet': wallet() } });
  const { page } = one;
  await onPaid(page, (route) =>
    route.fulfill({ status: 402, contentType: 'application/json', body: JSON.stringify({ error: HOSTILE }) }),
  );
  await press(page, 'Pay with Test Wallet');
  await done('again', one, { told: await told(page), ways: await page.locator('#ways').innerText() });
}

/** The challenge is another one when the wallet is to pay than when the page was made. */
async function changed(name, mine, presses, change) {
  const one = await visit({ wallets: { 'Test Wallet': mine } });
  const { page } = one;
  await page.route(
    (url) => url.pathname === read.split('?')[0],
    async (route) => {
      const answer = await route.fetch();
      const headers = answer.headers();
      const required = JSON.parse(Buffer.from(headers['payment-required'], 'base64').toString());
      required.accepts.forEach((offer) => Object.assign(offer, change));
      headers['payment-required'] = Buffer.from(JSON.stringify(required)).toString('base64');
      await route.fulfill({ response: answer, headers });
    },
  );
  const said = [];
  for (let i = 0; i < presses; i++) {
    await press(page, 'Pay with Test Wallet');
    said.push(await told(page));
  }
  await done(name, one, { told: said.pop(), heading: await page.locator('h1').innerText(), signatures: signatures(mine) });
}

/** A browser that has sent something gets a page with a form for it. */
async function ordered() {
  const mine = wallet();
  const { page, seen } = await open(browser);
  await page.exposeFunction('walletAnswers', (name, method, params) => mine.answer(method, params));
  await page.addInitScript(install, { names: ['Test Wallet'], legacy: false, hostile: HOSTILE });
  let first = true;
  await page.route(`${base}${order}`, (route) => {
    const changed = first
      ? { method: 'POST', headers: { ...route.request().headers(), 'content-type': 'application/json' }, postData: '{}' }
      : {};
    first = false;
    return route.continue(changed);
  });
  await page.goto(base + order);
  await page.locator('#ways button').first().waitFor();
  const example = await page.getByLabel('What is sent (JSON)').inputValue();
  await press(page, 'Pay with Test Wallet');
  await page.locator('#shown code').waitFor();
  await done('ordered', { page, seen }, { example, told: await told(page), shown: await page.locator('#shown code').innerText() });
}

async function bare() {
  const one = await visit({ path: `${read}&a='%22%3E%3Cscript%3Ewindow.hacked%3D1%3C/script%3E` });
  await done('bare', one, { ways: await one.page.locator('#ways').innerText(), policy: one.answer.headers()['content-security-policy'] });
}

await looks();
await paid();
await saying('rejected', wallet({ rejects: ['eth_signTypedData_v4'] }));
await saying('unconnected', wallet({ rejects: ['eth_requestAccounts'] }));
await saying('unswitched', wallet({ chain: '0x1', rejects: ['wallet_switchEthereumChain'] }));
await saying('elsewhere', wallet({ chain: '0x1', stays: true }));
await saying('legacy', wallet(), { legacy: true });
await challengedAgain();
await changed('dearer', wallet(), 1, { amount: '12345678901' });
await changed('unknown', wallet(), 2, { network: 'eip155:999', asset: account.address });
await lost();
await twice();
await payerRefuses();
await failing('doubtful', 503, { 'Retry-After': '1', 'X-Request-Id': 'x' }, 'The outcome of the payment is not known yet.');
await failing('failed', 502, { 'X-Request-Id': 'x' }, { code: 'upstream', message: 'The upstream failed' });
await failing('proxied', 504, {}, 'gateway timeout');
await answered('html', 'text/html; charset=utf-8', `<!doctype html><title>x</title>${HOSTILE}`);
await answered('drawing', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = 1"/>');
await answered('numbers', 'application/json', '{"a":12345678901234567890,"b":[1.10,{}],"c":"x\\"{,"}');
await answered('file', 'application/zip', Buffer.from([80, 75, 3, 4, 255, 0]));
await answered('picture', 'image/png', Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'));
await ordered();
await bare();
await browser.close();
console.log(JSON.stringify(report));
