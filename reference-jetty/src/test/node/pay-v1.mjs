// Pays for one GET with the published client of x402 version 1, unmodified, and prints what a test wants to know.
// usage: node pay-v1.mjs URL   (PAYER_KEY: hex private key; a fresh one is made without it)
import { wrapFetchWithPayment, decodeXPaymentResponse } from 'x402-fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [url] = process.argv.slice(2);
const account = privateKeyToAccount(process.env.PAYER_KEY ?? generatePrivateKey());
const answer = await wrapFetchWithPayment(fetch, account)(url, { method: 'GET' });
const receipt = answer.headers.get('X-PAYMENT-RESPONSE');
console.log(
  JSON.stringify({
    payer: account.address,
    status: answer.status,
    receipt: receipt === null ? null : decodeXPaymentResponse(receipt),
    transaction: answer.headers.get('x-payment-receipt'),
    body: await answer.text(),
  }),
);
