package dev.octroi.services.websearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.websearch.SearchQuery.SearchTerms;
import java.util.List;
import java.util.Optional;

/**
 * A search for the passages of given pages that answer a query.
 *
 * @param urls the pages, well-formed
 * @param sentences how long a passage is; the vendor's choice if empty
 * @param perPage how many passages a page may give; the vendor's choice if empty
 */
public record HighlightQuery(
    SearchTerms terms, List<String> urls, Optional<Integer> sentences, Optional<Integer> perPage) {

  /** As the vendor takes it. */
  byte[] json() {
    ObjectNode query = UpstreamJson.record();
    urls.forEach(query.putArray("urls")::add);
    ObjectNode wanted = query.putObject("highlights").put("query", terms.text());
    sentences.ifPresent(count -> wanted.put("numSentences", count));
    perPage.ifPresent(count -> wanted.put("highlightsPerUrl", count));
    return UpstreamJson.bytes(query);
  }
}
