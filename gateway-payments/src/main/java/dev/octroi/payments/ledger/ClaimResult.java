package dev.octroi.payments.ledger;

/**
 * What the ledger answers to a request for a claim; the one place that decides whether a handler
 * may run.
 */
public sealed interface ClaimResult {

  /** The payment is reserved: run the method, then settle or release. */
  record Claimed(Claim claim) implements ClaimResult {}

  /** Another request holds the payment at this moment: 409, try again shortly. */
  record InFlight() implements ClaimResult {}

  /**
   * Settled, but the answer never arrived: {@link Identifiers#answer} has it again, uncharged.
   *
   * @param answerBytes how long it is, with its headers
   */
  record Replay(Claim claim, long answerBytes, String transaction) implements ClaimResult {}

  /**
   * Settled, but the answer never arrived, and it can be read again: run the method, charge
   * nothing.
   */
  record Rerun(Claim claim, String transaction) implements ClaimResult {}

  /** Used up: delivered already, or made for another request. 402 {@code nonce_already_used}. */
  record Used() implements ClaimResult {}

  /** Whether it settled is not known yet: 503, the same payment may be sent again. */
  record InDoubt() implements ClaimResult {}

  /** Settlement failed for certain before. 402 with the reason. */
  record Failed(String reason) implements ClaimResult {}

  /** The payer's identifier stands for another payment or request: 409, for good. */
  record IdentifierTaken() implements ClaimResult {}

  /** The balance does not cover the payer's open claims and this one (money rule 8). */
  record Insufficient() implements ClaimResult {}

  /**
   * The key's budget does not cover its open claims, what it has spent and this one. 403.
   *
   * @param limit {@code daily} or {@code monthly}
   */
  record OverBudget(String limit) implements ClaimResult {}
}
