package dev.octroi.payments;

import java.util.Optional;

/**
 * What an earlier call ordered and this one may pay for; noted by the tariff of a {@link
 * Settle#LATER} method ({@link PricedRequest#note}), which refuses unknown work with 404.
 *
 * @param owner who ordered it ({@link Payment#owner}); any other payer or account is told 404
 * @param price what was agreed then; the price book is not asked again
 * @param due whether it is done and not paid for, so that this call pays; if not, the method runs
 *     without payment
 * @param submitted what {@link Payment#envelope} the order came with; it pays, as long as it is
 *     good
 * @param active the payment that the work has been taken by, if one has: while it is {@link
 *     dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus#OPEN}, no other is asked for (money
 *     rule 9)
 */
public record Deferral(
    String owner, Usd price, boolean due, Optional<String> submitted, Optional<PaymentUse> active) {

  /** Work that no payment has been used for yet. */
  public Deferral(String owner, Usd price, boolean due, Optional<String> submitted) {
    this(owner, price, due, submitted, Optional.empty());
  }

  /** The owner that an account is. */
  public static String owner(String account) {
    return "account:" + account;
  }
}
