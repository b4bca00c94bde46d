// The reference Express middleware with the verification work that Octroi does locally: EIP-712 and recovery of the
// signer. With PROXY it stands before an HTTP server, by a published proxy. Nothing is stored and nothing is settled, which is less
// work than Octroi does; it is the peer of the benchmark.
import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { recoverTypedDataAddress } from 'viem';

const NETWORK = 'eip155:8453';
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

const localFacilitator = {
  async verify({ payload }, requirements) {
    const { authorization, signature } = payload;
    const payer = await recoverTypedDataAddress({
      domain: {
        name: requirements.extra.name,
        version: requirements.extra.version,
        chainId: 8453,
        verifyingContract: requirements.asset,
      },
      types,
      primaryType: 'TransferWithAuthorization',
      message: authorization,
      signature,
    });
    return payer.toLowerCase() === authorization.from.toLowerCase()
      ? { isValid: true, payer }
      : { isValid: false, invalidReason: 'invalid_exact_evm_signature', payer };
  },
  async settle({ payload }, requirements) {
    return { success: true, transaction: '0x00', network: requirements.network, payer: payload.authorization.from };
  },
  async getSupported() {
    return { kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK }], extensions: [], signers: {} };
  },
};

const answer = {
  data: [
    {
      exchange: 'venue-a',
      pair: 'BTC/USDT',
      last: 111501.08,
      bid: 111498.63,
      ask: 111503.53,
      high_24h: 112624.16,
      low_24h: 109565.34,
      volume_24h_base: 92781.9725,
      change_24h_pct: 0.34,
      timestamp: 1795252965,
    },
  ],
};

const server = new x402ResourceServer(localFacilitator).register(NETWORK, new ExactEvmScheme());
const app = express();
app.use(
  paymentMiddleware(
    {
      'GET /paid': {
        accepts: {
          scheme: 'exact',
          price: process.env.PRICE ?? '$0.0095',
          network: NETWORK,
          payTo: process.env.PAY_TO,
        },
        description: 'The peer of the benchmark',
      },
    },
    server,
  ),
);
if (process.env.PROXY === undefined) {
  app.get('/paid', (request, response) => response.json(answer));
} else {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  app.use('/paid', createProxyMiddleware({ target: process.env.PROXY, agent }));
}
const listener = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () =>
  console.log(`listening ${listener.address().port}`),
);
