package dev.octroi.payments.x402;

import java.util.List;

/**
 * The names of the HTTP headers that carry payments, as the protocol and this gateway spell them,
 * and the status of a challenge.
 */
public final class PaymentHeaders {

  /** On a 402: what to pay, base64 of a {@link PaymentRequired} (x402 v2). */
  public static final String PAYMENT_REQUIRED = "PAYMENT-REQUIRED";

  /** On a request: the payment, base64 of a payment envelope (x402 v2). */
  public static final String PAYMENT_SIGNATURE = "PAYMENT-SIGNATURE";

  /** On an answer: how settlement went, base64 of a {@link SettlementResponse} (x402 v2). */
  public static final String PAYMENT_RESPONSE = "PAYMENT-RESPONSE";

  /** On a request: the payment, by the older name (x402 v1). */
  public static final String X_PAYMENT = "X-PAYMENT";

  /** On an answer to a request that used {@link #X_PAYMENT}: how settlement went (x402 v1). */
  public static final String X_PAYMENT_RESPONSE = "X-PAYMENT-RESPONSE";

  /** On a paid answer: the transaction hash alone, which some client libraries read. */
  public static final String X_PAYMENT_RECEIPT = "X-PAYMENT-RECEIPT";

  /** On an answer to a payment: its id, by which payer and operator find it later. */
  public static final String PAYMENT_ID = "X-Payment-Id";

  /** On a paid answer: the charge in decimal dollars. */
  public static final String PRICE_AMOUNT = "X-Price-Amount";

  /** On a paid answer: the currency of the charge. */
  public static final String PRICE_CURRENCY = "X-Price-Currency";

  /** On an answer whose payment was given back: {@link #NOT_CHARGED}. */
  public static final String PAYMENT_STATE = "X-Payment-State";

  /**
   * By which an answer tells of the payment: said by who takes it, and by no method that is sold.
   */
  public static final List<String> OF_ANSWERS =
      List.of(
          PAYMENT_REQUIRED,
          PAYMENT_RESPONSE,
          X_PAYMENT_RESPONSE,
          X_PAYMENT_RECEIPT,
          PAYMENT_ID,
          PRICE_AMOUNT,
          PRICE_CURRENCY,
          PAYMENT_STATE);

  /** The payer may send the same payment again. */
  public static final String NOT_CHARGED = "not-charged";

  /**
   * The protocol's reason for a payer who has not let Permit2 move the amount; some schemes put
   * their own name before it.
   */
  public static final String ALLOWANCE_MISSING = "permit2_allowance_required";

  private PaymentHeaders() {}

  /**
   * The status of a challenge with one of the protocol's reasons: 402, but 412 where the payer has
   * to let Permit2 move its tokens before any payment does.
   */
  public static int statusOf(String reason) {
    return reason.endsWith(ALLOWANCE_MISSING) ? 412 : 402;
  }

  /** Whether a challenge has this status. */
  public static boolean isChallenge(int status) {
    return status == 402 || status == 412;
  }
}
