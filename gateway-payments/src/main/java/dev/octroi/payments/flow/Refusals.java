package dev.octroi.payments.flow;

import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.x402.Challenges;
import dev.octroi.payments.x402.Challenges.Challenge;
import dev.octroi.payments.x402.Challenges.NothingOffered;
import dev.octroi.payments.x402.Descriptions;
import dev.octroi.payments.x402.Descriptions.Description;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import dev.octroi.payments.x402.SettlementResponse;

/** How the gate says that a call has to be paid, or that its payment will not do. */
record Refusals(Challenges challenges, ResourceUrl urls, Descriptions descriptions) {

  /** The reason of a payment that was delivered already, or made for another request. */
  private static final String NONCE_USED = "nonce_already_used";

  /** The reason of a payment whose envelope names another resource. */
  static final String OTHER_RESOURCE = "resource_mismatch";

  /** The protocol's general reason, where no network is known. */
  static final String NO_FUNDS = "insufficient_funds";

  private static final String PAYMENT_INVALID = "payment_invalid";
  private static final String SIGN_IN_INVALID = "sign_in_invalid";
  private static final String SETTLEMENT_FAILED = "settlement_failed";

  /** 402 to a call without payment. */
  HttpAnswer unpaid(Exchange request, OfferedPrice price) {
    try {
      Description said = description(request);
      return of(402, challenges.first(price, resource(request, said), said.extensions()));
    } catch (NothingOffered e) {
      return noFacilitator();
    }
  }

  /** 402, or 412, with a fresh challenge to a call whose payment is not good. */
  HttpAnswer invalid(Exchange request, OfferedPrice price, String reason) {
    return again(request, price, reason, PAYMENT_INVALID);
  }

  /** 402 with a fresh challenge to a call whose message of a wallet is not good. */
  HttpAnswer notSignedIn(Exchange request, OfferedPrice price, String reason) {
    return again(request, price, reason, SIGN_IN_INVALID);
  }

  /** 402 to a payer who counts otherwise than this server, with the offer that tells it so. */
  HttpAnswer corrected(Exchange request, OfferedPrice price, PaymentRequirements offer) {
    Description said = description(request);
    return of(
        402,
        challenges.challenge(
            offer,
            price,
            resource(request, said),
            ChannelUse.MISMATCH,
            PAYMENT_INVALID,
            said.extensions()));
  }

  /**
   * Whether a payment may be for this request, as far as its envelope says. The payer could say
   * anything there, for it is not signed; this keeps an honest payment from being spent elsewhere.
   */
  boolean concerns(PaymentPayload payload, Exchange request) {
    return payload.resource() == null || urls.agrees(payload.resource(), request);
  }

  /** The reason of a payment on these terms whose payer has too little. */
  static String insufficient(PaymentRequirements terms) {
    return ChainFamily.of(terms.network()).insufficientFunds();
  }

  /** The answer to a request that did not get the claim. */
  HttpAnswer unclaimed(ClaimResult result, Exchange request, VerifiedPayment verified) {
    OfferedPrice price = verified.price();
    if (result instanceof ClaimResult.InFlight) {
      return inUse();
    }
    if (result instanceof ClaimResult.IdentifierTaken) {
      return Replays.taken();
    }
    if (result instanceof ClaimResult.InDoubt) {
      return doubtful();
    }
    if (result instanceof ClaimResult.Failed failed) {
      return invalid(request, price, failed.reason());
    }
    if (result instanceof ClaimResult.Insufficient) {
      return invalid(request, price, insufficient(verified.terms()));
    }
    return invalid(request, price, NONCE_USED);
  }

  /** The answer in place of one that was not paid: 402 for a certain failure, else 503. */
  HttpAnswer unsettled(PaidCall call, Settlement outcome) {
    if (outcome instanceof Settlement.Refused refused) {
      SettlementResponse settlement =
          SettlementResponse.refused(refused.reason(), call.network(), call.payer());
      HttpAnswer answer =
          again(
              call.incoming().exchange(),
              call.verified().price(),
              refused.reason(),
              SETTLEMENT_FAILED);
      return answer.with(Receipts.settlement(call.verified().form(), settlement));
    }
    return outcome instanceof Settlement.Unsent ? unsent() : doubtful();
  }

  /** 409: another request holds the payment at this moment. */
  static HttpAnswer inUse() {
    return HttpAnswer.retry(409, "This payment is being used by another request.");
  }

  /** 503: the payment could not be sent now; it was given back and is as good as before. */
  private static HttpAnswer unsent() {
    return HttpAnswer.busy(
        "The payment cannot be settled at the moment; nothing was charged. Send the same request"
            + " with the same payment again.");
  }

  /** 503: whether money moved is not known, so nothing may invite the payer to pay again. */
  static HttpAnswer doubtful() {
    return HttpAnswer.busy(
        "The outcome of the payment is not known yet. Send the same request with the same payment"
            + " again.");
  }

  private HttpAnswer again(Exchange request, OfferedPrice price, String reason, String code) {
    try {
      Description said = description(request);
      return of(
          PaymentHeaders.statusOf(reason),
          challenges.challenge(price, resource(request, said), reason, code, said.extensions()));
    } catch (NothingOffered e) {
      return noFacilitator();
    }
  }

  /** 503: what has a price is not given away because no facilitator settles now. */
  private static HttpAnswer noFacilitator() {
    return HttpAnswer.busy("Payments cannot be taken at the moment.");
  }

  /** What a call asks for, by its address alone. */
  ResourceInfo resource(Exchange request) {
    return ResourceInfo.at(urls.of(request));
  }

  private Description description(Exchange request) {
    return descriptions.of(request.method(), request.path());
  }

  /** What a call asks for, as a challenge names it. */
  private ResourceInfo resource(Exchange request, Description said) {
    return new ResourceInfo(
        urls.of(request),
        said.about(),
        said.mimeType(),
        said.serviceName(),
        said.tags().isEmpty() ? null : said.tags(),
        null);
  }

  private static HttpAnswer of(int status, Challenge challenge) {
    return HttpAnswer.json(status, challenge.body())
        .with(PaymentHeaders.PAYMENT_REQUIRED, challenge.header());
  }
}
