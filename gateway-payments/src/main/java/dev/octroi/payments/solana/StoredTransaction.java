package dev.octroi.payments.solana;

/**
 * A payment's transaction as it was stored before it was sent.
 *
 * @param transaction signed by all
 * @param lastValidHeight no block above this height can hold it
 * @param state where it stands
 */
record StoredTransaction(SolanaTransaction transaction, long lastValidHeight, State state) {

  /** Where a stored transaction stands. */
  enum State {
    /** Stored, and perhaps sent. */
    OPEN(1),
    /** In a block, and the money moved. */
    LANDED(2),
    /** It moved nothing and never will. */
    DEAD(3);

    private final int code;

    State(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    static State of(int code) {
      return switch (code) {
        case 1 -> OPEN;
        case 2 -> LANDED;
        default -> DEAD;
      };
    }
  }
}
