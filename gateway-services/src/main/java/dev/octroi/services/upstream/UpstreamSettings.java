package dev.octroi.services.upstream;

import java.net.URI;
import java.time.Duration;

/**
 * Where an upstream is, and how long this node waits for it.
 *
 * @param name the group's name in logs and figures, never a vendor's
 * @param base absolute http or https address that paths are appended to
 * @param credential sent with every call
 * @param words the upstream's names of the venues
 * @param deadline how long one call may take in all, body and repetition included
 * @param maxConnections calls in flight at a time; others wait within their deadline
 * @param retries how often an idempotent call is repeated, 0 to 5
 * @param maxBodyBytes largest answer taken, after decompression
 * @param breaker when it counts as down
 */
public record UpstreamSettings(
    String name,
    URI base,
    Credential credential,
    VenueWords words,
    Duration deadline,
    int maxConnections,
    int retries,
    int maxBodyBytes,
    BreakerSettings breaker) {

  public UpstreamSettings {
    boolean http = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
    if (!http || base.getHost() == null || base.getRawQuery() != null) {
      throw new IllegalArgumentException("An upstream's base is an http or https address");
    }
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("An upstream's deadline is positive");
    }
    if (maxConnections < 1 || retries < 0 || retries > 5 || maxBodyBytes < 1) {
      throw new IllegalArgumentException(
          "An upstream has at least 1 connection, 0 to 5 retries and a body limit");
    }
  }

  /** 30 s, 64 connections, one retry, 16 MiB, no credential, no venue words. */
  public static UpstreamSettings of(String name, URI base) {
    return new UpstreamSettings(
        name,
        base,
        Credential.none(),
        VenueWords.none(),
        Duration.ofSeconds(30),
        64,
        1,
        16 << 20,
        BreakerSettings.standard());
  }

  public UpstreamSettings with(Credential other) {
    return new UpstreamSettings(
        name, base, other, words, deadline, maxConnections, retries, maxBodyBytes, breaker);
  }

  public UpstreamSettings with(VenueWords other) {
    return new UpstreamSettings(
        name, base, credential, other, deadline, maxConnections, retries, maxBodyBytes, breaker);
  }

  public UpstreamSettings with(BreakerSettings other) {
    return new UpstreamSettings(
        name, base, credential, words, deadline, maxConnections, retries, maxBodyBytes, other);
  }

  public UpstreamSettings withDeadline(Duration time) {
    return new UpstreamSettings(
        name, base, credential, words, time, maxConnections, retries, maxBodyBytes, breaker);
  }

  public UpstreamSettings withMaxConnections(int most) {
    return new UpstreamSettings(
        name, base, credential, words, deadline, most, retries, maxBodyBytes, breaker);
  }

  public UpstreamSettings withRetries(int times) {
    return new UpstreamSettings(
        name, base, credential, words, deadline, maxConnections, times, maxBodyBytes, breaker);
  }

  public UpstreamSettings withMaxBodyBytes(int most) {
    return new UpstreamSettings(
        name, base, credential, words, deadline, maxConnections, retries, most, breaker);
  }

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
}
