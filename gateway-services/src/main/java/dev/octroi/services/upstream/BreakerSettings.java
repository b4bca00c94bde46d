package dev.octroi.services.upstream;

import java.time.Duration;

/**
 * When an upstream counts as down, and for how long it is then left alone.
 *
 * @param failurePercent share of the window's calls that must have failed, 1 to 100
 * @param window how many calls are looked at
 * @param openFor how long calls are refused before some are tried again
 */
public record BreakerSettings(int failurePercent, int window, Duration openFor) {

  public BreakerSettings {
    if (failurePercent < 1 || failurePercent > 100 || window < 1) {
      throw new IllegalArgumentException("failurePercent is 1 to 100 and window at least 1");
    }
  }

  /** Half of the last 20 calls; 10 seconds. */
  public static BreakerSettings standard() {
    return new BreakerSettings(50, 20, Duration.ofSeconds(10));
  }
}
