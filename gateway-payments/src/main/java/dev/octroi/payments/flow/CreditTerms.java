package dev.octroi.payments.flow;

import dev.octroi.payments.Usd;

/**
 * How much may be delivered before it is paid for, to payers that sign a ceiling.
 *
 * @param payer what a payer may owe that has paid here before
 * @param stranger what any other payer may owe
 * @param inAll what all payers may owe together, on all nodes, what was lost within a day included
 */
public record CreditTerms(Usd payer, Usd stranger, Usd inAll) {

  /** A dollar a payer, ten cents a stranger, a hundred dollars in all. */
  public static final CreditTerms DEFAULT =
      new CreditTerms(Usd.parse("1"), Usd.parse("0.10"), Usd.parse("100"));
}
