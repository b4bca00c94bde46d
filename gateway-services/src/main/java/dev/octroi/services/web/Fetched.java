package dev.octroi.services.web;

import java.net.URI;
import java.nio.charset.Charset;
import java.util.Optional;

/** What came of a fetch. */
public sealed interface Fetched {

  /**
   * A page.
   *
   * @param url where it was found, after redirections
   * @param html whether it is HTML, and not plain text or Markdown
   * @param charset as its header says
   * @param body decompressed; do not modify
   */
  record Page(URI url, boolean html, Optional<Charset> charset, byte[] body) implements Fetched {}

  /** None, for this reason. */
  record Refused(Reason reason) implements Fetched {}

  /** Why there is no page; the text is for the caller and tells nothing of the inside. */
  enum Reason {
    NOT_PUBLIC("it is not on the public web"),
    UNREACHABLE("it cannot be reached"),
    TOO_SLOW("it took too long"),
    TOO_LARGE("it is too large"),
    REDIRECTS("it redirects too often, or to nowhere"),
    STATUS("it does not answer with a page"),
    NOT_TEXT("it is neither HTML nor plain text"),
    NOT_PICTURE("it is not a picture");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
