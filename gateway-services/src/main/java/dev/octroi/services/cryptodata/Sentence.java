package dev.octroi.services.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Failure;
import dev.octroi.services.cryptodata.QuestionTranslator.SchemaTable;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery.Filter;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery.Sort;
import dev.octroi.services.read.UpstreamJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A question about one table, word by word; each word is understood, or the question refused. */
final class Sentence {

  private static final int DEFAULT_LIMIT = 20;
  private static final int MOST_ROWS = 10_000;
  private static final int LONGEST_COLUMN = 4;

  private static final Pattern WORD =
      Pattern.compile(
          "[<>!]=|[<>=]|\\d{4}-\\d{2}-\\d{2}|\\d+\\.\\d+(?!\\w)|\\w+(?:\\.\\w+)*|[^\\s\\w.,?!;:'\"()]");
  private static final Pattern THOUSANDS = Pattern.compile("(?<=\\d),(?=\\d{3}\\b)");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}(\\.\\d{1,18})?");
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]{8,}");

  private static final Set<String> MOST = Set.of("top", "largest", "highest", "biggest", "most");
  private static final Set<String> LEAST = Set.of("lowest", "smallest", "least");
  private static final Set<String> NEWEST = Set.of("latest", "newest", "last", "recent");
  private static final Set<String> OLDEST = Set.of("oldest", "earliest", "first");
  private static final Set<String> ROWS = Set.of("row", "result", "record", "entry", "entries");

  /** Words that say nothing about which rows are wanted. */
  private static final Set<String> FILLERS =
      Set.of(
          "a", "all", "an", "and", "are", "by", "find", "for", "from", "get", "give", "i", "in",
          "is", "list", "me", "of", "on", "please", "show", "table", "tell", "that", "the", "there",
          "to", "want", "was", "were", "what", "where", "which", "whose", "with");

  /** What may stand between a column and its comparison. */
  private static final Set<String> COPULAS = Set.of("is", "are", "was", "were", "of");

  /** The longest first. */
  private static final List<Map.Entry<String, String>> COMPARISONS =
      List.of(
          Map.entry("greater than or equal to", "gte"),
          Map.entry("less than or equal to", "lte"),
          Map.entry("is not", "neq"),
          Map.entry("greater than", "gt"),
          Map.entry("more than", "gt"),
          Map.entry("higher than", "gt"),
          Map.entry("larger than", "gt"),
          Map.entry("less than", "lt"),
          Map.entry("lower than", "lt"),
          Map.entry("smaller than", "lt"),
          Map.entry("at least", "gte"),
          Map.entry("at most", "lte"),
          Map.entry("up to", "lte"),
          Map.entry("equal to", "eq"),
          Map.entry("over", "gt"),
          Map.entry("above", "gt"),
          Map.entry("after", "gt"),
          Map.entry("exceeding", "gt"),
          Map.entry("under", "lt"),
          Map.entry("below", "lt"),
          Map.entry("before", "lt"),
          Map.entry("since", "gte"),
          Map.entry("equals", "eq"),
          Map.entry(">=", "gte"),
          Map.entry("<=", "lte"),
          Map.entry("!=", "neq"),
          Map.entry(">", "gt"),
          Map.entry("<", "lt"),
          Map.entry("=", "eq"),
          Map.entry("is", "eq"));

  private static final Map<String, Duration> UNITS =
      Map.of(
          "minute", Duration.ofMinutes(1),
          "hour", Duration.ofHours(1),
          "day", Duration.ofDays(1),
          "week", Duration.ofDays(7));

  private static final List<String> TIMES = List.of("block_time", "timestamp");
  private static final List<String> DATES = List.of("block_date", "date");
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final SchemaTable table;
  private final Instant now;
  private final List<String> said;
  private final List<String> words;
  private final BitSet understood = new BitSet();
  private final List<Filter> filters = new ArrayList<>();
  private final Set<String> fields = new LinkedHashSet<>();

  Sentence(String text, SchemaTable table, Instant now) {
    this.table = table;
    this.now = now;
    String plain = THOUSANDS.matcher(text).replaceAll("").replace("$", "");
    this.said = WORD.matcher(plain).results().map(word -> word.group()).toList();
    this.words = said.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
  }

  /**
   * What it asks for.
   *
   * @throws Failure 400 {@code invalid_params} naming what is not understood
   */
  StructuredQuery query(Optional<Integer> limit) {
    times();
    conditions();
    Optional<Sort> sort = measure().or(this::age);
    int rows = limit.orElse(counted());
    namedColumns();
    nameOfTheTable();
    String unclear =
        IntStream.range(0, words.size())
            .filter(at -> !understood.get(at) && !FILLERS.contains(words.get(at)))
            .mapToObj(said::get)
            .distinct()
            .limit(10)
            .collect(Collectors.joining(", "));
    if (!unclear.isEmpty()) {
      throw Failure.invalid(
          "question says what a plain translation does not understand: "
              + unclear
              + ". Compare columns with values (amount over 100), or ask onchain/sql");
    }
    return new StructuredQuery(
        table.source(), List.copyOf(fields), filters, sort.map(List::of).orElse(List.of()), rows);
  }

  /** "In the last 7 days", "today", "yesterday". */
  private void times() {
    for (int at = 0; at < words.size(); at++) {
      String word = words.get(at);
      if (word.equals("today") || word.equals("yesterday")) {
        Optional<String> date = first(DATES);
        if (date.isPresent()) {
          LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC);
          LocalDate meant = word.equals("today") ? day : day.minusDays(1);
          filters.add(new Filter(date.get(), "eq", UpstreamJson.text(meant.toString())));
          understood.set(at);
        }
      } else if (word.equals("last") || word.equals("past")) {
        span(at);
      }
    }
  }

  private void span(int at) {
    boolean counted = NUMBER.matcher(word(at + 1)).matches();
    Duration unit = UNITS.get(singular(word(counted ? at + 2 : at + 1)));
    if (unit == null || (counted && word(at + 1).length() > 4)) {
      return;
    }
    long count = counted ? new BigDecimal(word(at + 1)).longValue() : 1;
    Instant from = now.minus(unit.multipliedBy(count));
    Optional<String> time = first(TIMES);
    Optional<String> date = first(DATES);
    // A date alone tells no hours.
    if (time.isEmpty() && (date.isEmpty() || unit.compareTo(Duration.ofDays(1)) < 0)) {
      return;
    }
    date.ifPresent(
        column ->
            filters.add(
                new Filter(
                    column,
                    "gte",
                    UpstreamJson.text(LocalDate.ofInstant(from, ZoneOffset.UTC).toString()))));
    time.ifPresent(
        column -> filters.add(new Filter(column, "gte", UpstreamJson.text(SECOND.format(from)))));
    understood.set(at, at + (counted ? 3 : 2));
  }

  private Optional<String> first(List<String> names) {
    return names.stream().filter(table.columns()::contains).findFirst();
  }

  private String word(int at) {
    return at < 0 || at >= words.size() ? "" : words.get(at);
  }

  /** A column, a comparison and a value. */
  private void conditions() {
    for (int at = 0; at < words.size(); at++) {
      int length = columnAt(at);
      if (length > 0) {
        condition(at, length);
      }
    }
  }

  private void condition(int at, int length) {
    int next = at + length;
    if (HEX.matcher(word(next)).matches()) {
      add(at, length, "eq", next);
      return;
    }
    for (int from : new int[] {next, COPULAS.contains(word(next)) ? next + 1 : next}) {
      for (Map.Entry<String, String> comparison : COMPARISONS) {
        int value = after(from, comparison.getKey());
        if (value > 0 && isValue(value, comparison.getValue())) {
          add(at, length, comparison.getValue(), value);
          return;
        }
      }
    }
  }

  private void add(int at, int length, String operator, int value) {
    String text = said.get(value);
    JsonNode node =
        NUMBER.matcher(text).matches()
            ? UpstreamJson.number(new BigDecimal(text))
            : UpstreamJson.text(text);
    filters.add(new Filter(column(at, length), operator, node));
    understood.set(at, value + 1);
  }

  /** Only equality compares with a word; an order needs a number or a date. */
  private boolean isValue(int at, String operator) {
    String value = word(at);
    boolean ordered = NUMBER.matcher(value).matches() || DATE.matcher(value).matches();
    boolean equality = operator.equals("eq") || operator.equals("neq");
    return ordered
        || (equality
            && value.matches("\\w[\\w.]*")
            && !FILLERS.contains(value)
            && COMPARISONS.stream().noneMatch(each -> after(at, each.getKey()) > 0));
  }

  /** Where a phrase that stands here ends; 0 where it does not. */
  private int after(int at, String phrase) {
    List<String> parts = Arrays.asList(phrase.split(" "));
    int end = at + parts.size();
    return end <= words.size() && words.subList(at, end).equals(parts) ? end : 0;
  }

  /** How many words name a column here, spelled with underscores or blanks; 0 where none do. */
  private int columnAt(int at) {
    for (int length = LONGEST_COLUMN; length > 0; length--) {
      if (at + length <= words.size() && !column(at, length).isEmpty()) {
        return length;
      }
    }
    return 0;
  }

  /** The column that these words name; empty for none. */
  private String column(int at, int length) {
    String name = String.join("_", words.subList(at, at + length));
    return table.columns().stream()
        .filter(column -> column.equalsIgnoreCase(name))
        .findFirst()
        .orElse("");
  }

  /** "Largest … by column". */
  private Optional<Sort> measure() {
    int by = words.lastIndexOf("by");
    int length = by < 0 ? 0 : columnAt(by + 1);
    int ranked = indexOfAny(MOST) >= 0 ? indexOfAny(MOST) : indexOfAny(LEAST);
    if (length == 0 || ranked < 0) {
      return Optional.empty();
    }
    understood.set(ranked);
    understood.set(by, by + 1 + length);
    return Optional.of(new Sort(column(by + 1, length), MOST.contains(word(ranked))));
  }

  /** "Latest", "oldest". */
  private Optional<Sort> age() {
    int ranked = indexOfAny(NEWEST) >= 0 ? indexOfAny(NEWEST) : indexOfAny(OLDEST);
    Optional<String> time = first(TIMES).or(() -> first(DATES));
    if (ranked < 0 || time.isEmpty()) {
      return Optional.empty();
    }
    understood.set(ranked);
    return time.map(column -> new Sort(column, NEWEST.contains(word(ranked))));
  }

  private int indexOfAny(Set<String> wanted) {
    return IntStream.range(0, words.size())
        .filter(at -> !understood.get(at) && wanted.contains(words.get(at)))
        .findFirst()
        .orElse(-1);
  }

  /** A number beside a word of rank, or before what the rows are. */
  private int counted() {
    for (int at = 0; at < words.size(); at++) {
      boolean number =
          !understood.get(at) && NUMBER.matcher(word(at)).matches() && word(at).length() <= 5;
      if (number && (isRank(word(at - 1)) || isRank(word(at + 1)) || isNoun(word(at + 1)))) {
        understood.set(at);
        return Math.max(1, Math.min(MOST_ROWS, new BigDecimal(word(at)).intValue()));
      }
    }
    return DEFAULT_LIMIT;
  }

  private static boolean isRank(String word) {
    return List.of(MOST, LEAST, NEWEST, OLDEST).stream().anyMatch(ranks -> ranks.contains(word));
  }

  private boolean isNoun(String word) {
    return ROWS.contains(singular(word)) || nameOf().contains(singular(word));
  }

  private void namedColumns() {
    for (int at = 0; at < words.size(); at++) {
      int length = understood.get(at) ? 0 : columnAt(at);
      if (length > 0) {
        fields.add(column(at, length));
        understood.set(at, at + length);
      }
    }
  }

  private void nameOfTheTable() {
    Set<String> name = nameOf();
    for (int at = 0; at < words.size(); at++) {
      if (isNoun(words.get(at)) || name.containsAll(parts(words.get(at)))) {
        understood.set(at);
      }
    }
  }

  private Set<String> nameOf() {
    return parts(table.source().toLowerCase(Locale.ROOT));
  }

  private static Set<String> parts(String name) {
    return Arrays.stream(name.split("[._]", -1))
        .map(Sentence::singular)
        .collect(Collectors.toSet());
  }

  static String singular(String word) {
    return word.length() > 2 && word.endsWith("s") ? word.substring(0, word.length() - 1) : word;
  }
}
