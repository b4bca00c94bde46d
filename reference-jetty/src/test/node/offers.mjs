// Verifies the signed offers of a challenge with the published extension, and prints what a test wants to know.
// usage: node offers.mjs URL
import { decodePaymentRequiredHeader } from '@x402/core/http';
import {
  extractOffersFromPaymentRequired,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureEIP712,
} from '@x402/extensions/offer-receipt';

const answer = await fetch(process.argv[2]);
const challenge = decodePaymentRequiredHeader(answer.headers.get('PAYMENT-REQUIRED'));
const offers = extractOffersFromPaymentRequired(challenge);
const seen = await Promise.all(
  offers.map(async (offer) => {
    const { signer, payload } = await verifyOfferSignatureEIP712(offer);
    return {
      signer,
      resourceUrl: payload.resourceUrl,
      stands: payload.validUntil > Date.now() / 1000,
      matched: challenge.accepts.indexOf(findAcceptsObjectFromSignedOffer(offer, challenge.accepts)),
    };
  }),
);
console.log(JSON.stringify({ status: answer.status, accepts: challenge.accepts.length, offers: seen }));
