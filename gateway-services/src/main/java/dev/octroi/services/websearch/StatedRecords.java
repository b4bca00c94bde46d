package dev.octroi.services.websearch;

import static dev.octroi.services.read.UpstreamJson.each;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.record;
import static dev.octroi.services.read.UpstreamJson.taken;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The records of the group (specification, web-search records; decisions, {@code highlights}), made
 * from the vendor's objects. What else the vendor says, such as what it charges us, is left out.
 */
final class StatedRecords {

  private StatedRecords() {}

  private static final Pattern LINK = Pattern.compile("(?i)https?://.");

  private static final List<String> FOUND =
      List.of("title", "url", "score", "publishedDate", "author");
  private static final List<String> SIMILAR = List.of("title", "url", "score");
  private static final List<String> CITED =
      List.of("id", "url", "title", "publishedDate", "author");

  static byte[] search(JsonNode said, SearchQuery query) {
    ObjectNode envelope = found(said, query.results(), and(FOUND, query.contents()));
    return UpstreamJson.bytes(envelope.put("query", query.terms().text()));
  }

  static byte[] similar(JsonNode said, String sourceUrl, int most, ResultContents contents) {
    return UpstreamJson.bytes(
        found(said, most, and(SIMILAR, contents)).put("sourceUrl", sourceUrl));
  }

  private static ObjectNode found(JsonNode said, int most, List<String> members) {
    ObjectNode envelope = record();
    envelope.set("results", each(pages(said, most), page -> taken(page, members)));
    return envelope;
  }

  /**
   * Of the results those that are pages of the web, each once, and as many as were asked for.
   *
   * @throws dev.octroi.services.Failure 502 where there are results, and none of them is a page
   */
  static JsonNode pages(JsonNode said, int most) {
    JsonNode results = list(said, "results");
    JsonNode pages = links(results, most);
    Failures.require(!pages.isEmpty() || results.isEmpty(), "no result has an address");
    return pages;
  }

  private static JsonNode links(JsonNode list, int most) {
    Set<String> seen = new HashSet<>();
    ArrayNode links = record().arrayNode();
    for (JsonNode one : list) {
      String url = one.path("url").asText("");
      if (links.size() < most && LINK.matcher(url).lookingAt() && seen.add(url)) {
        links.add(one);
      }
    }
    return links;
  }

  private static List<String> and(List<String> stated, ResultContents contents) {
    return Stream.concat(stated.stream(), contents.members().stream()).toList();
  }

  static byte[] contents(JsonNode said) {
    return UpstreamJson.bytes(
        results(said, List.of("id", "url", "title", "text", "publishedDate")));
  }

  /** Pages without a passage are left as they are, if there is a passage in another. */
  static byte[] highlights(JsonNode said) {
    if (list(said, "results")
        .valueStream()
        .flatMap(page -> page.path("highlights").valueStream())
        .noneMatch(passage -> !passage.asText("").isBlank())) {
      throw Failures.unreadable("no result has a highlight");
    }
    return UpstreamJson.bytes(
        results(said, List.of("id", "url", "title", "highlights", "highlightScores")));
  }

  /** The vendor's citations are the sources. */
  static byte[] answer(JsonNode said, AnswerQuery query) {
    ObjectNode stated = record();
    stated.set("answer", answerOf(said));
    stated.set(
        "sources",
        each(
            links(list(said, "citations"), Integer.MAX_VALUE),
            source -> taken(source, List.of("title", "url"))));
    if (query.citations()) {
      stated.set("citations", citations(said, query));
    }
    return UpstreamJson.bytes(stated);
  }

  /** The whole answer as the event stream that the vendor's own clients read. */
  static byte[] events(JsonNode said, AnswerQuery query) {
    ObjectNode words = record();
    words
        .putArray("choices")
        .addObject()
        .put("index", 0)
        .putObject("delta")
        .set("content", answerOf(said));
    ObjectNode cited = record();
    cited.set("citations", citations(said, query));
    return Stream.of(words.toString(), cited.toString(), "[DONE]")
        .map(data -> "data: " + data + "\n\n")
        .collect(Collectors.joining())
        .getBytes(StandardCharsets.UTF_8);
  }

  private static JsonNode answerOf(JsonNode said) {
    JsonNode answer = said.path("answer");
    Failures.require(answer.isTextual() && !answer.textValue().isBlank(), "answer is no text");
    return answer;
  }

  private static JsonNode citations(JsonNode said, AnswerQuery query) {
    List<String> members =
        query.texts() ? Stream.concat(CITED.stream(), Stream.of("text")).toList() : CITED;
    return each(
        links(list(said, "citations"), Integer.MAX_VALUE), source -> taken(source, members));
  }

  private static ObjectNode results(JsonNode said, List<String> members) {
    ObjectNode envelope = record();
    envelope.set("results", each(list(said, "results"), result -> taken(result, members)));
    return envelope;
  }
}
