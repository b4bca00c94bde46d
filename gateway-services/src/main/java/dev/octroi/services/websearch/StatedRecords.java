package dev.octroi.services.websearch;

import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.each;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;

/**
 * The records of the group (specification, web-search records; decisions, {@code highlights}), made
 * from the vendor's objects. What else the vendor says, such as what it charges us, is left out.
 */
final class StatedRecords {

  private StatedRecords() {}

  static byte[] search(JsonNode said, String query) {
    ObjectNode envelope = results(said, "title", "url", "score", "publishedDate", "author");
    return UpstreamJson.bytes(envelope.put("query", query));
  }

  static byte[] similar(JsonNode said, String sourceUrl) {
    return UpstreamJson.bytes(results(said, "title", "url", "score").put("sourceUrl", sourceUrl));
  }

  static byte[] contents(JsonNode said) {
    return UpstreamJson.bytes(results(said, "id", "url", "title", "text", "publishedDate"));
  }

  static byte[] highlights(JsonNode said) {
    return UpstreamJson.bytes(results(said, "id", "url", "title", "highlights", "highlightScores"));
  }

  /** The vendor's citations are the sources. */
  static byte[] answer(JsonNode said) {
    JsonNode answer = said.path("answer");
    if (!answer.isTextual()) {
      throw Failures.rubbish(null);
    }
    ObjectNode stated = record();
    stated.set("answer", answer);
    stated.set("sources", each(list(said, "citations"), source -> of(source, "title", "url")));
    return UpstreamJson.bytes(stated);
  }

  private static ObjectNode results(JsonNode said, String... members) {
    ObjectNode envelope = record();
    envelope.set("results", each(list(said, "results"), result -> of(result, members)));
    return envelope;
  }

  private static JsonNode of(JsonNode said, String... members) {
    ObjectNode stated = record();
    for (String member : members) {
      stated.set(member, at(said, member));
    }
    return stated;
  }
}
