package dev.octroi.services.language;

import java.util.Optional;

/** Where the content of an image or a document is. */
public sealed interface Source {

  /** Content in the body itself. */
  record Inline(String mediaType, String base64) implements Source {

    /** The form in which two of the protocols carry it. */
    public String dataUrl() {
      return "data:" + mediaType + ";base64," + base64;
    }
  }

  /** Content that the upstream fetches. */
  record Address(String url) implements Source {}

  /** A document that is plain text. */
  record Plain(String text) implements Source {}

  /**
   * The source that a URL stands for: inline for base64 data URLs, an address for http and https;
   * empty for every other scheme.
   */
  static Optional<Source> ofUrl(String url) {
    if (url.startsWith("https://") || url.startsWith("http://")) {
      return Optional.of(new Address(url));
    }
    int comma = url.indexOf(',');
    if (!url.startsWith("data:") || comma < 0) {
      return Optional.empty();
    }
    String head = url.substring("data:".length(), comma);
    int base64 = head.indexOf(";base64");
    return base64 <= 0
        ? Optional.empty()
        : Optional.of(new Inline(head.substring(0, base64), url.substring(comma + 1)));
  }
}
