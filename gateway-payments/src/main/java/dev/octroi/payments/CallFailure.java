package dev.octroi.payments;

import org.jspecify.annotations.Nullable;

/**
 * Why a call fails, for the operator: noted by the part that makes the answer, written down with
 * the payment that is given back for it. The caller learns it from the answer.
 *
 * <p>It is found by the request as long as that is served, and outlives it: what closes an
 * abandoned call must not touch its request. Thread-safe.
 */
public final class CallFailure {

  private static final String NOTED = "dev.octroi.payments.failure";

  private volatile @Nullable String reason;
  private volatile @Nullable String upstream;

  private CallFailure() {}

  /** What is noted of the call of a request, the same object for as long as it is served. */
  public static CallFailure of(Exchange request) {
    if (request.property(NOTED) instanceof CallFailure known) {
      return known;
    }
    CallFailure begun = new CallFailure();
    request.property(NOTED, begun);
    return begun;
  }

  /** Notes why the call fails, in a sentence. */
  public void noteReason(String sentence) {
    reason = sentence;
  }

  /** Notes that the call has an upstream asked. */
  public void noteUpstream(String name) {
    upstream = name;
  }

  /** Why it fails; null where no part of the gateway said so. */
  public @Nullable String reason() {
    return reason;
  }

  /** The name of the upstream that was asked last; null if none was. */
  public @Nullable String upstream() {
    return upstream;
  }
}
