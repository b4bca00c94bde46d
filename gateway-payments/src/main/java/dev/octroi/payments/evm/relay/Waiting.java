package dev.octroi.payments.evm.relay;

import dev.octroi.payments.facilitator.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A caller that waits for the end of a payment. Thread-safe. */
final class Waiting {

  private static final String PENDING = "settlement_pending";

  private final CompletableFuture<Settlement> end = new CompletableFuture<>();
  private final AtomicBoolean decided = new AtomicBoolean();
  private volatile @Nullable String hash;
  private volatile @Nullable Instant storedAt;

  /** True once: for the sender of the payment, or for the waiting caller, who calls it off. */
  boolean decide() {
    return decided.compareAndSet(false, true);
  }

  /** It is stored under this hash, so that from now on it may be sent whatever happens. */
  void stored(String transaction, Instant now) {
    hash = transaction;
    storedAt = now;
  }

  @Nullable String hash() {
    return hash;
  }

  /** Whether it was last stored for sending before this moment. */
  boolean sentBefore(Instant moment) {
    Instant stored = storedAt;
    return stored != null && stored.isBefore(moment);
  }

  void tell(Settlement settlement) {
    end.complete(settlement);
  }

  /** How it ended; unknown if that takes too long, unless it could still be called off. */
  Settlement await(Duration atMost) {
    try {
      return end.get(Math.max(atMost.toNanos(), 0), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return decide() ? new Settlement.Unsent("relay_busy") : pending();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a wait was completed with a failure", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return decide() ? new Settlement.Unsent("interrupted") : pending();
    }
  }

  private Settlement pending() {
    return new Settlement.Unknown(PENDING, hash);
  }
}
