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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A search of the web.
 *
 * @param results how many are wanted at most, 1 to {@link #MOST_RESULTS}
 * @param type how it is searched; the vendor's choice if empty
 * @param filter which pages are wanted
 * @param contents what is wanted of them besides
 */
public record SearchQuery(
    SearchTerms terms,
    int results,
    Optional<SearchType> type,
    SearchFilter filter,
    ResultContents contents) {

  public static final int DEFAULT_RESULTS = 10;
  public static final int MOST_RESULTS = 100;

  /** A search without filters that brings the pages' texts along. */
  public static SearchQuery withTexts(SearchTerms terms, int results, int textCharacters) {
    return new SearchQuery(
        terms, results, Optional.empty(), SearchFilter.NONE, ResultContents.texts(textCharacters));
  }

  /**
   * As the vendor takes it.
   *
   * @param beyond the words of categories that it takes beyond its public contract
   * @throws Failure 400 {@code invalid_params} for a category that it cannot tell apart
   */
  byte[] json(Set<String> beyond) {
    ObjectNode query = UpstreamJson.record();
    query.put("query", terms.text()).put("numResults", results);
    type.ifPresent(one -> query.put("type", one.word()));
    filter.put(query, beyond);
    contents.put(query);
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
        throw Failure.invalid("query is blank");
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
      throw Failure.invalid(name + " is an ISO 8601 date");
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

  /**
   * Which pages are wanted.
   *
   * @param from published then or later
   * @param to published then or earlier
   * @param domains the only ones that pages are wanted of; any if empty
   * @param excluded domains that no page is wanted of
   */
  public record SearchFilter(
      Optional<Category> category,
      Optional<PublishedDate> from,
      Optional<PublishedDate> to,
      List<String> domains,
      List<String> excluded) {

    /** Any page. */
    public static final SearchFilter NONE =
        new SearchFilter(
            Optional.empty(), Optional.empty(), Optional.empty(), List.of(), List.of());

    private static final String FROM = "startPublishedDate";
    private static final String TO = "endPublishedDate";
    private static final String DOMAINS = "includeDomains";
    private static final String EXCLUDED = "excludeDomains";

    /** Where the vendor's people are. */
    private static final Pattern PROFILES =
        Pattern.compile("(?i)(https?://)?([a-z0-9-]+\\.)*linkedin\\.com(/.*)?");

    /**
     * Checks what goes together, as the vendor does.
     *
     * @throws Failure 400 {@code invalid_params}, naming what does not
     */
    public SearchFilter {
      domains = List.copyOf(domains);
      excluded = List.copyOf(excluded);
      if (from.isPresent() && to.isPresent() && to.get().instant().isBefore(from.get().instant())) {
        throw Failure.invalid(TO + " is before " + FROM);
      }
      if (category.isPresent()) {
        check(category.get(), from.isPresent(), to.isPresent(), domains, excluded);
      }
    }

    private static void check(
        Category category, boolean from, boolean to, List<String> domains, List<String> excluded) {
      refuse(category, FROM, from && category.isOfEntities());
      refuse(category, TO, to && category.isOfEntities());
      refuse(category, EXCLUDED, !excluded.isEmpty() && category.isOfEntities());
      refuse(category, DOMAINS, !domains.isEmpty() && category == Category.GITHUB);
      boolean elsewhere = !domains.stream().allMatch(PROFILES.asMatchPredicate());
      refuse(category, DOMAINS + " of other sites", elsewhere && category.isOfPeople());
    }

    private static void refuse(Category category, String name, boolean given) {
      if (given) {
        throw Failure.invalid("category " + category.word() + " takes no " + name);
      }
    }

    private void put(ObjectNode query, Set<String> beyond) {
      category.ifPresent(one -> one.put(query, beyond));
      from.ifPresent(date -> query.put(FROM, date.instant().toString()));
      to.ifPresent(date -> query.put(TO, date.instant().toString()));
      if (!domains.isEmpty()) {
        domains.forEach(query.putArray(DOMAINS)::add);
      }
      if (!excluded.isEmpty()) {
        excluded.forEach(query.putArray(EXCLUDED)::add);
      }
    }
  }

  /** How it is searched. What costs the gateway more than a search's price is not among them. */
  public enum SearchType implements Worded {
    AUTO,
    FAST,
    INSTANT,
    NEURAL,
    KEYWORD,
    HYBRID;

    /**
     * The type of that word.
     *
     * @throws Failure 400 {@code invalid_params} for any other word
     */
    public static SearchType of(String word) {
      return Words.of("type", values(), word);
    }

    @Override
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What kind of page is looked for (specification, web search). */
  public enum Category implements Worded {
    COMPANY("company", "company"),
    RESEARCH_PAPER("research paper", "publication"),
    NEWS("news", "news"),
    PDF("pdf", ""),
    GITHUB("github", ""),
    LINKEDIN_PROFILE("linkedin profile", "people"),
    FINANCIAL_REPORT("financial report", "financial report");

    private static final String REPOSITORIES = "github.com";

    private final String word;

    /** Empty where the vendor has no such category any more. */
    private final String vendorWord;

    Category(String word, String vendorWord) {
      this.word = word;
      this.vendorWord = vendorWord;
    }

    /**
     * The category that the specification, or the vendor, names so.
     *
     * @throws Failure 400 {@code invalid_params} for any other word
     */
    public static Category of(String word) {
      return Arrays.stream(values())
          .filter(category -> category.vendorWord.equals(word) && !word.isEmpty())
          .findFirst()
          .orElseGet(() -> Words.of("category", values(), word));
    }

    /** The words of those that the vendor's public contract has not. */
    public static Set<String> beyondContract() {
      return Arrays.stream(values())
          .filter(category -> category.vendorWord.isEmpty())
          .map(Category::word)
          .collect(Collectors.toUnmodifiableSet());
    }

    /** As the specification calls it. */
    @Override
    public String word() {
      return word;
    }

    private boolean isOfPeople() {
      return vendorWord.equals("people");
    }

    /** What is found is no page, but who is behind it: the vendor then takes few filters. */
    private boolean isOfEntities() {
      return this == COMPANY || isOfPeople();
    }

    private void put(ObjectNode query, Set<String> beyond) {
      if (!vendorWord.isEmpty()) {
        query.put("category", vendorWord);
      } else if (beyond.contains(word)) {
        query.put("category", word);
      } else if (this == GITHUB) {
        query.putArray(SearchFilter.DOMAINS).add(REPOSITORIES);
      } else {
        throw Failure.invalid(
            "category " + word + " is none that this gateway's vendor tells apart");
      }
    }
  }

  /** Constants by their words. */
  private static final class Words {

    private Words() {}

    static <T extends Worded> T of(String name, T[] all, String word) {
      return Arrays.stream(all)
          .filter(one -> one.word().equals(word))
          .findFirst()
          .orElseThrow(
              () ->
                  Failure.invalid(
                      Arrays.stream(all)
                          .map(Worded::word)
                          .collect(Collectors.joining(", ", name + " is one of ", ""))));
    }
  }
}
