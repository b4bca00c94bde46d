package dev.octroi.payments.books;

import dev.octroi.payments.ledger.AccountKind;

/** What a line of the journal is, by the kinds of its two accounts. */
enum MovementKind {
  SETTLEMENT("settlement"),
  FUNDING("funding"),
  REFUND("refund"),
  OTHER("other");

  private final String word;

  MovementKind(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  static MovementKind of(int debit, int credit) {
    return of(AccountKind.of(debit), AccountKind.of(credit));
  }

  private static MovementKind of(AccountKind debit, AccountKind credit) {
    if (debit == AccountKind.PAYER && credit == AccountKind.SELLER) {
      return SETTLEMENT;
    }
    if (debit == AccountKind.SELLER && credit == AccountKind.PAYER) {
      return REFUND;
    }
    return debit == AccountKind.TREASURY && credit == AccountKind.PAYER ? FUNDING : OTHER;
  }
}
