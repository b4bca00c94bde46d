package dev.octroi.services.language.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.catalogue.CatalogueFile.JsonWithLines;
import dev.octroi.services.language.catalogue.Model.Rates;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The members of one JSON object: what is asked for and missing or wrong becomes a problem with its
 * line, and in the end so does what was not asked for.
 */
final class Members {

  private final JsonWithLines json;
  private final String pointer;
  private final List<String> problems;
  private final Set<String> asked = new HashSet<>();

  Members(JsonWithLines json, String pointer, List<String> problems) {
    this.json = json;
    this.pointer = pointer;
    this.problems = problems;
  }

  /** A text of that form; empty, with a problem, where there is none. */
  String text(String name, Pattern form) {
    return optionalText(name, form).orElseGet(() -> missing(name, ""));
  }

  Optional<String> optionalText(String name, Pattern form) {
    return member(name).map(node -> formed(name, node, form));
  }

  List<String> texts(String name, Pattern form) {
    List<String> all = new ArrayList<>();
    elements(name).forEach(node -> all.add(formed(name, node, form)));
    return all;
  }

  int whole(String name, int least, int most) {
    JsonNode node = member(name).orElse(null);
    if (node == null) {
      return missing(name, least);
    }
    if (!node.canConvertToInt() || !node.isIntegralNumber() || !within(node, least, most)) {
      problem(name, "is a whole number from " + least + " to " + most);
      return least;
    }
    return node.intValue();
  }

  /** A decimal number of dollars in millionths, or null where there is none. */
  @Nullable Long micros(String name) {
    JsonNode node = member(name).orElse(null);
    if (node == null) {
      return null;
    }
    try {
      BigDecimal dollars = node.isNumber() ? node.decimalValue() : BigDecimal.valueOf(-1);
      if (dollars.signum() >= 0 && dollars.compareTo(BigDecimal.valueOf(1_000_000)) <= 0) {
        return Rates.micros(dollars);
      }
    } catch (ArithmeticException tooFine) {
      // the same problem
    }
    problem(name, "is a number of dollars from 0 to 1000000 with at most six places");
    return 0L;
  }

  <E extends Enum<E>> E word(String name, Class<E> words, @Nullable E otherwise) {
    JsonNode node = member(name).orElse(null);
    E first = words.getEnumConstants()[0];
    if (node == null) {
      return otherwise == null ? missing(name, first) : otherwise;
    }
    return worded(name, node, words).orElse(first);
  }

  <E extends Enum<E>> Set<E> words(String name, Class<E> words) {
    Set<E> all = EnumSet.noneOf(words);
    elements(name).forEach(node -> worded(name, node, words).ifPresent(all::add));
    return all;
  }

  LocalDate date(String name) {
    return optionalDate(name).orElseGet(() -> missing(name, LocalDate.EPOCH));
  }

  Optional<LocalDate> optionalDate(String name) {
    return member(name)
        .map(
            node -> {
              try {
                return LocalDate.parse(node.asText());
              } catch (DateTimeException wrong) {
                problem(name, "is a date such as 2026-05-31");
                return LocalDate.EPOCH;
              }
            });
  }

  /** The object of that name, if there is one. */
  Optional<Members> object(String name) {
    Optional<JsonNode> found = member(name);
    if (found.isPresent() && !found.get().isObject()) {
      problem(name, "is an object");
      return Optional.empty();
    }
    return found.map(node -> new Members(json, pointer + "/" + name, problems));
  }

  void problem(String name, String rule) {
    String at = name.isEmpty() ? pointer : pointer + "/" + name;
    problems.add("line " + json.line(at) + ": " + at + " " + rule);
  }

  /** Complains about members that were not asked for. */
  void close() {
    node().fieldNames().forEachRemaining(this::known);
  }

  private void known(String name) {
    if (!asked.contains(name)) {
      String others = asked.stream().sorted().collect(Collectors.joining(", "));
      problem(name, "is none of " + others);
    }
  }

  private JsonNode node() {
    return json.root().at(pointer);
  }

  private Optional<JsonNode> member(String name) {
    asked.add(name);
    return Optional.ofNullable(node().get(name)).filter(node -> !node.isNull());
  }

  private Stream<JsonNode> elements(String name) {
    JsonNode node = member(name).orElse(null);
    if (node == null) {
      return Stream.empty();
    }
    if (!node.isArray()) {
      problem(name, "is an array");
      return Stream.empty();
    }
    return node.valueStream();
  }

  private String formed(String name, JsonNode node, Pattern form) {
    if (node.isTextual() && form.matcher(node.textValue()).matches()) {
      return node.textValue();
    }
    problem(name, "is a text of the form " + form);
    return "";
  }

  private <E extends Enum<E>> Optional<E> worded(String name, JsonNode node, Class<E> words) {
    for (E word : words.getEnumConstants()) {
      if (spelled(word).equals(node.textValue())) {
        return Optional.of(word);
      }
    }
    String all =
        Stream.of(words.getEnumConstants()).map(Members::spelled).collect(Collectors.joining(", "));
    problem(name, "is one of " + all);
    return Optional.empty();
  }

  private static String spelled(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }

  private static boolean within(JsonNode node, int least, int most) {
    return node.intValue() >= least && node.intValue() <= most;
  }

  private <T> T missing(String name, T stand) {
    problems.add("line " + json.line(pointer) + ": " + pointer + " has no " + name);
    return stand;
  }
}
