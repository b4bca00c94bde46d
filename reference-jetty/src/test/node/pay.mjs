// Pays for one URL with the published client, unmodified, and prints what a test wants to know as one JSON line.
// usage: node pay.mjs URL [METHOD [BODY]]   (PAYER_KEY: hex private key; a fresh one is made without it)
import { wrapFetchWithPaymentFromConfig, decodePaymentResponseHeader } from '@x402/fetch';
import { ExactEvmScheme } from '@x402/evm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [url, method = 'GET', body] = process.argv.slice(2);
const account = privateKeyToAccount(process.env.PAYER_KEY ?? generatePrivateKey());
const paying = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
});
const headers = body === undefined ? {} : { 'content-type': 'application/json' };
const answer = await paying(url, { method, body, headers });
const receipt = answer.headers.get('PAYMENT-RESPONSE');
console.log(
  JSON.stringify({
    payer: account.address,
    status: answer.status,
    cacheControl: answer.headers.get('cache-control'),
    price: answer.headers.get('x-price-amount'),
    receipt: receipt === null ? null : decodePaymentResponseHeader(receipt),
    body: await answer.text(),
  }),
);
