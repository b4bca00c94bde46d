package dev.octroi.payments.ledger;

/** Whose an account of the journal is. */
public enum AccountKind {
  PAYER,
  SELLER,
  /** Where sandbox money comes from; its balance is minus all that was given out. */
  TREASURY,
  /**
   * What was given for a payment that was sent and failed in the end; its balance is minus that.
   */
  LOSS,
  /** What a payer owes for calls that were settled on account; its balance is minus that. */
  DEBT
}
