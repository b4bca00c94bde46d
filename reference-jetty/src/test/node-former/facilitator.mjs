// The published facilitator, unmodified, over a node of a chain. It waits for a receipt as long as its operator's client does.
// usage: node facilitator.mjs RPC_URL PRIVATE_KEY RECEIPT_TIMEOUT_MS   Says where it listens, then a line for each settlement.
import { createServer } from 'node:http';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';

const [rpc, key, timeout] = process.argv.slice(2);
const account = privateKeyToAccount(key);
const client = createWalletClient({ account, chain: base, transport: http(rpc), pollingInterval: 50 }).extend(publicActions);
const facilitator = new x402Facilitator();
registerExactEvmScheme(facilitator, {
  networks: 'eip155:8453',
  signer: toFacilitatorEvmSigner({
    address: account.address,
    getCode: (of) => client.getCode(of),
    readContract: (call) => client.readContract(call),
    verifyTypedData: (signed) => client.verifyTypedData(signed),
    writeContract: (call) => client.writeContract(call),
    sendTransaction: (transaction) => client.sendTransaction(transaction),
    waitForTransactionReceipt: ({ hash }) => client.waitForTransactionReceipt({ hash, timeout: Number(timeout) }),
  }),
});

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) {
    parts.push(part);
  }
  const say = (status, body) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  try {
    if (request.url === '/supported') {
      say(200, facilitator.getSupported());
      return;
    }
    const { paymentPayload, paymentRequirements } = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (request.url === '/verify') {
      say(200, await facilitator.verify(paymentPayload, paymentRequirements));
      return;
    }
    const settled = await facilitator.settle(paymentPayload, paymentRequirements);
    console.log(`settle: ${JSON.stringify(settled)}`);
    say(200, settled);
  } catch (error) {
    console.error(error);
    say(500, { error: 'failed' });
  }
});
server.listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
