package dev.octroi.api.voice;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.payments.effect.EffectResult;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;

/** What callers are told who do not get what they asked for. */
final class Refusals {

  private static final Duration SOON = Duration.ofSeconds(5);

  private Refusals() {}

  static Failure noSuchCall() {
    return new Failure(ErrorCode.CALL_NOT_FOUND, "There is no such call of yours");
  }

  static Failure notActive() {
    return new Failure(ErrorCode.CALL_NOT_ACTIVE, "The call is not in progress");
  }

  /** 403 in a form of its own (specification, {@code POST /call}). */
  static WebApplicationException foreignNumber() {
    return new WebApplicationException(
        Response.status(Response.Status.FORBIDDEN)
            .type(MediaType.APPLICATION_JSON_TYPE)
            .header(HttpHeaders.CACHE_CONTROL, "no-store")
            .entity(
                UpstreamJson.bytes(
                    UpstreamJson.record()
                        .put("error", "Forbidden")
                        .put("message", "from is not a number that is leased to you")))
            .build());
  }

  /** 500: it was paid for and certainly not done; the payer is told what becomes of the money. */
  static WebApplicationException failed(EffectResult.Failed failed) {
    ErrorCode code = ErrorCode.CALL_FAILED;
    String message = failed.reason() + ". " + failed.refund().map(Refusals::told).orElse(LATER);
    return new WebApplicationException(
        ErrorAnswer.shaped(code.status(), code.code(), message).response());
  }

  private static final String LATER = "What was paid will be refunded.";

  private static String told(Refund refund) {
    String id = "refund " + refund.id();
    return refund.state() == Refund.State.PAID
        ? "What was paid was given back (" + id + ")."
        : "What was paid is owed to you and will be given back (" + id + ").";
  }

  /** 503: what was paid for may have been done; a caller that asks again the same way is told. */
  static Failure unknown() {
    return new Failure(
        ErrorCode.UPSTREAM_UNAVAILABLE,
        "It is not known yet what became of the call; send the same request with the same payment"
            + " again",
        SOON,
        null);
  }
}
