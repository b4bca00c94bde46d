// Pays for one URL and signs in for it again with the published client and extension, and prints what a test wants to know.
// usage: node sign-in.mjs URL ACCOUNT_URL
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactEvmScheme } from '@x402/evm';
import {
  createSIWxClientExtension,
  createSIWxPayload,
  encodeSIWxHeader,
  wrapFetchWithSIWx,
} from '@x402/extensions/sign-in-with-x';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [url, accountUrl] = process.argv.slice(2);
const account = privateKeyToAccount(generatePrivateKey());
let payments = 0;
const client = x402Client
  .fromConfig({ schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }] })
  .registerExtension(createSIWxClientExtension({ signers: [account] }))
  .onBeforePaymentCreation(async () => {
    payments += 1;
  });
const paying = wrapFetchWithPayment(fetch, client);
const seen = async (answer) => ({
  status: answer.status,
  payment: answer.headers.get('x-payment-id'),
  body: await answer.text(),
});

const bought = await seen(await paying(url));
const again = await seen(await paying(url));
const signedIn = await seen(await wrapFetchWithSIWx(fetch, account)(url));
const stranger = await seen(await wrapFetchWithSIWx(fetch, privateKeyToAccount(generatePrivateKey()))(url));

const nobody = await fetch(accountUrl);
const { info, supportedChains } = (await nobody.json()).extensions['sign-in-with-x'];
const payload = await createSIWxPayload({ ...info, ...supportedChains[0] }, account, accountUrl);
const header = { 'SIGN-IN-WITH-X': encodeSIWxHeader(payload) };
const wallet = await seen(await fetch(accountUrl, { headers: header }));
const replayed = await seen(await fetch(accountUrl, { headers: header }));

console.log(JSON.stringify({ payer: account.address, payments, bought, again, signedIn, stranger, wallet, replayed }));
