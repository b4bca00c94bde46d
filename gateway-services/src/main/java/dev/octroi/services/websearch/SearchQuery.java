package dev.octroi.services.websearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.Worded;
import dev.octroi.services.read.UpstreamJson;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A search of the web.
 *
 * @param results how many are wanted at most, 1 to {@link #MOST_RESULTS}
 * @param from published then or later
 * @param to published then or earlier
 * @param textCharacters how much of each page's text is wanted besides; empty for none
 */
public record SearchQuery(
    SearchTerms terms,
    int results,
    Optional<Category> category,
    Optional<PublishedDate> from,
    Optional<PublishedDate> to,
    Optional<Integer> textCharacters) {

  public static final int DEFAULT_RESULTS = 10;
  public static final int MOST_RESULTS = 100;

  /**
   * Checks what goes together.
   *
   * @throws Failure 400 {@code invalid_params} for a period that ends before it begins
   */
  public SearchQuery {
    if (from.isPresent() && to.isPresent() && to.get().instant().isBefore(from.get().instant())) {
      throw new Failure(ErrorCode.INVALID_PARAMS, "endPublishedDate is before startPublishedDate");
    }
  }

  /** A search without filters that brings the pages' texts along. */
  public static SearchQuery withTexts(SearchTerms terms, int results, int textCharacters) {
    return new SearchQuery(
        terms,
        results,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(textCharacters));
  }

  /** As the vendor takes it. */
  byte[] json() {
    ObjectNode query = UpstreamJson.record();
    query.put("query", terms.text()).put("numResults", results);
    category.ifPresent(one -> query.put("category", one.vendorWord()));
    from.ifPresent(date -> query.put("startPublishedDate", date.instant().toString()));
    to.ifPresent(date -> query.put("endPublishedDate", date.instant().toString()));
    textCharacters.ifPresent(
        most -> query.putObject("contents").putObject("text").put("maxCharacters", most));
    return UpstreamJson.bytes(query);
  }

  /**
   * The words that are searched for.
   *
   * @param text not blank, at most 10,000 characters (specification, query length)
   */
  public record SearchTerms(String text) {

    /** Unicode code points, as a caller counts them. */
    public static final int LONGEST = 10_000;

    /**
     * Checks the words.
     *
     * @throws Failure 400 {@code query_too_long}, or {@code invalid_params} for a blank query
     */
    public SearchTerms {
      if (text.isBlank()) {
        throw new Failure(ErrorCode.INVALID_PARAMS, "query is blank");
      }
      if (text.codePointCount(0, text.length()) > LONGEST) {
        throw new Failure(ErrorCode.QUERY_TOO_LONG, "query has more than 10,000 characters");
      }
    }
  }

  /**
   * A bound of a search in time: an ISO 8601 date, or a date and time; UTC where no zone is told.
   */
  public record PublishedDate(Instant instant) {

    private static final int LONGEST = 40;

    /**
     * Reads a date.
     *
     * @param name the parameter, for the message
     * @throws Failure 400 {@code invalid_params} naming the parameter
     */
    public static PublishedDate parse(String name, String text) {
      if (text.length() <= LONGEST) {
        try {
          return new PublishedDate(instant(text));
        } catch (DateTimeException unreadable) {
          // told below
        }
      }
      throw new Failure(ErrorCode.INVALID_PARAMS, name + " is an ISO 8601 date");
    }

    private static Instant instant(String text) {
      TemporalAccessor read =
          DateTimeFormatter.ISO_DATE_TIME.parseBest(
              text.contains("T") ? text : LocalDate.parse(text) + "T00:00:00",
              OffsetDateTime::from,
              LocalDateTime::from);
      return read instanceof OffsetDateTime zoned
          ? zoned.toInstant()
          : ((LocalDateTime) read).toInstant(ZoneOffset.UTC);
    }
  }

  /** What kind of page is looked for (specification, web search). */
  public enum Category implements Worded {
    COMPANY("company", "company"),
    RESEARCH_PAPER("research paper", "research paper"),
    NEWS("news", "news"),
    PDF("pdf", "pdf"),
    GITHUB("github", "github"),
    /** The vendor has renamed it since. */
    LINKEDIN_PROFILE("linkedin profile", "people"),
    FINANCIAL_REPORT("financial report", "financial report");

    private final String word;
    private final String vendorWord;

    Category(String word, String vendorWord) {
      this.word = word;
      this.vendorWord = vendorWord;
    }

    /**
     * The category of that word.
     *
     * @throws Failure 400 {@code invalid_params} for any other word
     */
    public static Category of(String word) {
      return Arrays.stream(values())
          .filter(category -> category.word.equals(word))
          .findFirst()
          .orElseThrow(
              () -> new Failure(ErrorCode.INVALID_PARAMS, "category is one of " + words()));
    }

    private static String words() {
      return Arrays.stream(values()).map(Category::word).collect(Collectors.joining(", "));
    }

    /** As the specification calls it. */
    @Override
    public String word() {
      return word;
    }

    String vendorWord() {
      return vendorWord;
    }
  }
}
