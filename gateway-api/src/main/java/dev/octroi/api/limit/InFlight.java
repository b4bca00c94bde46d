package dev.octroi.api.limit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls in flight of each payer, key or group that is counted. Holds an entry for each one with a
 * call in flight and no others, so that it is bounded by the calls themselves. Thread-safe.
 *
 * @param <K> who is counted
 */
final class InFlight<K> {

  private final Map<K, Integer> counts = new ConcurrentHashMap<>();
  private final int most;

  InFlight(int most) {
    this.most = most;
  }

  /** Takes a place; false if all are taken. */
  boolean enter(K who) {
    boolean[] entered = new boolean[1];
    counts.compute(
        who,
        (key, count) -> {
          int now = count == null ? 0 : count;
          entered[0] = now < most;
          return entered[0] ? Integer.valueOf(now + 1) : count;
        });
    return entered[0];
  }

  void leave(K who) {
    counts.computeIfPresent(who, (key, count) -> count == 1 ? null : count - 1);
  }

  int counted() {
    return counts.size();
  }
}
