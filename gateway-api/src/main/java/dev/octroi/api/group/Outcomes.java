package dev.octroi.api.group;

import dev.octroi.payments.effect.EffectRunner.EffectResult;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.VendorRefusal;
import dev.octroi.services.upstream.Failures;
import java.time.Duration;
import java.util.Optional;

/** What a caller is told when what was paid for was not done, or may have been done. */
public final class Outcomes {

  private static final Duration SOON = Duration.ofSeconds(2);

  private Outcomes() {}

  /**
   * What was done.
   *
   * @param code of the error when it certainly was not
   * @throws Failure with the word that the money goes back; or 503, the same is to be sent again
   */
  public static EffectResult.Done done(EffectResult result, ErrorCode code, String failed) {
    if (result instanceof EffectResult.Done done) {
      return done;
    }
    if (result instanceof EffectResult.Failed not) {
      Optional<ErrorCode> why = VendorRefusal.code(not.reason());
      String told = why.isEmpty() ? failed : failed + " " + not.reason() + ".";
      throw new Failure(why.orElse(code), told + " " + refund(not.refund()));
    }
    if (result instanceof EffectResult.Busy) {
      throw Failures.full();
    }
    throw new Failure(
        ErrorCode.UPSTREAM_UNAVAILABLE,
        "Whether it was done is not known yet. Send the same request with the same payment again.",
        SOON,
        null);
  }

  /** What becomes of money that paid for nothing, in a sentence. */
  public static String refund(Optional<Refund> noted) {
    return noted
        .map(
            refund ->
                "What was paid "
                    + (refund.state() == Refund.State.PAID ? "has gone back" : "is owed to you")
                    + ": refund "
                    + refund.id()
                    + ".")
        .orElse("What was paid goes back as soon as its payment is final.");
  }
}
