package dev.octroi.payments.flow;

import dev.octroi.payments.PaymentObserver;
import dev.octroi.payments.PaymentObserver.PaymentStep;
import dev.octroi.payments.PaymentObserver.PaymentStep.Kind;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the observer how the steps of payments ended, in words that are few. */
record Steps(PaymentObserver observer) {

  private static final Logger LOG = LoggerFactory.getLogger(Steps.class);

  private static final String FAILED = "failed";

  private static final Map<Class<?>, String> WORDS =
      Map.ofEntries(
          Map.entry(Verification.Valid.class, "valid"),
          Map.entry(Verification.Late.class, "late"),
          Map.entry(Verification.Invalid.class, "invalid"),
          Map.entry(Verification.Refund.class, "refund"),
          Map.entry(ClaimResult.Claimed.class, "claimed"),
          Map.entry(ClaimResult.InFlight.class, "in_flight"),
          Map.entry(ClaimResult.Replay.class, "replay"),
          Map.entry(ClaimResult.Rerun.class, "rerun"),
          Map.entry(ClaimResult.Used.class, "used"),
          Map.entry(ClaimResult.InDoubt.class, "in_doubt"),
          Map.entry(ClaimResult.Failed.class, "failed_before"),
          Map.entry(ClaimResult.IdentifierTaken.class, "identifier_taken"),
          Map.entry(ClaimResult.Insufficient.class, "insufficient"),
          Map.entry(ClaimResult.OverBudget.class, "over_budget"),
          Map.entry(Settlement.Settled.class, "settled"),
          Map.entry(Settlement.Sent.class, "sent"),
          Map.entry(Settlement.Unsent.class, "unsent"),
          Map.entry(Settlement.Refused.class, "refused"),
          Map.entry(Settlement.Unknown.class, "unknown"));

  void verified(String network, @Nullable Verification said, long began) {
    String payer = said instanceof Verification.Valid valid ? valid.payer() : null;
    tell(Kind.VERIFY, word(said), began, network, payer, null, null, null);
  }

  void claimed(ClaimRequest request, @Nullable ClaimResult said, long began) {
    String payment = said instanceof ClaimResult.Claimed it ? it.claim().id().toString() : null;
    tell(Kind.CLAIM, word(said), began, request.key().network(), null, payment, null, null);
  }

  void settled(Chargeable sale, Settlement outcome, long began) {
    String transaction = outcome.deliverable().orElse(null);
    Usd charge = transaction == null ? null : sale.charge();
    tell(Kind.SETTLE, word(outcome), began, sale, charge, transaction);
  }

  void released(Chargeable sale, long began) {
    tell(Kind.RELEASE, "released", began, sale, null, null);
  }

  private static String word(@Nullable Object outcome) {
    return outcome == null ? FAILED : WORDS.getOrDefault(outcome.getClass(), FAILED);
  }

  private void tell(
      Kind kind,
      String outcome,
      long began,
      Chargeable sale,
      @Nullable Usd charge,
      @Nullable String transaction) {
    String payer = sale.verified().payer().payer();
    tell(kind, outcome, began, sale.network(), payer, sale.id(), charge, transaction);
  }

  private void tell(
      Kind kind,
      String outcome,
      long began,
      String network,
      @Nullable String payer,
      @Nullable String payment,
      @Nullable Usd charge,
      @Nullable String transaction) {
    long ended = System.nanoTime();
    try {
      observer.ended(
          new PaymentStep(
              kind, outcome, began, ended, network, payer, payment, charge, transaction));
    } catch (RuntimeException e) {
      LOG.error("An observer of payments failed", e);
    }
  }
}
