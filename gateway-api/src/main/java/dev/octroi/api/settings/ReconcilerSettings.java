package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** What is done beside the calls, by one of all nodes at a time, {@code gateway.reconciler}. */
public record ReconcilerSettings(
    @Setting(about = "How long after its start a gateway begins with it.", value = "3s")
        Duration startAfter,
    @Setting(about = "How often a node looks for what is due, at least 50ms.", value = "1s")
        Duration polling,
    @Setting(
            about =
                "How often a node proves that it is still busy; after four that were missed another"
                    + " one takes over.",
            value = "5s")
        Duration heartbeat,
    @Setting(
            about = "Tasks that a node does at once; those of one chain leave one to the others.",
            value = "3")
        @Min(1)
        @Max(16)
        int threads,
    @Setting(about = "The first pause between two questions about a payment.", value = "2s")
        Duration shortestPause,
    @Setting(
            about =
                "The longest pause between two questions about a payment; pauses grow with the time"
                    + " for which it has been in doubt.",
            value = "5min")
        Duration longestPause,
    @Setting(about = "How often transactions under way are followed.", value = "1s")
        Duration follow) {

  private static final Duration LEAST = Duration.ofMillis(50);
  private static final Duration LEAST_PAUSE = Duration.ofMillis(100);

  public ReconcilerSettings {
    atLeast(LEAST, polling, "polling");
    atLeast(LEAST, heartbeat, "heartbeat");
    atLeast(LEAST_PAUSE, shortestPause, "shortest-pause");
    atLeast(LEAST_PAUSE, follow, "follow");
    if (longestPause.compareTo(shortestPause) < 0) {
      throw new IllegalArgumentException("longest-pause is not shorter than shortest-pause");
    }
    if (startAfter.isNegative()) {
      throw new IllegalArgumentException("start-after is not negative");
    }
  }

  private static void atLeast(Duration least, Duration given, String setting) {
    if (given.compareTo(least) < 0) {
      throw new IllegalArgumentException(setting + " is at least " + least.toMillis() + "ms");
    }
  }
}
