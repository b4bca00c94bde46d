package dev.octroi.api.health;

import java.util.List;

/**
 * What a node found when it last looked at itself.
 *
 * @param draining whether it is about to stop and wants no more calls
 */
record HealthReport(boolean draining, List<Finding> findings) {

  /** How one check ended. */
  record Finding(HealthCheck check, boolean well) {}

  boolean ready() {
    return !draining && findings.stream().allMatch(Finding::well);
  }
}
