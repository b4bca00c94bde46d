package dev.octroi.services.smartsearch;

import dev.octroi.services.web.WebAddress;
import dev.octroi.services.websearch.FoundPage;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The pages that a summary may rest on, numbered from 1. Their words are strangers': each page is
 * one line without marks of its own, so that none can pass for another page or cite one.
 */
record Sources(List<FoundPage> pages) {

  /** Line breaks of every kind, and what cannot be seen. */
  private static final Pattern UNSEEN = Pattern.compile("[\\s\\p{Z}\\p{C}]+");

  private static final Pattern MARK = Pattern.compile("\\[([\\d, ]*)\\]");

  /** Those of the pages that say something and have an address. */
  static Sources of(List<FoundPage> found) {
    return new Sources(
        found.stream()
            .filter(page -> page.text().isPresent() && WebAddress.of(page.url()).isPresent())
            .toList());
  }

  /** The page of that number, if there is one. */
  Optional<FoundPage> page(int number) {
    return number >= 1 && number <= pages.size()
        ? Optional.of(pages.get(number - 1))
        : Optional.empty();
  }

  /** A line for each page. */
  String listed() {
    StringBuilder lines = new StringBuilder();
    for (int at = 0; at < pages.size(); at++) {
      FoundPage page = pages.get(at);
      String words = page.title() + ": " + page.text().orElse("");
      lines.append('[').append(at + 1).append("] ").append(oneLine(words)).append('\n');
    }
    return lines.toString();
  }

  private static String oneLine(String words) {
    String line = UNSEEN.matcher(words).replaceAll(" ").strip();
    return MARK.matcher(line).replaceAll("($1)");
  }
}
