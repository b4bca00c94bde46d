package dev.octroi.services.cryptodata;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.cryptodata.QuestionTranslator.Question;
import dev.octroi.services.cryptodata.QuestionTranslator.SchemaTable;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The plain case of translation, word by word and without a model:
 *
 * <ul>
 *   <li>the table is the caller's source, or the one that shares most words with the question;
 *   <li>columns that the question names are the fields; if it names none, all of them;
 *   <li>a column with a comparison and a value is a condition, and so is a time ("in the last 7
 *       days", "today");
 *   <li>"top", "largest", "highest" or "most … by column" sorts by it, descending, and "lowest",
 *       "smallest" or "least" ascending; "latest" or "newest" sorts by the table's time,
 *       descending, and "oldest" or "earliest" ascending;
 *   <li>a number beside such a word is the limit, unless the caller gave one; else 20.
 * </ul>
 *
 * <p>Every word must mean something: a question that says more than that is refused, because a
 * condition that is left out would be charged for all the same. Thread-safe.
 */
public final class WordTranslator implements QuestionTranslator {

  private static final Pattern WORD = Pattern.compile("[a-z0-9_]+");
  private static final int MOST_LISTED = 100;

  private final Clock clock;

  /** The clock says what "today" is. */
  public WordTranslator(Clock clock) {
    this.clock = clock;
  }

  @Override
  public StructuredQuery translate(Question question, List<SchemaTable> schema, Deadline deadline) {
    SchemaTable table =
        question
            .source()
            .map(source -> named(source, schema))
            .orElseGet(() -> likeliest(words(question.text()), schema));
    return new Sentence(question.text(), table, clock.instant()).query(question.limit());
  }

  /** The words of a text in lower case. */
  static Set<String> words(String text) {
    return WORD.matcher(text.toLowerCase(Locale.ROOT))
        .results()
        .map(word -> word.group())
        .collect(Collectors.toSet());
  }

  private static SchemaTable named(String source, List<SchemaTable> schema) {
    if (schema.isEmpty()) {
      return new SchemaTable(TableNames.vendors(source), List.of());
    }
    return schema.stream()
        .filter(table -> table.isNamed(source))
        .findFirst()
        .orElseThrow(() -> unknown("source is none of the tables", schema));
  }

  private static SchemaTable likeliest(Set<String> words, List<SchemaTable> schema) {
    long most = schema.stream().mapToLong(table -> shared(words, table)).max().orElse(0);
    List<SchemaTable> fitting =
        schema.stream().filter(table -> most > 0 && shared(words, table) == most).toList();
    if (fitting.size() != 1) {
      throw fitting.isEmpty()
          ? unknown("source is required, as no table fits the question", schema)
          : unknown("source is required, as several tables fit the question", fitting);
    }
    return fitting.get(0);
  }

  /** Says which tables there are. */
  static Failure unknown(String message, List<SchemaTable> tables) {
    String names =
        tables.stream()
            .map(table -> TableNames.callers(table.source()))
            .sorted()
            .limit(MOST_LISTED)
            .collect(Collectors.joining(", "));
    return Failure.invalid(message + ": " + names);
  }

  /** How many words of the table's name are among the words. */
  static long shared(Set<String> words, SchemaTable table) {
    Set<String> singular = words.stream().map(Sentence::singular).collect(Collectors.toSet());
    return Arrays.stream(table.source().toLowerCase(Locale.ROOT).split("[._]", -1))
        .map(Sentence::singular)
        .filter(singular::contains)
        .count();
  }
}
