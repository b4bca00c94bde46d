package dev.octroi.services.upstream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * The connections that an upstream may be given at a time, handed out first come, first served
 * without holding a thread. Thread-safe.
 */
final class ConnectionSlots {

  /** More calls than this per connection could not be served within any deadline. */
  private static final int WAITING_PER_SLOT = 32;

  private final int maxWaiting;
  private final Deque<CompletableFuture<Void>> waiting = new ArrayDeque<>();
  private int free;

  ConnectionSlots(int size) {
    this.free = size;
    this.maxWaiting = size * WAITING_PER_SLOT;
  }

  /**
   * A place in the queue: completes when a slot is the caller's, who must {@link #release} it or,
   * before that, cancel the place; fails at once when too many wait.
   */
  synchronized CompletableFuture<Void> acquire() {
    if (free > 0) {
      free--;
      return CompletableFuture.completedFuture(null);
    }
    waiting.removeIf(CompletableFuture::isDone);
    if (waiting.size() >= maxWaiting) {
      return CompletableFuture.failedFuture(Failures.full());
    }
    CompletableFuture<Void> place = new CompletableFuture<>();
    waiting.add(place);
    return place;
  }

  /** How many more calls could begin at once. */
  synchronized int free() {
    return free;
  }

  /** How many calls wait for a slot. */
  synchronized int waiting() {
    waiting.removeIf(CompletableFuture::isDone);
    return waiting.size();
  }

  /** Gives a slot to the next that still waits. */
  void release() {
    while (true) {
      CompletableFuture<Void> next;
      synchronized (this) {
        next = waiting.poll();
        if (next == null) {
          free++;
          return;
        }
      }
      if (next.complete(null)) {
        return;
      }
    }
  }
}
