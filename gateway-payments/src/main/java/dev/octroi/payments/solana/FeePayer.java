package dev.octroi.payments.solana;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gateway's own account, which pays the chain's fees for its payers. Thread-safe. */
final class FeePayer {

  private static final Logger LOG = LoggerFactory.getLogger(FeePayer.class);

  /** For how long nothing is offered after the account was found empty. */
  private static final Duration PAUSE = Duration.ofSeconds(30);

  private final SolanaWallet wallet;
  private final Clock clock;
  private final Optional<Map<String, Object>> extra;
  private volatile Instant emptyUntil = Instant.MIN;

  FeePayer(SolanaWallet wallet, Clock clock) {
    this.wallet = wallet;
    this.clock = clock;
    this.extra = Optional.of(Map.of("feePayer", wallet.address().toString()));
  }

  /** What an offer says of it; empty while it cannot pay. */
  Optional<Map<String, Object>> offered() {
    Instant until = emptyUntil;
    return until.equals(Instant.MIN) || clock.instant().isAfter(until) ? extra : Optional.empty();
  }

  /** Signs first, by which it pays. */
  SolanaTransaction sign(SolanaTransaction transaction) {
    return transaction.signedBy(wallet);
  }

  boolean is(String address) {
    return wallet.address().toString().equals(address);
  }

  /** The chain said that it cannot pay. */
  void foundEmpty() {
    Instant now = clock.instant();
    if (now.isAfter(emptyUntil)) {
      LOG.error("The fee payer {} has no lamports for a fee: fund it", wallet.address());
    }
    emptyUntil = now.plus(PAUSE);
  }
}
