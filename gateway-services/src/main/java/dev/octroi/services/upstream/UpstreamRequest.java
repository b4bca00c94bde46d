package dev.octroi.services.upstream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One call as the upstream is to see it.
 *
 * @param method GET, POST or DELETE
 * @param target path below the base address and query, percent-encoded
 * @param body null for none
 * @param mediaType of the body
 * @param idempotent whether it may be repeated after a failure
 * @param longRunning whether its running out of time says nothing about the upstream's health, as
 *     with a caller's own SQL
 * @param second what this call proves besides the upstream's own credential
 */
public record UpstreamRequest(
    String method,
    String target,
    byte @Nullable [] body,
    String mediaType,
    boolean idempotent,
    boolean longRunning,
    Credential second) {

  private static final String JSON = "application/json";
  private static final String FORM = "application/x-www-form-urlencoded";

  private UpstreamRequest(
      String method, String target, byte @Nullable [] body, String mediaType, boolean idempotent) {
    this(method, target, body, mediaType, idempotent, false, Credential.none());
  }

  /** A read: repeatable. */
  public static UpstreamRequest get(String target) {
    return new UpstreamRequest("GET", target, null, JSON, true);
  }

  /** A POST that only reads, and so may be repeated. */
  public static UpstreamRequest query(String target, byte[] json) {
    return new UpstreamRequest("POST", target, json, JSON, true);
  }

  /** A POST that is sent once, of whatever kind its body is. */
  public static UpstreamRequest post(String target, byte[] body, String mediaType) {
    return new UpstreamRequest("POST", target, body, mediaType, false);
  }

  /** A form that is sent once. */
  public static UpstreamRequest form(String target, Map<String, String> fields) {
    return post(target, encoded(fields).getBytes(US_ASCII), FORM);
  }

  /** A removal: done twice, it has the same result. */
  public static UpstreamRequest delete(String target) {
    return new UpstreamRequest("DELETE", target, null, JSON, true);
  }

  /** As forms and queries spell it; the order is the map's. */
  public static String encoded(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /** A query that the caller wrote: it may take its whole time without blame. */
  public UpstreamRequest ownQuery() {
    return new UpstreamRequest(method, target, body, mediaType, idempotent, true, second);
  }

  /** The same with a credential besides the upstream's. */
  public UpstreamRequest with(Credential besides) {
    return new UpstreamRequest(method, target, body, mediaType, idempotent, longRunning, besides);
  }
}
