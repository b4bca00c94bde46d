package dev.octroi.api.group;

import java.time.Duration;
import java.util.List;

/**
 * How long and how large the calls of a group may be, where that is more than the gateway's usual.
 *
 * @param call how long a call may take; zero for the usual time
 * @param answer the largest answer in bytes; zero for the usual size
 * @param bodies the bodies of requests, by path
 */
public record GroupLimits(Duration call, long answer, List<Body> bodies) {

  /** What most groups have. */
  public static final GroupLimits USUAL = new GroupLimits(Duration.ZERO, 0, List.of());

  public GroupLimits {
    bodies = List.copyOf(bodies);
  }

  /**
   * The bodies of requests.
   *
   * @param path the canonical path at or below which they are sent
   * @param longest in bytes
   * @param form whether they may be forms ({@code multipart/form-data}) besides JSON
   */
  public record Body(String path, long longest, boolean form) {}
}
