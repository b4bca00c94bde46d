package dev.octroi.payments.body;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes request bodies, or what is made of them, may take in memory at once. Thread-safe.
 *
 * <p>Every call may bring a body of the full limit, so without a common bound a few hundred calls
 * would fill the heap (money, in JAX-RS).
 */
public final class ByteBudget {

  private final long whole;
  private final AtomicLong left;

  public ByteBudget(long bytes) {
    this.whole = bytes;
    this.left = new AtomicLong(bytes);
  }

  /** What there is where nothing is taken. */
  long whole() {
    return whole;
  }

  /** Takes that many bytes, or none. */
  boolean take(long bytes) {
    long before = left.getAndUpdate(free -> free >= bytes ? free - bytes : free);
    return before >= bytes;
  }

  void giveBack(long bytes) {
    left.addAndGet(bytes);
  }

  long left() {
    return left.get();
  }
}
