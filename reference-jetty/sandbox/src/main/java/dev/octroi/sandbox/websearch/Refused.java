package dev.octroi.sandbox.websearch;

/** A request that the vendor refuses, with the tag that its error carries. */
final class Refused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String tag;

  Refused(String tag, String message) {
    super(message, null, false, false);
    this.tag = tag;
  }

  static Refused body(String message) {
    return new Refused("INVALID_REQUEST_BODY", message);
  }

  String tag() {
    return tag;
  }
}
