package dev.octroi.payments.ledger;

/** Whose an account of the journal is, with its code in the database. */
public enum AccountKind {
  PAYER(1),
  SELLER(2),
  /** Where sandbox money comes from; its balance is minus all that was given out. */
  TREASURY(3),
  /**
   * What was given for a payment that was sent and failed in the end; its balance is minus that.
   */
  LOSS(4),
  /** What a payer owes for calls that were settled on account; its balance is minus that. */
  DEBT(5);

  private final int code;

  AccountKind(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** The kind of a code. */
  public static AccountKind of(int code) {
    return values()[code - 1];
  }
}
