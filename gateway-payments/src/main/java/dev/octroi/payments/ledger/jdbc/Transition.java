package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.ReleaseReason;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transition of one payment; it happens only if the payment still stands in one of the source
 * states at this attempt and belongs to this owner (money rule 1).
 *
 * @param firstSource a state that it may leave
 * @param lastSource another such state, or the same
 * @param why it ends uncharged or in doubt, in bounds
 * @param mode where the money lies that moves with it
 * @param charged what is charged if that is less than was reserved, in atomic units; null if not
 */
record Transition(
    UUID id,
    int attempt,
    Owner owner,
    PaymentState firstSource,
    PaymentState lastSource,
    PaymentState target,
    @Nullable String transaction,
    ReleaseReason why,
    SettlementMode mode,
    @Nullable Long charged) {

  private static final int MAX_REASON = 200;
  private static final int MAX_NAME = 64;

  Transition {
    why =
        new ReleaseReason(
            why.status(), bounded(why.reason(), MAX_REASON), bounded(why.upstream(), MAX_NAME));
  }

  /** One that charges no less than was reserved, if anything. */
  static Transition of(
      Claim claim,
      Owner owner,
      PaymentState firstSource,
      PaymentState lastSource,
      PaymentState target,
      @Nullable String transaction,
      ReleaseReason why) {
    return new Transition(
        claim.id(),
        claim.attempt(),
        owner,
        firstSource,
        lastSource,
        target,
        transaction,
        why,
        SettlementMode.CHAIN,
        null);
  }

  /** Charges for a claim, now or from now on, what its call has come to. */
  static Transition charging(
      Claim claim,
      Owner owner,
      PaymentState target,
      @Nullable String transaction,
      SettlementMode mode,
      @Nullable Long charged) {
    PaymentState source = PaymentState.CLAIMED;
    return new Transition(
        claim.id(),
        claim.attempt(),
        owner,
        source,
        source,
        target,
        transaction,
        ReleaseReason.NONE,
        mode,
        charged);
  }

  private static @Nullable String bounded(@Nullable String text, int most) {
    String kept = ControlCharacters.replacedIn(text);
    return kept == null ? null : kept.substring(0, Math.min(kept.length(), most));
  }

  /**
   * Whether the answer has left, or may leave, while the money is on its way: the state is SETTLING
   * (money rule 11).
   */
  boolean isSending() {
    return target == PaymentState.SETTLING
        && (firstSource == PaymentState.SETTLING || mode == SettlementMode.DELIVERED);
  }

  /** Gives back a claim, unless it has begun to settle. */
  boolean isRelease() {
    return firstSource == PaymentState.CLAIMED && target == PaymentState.RELEASED;
  }

  /** Whether the answer may leave after it. */
  boolean isCharge() {
    return target == PaymentState.SETTLED || isSending();
  }

  /** Gives back a payment of which nothing was sent, so that it may be claimed again. */
  boolean isUnsent() {
    return firstSource == PaymentState.SETTLING && target == PaymentState.RELEASED;
  }

  /** Whether the payment may be listed as unresolved before it. */
  boolean mayEndDoubt() {
    return !isSending() && firstSource.isUnresolved();
  }

  /** Whether it closes, later than its own call, a payment whose end that call did not see. */
  boolean isLate() {
    return firstSource == PaymentState.IN_DOUBT || firstSource.gaveBack();
  }

  /** Whether money begins to move with it. */
  boolean beginsToSettle() {
    return firstSource == PaymentState.CLAIMED && target.hasBegunToSettle();
  }

  /**
   * Whether a call is at work on the payment's answer from now on; null where that stays as it was.
   */
  @Nullable Boolean answering() {
    return switch (target) {
      case FAILED, RELEASED, IN_DOUBT -> false;
      case SETTLING, SETTLED -> firstSource == PaymentState.CLAIMED ? true : null;
      case CLAIMED -> null;
    };
  }

  /** Whether it ends the payment without a charge. */
  boolean closesUncharged() {
    return target == PaymentState.RELEASED || target == PaymentState.FAILED;
  }

  /** Where the money of a payment lies when it is settled. */
  enum SettlementMode {
    /** On a chain: what the ledger has reserved is spent there. */
    CHAIN,
    /** On a chain, for an answer that has left. */
    DELIVERED,
    /** In this database (sandbox money): it moves in the same commit. */
    HERE,
    /** On a chain, for later: the payer owes it, and it stays reserved until it is netted. */
    ON_ACCOUNT
  }

  /**
   * A payment that a {@link Transition} did move, with what the books need of it.
   *
   * @param payer whose account carries it
   * @param payTo who is paid
   * @param amount what was reserved, in atomic units
   * @param charged what is charged for it, at most that
   * @param sent whether its answer left, or could have, before the money's end was seen
   * @param key the API key whose budget it is taken from; null if none
   * @param scope the group of endpoints; empty if none
   * @param claimedAt when it was reserved last
   */
  record AppliedTransition(
      UUID id,
      AccountKey payer,
      String payTo,
      long amount,
      long charged,
      boolean sent,
      @Nullable UUID key,
      String scope,
      Instant claimedAt) {}
}
