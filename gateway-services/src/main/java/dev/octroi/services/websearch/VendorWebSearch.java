package dev.octroi.services.websearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import dev.octroi.services.websearch.WebSearch.FoundPage;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Web search by a search vendor. Each method throws {@link dev.octroi.services.Failure}: 400 {@code
 * invalid_params} for what the vendor refuses, 422 {@code url_unreachable} where no page can be
 * had, 502, 503. Thread-safe.
 */
public final class VendorWebSearch implements WebSearch, PageContents {

  private final UpstreamClient client;
  private final boolean statedRecords;
  private final Set<String> beyond;

  /**
   * @param statedRecords whether the records that the specification states are made; otherwise
   *     every body passes as it is
   * @param beyond the words of categories that the vendor takes beyond its public contract
   */
  public VendorWebSearch(UpstreamClient client, boolean statedRecords, Collection<String> beyond) {
    this.client = client;
    this.statedRecords = statedRecords;
    this.beyond = Set.copyOf(beyond);
  }

  /** {@code POST /search}. */
  public Answer search(SearchQuery query, Deadline deadline) {
    UpstreamAnswer said = ask("/search", query.json(beyond), deadline);
    return answer(said, body -> StatedRecords.search(body, query));
  }

  /** {@code POST /find-similar}. */
  public Answer findSimilar(String url, int results, ResultContents contents, Deadline deadline) {
    ObjectNode query = UpstreamJson.record().put("url", url).put("numResults", results);
    contents.put(query);
    UpstreamAnswer said = ask("/findSimilar", UpstreamJson.bytes(query), deadline);
    return answer(said, body -> StatedRecords.similar(body, url, results, contents));
  }

  /** {@code POST /contents}; pages that cannot be had are left out. */
  @Override
  public Answer contents(List<String> urls, Deadline deadline) {
    ObjectNode query = UpstreamJson.record().put("text", true);
    urls.forEach(query.putArray("urls")::add);
    UpstreamAnswer said = ask("/contents", UpstreamJson.bytes(query), deadline);
    requireAny(said, page -> text(page, "text").isPresent());
    return answer(said, StatedRecords::contents);
  }

  /** {@code POST /answer}. */
  public Answer answer(AnswerQuery query, Deadline deadline) {
    UpstreamAnswer said = ask("/answer", query.json(), deadline);
    if (query.stream()) {
      byte[] events = StatedRecords.events(UpstreamJson.object(said.body()), query);
      return new Answer(200, "text/event-stream", events, Map.of(), true);
    }
    return answer(said, body -> StatedRecords.answer(body, query));
  }

  /** {@code POST /highlights}, which the vendor does with the contents. */
  public Answer highlights(HighlightQuery query, Deadline deadline) {
    UpstreamAnswer said = ask("/contents", query.json(), deadline);
    requireAny(said, page -> true);
    return answer(said, StatedRecords::highlights);
  }

  @Override
  public List<FoundPage> find(SearchQuery query, Deadline deadline) {
    UpstreamAnswer said = ask("/search", query.json(beyond), deadline);
    return StatedRecords.pages(UpstreamJson.object(said.body()), query.results())
        .valueStream()
        .map(
            page ->
                new FoundPage(
                    page.path("title").asText(""),
                    page.path("url").asText(),
                    text(page, "publishedDate"),
                    text(page, "text")))
        .toList();
  }

  private static Optional<String> text(JsonNode page, String member) {
    return Optional.of(page.path(member).asText("")).filter(text -> !text.isBlank());
  }

  private UpstreamAnswer ask(String path, byte[] query, Deadline deadline) {
    UpstreamAnswer answer = client.send(UpstreamRequest.query(path, query), deadline);
    if (!answer.successful()) {
      client.warn(answer);
      throw VendorErrors.of(answer);
    }
    UpstreamJson.requireNoError(client, answer);
    return answer;
  }

  /** The vendor tells of single pages in {@code statuses}, and answers 200 if all have failed. */
  private static void requireAny(UpstreamAnswer answer, Predicate<JsonNode> had) {
    JsonNode pages = UpstreamJson.list(UpstreamJson.object(answer.body()), "results");
    if (pages.valueStream().noneMatch(had)) {
      throw VendorErrors.unreachable();
    }
  }

  /** What no record can be made of is no answer, whichever of the two is sold. */
  private Answer answer(UpstreamAnswer said, Function<JsonNode, byte[]> record) {
    byte[] made = record.apply(UpstreamJson.object(said.body()));
    return Answer.json(200, statedRecords ? made : said.body());
  }
}
