package dev.octroi.services.websearch;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import java.util.List;

/** The texts of pages, from a vendor or fetched by the gateway itself. Thread-safe. */
@FunctionalInterface
public interface PageContents {

  /**
   * What could be had of the pages.
   *
   * @param urls well-formed addresses, at least one
   * @throws dev.octroi.services.Failure 422 {@code url_unreachable} if none could, 502, 503
   */
  Answer contents(List<String> urls, Deadline deadline);
}
