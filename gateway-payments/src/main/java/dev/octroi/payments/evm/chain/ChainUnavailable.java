package dev.octroi.payments.evm.chain;

/**
 * No node gave a usable answer in time; nothing is known. Its message names no address and is for
 * the log.
 */
public final class ChainUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ChainUnavailable(String message) {
    super(message);
  }
}
