package dev.octroi.services.web;

import java.util.List;

/** What a fetch takes; anything else is refused before it is read. */
public enum Wanted {
  /** HTML and plain text. */
  TEXT("text/html", "application/xhtml+xml", "text/markdown", "text/plain"),
  /** Pictures, and bytes whose kind the host does not know. */
  PICTURE("image/png", "image/jpeg", "image/webp", "application/octet-stream");

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<String> types;

  Wanted(String... types) {
    this.types = List.of(types);
  }

  boolean includes(String mediaType) {
    return types.contains(mediaType);
  }

  String accept() {
    return String.join(",", types);
  }

  static boolean isHtml(String mediaType) {
    return mediaType.equals("text/html") || mediaType.equals("application/xhtml+xml");
  }
}
