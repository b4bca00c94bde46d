package dev.octroi.payments.ledger;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import org.jspecify.annotations.Nullable;

/**
 * The truth about every payment. Each method returns when its change is durable, except {@link
 * #delivered}; each change is one statement that holds across threads and nodes.
 *
 * <p>A call that was charged, or has an answer {@linkplain ClaimResult.Replay repeated} or
 * {@linkplain ClaimResult.Rerun read again}, holds the payment until it says {@link #delivered} or
 * {@link #unanswered}: meanwhile every repeat, on any node, is {@link ClaimResult.InFlight}, as
 * long as this node lives. Who charges and never says either holds it for as long as answers are
 * kept.
 *
 * <p>Thread-safe. Methods that change a claim return false when this node no longer owns it, in
 * which case the caller neither delivers nor releases anything. All throw {@link LedgerUnavailable}
 * when the database does not answer in time.
 */
public interface Ledger extends AutoCloseable {

  /**
   * Reserves a payment for a request, or says why not. Of any number of concurrent calls one gets
   * the claim.
   */
  ClaimResult claim(ClaimRequest request);

  /**
   * Whether a claim would be refused at this moment, with {@link LedgerUnavailable#isNothingDone},
   * because as many wait as are served in time; costs nothing to ask.
   */
  boolean isBusy();

  /**
   * What a payment whose time is over has bought before: reserves nothing, and is {@link
   * ClaimResult.Failed} where it bought nothing.
   */
  ClaimResult redeliver(ClaimRequest request);

  /**
   * States that less will be charged for a claim of this node than it reserved; written with its
   * settlement, when the rest is given back (money rule 7).
   *
   * @param amount atomic units, above zero and at most the claim's
   */
  void charge(Claim claim, long amount);

  /**
   * CLAIMED → SETTLING, with the answer that is about to be charged ({@code null} for re-readable
   * ones).
   *
   * @throws AnswerTooLarge if the answer cannot be stored; nothing was changed, release the claim
   */
  boolean settling(Claim claim, @Nullable StoredAnswer answer);

  /**
   * CLAIMED → SETTLING for an answer that has left before it is paid for: the payment is {@link
   * UnresolvedPayments} until it was, and what was given is a loss in the books if it never is.
   */
  boolean settlingDelivered(Claim claim);

  /**
   * SETTLING or IN_DOUBT → SETTLED | FAILED | IN_DOUBT, as the facilitator's outcome says. With
   * {@link Settlement.Sent} it stays SETTLING: this node's claim ends, the answer may leave, and
   * the payment is {@link UnresolvedPayments} until the follower of its transaction has seen the
   * end. With {@link Settlement.Unsent} it is RELEASED, as if it had never begun to settle.
   */
  boolean settled(Claim claim, Settlement outcome);

  /**
   * CLAIMED → SETTLED in one commit, the money moving in the ledger's own database; only for
   * facilitators that live there (sandbox money). {@link Settlement.Unknown} means that this node
   * no longer owns the claim.
   *
   * @throws AnswerTooLarge if the answer cannot be stored; nothing was changed, release the claim
   */
  Settlement settleHere(Claim claim, @Nullable StoredAnswer answer);

  /**
   * Stores the answer of a call that was settled before its effect ({@link
   * dev.octroi.payments.Settle#BEFORE}): settled and not delivered, it can be had again from now on
   * (money rule 3). False if the payment is not this node's any more, or was delivered.
   *
   * @throws AnswerTooLarge if the answer cannot be stored
   */
  boolean answered(Claim claim, StoredAnswer answer);

  /** Payments, for the callers who made them. */
  Purchases purchases();

  /** Refunds of what this ledger settled. */
  Refunds refunds();

  /** What is done for payments and cannot be undone. */
  Effects effects();

  /** Channels that calls are paid out of. */
  Channels channels();

  /** What it takes to settle answers that have left. */
  DeferredSettlements deferredSettlements();

  /**
   * What is known of a payer that asks for credit.
   *
   * @param network CAIP-2 id
   * @param payer the payer's address
   */
  PayerHistory history(String network, String payer);

  /** What became of payments, for those who work for them. */
  PaymentStatuses paymentStatuses();

  /** What payers' identifiers were used for. */
  Identifiers identifiers();

  /** By what wallets sign in. */
  SignInNonces signInNonces();

  /**
   * CLAIMED → SETTLED in one commit, the payer owing the amount, which stays reserved until one
   * transfer pays for many such calls ({@link Debts}); only for calls by API key.
   *
   * @throws AnswerTooLarge if the answer cannot be stored; nothing was changed, release the claim
   */
  Settlement settleOnAccount(Claim claim, @Nullable StoredAnswer answer);

  /**
   * CLAIMED → SETTLED in one commit, by the voucher of a channel whose money a chain holds: the
   * channel owes the charge until it is claimed ({@link Channels}).
   *
   * @throws AnswerTooLarge if the answer cannot be stored; nothing was changed, release the claim
   */
  Settlement settleByVoucher(Claim claim, @Nullable StoredAnswer answer);

  /**
   * CLAIMED → RELEASED: the same authorization may be sent again. For a {@link ClaimResult.Rerun}
   * or {@link ClaimResult.Replay} it is {@link #unanswered}: nothing was charged for it, and a
   * rerun stays counted.
   *
   * @param why stays with the payment until it is claimed again
   */
  boolean release(Claim claim, ReleaseReason why);

  /** The same where there is no more to say. */
  default boolean release(Claim claim) {
    return release(claim, ReleaseReason.NONE);
  }

  /**
   * Ends a call that was paid for and whose answer did not arrive, or that gave none: the next may
   * have it. Written before it returns, as the payer may be told to ask again; lazily only if the
   * database does not answer, until when other nodes take this call for one that is still at work.
   */
  void unanswered(Claim claim);

  /**
   * Notes that the answer left this node, which turns repeats away from here on. Written lazily; a
   * loss only repeats an answer.
   */
  void delivered(Claim claim);

  @Override
  void close();

  /**
   * What the ledger knows of a payer that asks for credit.
   *
   * @param hasPaid whether a payment of it for something sold here has settled; what was settled
   *     for other servers does not count
   * @param hasFailed whether an answer left on credit and its payment failed, and was not paid
   *     since
   */
  record PayerHistory(boolean hasPaid, boolean hasFailed) {}
}
