// Pays for one URL with the published client, unmodified, and prints what a test wants to know as one JSON line.
// usage: node pay.mjs URL [METHOD [BODY]]   (PAYER_KEY: hex private key; a fresh one is made without it;
// STATED: the address that the payment states, in place of the challenge's; MOST: what it may sign at most, such as $6;
// SCHEME: upto to sign a ceiling where that is offered, alone; ASSET: the token that it pays in, whatever that is worth; RPC: a node of the chain that it may ask)
import { wrapFetchWithPayment, x402Client, decodePaymentResponseHeader } from '@x402/fetch';
import { ExactEvmScheme } from '@x402/evm';
import { UptoEvmScheme } from '@x402/evm/upto/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [url, method = 'GET', body] = process.argv.slice(2);
const account = privateKeyToAccount(process.env.PAYER_KEY ?? generatePrivateKey());
let named;
const asset = process.env.ASSET;
const rpc = process.env.RPC === undefined ? undefined : { rpcUrl: process.env.RPC };
const most = process.env.MOST === undefined ? {} : { spendControls: { maxAmountPerPayment: process.env.MOST } };
const limits = asset === undefined ? most : { spendControls: false };
const scheme = process.env.SCHEME === 'upto' ? new UptoEvmScheme(account, rpc) : new ExactEvmScheme(account, rpc);
const client = x402Client
  .fromConfig({ schemes: [{ network: 'eip155:*', client: scheme }], ...limits })
  .onBeforePaymentCreation(async ({ paymentRequired }) => {
    named = paymentRequired.resource.url;
    if (process.env.STATED !== undefined) {
      paymentRequired.resource = { url: process.env.STATED };
    }
  });
if (asset !== undefined) {
  client.registerPolicy((version, offers) => offers.filter((offer) => offer.asset.toLowerCase() === asset.toLowerCase()));
}
const paying = wrapFetchWithPayment(fetch, client);
const headers = body === undefined ? {} : { 'content-type': 'application/json' };
const answer = await paying(url, { method, body, headers }).catch((refused) => {
  console.log(JSON.stringify({ refused: String(refused) }));
  process.exit();
});
const receipt = answer.headers.get('PAYMENT-RESPONSE');
console.log(
  JSON.stringify({
    payer: account.address,
    named,
    status: answer.status,
    cacheControl: answer.headers.get('cache-control'),
    price: answer.headers.get('x-price-amount'),
    receipt: receipt === null ? null : decodePaymentResponseHeader(receipt),
    body: await answer.text(),
  }),
);
