// The operator's console, looked at or used: node console.mjs PICTURES BASE TOKEN SECRET READ MODES
// Prints what was found wrong; SECRET is an API key's, READ a path that it buys; MODES may be "use".
import { audit, launch, open, overflows, shot } from './browser.mjs';

const [folder, base, token, secret, read, modes] = process.argv.slice(2);

const MODES = {
  desktop: {},
  'desktop-dark': { scheme: 'dark' },
  phone: { width: 390, height: 844 },
  'phone-dark': { width: 390, height: 844, scheme: 'dark' },
};

const PAGES = { '': 'Overview', margin: 'Margin', payments: 'Payments', failures: 'Failures', doubt: 'Needs attention', keys: 'Keys', leases: 'Leases',
  calls: 'Calls', jobs: 'Jobs', upstreams: 'Upstreams', routes: 'Routes', prices: 'Prices', changes: 'Changes', webhooks: 'Webhooks',
  operators: 'Operators', actions: 'Operator actions' };

const wrong = [];
let created = null;

function expect(what, fact) {
  if (!fact) {
    wrong.push(what);
  }
}

function buy() {
  return fetch(`${base}${read}`, { headers: { Authorization: `Bearer ${secret}` } });
}

async function signIn(page) {
  await page.goto(`${base}/console`);
  await page.getByLabel('Operator’s token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

async function go(page, path, title) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/${path}`);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
}

/** Every page is shown without a word from axe, without scrolling sideways, and kept as a picture. */
async function look(browser, mode) {
  const { page, seen } = await open(browser, MODES[mode]);
  await page.goto(`${base}/console`);
  await page.getByLabel('Operator’s token').waitFor();
  await check(page, `sign-in-${mode}`);
  await signIn(page);
  for (const [path, title] of Object.entries(PAGES)) {
    await go(page, path, title);
    await page.locator(path === '' || path === 'failures' ? 'canvas' : path === 'payments' ? 'table' : 'main h1').first().waitFor();
    await check(page, `${path || 'overview'}-${mode}`);
  }
  await go(page, 'payments', 'Payments');
  await page.locator('td a.call').first().click();
  await page.getByRole('heading', { level: 1, name: 'Payment', exact: true }).waitFor();
  await check(page, `payment-${mode}`);
  report(mode, seen);
}

function report(mode, seen) {
  seen.foreign.forEach((url) => wrong.push(`${mode}: asked for ${url}`));
  seen.problems.forEach((problem) => wrong.push(`${mode}: ${problem}`));
}

async function check(page, name) {
  expect(`${name} is wider than its window`, !(await overflows(page)));
  (await audit(page)).forEach((line) => wrong.push(`${name}: ${line}`));
  await shot(page, folder, `console-${name}`, true);
}

/** What the operator does, mostly by keyboard. */
async function use(browser) {
  const { page, seen } = await open(browser);
  await refusedSignIn(page);
  await signIn(page);
  expect('the address tells the token', !page.url().includes(token));
  expect('the token is kept unasked', await page.evaluate(() => sessionStorage.length === 0));
  await skipLink(page);
  await spans(page);
  await credit(page);
  await liveList(page);
  await refund(page);
  await refundTheRest(page);
  await keys(page);
  await failures(page);
  await actions(page);
  await operators(page);
  await webhooks(page);
  await failingUpstream(page);
  await drain(page);
  await lostConnection(page);
  await prices(page);
  await changes(page);
  await doubt(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Operator’s token').waitFor();
  report('use', seen);
}

async function refusedSignIn(page) {
  await page.goto(`${base}/console`);
  await page.getByLabel('Operator’s token').fill('no-token-of-this-gateway-at-all');
  await page.keyboard.press('Enter');
  const said = await page.getByRole('alert').innerText();
  expect(`a wrong token is answered: ${said}`, said.includes('token is required'));
}

async function skipLink(page) {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Keep it until this tab is closed').check();
  await page.getByLabel('Operator’s token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.keyboard.press('Tab');
  expect('the first stop is the skip link', await page.evaluate(() => document.activeElement.className === 'skip'));
  await page.keyboard.press('Enter');
  expect('it leads to the content', await page.evaluate(() => document.activeElement.id === 'main'));
}

/** Longer spans are told in coarser steps. */
async function spans(page) {
  await go(page, '', 'Overview');
  for (const [span, grain] of [['7 days', 'day'], ['90 days', 'week'], ['12 months', 'month'], ['24 hours', 'hour']]) {
    await page.getByRole('button', { name: span }).click();
    await page.getByText(`Every ${grain} as a table`).waitFor();
    expect(`${span} are told`, await page.getByText(`in the last ${span}`).isVisible());
  }
}

/** A channel is listed with what two calls were charged, and a payer who did not pay with what is lost. */
async function credit(page) {
  await page.route('**/admin/v1/credit', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, owed: '0.400000', losses: [{ network: 'eip155:8453', payer: `0x${'a1'.repeat(20)}`, lost: '3.400000' }] } });
  });
  await go(page, 'keys', 'Keys');
  await go(page, '', 'Overview');
  const owed = page.getByRole('region', { name: 'Credit', exact: true });
  await owed.getByText('$3.4000').waitFor();
  const said = await owed.innerText();
  expect(`what is owed is told: ${said}`, said.includes('$0.4000 of at most $100.0000'));
  const row = page.getByRole('region', { name: 'Channels', exact: true }).locator('tbody tr');
  await row.waitFor();
  const told = await row.innerText();
  const [charged, voucher, left] = [...told.matchAll(/\$([0-9.]+)/g)].map((found) => Math.round(found[1] * 1e6));
  expect(`two calls of five are charged: ${told}`, charged > 0 && charged === voucher && 2 * left === 3 * charged);
  await check(page, 'credit');
  await page.unrouteAll({ behavior: 'wait' });
  await row.getByRole('link').nth(1).click();
  await page.getByRole('region', { name: 'Channels of this payer', exact: true }).locator('tbody tr').waitFor();
}

async function liveList(page) {
  await go(page, 'payments', 'Payments');
  const rows = page.locator('tbody tr');
  await page.locator('td a.call').first().waitFor();
  const newest = () => page.locator('td a.call').first().getAttribute('href');
  const before = await newest();
  await buy();
  await page.waitForFunction((old) => document.querySelector('td a.call').getAttribute('href') !== old, before);
  const told = await page.locator('#announcer').innerText();
  expect(`the new payment is told of: ${told}`, told.includes('new payment'));
  expect('it is in the list', (await rows.count()) > 1);
  const pause = page.getByRole('button', { name: 'Pause' });
  await pause.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Go on', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Go on' }).press('Enter');
}

async function refund(page) {
  await page.locator('td a.call').first().click();
  await page.getByRole('heading', { level: 1, name: 'Payment', exact: true }).waitFor();
  const timeline = await page.locator('.timeline').innerText();
  expect(`the timeline tells claimed and settled: ${timeline}`, /reserved[^]*settled/i.test(timeline));
  await page.getByRole('button', { name: 'Refund…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Refund this payment?' });
  await dialog.getByRole('button', { name: 'Refund' }).click();
  expect('no refund without a reason', await dialog.isVisible());
  await dialog.getByLabel('Amount in dollars').fill('0.000500');
  await dialog.getByLabel('Reason').fill('<b>late</b>');
  await check(page, 'refund');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await page.getByRole('region', { name: 'Refunds of this payment' }).waitFor();
  expect('what was given back is shown', (await page.locator('main').innerText()).includes('$0.0005'));
  expect('a reason is text', (await page.locator('main b', { hasText: 'late' }).count()) === 0);
}

async function keys(page) {
  await go(page, 'keys', 'Keys');
  await page.getByText('Search', { exact: true }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('VISIT');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('cell', { name: 'visitor' }).waitFor();
  await page.getByLabel('State').selectOption('revoked');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('There is no such API key.').waitFor();
  await go(page, '', 'Overview');
  await go(page, 'keys', 'Keys');
  await page.getByRole('button', { name: 'New key…' }).click();
  const name = '<img src=x onerror=alert(1)>';
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByLabel('Per day').fill('5');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const told = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
  expect('the secret is told', told.startsWith('sk-'));
  created = told;
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect('the secret is not lost by Escape or a click', await page.getByRole('textbox', { name: 'Secret' }).isVisible());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('The secret is copied.').waitFor();
  expect('the secret is in the clipboard', (await page.evaluate(() => navigator.clipboard.readText())) === told);
  await check(page, 'secret');
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  expect('the secret is told once', !(await page.content()).includes(told));
  await check(page, 'key');
  await page.getByRole('button', { name: 'Revoke…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.locator('.badge.bad', { hasText: 'revoked' }).waitFor();
}

async function prices(page) {
  await go(page, 'prices', 'Prices');
  await page.getByLabel('Path', { exact: true }).fill(read.split('?')[0]);
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByText('Made by').waitFor();
  await page.getByLabel('Path contains').fill('nothing-is-called-so');
  await page.getByText('Nothing of that is sold.').waitFor();
}

/** A price and a route are changed on all nodes, with a preview, and the change is listed. */
async function changes(page) {
  await go(page, 'prices', 'Prices');
  await page.getByLabel('Path contains').fill(read.split('?')[0]);
  await page.getByRole('button', { name: 'Change…' }).first().press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New price').fill('a lot');
  await dialog.getByRole('button', { name: 'Preview…' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('New price').fill('0.02');
  await dialog.getByLabel('Note').fill('<b>costs</b>');
  await check(page, 'change-a-price');
  await dialog.getByRole('button', { name: 'Preview…' }).click();
  await page.getByRole('dialog', { name: 'Change this on all nodes?' }).waitFor();
  const effect = await dialog.innerText();
  expect(`the preview tells what calls would pay: ${effect}`, /\$0\.02[^]*WOULD PAY|Would pay/i.test(effect));
  await check(page, 'preview');
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await go(page, 'changes', 'Changes');
  await page.getByText('<b>costs</b>').waitFor();
  await check(page, 'changes');
  await go(page, 'routes', 'Routes');
  await page.getByRole('button', { name: 'New route…' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('weather');
  await dialog.getByLabel('Path', { exact: true }).fill('/weather');
  await dialog.getByLabel('Server', { exact: true }).fill('http://203.0.113.7/');
  await dialog.getByLabel('Price', { exact: true }).fill('0.01');
  await dialog.getByRole('button', { name: 'Preview…' }).click();
  const refused = await dialog.getByRole('alert').innerText();
  expect(`a server that the file does not name is refused: ${refused}`, refused.includes('gateway.changes.targets'));
  await dialog.getByLabel('Server', { exact: true }).fill(`${base}/health`);
  await check(page, 'new-route');
  await dialog.getByRole('button', { name: 'Preview…' }).click();
  await page.getByRole('dialog', { name: 'Change this on all nodes?' }).waitFor();
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('link', { name: 'weather' }).waitFor({ timeout: 30_000 });
  await page.getByRole('link', { name: 'weather' }).click();
  await page.getByRole('heading', { level: 1, name: 'weather' }).waitFor();
  await page.getByText('change 2').first().waitFor();
  await check(page, 'route');
  await page.getByRole('button', { name: 'Disable…' }).click();
  await dialog.getByRole('button', { name: 'Preview…' }).click();
  await page.getByRole('dialog', { name: 'Change this on all nodes?' }).waitFor();
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByText('disabled').first().waitFor({ timeout: 30_000 });
}

/** A call that failed is shown with status and reason, on its payment and among the failures. */
async function failures(page) {
  const answer = await fetch(`${base}${read.split('?')[0]}?pair=!!`, { headers: { Authorization: `Bearer ${secret}` } });
  expect(`the call fails: ${answer.status}`, answer.status === 400);
  await go(page, 'payments', 'Payments');
  await page.getByText('not charged').first().waitFor();
  await page.locator('tr', { hasText: 'not charged' }).first().locator('a.call').click();
  await page.getByText(/HTTP 400/).first().waitFor();
  await check(page, 'not-charged');
  await go(page, 'failures', 'Failures');
  await page.getByRole('region', { name: 'Payments that were not charged, by reason' }).getByText('HTTP 400').first().waitFor();
  await page.getByRole('button', { name: '30 days' }).click();
  await page.getByText('in the last 30 days').waitFor();
  await go(page, 'payments', 'Payments');
  await page.getByText('Search', { exact: true }).first().click();
  await page.getByLabel('State').selectOption({ label: 'not charged' });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('region', { name: 'Payments found' }).getByText('not charged').first().waitFor();
  expect('only payments of the state are found', (await page.getByRole('region', { name: 'Payments found' }).getByText('settled').count()) === 0);
}

/** A payment that is refunded whole looks so, and is not offered a refund again. */
async function refundTheRest(page) {
  await page.getByRole('button', { name: 'Refund…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this payment?' });
  await dialog.getByLabel('Reason').fill('the rest');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await page.getByText('The whole amount is refunded.').waitFor();
  expect('no refund is offered again', (await page.getByRole('button', { name: 'Refund…' }).count()) === 0);
  expect('it looks refunded', await page.locator('.badge', { hasText: /^refunded$/ }).first().isVisible());
}

/** What the operator did before is listed, with how it stood. */
async function actions(page) {
  await go(page, 'actions', 'Operator actions');
  await page.locator('td', { hasText: '/revoke' }).first().waitFor();
  expect('no secret is shown', !(await page.content()).includes(created));
  await page.locator('td details summary').first().click();
  await page.getByText('Before', { exact: true }).first().waitFor();
  await check(page, 'action');
}

/** An operator of a role gets a token of its own, which the gateway takes until it is revoked. */
async function operators(page) {
  await go(page, 'operators', 'Operators');
  await page.getByRole('button', { name: 'New operator…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('anna');
  await page.getByRole('button', { name: 'Create the operator' }).click();
  const given = await page.getByRole('textbox', { name: 'Token' }).inputValue();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('cell', { name: 'anna' }).waitFor();
  await readOnly(page, given);
  await go(page, 'operators', 'Operators');
  const asks = () => fetch(`${base}/admin/v1/keys`, { headers: { Authorization: `Bearer ${given}` } });
  expect('the token is taken', (await asks()).status === 200);
  await check(page, 'operator');
  await page.getByRole('button', { name: 'Revoke…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.locator('.badge.bad', { hasText: 'revoked' }).waitFor();
  expect('the token is not taken any more', (await asks()).status === 401);
}

/** An endpoint takes a test at the press of a button, and the log says what became of each event. */
async function webhooks(page) {
  await go(page, 'webhooks', 'Webhooks');
  await page.getByRole('button', { name: 'Send a test' }).first().click();
  await page.getByText('shop took the test: HTTP 200 thank you').waitFor();
  await page.locator('.badge.good', { hasText: 'delivered' }).first().waitFor();
  await page.locator('td details summary', { hasText: 'HTTP 200' }).first().click();
  await page.getByText('thank you', { exact: true }).first().waitFor();
  await page.locator('tr', { hasText: 'HTTP 200' }).getByRole('button', { name: 'Send again' }).first().click();
  await page.getByText('The event is sent to shop again').waitFor();
  await page.locator('tr', { hasText: 'silent' }).locator('.badge.warn', { hasText: 'failing' }).waitFor();
  expect('no query of an address is shown', !(await page.content()).includes('of-the-receiver'));
  await check(page, 'webhooks-used');
}

/** An operator who may only look finds no button to press that would change something, and why. */
async function readOnly(page, given) {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Operator’s token').fill(given);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('anna: role read').waitFor();
  const changes = [];
  const note = (request) => request.url().includes('/admin/') && request.method() !== 'GET' && changes.push(request.url());
  page.on('request', note);
  let off = 0;
  const press = async (place) => {
    // What is left to press opens, pauses or filters; a change would be seen.
    for (const one of await page.locator('main').getByRole('button').all()) {
      if (await one.isDisabled()) {
        off += 1;
        expect(`${place} says why`, (await one.getAttribute('title')) === 'The role read does not permit this.');
      } else {
        const name = await one.innerText();
        expect(`${place} offers no change: ${name}`, !name.endsWith('…') && !/Verify|New |Send/.test(name));
      }
    }
  };
  for (const [path, title] of Object.entries(PAGES)) {
    await go(page, path, title);
    await press(title);
  }
  await go(page, 'keys', 'Keys');
  await page.getByRole('region', { name: 'API keys' }).getByRole('link', { name: 'visitor' }).click();
  await page.getByRole('heading', { level: 1, name: 'visitor' }).waitFor();
  await press('a key');
  await check(page, 'read-only');
  expect(`buttons are off: ${off}`, off > 5);
  expect(`nothing is asked to change: ${changes}`, changes.length === 0);
  page.off('request', note);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page);
}

/** An upstream with failures in its last calls is not green. */
async function failingUpstream(page) {
  await page.route('**/admin/v1/upstreams', async (route) => {
    const answer = await (await route.fetch()).json();
    answer.data[0].calls = 10;
    answer.data[0].failed = 3;
    await route.fulfill({ json: answer });
  });
  await go(page, 'upstreams', 'Upstreams');
  await page.locator('.badge.warn', { hasText: 'failing' }).waitFor();
  expect('it says how many failed', await page.getByText('3 of 10').isVisible());
  await page.unrouteAll({ behavior: 'wait' });
}

/** A node is drained, which balancers see, and taken back. */
async function drain(page) {
  const ready = async () => (await fetch(`${base}/health/ready`)).status;
  await go(page, 'upstreams', 'Upstreams');
  await page.getByRole('button', { name: 'Drain…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
  await page.locator('.badge.warn', { hasText: 'draining' }).waitFor();
  expect('balancers are told so', (await ready()) === 503);
  await check(page, 'draining');
  await page.getByRole('button', { name: 'Resume…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.locator('.badge.good', { hasText: 'wants calls' }).waitFor();
  expect('balancers may send calls again', (await ready()) === 200);
}

/** While the gateway does not answer the page says so, and goes on once it does. */
async function lostConnection(page) {
  await go(page, 'upstreams', 'Upstreams');
  await page.route('**/admin/v1/**', (route) => route.abort());
  await page.getByText('Connection lost.').waitFor();
  await check(page, 'lost');
  await page.evaluate(() => { location.hash = '#/keys'; });
  await page.getByRole('heading', { level: 1, name: 'This cannot be shown' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('heading', { level: 1, name: 'Keys', exact: true }).waitFor();
  expect('the connection is back', await page.getByText('Connection lost.').isHidden());
}

/** No payment of a sandbox is in doubt for long, so one that is none is listed; the refusal is real. */
async function doubt(page) {
  const none = '00000000-0000-4000-8000-000000000000';
  await page.route('**/admin/v1/payments/unresolved*', (route) => route.fulfill({ json: { data: [{
    id: none, since: '2026-01-01T00:00:00Z', sent: false, network: 'eip155:8453', payer: '0x01', nonce: '0x02',
    amount: '0.009500', validBefore: '2026-01-01T00:05:00Z', transaction: null }], nextCursor: null, unread: ['eip155:8453'] } }));
  const asked = [];
  page.on('request', (request) => request.method() === 'POST' && asked.push(request));
  await go(page, 'doubt', 'Needs attention');
  await page.getByText('The gateway cannot read eip155:8453').waitFor();
  for (const [action, path] of [['Ask the chain…', 'redrive'], ['Write off…', 'write-off']]) {
    await page.getByRole('button', { name: action }).click();
    await page.getByLabel('Reason').fill('seen at the vendor');
    await page.getByRole('dialog').getByRole('button', { name: action.replace('…', '') }).click();
    await page.getByRole('alert').getByText('There is no such payment.').waitFor();
    const sent = asked.at(-1);
    expect(`${path} is asked for`, sent.url().endsWith(`/payments/${none}/${path}`));
    expect(`${path} has the reason`, sent.postDataJSON().reason === 'seen at the vendor');
    await page.keyboard.press('Escape');
  }
}

const browser = await launch();
try {
  await (modes === 'use' ? use(browser) : Promise.all(modes.split(',').map((mode) => look(browser, mode))));
} finally {
  await browser.close();
}
console.log(JSON.stringify({ wrong }));
