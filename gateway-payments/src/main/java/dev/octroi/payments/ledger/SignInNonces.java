package dev.octroi.payments.ledger;

import java.time.Duration;
import java.time.Instant;

/**
 * Nonces by which wallets sign in: any node knows again what a node has given out, and takes each
 * once. What is given out costs no row. Thread-safe; throws {@link LedgerUnavailable} when the
 * database does not answer in time.
 */
public interface SignInNonces {

  /** How long a nonce is good. */
  Duration LIFE = Duration.ofMinutes(5);

  /**
   * A new one: 64 hex digits that a stranger cannot guess.
   *
   * @param address the address that is challenged, for which alone it is good
   * @param issuedAt when; whole seconds count
   */
  String next(String address, Instant issuedAt);

  /** Whether a node gave it out for this address at this time. */
  boolean isOurs(String nonce, String address, Instant issuedAt);

  /**
   * Writes down that a nonce is used.
   *
   * @param nonce one of {@linkplain #isOurs ours}
   * @return false if it was used before, on whichever node
   */
  boolean use(String nonce);
}
