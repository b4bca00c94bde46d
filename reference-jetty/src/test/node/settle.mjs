// The published Express middleware with the published facilitator client, both unmodified, settles through a facilitator;
// the published client pays it. Prints what a test wants to know as one JSON line.
// usage: node settle.mjs FACILITATOR_URL PAY_TO   (FACILITATOR_TOKEN: the bearer token, if it wants one)
import express from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, setSettlementOverrides, x402ResourceServer } from '@x402/express';
import { ExactEvmScheme as ExactEvmServer } from '@x402/evm/exact/server';
import { UptoEvmScheme as UptoEvmServer } from '@x402/evm/upto/server';
import { UptoEvmScheme } from '@x402/evm/upto/client';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig, decodePaymentResponseHeader } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [url, payTo] = process.argv.slice(2);
const NETWORK = 'eip155:8453';
const token = process.env.FACILITATOR_TOKEN;
const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
const facilitator = new HTTPFacilitatorClient({
  url,
  createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
});
const server = new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmServer()).register(NETWORK, new UptoEvmServer());
const app = express();
app.use(
  paymentMiddleware(
    {
      'GET /paid': { accepts: { scheme: 'exact', price: '$0.25', network: NETWORK, payTo }, description: 'a test' },
      'GET /metered': { accepts: { scheme: 'upto', price: '$0.25', network: NETWORK, payTo }, description: 'a ceiling' },
    },
    server,
  ),
);
app.get('/paid', (request, response) => response.json({ answer: 42 }));
app.get('/metered', (request, response) => {
  setSettlementOverrides(response, { amount: '10%' });
  response.json({ answer: 43 });
});
const listener = app.listen(0, '127.0.0.1');
await new Promise((resolve) => listener.once('listening', resolve));

const account = privateKeyToAccount(generatePrivateKey());
let payment;
const noting = async (input, init) => {
  const request = new Request(input, init);
  payment = request.headers.get('PAYMENT-SIGNATURE') ?? payment;
  return fetch(request);
};
const paying = wrapFetchWithPaymentFromConfig(noting, {
  schemes: [
    { network: 'eip155:*', client: new ExactEvmScheme(account) },
    { network: 'eip155:*', client: new UptoEvmScheme(account) },
  ],
});
const answer = await paying(`http://127.0.0.1:${listener.address().port}/paid`);
const receipt = answer.headers.get('PAYMENT-RESPONSE');
const envelope = JSON.parse(Buffer.from(payment, 'base64').toString('utf8'));
const metered = await paying(`http://127.0.0.1:${listener.address().port}/metered`);
const charged = metered.headers.get('PAYMENT-RESPONSE');
console.log(
  JSON.stringify({
    metered: { status: metered.status, receipt: charged === null ? null : decodePaymentResponseHeader(charged) },
    payer: account.address,
    status: answer.status,
    body: await answer.text(),
    receipt: receipt === null ? null : decodePaymentResponseHeader(receipt),
    supported: await facilitator.getSupported(),
    again: await facilitator.settle(envelope, envelope.accepted),
  }),
);
process.exit(0);
