package dev.octroi.payments.books;

import dev.octroi.payments.facilitator.PaymentKey;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Compares settled payments with their journal lines, which come one row a line, those of a payment
 * one after the other; a payment without line comes once.
 */
final class LineComparison {

  private static final String RULE = "settled-without-line";

  /** The line of a payment: who gave how much to whom. */
  record Line(long amount, String payer, String seller, String asset) {}

  private final Findings findings;
  private @Nullable UUID last;
  private long payments;

  LineComparison(Findings findings) {
    this.findings = findings;
  }

  void compare(SettledPayment payment, @Nullable Line line) {
    boolean again = payment.id().equals(last);
    last = payment.id();
    if (!again) {
      payments++;
    }
    if (again) {
      report("settled-twice", payment, "one line is its due", "the journal has another");
    } else if (line == null) {
      report(RULE, payment, "it settled " + payment.amount(), "the journal has no line");
    } else {
      compareParts(payment, line);
    }
  }

  private void compareParts(SettledPayment payment, Line line) {
    if (payment.amount() != line.amount()) {
      report(
          "amount",
          payment,
          "it settled " + payment.amount(),
          "the journal moves " + line.amount());
    }
    same("payer", payment, payment.payer(), line.payer());
    same("seller", payment, payment.payTo(), line.seller());
    same("asset", payment, payment.asset(), line.asset());
  }

  private void same(String what, SettledPayment payment, String stated, String found) {
    if (!Objects.equals(PaymentKey.spelling(stated), PaymentKey.spelling(found))) {
      report(what, payment, "its " + what + " is " + stated, "the journal's is " + found);
    }
  }

  private void report(String rule, SettledPayment payment, String stated, String found) {
    findings.add(new Difference(rule, payment.id().toString(), stated, found));
  }

  long payments() {
    return payments;
  }
}
