// The published server of channels, with its channel manager, and the published Express middleware, all unmodified, have a
// facilitator verify, claim, pay out and refund; the published client pays them. One seller uses the facilitator's key, and
// another one a key of its own. Prints one JSON line.
// usage: node channel-seller.mjs FACILITATOR_URL PAY_TO
//        (FACILITATOR_TOKEN: the bearer token; PAYER_KEY: hex private key; RPC: a node of the chain)
import express from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import { BatchSettlementEvmScheme as Seller } from '@x402/evm/batch-settlement/server';
import { BatchSettlementEvmScheme as Payer } from '@x402/evm/batch-settlement/client';
import { wrapFetchWithPayment, x402Client, decodePaymentResponseHeader } from '@x402/fetch';
import { createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [url, payTo] = process.argv.slice(2);
const NETWORK = 'eip155:8453';
const headers = { Authorization: `Bearer ${process.env.FACILITATOR_TOKEN}` };
const facilitator = new HTTPFacilitatorClient({
  url,
  createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
});
const shopOf = async (seller) => {
  const app = express();
  app.use(
    paymentMiddleware(
      { 'GET /paid': { accepts: { scheme: 'batch-settlement', price: '$0.01', network: NETWORK, payTo }, description: 'a test' } },
      new x402ResourceServer(facilitator).register(NETWORK, seller),
    ),
  );
  app.get('/paid', (request, response) => response.json({ answer: 42 }));
  const listener = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  return `http://127.0.0.1:${listener.address().port}/paid`;
};
const seller = new Seller(payTo);
const shop = await shopOf(seller);

const account = privateKeyToAccount(process.env.PAYER_KEY);
const chain = createPublicClient({ transport: http(process.env.RPC) });
const payer = new Payer({
  address: account.address,
  signTypedData: (message) => account.signTypedData(message),
  readContract: (call) => chain.readContract(call),
});
const paying = wrapFetchWithPayment(fetch, x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client: payer }] }));
const pay = async (at = shop) => {
  const answer = await paying(at);
  const header = answer.headers.get('PAYMENT-RESPONSE');
  return { status: answer.status, receipt: header === null ? null : decodePaymentResponseHeader(header) };
};
const manager = seller.createChannelManager(facilitator, NETWORK);
const calls = [await pay(), await pay(), await pay()];
const earned = await manager.claimAndSettle();
const after = await pay();
const part = await payer.refund(shop, { amount: '10000' });
const rest = await manager.refund();
const due = await manager.settle();
const idle = await manager.settle().catch((refused) => String(refused));
const signing = new Seller(payTo, { receiverAuthorizerSigner: privateKeyToAccount(generatePrivateKey()) });
const other = await pay(await shopOf(signing));
const back = await signing.createChannelManager(facilitator, NETWORK).refund();
console.log(
  JSON.stringify({ supported: await facilitator.getSupported(), calls, earned, after, part, rest, due, idle, other, back }),
);
process.exit(0);
