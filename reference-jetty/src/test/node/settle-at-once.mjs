// The published Express middleware with the published facilitator client, both unmodified, is asked by several requests at once
// that carry one payment. Prints what a test wants to know as one JSON line.
// usage: node settle-at-once.mjs FACILITATOR_URL PAY_TO REQUESTS   (FACILITATOR_TOKEN: the bearer token, if it wants one)
import express from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import { ExactEvmScheme as ExactEvmServer } from '@x402/evm/exact/server';
import { ExactEvmScheme } from '@x402/evm';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [url, payTo, requests] = process.argv.slice(2);
const NETWORK = 'eip155:8453';
const token = process.env.FACILITATOR_TOKEN;
const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
const facilitator = new HTTPFacilitatorClient({
  url,
  createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
});
// All have been verified before the first is settled, as with a handler that takes its time.
let handled = 0;
let open;
const all = new Promise((resolve) => { open = resolve; });
const server = new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmServer());
const app = express();
app.use(
  paymentMiddleware(
    { 'GET /paid': { accepts: { scheme: 'exact', price: '$0.25', network: NETWORK, payTo }, description: 'a test' } },
    server,
  ),
);
app.get('/paid', async (request, response) => {
  handled += 1;
  if (handled >= Number(requests)) {
    open();
  }
  await all;
  response.json({ answer: 42 });
});
const listener = app.listen(0, '127.0.0.1');
await new Promise((resolve) => listener.once('listening', resolve));
const paid = `http://127.0.0.1:${listener.address().port}/paid`;

const client = new x402HTTPClient(
  new x402Client().register('eip155:*', new ExactEvmScheme(privateKeyToAccount(generatePrivateKey()))));
const challenge = await fetch(paid);
const required = client.getPaymentRequiredResponse((name) => challenge.headers.get(name), await challenge.json().catch(() => undefined));
const payment = client.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
const answers = await Promise.all(
  Array.from({ length: Number(requests) }, async () => {
    const answer = await fetch(paid, { headers: payment });
    return { status: answer.status, body: await answer.text() };
  }),
);
const after = await fetch(paid, { headers: payment });
console.log(JSON.stringify({ handled, answers, after: after.status }));
process.exit(0);
