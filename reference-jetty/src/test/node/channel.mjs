// Pays for one URL out of a channel with the published client, unmodified, step by step. Prints one JSON line: what came of each step.
// usage: node channel.mjs URL STEP...   (PAYER_KEY: hex private key; a fresh one is made without it; RPC: a node of the chain;
// ASSET: the token that it pays in, whatever that is worth)
// steps: pay; twice: two calls at once; forget: the client loses what it knows of its channels; salt:N: another channel;
//        refund, refund:AMOUNT: has what is left back, or so much of it
import { wrapFetchWithPayment, x402Client, decodePaymentResponseHeader } from '@x402/fetch';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [url, ...steps] = process.argv.slice(2);
const account = privateKeyToAccount(process.env.PAYER_KEY ?? generatePrivateKey());
const asset = process.env.ASSET;
let deposited = 0n;
let salt = 0n;
const chain = process.env.RPC ? createPublicClient({ transport: http(process.env.RPC) }) : null;
// Without a chain, what one would answer: the contract holds what was deposited, and nothing was claimed yet.
const signer = {
  address: account.address,
  signTypedData: (message) => account.signTypedData(message),
  signTransaction: (transaction) => account.signTransaction(transaction),
  readContract: async (call) => (chain ? chain.readContract(call) : [deposited, 0n]),
};
let scheme;
let paying;
const begin = () => {
  scheme = new BatchSettlementEvmScheme(signer, { salt: `0x${salt.toString(16).padStart(64, '0')}`, rpcUrl: process.env.RPC });
  const limits = asset === undefined ? {} : { spendControls: false };
  const client = x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client: scheme }], ...limits });
  if (asset !== undefined) {
    client.registerPolicy((version, offers) => offers.filter((offer) => offer.asset.toLowerCase() === asset.toLowerCase()));
  }
  paying = wrapFetchWithPayment(fetch, client);
};
const pay = async () => {
  const answer = await paying(url);
  const header = answer.headers.get('PAYMENT-RESPONSE');
  const receipt = header === null ? null : decodePaymentResponseHeader(header);
  if (receipt?.transaction) {
    deposited += BigInt(receipt.amount);
  }
  return { status: answer.status, receipt, body: await answer.text() };
};
const run = async (step) => {
  if (step === 'pay') {
    return pay();
  }
  if (step === 'twice') {
    return Promise.all([pay(), pay()]);
  }
  if (step.startsWith('refund')) {
    return scheme.refund(url, step === 'refund' ? undefined : { amount: step.split(':')[1] });
  }
  if (step.startsWith('salt:')) {
    salt = BigInt(step.split(':')[1]);
    deposited = 0n;
  }
  begin();
  return {};
};
begin();
const results = [];
for (const step of steps) {
  results.push(await run(step).catch((refused) => ({ refused: String(refused) })));
}
console.log(JSON.stringify({ payer: account.address, results }));
