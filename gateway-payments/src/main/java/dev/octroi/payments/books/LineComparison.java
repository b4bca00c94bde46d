package dev.octroi.payments.books;

import dev.octroi.payments.books.BookReport.Difference;
import dev.octroi.payments.books.BookVerification.Findings;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.util.List;
import java.util.Objects;

/** Compares settled payments with their journal lines. */
final class LineComparison {

  private static final String RULE = "settled-without-line";

  /** The line of a payment: who gave how much to whom. */
  record Line(long amount, String payer, String seller, String asset) {}

  private final Findings findings;
  private long payments;

  LineComparison(Findings findings) {
    this.findings = findings;
  }

  void compare(UnresolvedPayment payment, List<Line> lines) {
    payments++;
    if (lines.isEmpty()) {
      report(RULE, payment, "it settled " + payment.amount(), "the journal has no line");
      return;
    }
    compareParts(payment, lines.get(0));
    for (int another = 1; another < lines.size(); another++) {
      report("settled-twice", payment, "one line is its due", "the journal has another");
    }
  }

  private void compareParts(UnresolvedPayment payment, Line line) {
    if (payment.amount() != line.amount()) {
      report(
          "amount",
          payment,
          "it settled " + payment.amount(),
          "the journal moves " + line.amount());
    }
    same("payer", payment, payment.key().payer(), line.payer());
    same("seller", payment, payment.payTo(), line.seller());
    same("asset", payment, payment.asset(), line.asset());
  }

  private void same(String what, UnresolvedPayment payment, String stated, String found) {
    if (!Objects.equals(PaymentKey.spelling(stated), PaymentKey.spelling(found))) {
      report(what, payment, "its " + what + " is " + stated, "the journal's is " + found);
    }
  }

  private void report(String rule, UnresolvedPayment payment, String stated, String found) {
    findings.add(new Difference(rule, payment.id().toString(), stated, found));
  }

  long payments() {
    return payments;
  }
}
