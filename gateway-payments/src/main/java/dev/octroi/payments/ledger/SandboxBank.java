package dev.octroi.payments.ledger;

/**
 * Sandbox money, which lives in the ledger's own database. Thread-safe; every method may throw
 * {@link LedgerUnavailable}.
 */
public interface SandboxBank {

  /**
   * What a payer has, open claims not taken off, in atomic units; a payer never seen has the
   * starting balance.
   */
  long balance(String network, String payer, String asset);

  /** Gives a payer more, in atomic units, above zero. */
  void fund(String network, String payer, String asset, long amount);
}
