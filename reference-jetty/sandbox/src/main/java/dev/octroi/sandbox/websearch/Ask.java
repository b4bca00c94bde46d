package dev.octroi.sandbox.websearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A request's body, which the contract has checked. */
final class Ask {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode body;

  private Ask(JsonNode body) {
    this.body = body;
  }

  /** Reads a body that the contract knows. */
  static Ask of(byte[] body) {
    try {
      return new Ask(JSON.readTree(body));
    } catch (IOException malformed) {
      throw Refused.body("Invalid request body");
    }
  }

  String text(String name) {
    String text = body.path(name).asText();
    if (text.isBlank()) {
      throw Refused.body("Invalid request body: " + name + " must not be blank");
    }
    return text;
  }

  List<String> urls() {
    List<String> urls = new ArrayList<>();
    body.path("urls").forEach(url -> urls.add(url.asText()));
    body.path("ids").forEach(id -> urls.add(id.asText()));
    return urls;
  }

  int results() {
    return count(body.path("numResults"), 10, 100);
  }

  Wanted wanted() {
    Optional<String> category =
        Optional.of(body.path("category").asText("")).filter(word -> !word.isEmpty());
    return new Wanted(category, time("startPublishedDate"), time("endPublishedDate"));
  }

  /** Whether a page is of a domain that is wanted. */
  boolean wants(Page page) {
    String host = URI.create(page.url()).getHost();
    List<String> only = domains("includeDomains");
    return (only.isEmpty() || only.stream().anyMatch(domain -> isOf(host, domain)))
        && domains("excludeDomains").stream().noneMatch(domain -> isOf(host, domain));
  }

  private List<String> domains(String name) {
    List<String> domains = new ArrayList<>();
    body.path(name).forEach(domain -> domains.add(domain.asText()));
    return domains;
  }

  private static boolean isOf(String host, String domain) {
    return host.equals(domain) || host.endsWith("." + domain);
  }

  private Optional<Instant> time(String name) {
    String text = body.path(name).asText("");
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(Instant.parse(text.contains("T") ? text : text + "T00:00:00Z"));
    } catch (DateTimeException unreadable) {
      throw Refused.body("Invalid request body: " + name + " must be an ISO 8601 date");
    }
  }

  /** How much text is wanted; empty for none. */
  static Optional<Integer> textOf(JsonNode options) {
    JsonNode text = options.path("text");
    if (text.isObject()) {
      return Optional.of(count(text.path("maxCharacters"), Integer.MAX_VALUE, Integer.MAX_VALUE));
    }
    return text.asBoolean() ? Optional.of(Integer.MAX_VALUE) : Optional.empty();
  }

  JsonNode root() {
    return body;
  }

  static int count(JsonNode member, int otherwise, int most) {
    return Math.min(most, member.asInt(otherwise));
  }
}
