package dev.octroi.reference.doctor;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares this machine's clock, by which authorizations are judged to have begun and to have
 * ended, with those of others. For one examination.
 */
final class Clocks {

  private static final String SUBJECT = "clock";

  /** What is told to the second, over a network, may differ by as much. */
  private static final Duration TOLERABLE = Duration.ofSeconds(3);

  /** Payments that are good are then refused, and the other way round. */
  private static final Duration HARMFUL = Duration.ofSeconds(30);

  private final Clock clock;
  private final List<Finding> findings = new ArrayList<>();
  private int told;

  Clocks(Clock clock) {
    this.clock = clock;
  }

  /** A server told its time a moment ago. */
  void told(String who, Instant theirs) {
    told++;
    Duration difference = Duration.between(theirs, clock.instant()).abs();
    if (difference.compareTo(TOLERABLE) <= 0) {
      return;
    }
    String what = "differs from that of " + who + " by " + difference.toSeconds() + " s";
    String advice = "Let the machine keep its time by NTP.";
    findings.add(
        difference.compareTo(HARMFUL) > 0
            ? Finding.bad(SUBJECT, what, advice)
            : Finding.warning(SUBJECT, what, advice));
  }

  List<Finding> findings() {
    if (!findings.isEmpty()) {
      return findings;
    }
    return List.of(
        told == 0
            ? Finding.warning(SUBJECT, "no server told its time", "See that NTP runs.")
            : Finding.good(SUBJECT, "agrees with " + told + " others"));
  }
}
