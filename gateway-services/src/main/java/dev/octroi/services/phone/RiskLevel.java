package dev.octroi.services.phone;

import java.util.Arrays;
import java.util.Locale;

/** Bands of the risk score (specification, fraud lookup). */
enum RiskLevel {
  LOW(25),
  MEDIUM(50),
  HIGH(75),
  CRITICAL(100);

  private final int most;

  RiskLevel(int most) {
    this.most = most;
  }

  /**
   * The band of a score.
   *
   * @param score 0 to 100
   */
  static RiskLevel of(int score) {
    return Arrays.stream(values()).filter(level -> score <= level.most).findFirst().orElseThrow();
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
