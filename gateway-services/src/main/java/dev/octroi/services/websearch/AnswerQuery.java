package dev.octroi.services.websearch;

import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.websearch.SearchQuery.SearchTerms;

/**
 * A question to be answered from the web.
 *
 * @param texts whether the texts of what is cited are wanted
 * @param citations whether what is cited is wanted as the vendor's own clients read it, besides the
 *     stated sources
 * @param stream whether the answer is wanted as an event stream
 */
public record AnswerQuery(SearchTerms terms, boolean texts, boolean citations, boolean stream) {

  /** As the vendor takes it; a stream is made of its whole answer. */
  byte[] json() {
    return UpstreamJson.bytes(
        texts
            ? UpstreamJson.record().put("query", terms.text()).put("text", true)
            : UpstreamJson.record().put("query", terms.text()));
  }
}
