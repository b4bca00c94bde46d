package dev.octroi.services.websearch;

import dev.octroi.services.Deadline;
import java.util.List;

/** Finds pages for parts of the gateway that work with them. Thread-safe. */
@FunctionalInterface
public interface WebSearch {

  /**
   * The pages that answer a query, the best first.
   *
   * @throws dev.octroi.services.Failure 400 for a query that the vendor refuses, 502, 503
   */
  List<FoundPage> find(SearchQuery query, Deadline deadline);
}
