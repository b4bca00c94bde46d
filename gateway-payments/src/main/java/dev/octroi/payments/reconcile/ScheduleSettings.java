package dev.octroi.payments.reconcile;

import java.time.Duration;

/**
 * When a node looks for recurring tasks, and how many it runs.
 *
 * @param startAfter how long after {@link Reconciler#start} it first does, so that it costs a
 *     starting gateway nothing
 * @param polling how often it looks for tasks that are due
 * @param heartbeat how often it proves that it is still busy with one; after four that were missed
 *     another node takes the task over
 * @param threads how many tasks this node runs at once, 1 to 16
 * @param stopWithin how long {@link Reconciler#close} waits for a task that is under way
 */
public record ScheduleSettings(
    Duration startAfter, Duration polling, Duration heartbeat, int threads, Duration stopWithin) {

  private static final int MAX_THREADS = 16;
  private static final Duration SHORTEST = Duration.ofMillis(50);

  public ScheduleSettings {
    require(!startAfter.isNegative(), "the reconciler starts now or later");
    require(polling.compareTo(SHORTEST) >= 0, "the reconciler polls every 50 ms at most");
    require(heartbeat.compareTo(SHORTEST) >= 0, "the reconciler beats every 50 ms at most");
    require(threads >= 1 && threads <= MAX_THREADS, "the reconciler has 1 to 16 threads");
    require(!stopWithin.isNegative(), "the reconciler stops now or later");
  }

  /** Looks every second, two tasks at once; a dead node's are taken over after 20 seconds. */
  public static ScheduleSettings defaults() {
    return new ScheduleSettings(
        Duration.ofSeconds(3),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        2,
        Duration.ofSeconds(5));
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
