package dev.octroi.services.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.cryptodata.QuestionTranslator.SchemaTable;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery.Filter;
import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a question says that a query, which a model made of it, leaves out: numbers, 0x values,
 * quoted words, names, times, ranks, and sums, which no query has. A condition that is left out
 * would be charged for all the same.
 */
final class UnmetConditions {

  private static final Pattern HEX = Pattern.compile("(?i)\\b0x[0-9a-f]+");
  private static final Pattern QUOTED =
      Pattern.compile("(?<!\\w)(?:'([^']+)'|\"([^\"]+)\"|‘([^’]+)’|“([^”]+)”)(?!\\w)");
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])(\\d+(?:,\\d{3})*(?:\\.\\d+)?) ?([A-Za-z]*)");
  private static final Pattern DIGITS = Pattern.compile("\\d+(?:\\.\\d+)?");

  /** Words of capital letters, and those after which a place or a name stands. */
  private static final Pattern NAME =
      Pattern.compile(
          "\\b[A-Z][A-Z0-9]+s?\\b|(?<=[\\w,] )[A-Z]\\w+"
              + "|(?i:(?<=\\b(?:on|via|through|named|called) )(?:the )?[a-z]\\w*)");

  private static final Set<String> NO_NAMES =
      Set.of(
          "a",
          "all",
          "any",
          "chain",
          "blockchain",
          "each",
          "every",
          "it",
          "mainnet",
          "network",
          "that",
          "this",
          "which",
          "i");

  private static final String UNIT = "minute|hour|day|week|month|quarter|year";
  private static final Pattern TIME =
      Pattern.compile(
          "(?i)\\b(?:today|yesterday|tonight|since|ago|(?:"
              + UNIT
              + ")s?|january|february|march|april|june|july|august|september|october|november"
              + "|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\\b");
  private static final Pattern TIME_UNIT =
      Pattern.compile("(?i)(?:" + UNIT + ")s?|mins?|hrs?|[mhdwy]");
  private static final Pattern TIME_COLUMN =
      Pattern.compile("(?i)date|time|(?:^|_)(?:at|minute|hour|day|week|month|year)(?:_|$)");

  private static final Pattern RANK =
      Pattern.compile(
          "(?i)\\b(?:top|largest|biggest|highest|greatest|lowest|smallest|latest|newest|oldest"
              + "|earliest|first|recent|(?<!at )(?:most|least)|last(?! (?:\\d|"
              + UNIT
              + ")))\\b");

  private static final Pattern SUM =
      Pattern.compile(
          "(?i)\\b(?:how many|how much|number of|average|avg|mean|median|sum|total|count|percentage"
              + "|distinct|unique|grouped|per)\\b");

  private static final Map<String, BigDecimal> SCALES =
      Map.of(
          "k", new BigDecimal(1_000),
          "thousand", new BigDecimal(1_000),
          "m", new BigDecimal(1_000_000),
          "million", new BigDecimal(1_000_000),
          "b", new BigDecimal(1_000_000_000),
          "bn", new BigDecimal(1_000_000_000),
          "billion", new BigDecimal(1_000_000_000));

  private static final Map<String, Integer> COUNTS =
      Map.of(
          "two", 2, "three", 3, "four", 4, "five", 5, "six", 6, "seven", 7, "eight", 8, "nine", 9,
          "ten", 10);

  private static final Pattern COUNT =
      Pattern.compile("(?i)\\b(?:" + String.join("|", COUNTS.keySet()) + ")\\b");

  private final SchemaTable table;
  private final StructuredQuery query;
  private final List<String> values;
  private final Set<BigDecimal> numbers;
  private final boolean timed;

  /**
   * @param limit the one that the model wrote; missing where it wrote none
   */
  private UnmetConditions(SchemaTable table, StructuredQuery query, JsonNode limit) {
    this.table = table;
    this.query = query;
    this.values =
        query.filters().stream()
            .map(Filter::value)
            .flatMap(value -> value.isArray() ? value.valueStream() : Stream.of(value))
            .map(value -> value.isNumber() ? value.decimalValue().toPlainString() : value.asText())
            .map(value -> value.toLowerCase(Locale.ROOT))
            .toList();
    this.numbers =
        Stream.concat(values.stream(), Stream.of(limit.asText()))
            .filter(value -> !HEX.matcher(value).matches())
            .flatMap(value -> DIGITS.matcher(value).results())
            .map(number -> plain(number.group()))
            .collect(Collectors.toSet());
    this.timed = query.filters().stream().anyMatch(filter -> isTime(filter.field()));
  }

  /** The question's words that the query says nothing of, in order of kind; empty for none. */
  static Set<String> of(String question, SchemaTable table, StructuredQuery query, JsonNode limit) {
    UnmetConditions unmet = new UnmetConditions(table, query, limit);
    boolean shouted = question.equals(question.toUpperCase(Locale.ROOT));
    String rest = HEX.matcher(question).replaceAll(" ");
    Set<String> words = new LinkedHashSet<>();
    add(words, HEX, question, hex -> unmet.values.contains(hex.group().toLowerCase(Locale.ROOT)));
    add(words, QUOTED, question, unmet::isQuoted);
    add(words, NUMBER, rest, unmet::isCounted);
    add(words, COUNT, rest, unmet::isSpelled);
    add(words, TIME, rest, time -> unmet.timed || unmet.isNamed(time.group()));
    add(words, RANK, rest, rank -> !query.sort().isEmpty() || unmet.isNamed(rank.group()));
    add(words, SUM, rest, sum -> unmet.isNamed(sum.group()));
    add(words, NAME, rest, name -> shouted || unmet.isKnown(name.group()));
    return words;
  }

  private static void add(
      Set<String> words, Pattern pattern, String text, Predicate<MatchResult> met) {
    pattern.matcher(text).results().filter(met.negate()).forEach(word -> words.add(word.group()));
  }

  private boolean isQuoted(MatchResult quoted) {
    String text = quoted.group().substring(1, quoted.group().length() - 1);
    return says(text) || isNamed(text);
  }

  /** "5", "1,000", "2.5 million"; "7 days" is a time. */
  private boolean isCounted(MatchResult number) {
    BigDecimal count = new BigDecimal(number.group(1).replace(",", ""));
    String unit = number.group(2).toLowerCase(Locale.ROOT);
    BigDecimal scaled = count.multiply(SCALES.getOrDefault(unit, BigDecimal.ONE));
    boolean time = TIME_UNIT.matcher(unit).matches();
    return numbers.contains(plain(scaled.toPlainString())) || (time && timed);
  }

  private boolean isSpelled(MatchResult count) {
    int number = COUNTS.getOrDefault(count.group().toLowerCase(Locale.ROOT), 0);
    return timed || numbers.contains(BigDecimal.valueOf(number));
  }

  private boolean isKnown(String name) {
    String word = name.toLowerCase(Locale.ROOT).replaceFirst("^the ", "");
    boolean other =
        NO_NAMES.contains(word)
            || Stream.of(TIME, RANK, SUM, COUNT).anyMatch(known -> known.matcher(word).matches());
    return other || says(word) || isNamed(word) || isNamed(Sentence.singular(word));
  }

  /** Whether a value has the text in it. */
  private boolean says(String text) {
    return values.stream().anyMatch(value -> value.contains(text.toLowerCase(Locale.ROOT)));
  }

  /** Whether the table or a column of it is named so, or in part. */
  private boolean isNamed(String text) {
    String name = text.toLowerCase(Locale.ROOT).replace(' ', '_');
    return Stream.concat(Stream.of(query.source()), table.columns().stream())
        .anyMatch(each -> each.toLowerCase(Locale.ROOT).contains(name));
  }

  private boolean isTime(String column) {
    int at = table.columns().indexOf(column);
    return TIME_COLUMN.matcher(column).find()
        || (at >= 0
            && at < table.types().size()
            && TIME_COLUMN.matcher(table.types().get(at)).find());
  }

  /** Equal for equal numbers. */
  private static BigDecimal plain(String number) {
    BigDecimal stripped = new BigDecimal(number).stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }
}
