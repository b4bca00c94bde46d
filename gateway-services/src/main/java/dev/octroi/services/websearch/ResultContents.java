package dev.octroi.services.websearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;

/**
 * What is wanted of the pages that a search finds: their texts and passages, which the vendor's
 * price of a search includes. What it bills besides, such as summaries, is refused.
 *
 * @param wanted by its member, as the vendor takes it
 */
public record ResultContents(Map<String, JsonNode> wanted) {

  /** Nothing but where the pages are. */
  public static final ResultContents NONE = new ResultContents(Map.of());

  private static final String TEXT = "text";
  private static final String HIGHLIGHTS = "highlights";
  private static final String CHARACTERS = "maxCharacters";

  private static final Set<String> OF_TEXT = Set.of(CHARACTERS);
  private static final Set<String> OF_HIGHLIGHTS =
      Set.of(CHARACTERS, "numSentences", "highlightsPerUrl");

  /**
   * The member {@code contents} of a body.
   *
   * @throws Failure 400 {@code invalid_params}, naming what is not to be had
   */
  public static ResultContents read(JsonNode given) {
    if (given.isNull() || (given.isBoolean() && !given.booleanValue())) {
      return NONE;
    }
    if (!given.isObject()) {
      throw Failure.invalid("contents is an object");
    }
    Map<String, JsonNode> wanted = new LinkedHashMap<>();
    for (Entry<String, JsonNode> member : given.properties()) {
      String name = member.getKey();
      if (!member.getValue().isNull()) {
        switch (name) {
          case TEXT -> add(wanted, name, member.getValue(), OF_TEXT);
          case HIGHLIGHTS -> add(wanted, name, member.getValue(), OF_HIGHLIGHTS);
          default ->
              throw Failure.invalid("contents has text and highlights only, no " + echo(name));
        }
      }
    }
    return new ResultContents(wanted);
  }

  /** Texts of a length at most. */
  static ResultContents texts(int mostCharacters) {
    return new ResultContents(Map.of(TEXT, UpstreamJson.record().put(CHARACTERS, mostCharacters)));
  }

  private static void add(
      Map<String, JsonNode> wanted, String name, JsonNode given, Set<String> counts) {
    if (given.isBoolean()) {
      if (given.booleanValue()) {
        wanted.put(name, given);
      }
      return;
    }
    if (!given.isObject()) {
      throw Failure.invalid("contents." + name + " is true, false or an object");
    }
    for (Entry<String, JsonNode> option : given.properties()) {
      check(name, option.getKey(), option.getValue(), counts);
    }
    wanted.put(name, given);
  }

  private static void check(String name, String option, JsonNode value, Set<String> counts) {
    String path = "contents." + name + "." + echo(option);
    if (counts.contains(option)) {
      if (!value.isInt() || value.intValue() < 1) {
        throw Failure.invalid(path + " is a whole number of 1 or more");
      }
    } else if (name.equals(HIGHLIGHTS) && option.equals("query")) {
      if (!value.isTextual()) {
        throw Failure.invalid(path + " is a text");
      }
      new SearchQuery.SearchTerms(value.textValue());
    } else {
      throw Failure.invalid("There is no " + path);
    }
  }

  private static String echo(String name) {
    return name.replaceAll("[^A-Za-z0-9_]", "?").substring(0, Math.min(40, name.length()));
  }

  void put(ObjectNode query) {
    if (!wanted.isEmpty()) {
      query.putObject("contents").setAll(wanted);
    }
  }

  /** What a result has besides, the page's id among it where anything is wanted. */
  List<String> members() {
    List<String> members = new ArrayList<>();
    if (!wanted.isEmpty()) {
      members.add("id");
    }
    if (wanted.containsKey(TEXT)) {
      members.add(TEXT);
    }
    if (wanted.containsKey(HIGHLIGHTS)) {
      members.add(HIGHLIGHTS);
      members.add("highlightScores");
    }
    return members;
  }
}
