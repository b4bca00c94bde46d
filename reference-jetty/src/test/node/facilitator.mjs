// The published facilitator, unmodified, over a node of a chain: it sends payments, and what channels need, by its own key.
// usage: node facilitator.mjs RPC_URL PRIVATE_KEY AUTHORIZER_KEY   Says where it listens, then a line for each settlement.
import { createServer } from 'node:http';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';

const NETWORK = 'eip155:8453';
const [rpc, key, authorizer] = process.argv.slice(2);
const account = privateKeyToAccount(key);
const client = createWalletClient({ account, chain: base, transport: http(rpc), pollingInterval: 50 }).extend(publicActions);
const signer = toFacilitatorEvmSigner({ ...client, address: account.address });
const facilitator = new x402Facilitator()
  .register(NETWORK, new ExactEvmScheme(signer))
  .register(NETWORK, new BatchSettlementEvmScheme(signer, privateKeyToAccount(authorizer)));
const verbs = {
  '/supported': () => facilitator.getSupported(),
  '/verify': ({ paymentPayload, paymentRequirements }) => facilitator.verify(paymentPayload, paymentRequirements),
  '/settle': async ({ paymentPayload, paymentRequirements }) => {
    const settled = await facilitator.settle(paymentPayload, paymentRequirements);
    console.log(`${paymentPayload.payload.type}: ${JSON.stringify(settled)}`);
    return settled;
  },
};
const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) {
    parts.push(part);
  }
  const body = Buffer.concat(parts).toString('utf8');
  try {
    const answer = JSON.stringify(await verbs[request.url](body === '' ? {} : JSON.parse(body)));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(answer);
  } catch (error) {
    console.error(error);
    response.writeHead(500);
    response.end();
  }
});
server.listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
