package dev.octroi.payments.reconcile;

import java.time.Duration;
import java.util.Optional;

/**
 * Something that is done again and again, by one node at a time: the one that finds it due first.
 *
 * @param name what it is known by on every node, 1 to 100 characters
 * @param pause from the end of one run to the beginning of the next, at least 100 ms
 * @param work one run; it may throw, and is then tried again after the pause. It ends within a
 *     minute, and bears to be run twice at once: a node that stalled may wake up amid its run
 * @param network whose chain it waits for, as CAIP-2 id; empty if it waits for none, or for several
 *     in turn
 */
public record RecurringTask(String name, Duration pause, Runnable work, Optional<String> network) {

  private static final int MAX_NAME = 100;
  private static final Duration SHORTEST = Duration.ofMillis(100);

  /** One that waits for no chain, or for several in turn. */
  public RecurringTask(String name, Duration pause, Runnable work) {
    this(name, pause, work, Optional.empty());
  }

  public RecurringTask {
    if (name.isBlank() || name.length() > MAX_NAME) {
      throw new IllegalArgumentException("a task's name has 1 to 100 characters");
    }
    if (pause.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException("a task pauses for 100 ms at least");
    }
  }
}
