// Pays for one URL with the published client, unmodified, and prints what a test wants to know as one JSON line.
// usage: node pay.mjs URL RPC_URL KEYPAIR_BASE64   (the key pair has 64 bytes)
import { wrapFetchWithPaymentFromConfig, decodePaymentResponseHeader } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm';
import { createKeyPairSignerFromBytes } from '@solana/kit';

const [url, rpcUrl, keypair] = process.argv.slice(2);
const signer = await createKeyPairSignerFromBytes(new Uint8Array(Buffer.from(keypair, 'base64')));
let payment = null;
const watched = (input, init) => {
  const request = new Request(input, init);
  payment = request.headers.get('PAYMENT-SIGNATURE') ?? payment;
  return fetch(request);
};
const paying = wrapFetchWithPaymentFromConfig(watched, {
  schemes: [{ network: 'solana:*', client: new ExactSvmScheme(signer, { rpcUrl }) }],
});
const answer = await paying(url);
const receipt = answer.headers.get('PAYMENT-RESPONSE');
console.log(
  JSON.stringify({
    payer: signer.address,
    status: answer.status,
    payment,
    receipt: receipt === null ? null : decodePaymentResponseHeader(receipt),
    body: await answer.text(),
  }),
);
