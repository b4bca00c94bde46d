package dev.octroi.services.websearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import java.util.Optional;

/**
 * A search of the web.
 *
 * @param results how many are wanted at most, 1 to {@link #MOST_RESULTS}
 * @param from published then or later
 * @param to published then or earlier
 * @param textCharacters how much of each page's text is wanted besides; empty for none
 */
public record SearchQuery(
    SearchTerms terms,
    int results,
    Optional<Category> category,
    Optional<PublishedDate> from,
    Optional<PublishedDate> to,
    Optional<Integer> textCharacters) {

  public static final int DEFAULT_RESULTS = 10;
  public static final int MOST_RESULTS = 100;

  /**
   * Checks what goes together.
   *
   * @throws Failure 400 {@code invalid_params} for a period that ends before it begins
   */
  public SearchQuery {
    if (from.isPresent() && to.isPresent() && to.get().instant().isBefore(from.get().instant())) {
      throw new Failure(ErrorCode.INVALID_PARAMS, "endPublishedDate is before startPublishedDate");
    }
  }

  /** A search without filters that brings the pages' texts along. */
  public static SearchQuery withTexts(SearchTerms terms, int results, int textCharacters) {
    return new SearchQuery(
        terms,
        results,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(textCharacters));
  }

  /** As the vendor takes it. */
  byte[] json() {
    ObjectNode query = UpstreamJson.record();
    query.put("query", terms.text()).put("numResults", results);
    category.ifPresent(one -> query.put("category", one.vendorWord()));
    from.ifPresent(date -> query.put("startPublishedDate", date.instant().toString()));
    to.ifPresent(date -> query.put("endPublishedDate", date.instant().toString()));
    textCharacters.ifPresent(
        most -> query.putObject("contents").putObject("text").put("maxCharacters", most));
    return UpstreamJson.bytes(query);
  }
}
