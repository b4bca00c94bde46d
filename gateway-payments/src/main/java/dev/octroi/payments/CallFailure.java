package dev.octroi.payments;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a call failed, for the operator: noted at its request by the part that makes the answer,
 * written down with the payment that is given back for it. The caller learns it from the answer.
 *
 * @param reason a sentence; null where no part of the gateway said one
 * @param upstream the name of the upstream that was asked last; null if none was
 */
public record CallFailure(@Nullable String reason, @Nullable String upstream) {

  private static final String REASON = "dev.octroi.payments.failure";
  private static final String UPSTREAM = "dev.octroi.payments.upstream";

  /** Notes why the call of a request fails. */
  public static void noteReason(Exchange request, String reason) {
    request.property(REASON, reason);
  }

  /** Notes that a request has an upstream asked. */
  public static void noteUpstream(Exchange request, String upstream) {
    request.property(UPSTREAM, upstream);
  }

  /** What was noted so far. */
  public static CallFailure of(Exchange request) {
    return new CallFailure(
        noted(request, REASON).orElse(null), noted(request, UPSTREAM).orElse(null));
  }

  private static Optional<String> noted(Exchange request, String name) {
    return Optional.ofNullable((String) request.property(name));
  }
}
