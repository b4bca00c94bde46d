// The published client and the published facilitator of the scheme upto, unmodified, each for one payment. Prints one JSON line.
// usage: node upto.mjs sign REQUIREMENTS              the header of a payment (PAYER_KEY: hex private key)
//        node upto.mjs settle HEADER CHARGE           verifies a payment and settles this much (FACILITATOR_KEY, RPC: a node of the chain)
import { x402Client } from '@x402/core/client';
import { UptoEvmScheme as UptoClient } from '@x402/evm/upto/client';
import { UptoEvmScheme as UptoFacilitator } from '@x402/evm/upto/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';

const [verb, ...rest] = process.argv.slice(2);
const write = (object) => console.log(JSON.stringify(object));

if (verb === 'sign') {
  const account = privateKeyToAccount(process.env.PAYER_KEY);
  const client = x402Client.fromConfig({
    schemes: [{ network: 'eip155:*', client: new UptoClient(account) }],
    spendControls: false,
  });
  const payment = await client.createPaymentPayload({
    x402Version: 2,
    resource: { url: 'https://shop.example/read' },
    accepts: [JSON.parse(rest[0])],
  });
  write({ header: Buffer.from(JSON.stringify(payment)).toString('base64') });
} else {
  const payment = JSON.parse(Buffer.from(rest[0], 'base64').toString('utf8'));
  const account = privateKeyToAccount(process.env.FACILITATOR_KEY);
  const wallet = createWalletClient({ account, chain: base, transport: http(process.env.RPC) }).extend(publicActions);
  const facilitator = new UptoFacilitator(toFacilitatorEvmSigner({ ...wallet, address: account.address }));
  const verified = await facilitator.verify(payment, payment.accepted);
  write({ verified, settled: await facilitator.settle(payment, { ...payment.accepted, amount: rest[1] }) });
}
