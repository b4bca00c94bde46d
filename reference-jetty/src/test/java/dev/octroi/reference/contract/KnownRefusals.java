package dev.octroi.reference.contract;

import java.util.Map;

/** What the vendors' contracts still refuse of the gateway's requests, and who mends it. */
final class KnownRefusals {

  /** By the beginning of the line that is refused. */
  static final Map<String, String> ALL =
      Map.ofEntries(
          Map.entry(
              "websearch VALUE POST /search: category must be one of",
              "mended by the connector of web search"),
          Map.entry("images VALUE POST /v1/images/generations: background", "mended by media"));

  private KnownRefusals() {}
}
