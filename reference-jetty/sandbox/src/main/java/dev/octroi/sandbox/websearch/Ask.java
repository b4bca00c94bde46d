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
import java.util.Set;

/** A request's body, each member checked as the vendor does when it is taken. */
final class Ask {

  private static final Set<String> CATEGORIES =
      Set.of(
          "company",
          "publication",
          "news",
          "pdf",
          "github",
          "personal site",
          "people",
          "financial report");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode body;

  private Ask(JsonNode body) {
    this.body = body;
  }

  static Ask of(byte[] body) {
    try {
      JsonNode tree = JSON.readTree(body);
      if (tree != null && tree.isObject()) {
        return new Ask(tree);
      }
    } catch (IOException malformed) {
      // Refused below, as everything that is no object.
    }
    throw Refused.body("Invalid request body");
  }

  String text(String name) {
    JsonNode member = body.path(name);
    if (!member.isTextual() || member.textValue().isBlank()) {
      throw Refused.body("Invalid request body: " + name + " must be a string");
    }
    return member.textValue();
  }

  List<String> urls() {
    JsonNode member = body.path("urls");
    if (!member.isArray() || member.isEmpty()) {
      throw Refused.body("Invalid request body: urls must be a list of strings");
    }
    List<String> urls = new ArrayList<>();
    member.forEach(url -> urls.add(url.asText()));
    return urls;
  }

  int results() {
    return count(body.path("numResults"), 10, 100);
  }

  Wanted wanted() {
    Optional<String> category =
        Optional.of(body.path("category").asText("")).filter(word -> !word.isEmpty());
    if (category.isPresent() && !CATEGORIES.contains(category.get())) {
      throw Refused.body("Invalid request body: category");
    }
    return new Wanted(
        category.map(Ask::asInCorpus), time("startPublishedDate"), time("endPublishedDate"));
  }

  private static String asInCorpus(String category) {
    return category.equals("publication") ? "research paper" : category;
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
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
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
    if (member.isMissingNode() || member.isNull()) {
      return otherwise;
    }
    if (!member.isInt() || member.intValue() < 1 || member.intValue() > most) {
      throw Refused.body("Invalid request body: a number is out of range");
    }
    return member.intValue();
  }
}
