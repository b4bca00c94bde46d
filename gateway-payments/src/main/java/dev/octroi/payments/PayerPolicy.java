package dev.octroi.payments;

/**
 * Decides whose money is taken, whatever it is worth: a call of a payer that is not served is
 * answered 403, uncharged. Implementations are thread-safe and do not block.
 */
@FunctionalInterface
public interface PayerPolicy {

  /** Every payer's. */
  PayerPolicy EVERYBODY = (network, payer) -> true;

  /**
   * Whether a payer is served.
   *
   * @param network as CAIP-2 id
   * @param payer the verified payer's address, hex in lower case
   */
  boolean serves(String network, String payer);
}
