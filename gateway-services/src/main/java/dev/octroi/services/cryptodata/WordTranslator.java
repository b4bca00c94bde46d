package dev.octroi.services.cryptodata;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.cryptodata.QuestionTranslator.Question;
import dev.octroi.services.cryptodata.QuestionTranslator.SchemaTable;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The plain case of translation, word by word and without a model:
 *
 * <ul>
 *   <li>the table is the caller's source, or the one that shares most words with the question;
 *   <li>columns that the question names are the fields; if it names none, all of them;
 *   <li>"top", "largest", "highest" or "most … by column" sorts by it, descending, and "lowest",
 *       "smallest" or "least" ascending; "latest" or "newest" sorts by the table's time,
 *       descending, and "oldest" or "earliest" ascending;
 *   <li>a number after such a word is the limit, unless the caller gave one; else 20.
 * </ul>
 *
 * <p>It makes no filters: a wrong one would drop rows unseen.
 */
public final class WordTranslator implements QuestionTranslator {

  private static final int DEFAULT_LIMIT = 20;

  private static final Pattern WORD = Pattern.compile("[a-z0-9_]+");
  private static final Pattern COUNT =
      Pattern.compile(
          "\\b(?:top|largest|highest|biggest|most|lowest|smallest|least|latest|newest|last|recent"
              + "|oldest|earliest|first)\\s+(\\d{1,4})\\b"
              + "(?!\\s+(?:second|minute|hour|day|week|month|year)s?\\b)");
  private static final Set<String> MOST = Set.of("top", "largest", "highest", "biggest", "most");
  private static final Set<String> LEAST = Set.of("lowest", "smallest", "least");
  private static final Set<String> NEWEST = Set.of("latest", "newest", "last", "recent");
  private static final Set<String> OLDEST = Set.of("oldest", "earliest", "first");
  private static final List<String> TIMES = List.of("block_time", "block_date", "timestamp");

  @Override
  public StructuredQuery translate(Question question, List<SchemaTable> schema, Deadline deadline) {
    String text = question.text().toLowerCase(Locale.ROOT);
    Set<String> words = words(text);
    SchemaTable table =
        question
            .source()
            .map(source -> named(source, schema))
            .or(() -> likeliest(words, schema))
            .orElseThrow(
                () -> new Failure(ErrorCode.INVALID_PARAMS, "source is required: no table fits"));
    List<String> fields = table.columns().stream().filter(name -> names(text, name)).toList();
    return new StructuredQuery(
        table.source(),
        fields,
        List.of(),
        sort(words, text, fields, table).map(List::of).orElse(List.of()),
        question.limit().orElseGet(() -> counted(text)));
  }

  /** The words of a text in lower case. */
  static Set<String> words(String text) {
    return WORD.matcher(text).results().map(word -> word.group()).collect(Collectors.toSet());
  }

  private static SchemaTable named(String source, List<SchemaTable> schema) {
    return schema.stream()
        .filter(table -> table.isNamed(source))
        .findFirst()
        .orElse(new SchemaTable(source, List.of()));
  }

  private static Optional<SchemaTable> likeliest(Set<String> words, List<SchemaTable> schema) {
    return schema.stream()
        .filter(table -> shared(words, table) > 0)
        .max(Comparator.comparingLong(table -> shared(words, table)));
  }

  /** How many words of the table's name are among the words. */
  static long shared(Set<String> words, SchemaTable table) {
    return Arrays.stream(table.source().toLowerCase(Locale.ROOT).split("[._]", -1))
        .filter(words::contains)
        .count();
  }

  /** Whether the text names the column, spelled with underscores or blanks. */
  private static boolean names(String text, String column) {
    String name = column.toLowerCase(Locale.ROOT);
    String padded = " " + text.replaceAll("[^a-z0-9_]+", " ") + " ";
    return padded.contains(" " + name + " ") || padded.contains(" " + name.replace('_', ' ') + " ");
  }

  private static Optional<StructuredQuery.Sort> sort(
      Set<String> words, String text, List<String> fields, SchemaTable table) {
    int by = text.lastIndexOf(" by ");
    Optional<String> measure =
        by < 0
            ? Optional.empty()
            : fields.stream().filter(field -> names(text.substring(by + 3), field)).findFirst();
    if (measure.isPresent() && (any(words, MOST) || any(words, LEAST))) {
      return measure.map(field -> new StructuredQuery.Sort(field, any(words, MOST)));
    }
    if (any(words, NEWEST) || any(words, OLDEST)) {
      return TIMES.stream()
          .filter(table.columns()::contains)
          .findFirst()
          .map(time -> new StructuredQuery.Sort(time, any(words, NEWEST)));
    }
    return Optional.empty();
  }

  private static boolean any(Set<String> words, Set<String> wanted) {
    return wanted.stream().anyMatch(words::contains);
  }

  private static int counted(String text) {
    Matcher count = COUNT.matcher(text);
    return count.find() ? Math.max(1, Integer.parseInt(count.group(1))) : DEFAULT_LIMIT;
  }
}
