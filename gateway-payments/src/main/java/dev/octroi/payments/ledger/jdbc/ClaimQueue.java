package dev.octroi.payments.ledger.jdbc;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many claims may wait for the writers at a time: as many as they have shown to serve well
 * within the deadline. It begins low, when nothing is compiled and no page is in memory, and grows
 * by one with each claim that was served soon, so that it doubles with each round of a crowd; a
 * claim that waited long halves it. Thread-safe, without a lock.
 */
final class ClaimQueue {

  private static final int LEAST = 32;

  /** Far above what steady calls keep waiting, and below what the writers' queue holds. */
  private static final int MOST = 4096;

  private final long soon;
  private final long tooLong;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger limit = new AtomicInteger(LEAST);

  /**
   * @param deadline how long a claim waits before it is given up
   */
  ClaimQueue(Duration deadline) {
    this.soon = deadline.toNanos() / 4;
    this.tooLong = deadline.toNanos() / 2;
  }

  /** Takes a place; false if all are taken. */
  boolean enter() {
    if (waiting.incrementAndGet() <= limit.get()) {
      return true;
    }
    waiting.decrementAndGet();
    return false;
  }

  /** Whether all places are taken at this moment. */
  boolean isFull() {
    return waiting.get() >= limit.get();
  }

  /**
   * Gives the place back.
   *
   * @param nanos how long the claim waited
   */
  void leave(long nanos) {
    waiting.decrementAndGet();
    if (nanos <= soon) {
      if (limit.get() < MOST) {
        limit.getAndUpdate(now -> Math.min(MOST, now + 1));
      }
    } else if (nanos > tooLong) {
      limit.getAndUpdate(now -> Math.max(LEAST, now / 2));
    }
  }
}
