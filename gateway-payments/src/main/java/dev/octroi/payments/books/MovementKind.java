package dev.octroi.payments.books;

import dev.octroi.payments.ledger.AccountKind;

/** What a line of the journal is, by the kinds of its two accounts. */
enum MovementKind {
  SETTLEMENT("settlement"),
  FUNDING("funding"),
  REFUND("refund"),
  /** An answer left for a transaction that failed in the end. */
  LOSS("loss"),
  /** A loss that turned out to have been paid after all. */
  REGAIN("regain"),
  /** A call that is owed for. */
  ON_ACCOUNT("on-account"),
  /** What was owed is paid for by a transfer. */
  NETTING("netting"),
  OTHER("other");

  private final String word;

  MovementKind(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  static MovementKind of(String debit, String credit) {
    return of(AccountKind.valueOf(debit), AccountKind.valueOf(credit));
  }

  private static MovementKind of(AccountKind debit, AccountKind credit) {
    return switch (debit) {
      case PAYER ->
          switch (credit) {
            case SELLER -> SETTLEMENT;
            case LOSS -> REGAIN;
            case PAYER, TREASURY, DEBT -> OTHER;
          };
      case SELLER ->
          switch (credit) {
            case PAYER -> REFUND;
            case DEBT -> NETTING;
            case SELLER, TREASURY, LOSS -> OTHER;
          };
      case DEBT -> credit == AccountKind.SELLER ? ON_ACCOUNT : OTHER;
      case TREASURY -> credit == AccountKind.PAYER ? FUNDING : OTHER;
      case LOSS -> credit == AccountKind.PAYER ? LOSS : OTHER;
    };
  }
}
