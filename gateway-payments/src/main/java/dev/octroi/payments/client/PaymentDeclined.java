package dev.octroi.payments.client;

import org.jspecify.annotations.Nullable;

/** The payer does not pay: the price is over its limit, or there is no offer that it can sign. */
public final class PaymentDeclined extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Quote quote;

  PaymentDeclined(String sentence, @Nullable Quote quote) {
    super(sentence);
    this.quote = quote;
  }

  /** What was asked; null where nothing asked for could be signed. */
  public @Nullable Quote quote() {
    return quote;
  }
}
