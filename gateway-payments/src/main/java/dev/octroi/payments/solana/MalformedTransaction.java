package dev.octroi.payments.solana;

/** Bytes that are no transaction, or one that the chain would not take in either. */
final class MalformedTransaction extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MalformedTransaction(String what) {
    // Without a stack trace: a flood of rubbish must stay cheap to refuse.
    super(what, null, false, false);
  }
}
