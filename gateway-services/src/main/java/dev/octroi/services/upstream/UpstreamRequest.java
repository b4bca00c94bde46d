package dev.octroi.services.upstream;

import org.jspecify.annotations.Nullable;

/**
 * One call as the upstream is to see it.
 *
 * @param method GET or POST
 * @param target path below the base address and query, percent-encoded
 * @param body JSON; null for none
 * @param idempotent whether it may be repeated after a failure
 * @param longRunning whether its running out of time says nothing about the upstream's health, as
 *     with a caller's own SQL
 */
public record UpstreamRequest(
    String method, String target, byte @Nullable [] body, boolean idempotent, boolean longRunning) {

  /** A read: repeatable. */
  public static UpstreamRequest get(String target) {
    return new UpstreamRequest("GET", target, null, true, false);
  }

  /** A POST that only reads, and so may be repeated. */
  public static UpstreamRequest query(String target, byte[] json) {
    return new UpstreamRequest("POST", target, json, true, false);
  }

  /** A query that the caller wrote: it may take its whole time without blame. */
  public UpstreamRequest ownQuery() {
    return new UpstreamRequest(method, target, body, idempotent, true);
  }
}
