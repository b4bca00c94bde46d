package dev.octroi.api.websearch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.catalogue.Field;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.group.GroupContext.CallDeadlines;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.read.PostedJson.Answers;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Paid;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.web.WebAddress;
import dev.octroi.services.websearch.AnswerQuery;
import dev.octroi.services.websearch.HighlightQuery;
import dev.octroi.services.websearch.PageContents;
import dev.octroi.services.websearch.ResultContents;
import dev.octroi.services.websearch.SearchQuery;
import dev.octroi.services.websearch.SearchQuery.Category;
import dev.octroi.services.websearch.SearchQuery.PublishedDate;
import dev.octroi.services.websearch.SearchQuery.SearchFilter;
import dev.octroi.services.websearch.SearchQuery.SearchTerms;
import dev.octroi.services.websearch.SearchQuery.SearchType;
import dev.octroi.services.websearch.VendorWebSearch;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The web-search group. */
@Path(WebSearchGroup.BASE)
@Consumes(MediaType.APPLICATION_JSON)
public class WebSearchResource {

  private final WebSearchService web;

  public WebSearchResource(@Context Providers providers) {
    web = Mounted.of(providers, WebSearchService.class);
  }

  @POST
  @Path("search")
  @Sold(
      about = "Web search: finds pages by meaning.",
      body = SearchBody.class,
      example = "{\"query\":\"pay-per-call gateways\",\"numResults\":3}")
  @Paid(by = SearchTariff.class)
  @Described(
      more = "A search for many results costs what the vendor bills for it.",
      answerSchema = "SearchResults")
  public Response search(byte[] body, @Context SecurityContext security) {
    return web.answer(
        SearchBody.class,
        body,
        security,
        (asked, deadline) -> web.vendor().search(asked.asked(), deadline));
  }

  @POST
  @Path("find-similar")
  @Sold(
      about = "Web search: finds pages that are like a page.",
      body = SimilarBody.class,
      example = "{\"url\":\"https://example.com/\"}")
  @Paid(by = SearchTariff.class)
  @Described(
      more =
          "A search for many results costs what the vendor bills for it. 404 and free unless it is"
              + " switched on.",
      answerSchema = "SimilarResults")
  public Response findSimilar(byte[] body, @Context SecurityContext security) {
    return web.answer(
        SimilarBody.class,
        body,
        security,
        (asked, deadline) ->
            web.vendor().findSimilar(asked.source(), asked.results(), asked.wanted(), deadline));
  }

  @POST
  @Path("contents")
  @Sold(
      about = "Web search: the text of pages, by their addresses.",
      body = ContentsBody.class,
      example = "{\"ids\":[\"https://example.com/\"]}")
  @Paid(by = SearchTariff.class)
  @Described(more = "Many pages cost what the vendor bills for them.", answerSchema = "Contents")
  public Response contents(byte[] body, @Context SecurityContext security) {
    return web.answer(
        ContentsBody.class,
        body,
        security,
        (asked, deadline) -> web.contents().contents(asked.pages(), deadline),
        "urls");
  }

  @POST
  @Path("answer")
  @Sold(
      about = "Web search: a short answer to a question, with its sources.",
      body = AnswerBody.class,
      example = "{\"query\":\"What is a pay-per-call gateway?\"}")
  @Paid(ListPrices.ANSWER)
  @Described(
      answerSchema = "WebAnswer",
      answerTypes = {"application/json", "text/event-stream"})
  public Response answer(byte[] body, @Context SecurityContext security) {
    return web.answer(
        AnswerBody.class,
        body,
        security,
        (asked, deadline) -> web.vendor().answer(asked.asked(web.answerModel()), deadline));
  }

  @POST
  @Path("highlights")
  @Sold(
      about = "Web search: the passages of pages that matter to a query.",
      body = HighlightsBody.class,
      example = "{\"query\":\"price\",\"ids\":[\"https://example.com/\"]}")
  @Paid(by = SearchTariff.class)
  @Described(more = "Many pages cost what the vendor bills for them.", answerSchema = "Highlights")
  public Response highlights(byte[] body, @Context SecurityContext security) {
    return web.answer(
        HighlightsBody.class,
        body,
        security,
        (asked, deadline) -> web.vendor().highlights(asked.asked(), deadline));
  }

  /** {@code POST /answer} (specification, web search). */
  public record AnswerBody(
      @Field(value = "A question", longest = SearchTerms.LONGEST) @NotBlank(message = "is required")
          @Nullable String query,
      @Field("Whether `citations` with their texts are wanted besides") @Nullable Boolean text,
      @Field("Whether it is wanted as an event stream") @Nullable Boolean stream,
      @Field("As the vendor's clients call it") @Nullable String model) {

    /**
     * What it asks. Who asks with a member of the vendor's is answered with its members too.
     *
     * @param only the model that answers
     * @throws Failure 400 {@code query_too_long}, {@code invalid_params}
     */
    public AnswerQuery asked(String only) {
      if (model != null && !model.equals(only)) {
        throw Failure.invalid("model is the one that answers here");
      }
      return new AnswerQuery(
          new SearchTerms(Objects.requireNonNull(query)),
          Boolean.TRUE.equals(text),
          text != null || stream != null || model != null,
          Boolean.TRUE.equals(stream));
    }
  }

  /** {@code POST /contents}; a member {@code urls} is ignored (specification, web search). */
  public record ContentsBody(
      @Field(value = "Addresses")
          @NotEmpty(message = "is required; urls is not read")
          @Size(max = 100, message = "has 1 to 100 addresses")
          @Nullable List<@NotBlank(message = "is required") String> ids) {

    /**
     * The pages.
     *
     * @throws Failure 400 {@code invalid_url}
     */
    public List<String> pages() {
      return Urls.checked("ids", Objects.requireNonNull(ids));
    }
  }

  /** {@code POST /highlights} (decisions, {@code highlights}). */
  public record HighlightsBody(
      @Field(value = "What is looked for", longest = SearchTerms.LONGEST)
          @NotBlank(message = "is required")
          @Nullable String query,
      @Field(value = "Addresses")
          @NotEmpty(message = "is required")
          @Size(max = 100, message = "has 1 to 100 addresses")
          @Nullable List<@NotBlank(message = "is required") String> ids,
      @Min(value = 1, message = "is 1 to 20") @Max(value = 20, message = "is 1 to 20")
          @Nullable Integer numSentences,
      @Min(value = 1, message = "is 1 to 20") @Max(value = 20, message = "is 1 to 20")
          @Nullable Integer highlightsPerUrl) {

    /**
     * What it asks for.
     *
     * @throws Failure 400 {@code query_too_long}, {@code invalid_url}, {@code invalid_params}
     */
    public HighlightQuery asked() {
      return new HighlightQuery(
          new SearchTerms(Objects.requireNonNull(query)),
          Urls.checked("ids", Objects.requireNonNull(ids)),
          Optional.ofNullable(numSentences),
          Optional.ofNullable(highlightsPerUrl));
    }
  }

  /** {@code POST /find-similar} (specification, web search). */
  public record SimilarBody(
      @Field(value = "An address", format = "uri") @NotBlank(message = "is required")
          @Nullable String url,
      @Field(value = "How many at most", byDefault = "" + SearchQuery.DEFAULT_RESULTS)
          @Min(value = 1, message = "is 1 to 100")
          @Max(value = 100, message = "is 1 to 100")
          @Nullable Integer numResults,
      @Field("What is wanted of the pages besides: `text`, `highlights`")
          @Nullable JsonNode contents) {

    ResultContents wanted() {
      return Contents.of(contents);
    }

    /**
     * The page.
     *
     * @throws Failure 400 {@code invalid_url}
     */
    public String source() {
      return Urls.checked("url", Objects.requireNonNull(url));
    }

    public int results() {
      return Optional.ofNullable(numResults).orElse(SearchQuery.DEFAULT_RESULTS);
    }
  }

  /**
   * Serves the methods of web search.
   *
   * @param search the search vendor, if there is one
   * @param contents where the contents of pages come from
   * @param answerModel what the vendor's clients call the model that answers
   * @param limit how long a call may take
   * @param bodies reads what is asked
   * @param deadlines the clock of payments
   */
  record WebSearchService(
      Optional<VendorWebSearch> search,
      PageContents contents,
      String answerModel,
      Duration limit,
      BodyReader bodies,
      CallDeadlines deadlines) {

    /** The vendor, without whom calls that need it are not served. */
    VendorWebSearch vendor() {
      return search.orElseThrow(
          () -> new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "There is no search vendor"));
    }

    <T extends Record> Response answer(
        Class<T> type,
        byte[] body,
        SecurityContext security,
        BiFunction<T, Deadline, Answer> method,
        String... ignored) {
      T asked = bodies.exact(body, type, ignored);
      return Answers.response(method.apply(asked, deadlines.of(security, limit)));
    }
  }

  /** What is wanted of pages besides. */
  private static final class Contents {

    private Contents() {}

    static ResultContents of(@Nullable JsonNode given) {
      return given == null ? ResultContents.NONE : ResultContents.read(given);
    }
  }

  /** Addresses in bodies: 400 {@code invalid_url} for what is none. */
  static final class Urls {

    private Urls() {}

    static String checked(String name, String url) {
      if (WebAddress.of(url).isEmpty()) {
        throw new Failure(ErrorCode.INVALID_URL, name + " is an http or https address");
      }
      return url;
    }

    static List<String> checked(String name, List<String> urls) {
      urls.forEach(url -> checked("each of " + name, url));
      return List.copyOf(urls);
    }
  }

  /** {@code POST /search} (specification, web search). */
  public record SearchBody(
      @Field(value = "What is looked for", longest = SearchTerms.LONGEST)
          @NotBlank(message = "is required")
          @Nullable String query,
      @Field(value = "How many at most", byDefault = "" + SearchQuery.DEFAULT_RESULTS)
          @Min(value = 1, message = "is 1 to 100")
          @Max(value = 100, message = "is 1 to 100")
          @Nullable Integer numResults,
      @Field(value = "What kind of page", words = Category.class) @Nullable String category,
      @Field("Published then or later: an ISO 8601 date, or date and time")
          @Nullable String startPublishedDate,
      @Field("Published then or earlier") @Nullable String endPublishedDate,
      @Field(value = "How it is searched", words = SearchType.class) @Nullable String type,
      @Field("The only domains that are wanted")
          @Size(max = 100, message = "has at most 100 domains")
          @Nullable
              List<
                  @NotNull(message = "is a domain")
                  @Pattern(regexp = DOMAIN, message = "is a domain") String>
              includeDomains,
      @Field("Domains that are not wanted") @Size(max = 100, message = "has at most 100 domains")
          @Nullable
              List<
                  @NotNull(message = "is a domain")
                  @Pattern(regexp = DOMAIN, message = "is a domain") String>
              excludeDomains,
      @Field("What is wanted of the pages besides: `text`, `highlights`")
          @Nullable JsonNode contents) {

    private static final String DOMAIN = "[!-~]{1,253}";

    public int results() {
      return Optional.ofNullable(numResults).orElse(SearchQuery.DEFAULT_RESULTS);
    }

    /**
     * What it asks for.
     *
     * @throws Failure 400 {@code query_too_long}, {@code invalid_params}
     */
    public SearchQuery asked() {
      return new SearchQuery(
          new SearchTerms(Objects.requireNonNull(query)),
          results(),
          Optional.ofNullable(type).map(SearchType::of),
          new SearchFilter(
              Optional.ofNullable(category).map(Category::of),
              date("startPublishedDate", startPublishedDate),
              date("endPublishedDate", endPublishedDate),
              Objects.requireNonNullElse(includeDomains, List.of()),
              Objects.requireNonNullElse(excludeDomains, List.of())),
          Contents.of(contents));
    }

    private static Optional<PublishedDate> date(String name, @Nullable String text) {
      return Optional.ofNullable(text).map(given -> PublishedDate.parse(name, given));
    }
  }
}
