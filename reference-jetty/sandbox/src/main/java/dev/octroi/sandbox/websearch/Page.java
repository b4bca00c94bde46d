package dev.octroi.sandbox.websearch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A document of the corpus, one line of {@code corpus.jsonl}.
 *
 * @param publishedDate ISO 8601
 * @param category the vendor's word; null for an ordinary page
 */
record Page(
    String url,
    String title,
    String author,
    String publishedDate,
    @Nullable String category,
    String text) {

  private static final String MARK = " (A page of the Octroi sandbox.)";

  /** The text as it is handed out: it says where it is from. */
  String told() {
    return text + MARK;
  }

  Instant published() {
    return Instant.parse(publishedDate);
  }
}
