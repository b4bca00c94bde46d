package dev.octroi.services.websearch;

import dev.octroi.services.Deadline;
import java.util.List;
import java.util.Optional;

/** Finds pages for parts of the gateway that work with them. Thread-safe. */
@FunctionalInterface
public interface WebSearch {

  /**
   * The pages that answer a query, the best first.
   *
   * @throws dev.octroi.services.Failure 400 for a query that the vendor refuses, 502, 503
   */
  List<FoundPage> find(SearchQuery query, Deadline deadline);

  /**
   * A page that a search found.
   *
   * @param title empty where it has none
   * @param publishedDate ISO 8601, as the vendor spelled it
   * @param text the page's text, where it was asked for and is there
   */
  record FoundPage(
      String title, String url, Optional<String> publishedDate, Optional<String> text) {}
}
