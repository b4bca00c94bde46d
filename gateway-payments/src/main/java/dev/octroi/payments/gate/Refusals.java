package dev.octroi.payments.gate;

import dev.octroi.payments.Description;
import dev.octroi.payments.Descriptions;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.x402.Challenge;
import dev.octroi.payments.x402.Challenges;
import dev.octroi.payments.x402.NothingOffered;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import dev.octroi.payments.x402.SettlementResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** How the gate says that a call has to be paid, or that its payment will not do. */
record Refusals(Challenges challenges, ResourceUrl urls, Descriptions descriptions) {

  /** The reason of a payment that was delivered already, or made for another request. */
  private static final String NONCE_USED = "nonce_already_used";

  /** The reason of a payment whose envelope names another resource. */
  static final String OTHER_RESOURCE = "resource_mismatch";

  /** The protocol's general reason, which payers of the base58 chain get from every server. */
  static final String NO_FUNDS = "insufficient_funds";

  private static final String NO_FUNDS_ON_EVM = "invalid_exact_evm_insufficient_balance";
  private static final String EVM = "eip155:";

  private static final String PAYMENT_INVALID = "payment_invalid";
  private static final String SETTLEMENT_FAILED = "settlement_failed";

  /** 402 to a call without payment. */
  Response unpaid(ContainerRequestContext request, Usd price) {
    try {
      Description said = description(request);
      return of(challenges.first(price, resource(request, said), said.extensions())).build();
    } catch (NothingOffered e) {
      return nobodySettles();
    }
  }

  /** 402 with a fresh challenge to a call whose payment is not good. */
  Response invalid(ContainerRequestContext request, Usd price, String reason) {
    return again(request, price, reason, PAYMENT_INVALID).build();
  }

  /**
   * Whether a payment may be for this request, as far as its envelope says. The payer could say
   * anything there, for it is not signed; this keeps an honest payment from being spent elsewhere.
   */
  boolean concerns(PaymentPayload payload, ContainerRequestContext request) {
    return payload.resource() == null || urls.agrees(payload.resource(), request);
  }

  /** The reason of a payment on these terms whose payer has too little. */
  static String insufficient(PaymentRequirements terms) {
    return terms.network().startsWith(EVM) ? NO_FUNDS_ON_EVM : NO_FUNDS;
  }

  /** The answer to a request that did not get the claim. */
  Response unclaimed(
      ClaimResult result, ContainerRequestContext request, VerifiedPayment verified) {
    Usd price = verified.price();
    if (result instanceof ClaimResult.InFlight) {
      return FlatErrors.retry(409, "This payment is being used by another request.");
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
  Response unsettled(PaidCall call, Settlement outcome) {
    if (outcome instanceof Settlement.Refused refused) {
      SettlementResponse settlement =
          SettlementResponse.refused(refused.reason(), call.network(), call.payer());
      Response.ResponseBuilder answer =
          again(
              call.incoming().context(),
              call.verified().price(),
              refused.reason(),
              SETTLEMENT_FAILED);
      Receipts.settlement(call.verified().form(), settlement).forEach(answer::header);
      return answer.build();
    }
    return outcome instanceof Settlement.Unsent ? unsent() : doubtful();
  }

  /** 503: the payment could not be sent now; it was given back and is as good as before. */
  private static Response unsent() {
    return FlatErrors.busy(
        "The payment cannot be settled at the moment; nothing was charged. Send the same request"
            + " with the same payment again.");
  }

  /** 503: whether money moved is not known, so nothing may invite the payer to pay again. */
  static Response doubtful() {
    return FlatErrors.busy(
        "The outcome of the payment is not known yet. Send the same request with the same payment"
            + " again.");
  }

  private Response.ResponseBuilder again(
      ContainerRequestContext request, Usd price, String reason, String code) {
    try {
      Description said = description(request);
      return of(
          challenges.challenge(price, resource(request, said), reason, code, said.extensions()));
    } catch (NothingOffered e) {
      return Response.fromResponse(nobodySettles());
    }
  }

  /** 503: what has a price is not given away because no facilitator settles now. */
  private static Response nobodySettles() {
    return FlatErrors.busy("Payments cannot be taken at the moment.");
  }

  /** What a call asks for, by its address alone. */
  ResourceInfo resource(ContainerRequestContext request) {
    return ResourceInfo.at(urls.of(request));
  }

  private Description description(ContainerRequestContext request) {
    return descriptions.of(request.getMethod(), CanonicalPath.below(request.getUriInfo()));
  }

  /** What a call asks for, as a challenge names it. */
  private ResourceInfo resource(ContainerRequestContext request, Description said) {
    return new ResourceInfo(
        urls.of(request),
        said.about(),
        said.mimeType(),
        said.serviceName(),
        said.tags().isEmpty() ? null : said.tags(),
        null);
  }

  private static Response.ResponseBuilder of(Challenge challenge) {
    return Response.status(Response.Status.PAYMENT_REQUIRED)
        .header(PaymentHeaders.PAYMENT_REQUIRED, challenge.header())
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .type(MediaType.APPLICATION_JSON_TYPE)
        .entity(challenge.body());
  }
}
