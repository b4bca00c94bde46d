package dev.octroi.payments.evm.relay;

/** How long an answer waits for its payment (money rule 11). */
public enum Wait {

  /** Until the payment is proven at the configured depth. */
  CONFIRMED,

  /** Until a node has taken the transaction; the gateway bears what is lost afterwards. */
  BROADCAST
}
