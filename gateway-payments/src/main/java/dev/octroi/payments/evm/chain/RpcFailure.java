package dev.octroi.payments.evm.chain;

/** One node gave no usable answer; its message names no address. */
final class RpcFailure extends Exception {

  private static final long serialVersionUID = 1L;

  RpcFailure(String message) {
    super(message);
  }
}
