package dev.octroi.api.observe;

/**
 * What was called, in words that are few however many paths callers make up.
 *
 * @param group the group's word; {@code gateway} for the gateway's own paths
 * @param method in upper case; {@code OTHER} for one that no resource has
 * @param path the template, its parameters in braces; {@code unmatched} where there is none
 */
public record Endpoint(String group, String method, String path) {

  static final String UNMATCHED = "unmatched";
  static final String GATEWAY = "gateway";

  static final Endpoint UNKNOWN = new Endpoint(GATEWAY, "OTHER", UNMATCHED);
}
