package dev.octroi.api.websearch;

import dev.octroi.api.catalogue.Field;
import dev.octroi.services.websearch.Category;
import dev.octroi.services.websearch.PublishedDate;
import dev.octroi.services.websearch.SearchQuery;
import dev.octroi.services.websearch.SearchTerms;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    @Field("Published then or earlier") @Nullable String endPublishedDate) {

  /**
   * What it asks for.
   *
   * @throws dev.octroi.services.Failure 400 {@code query_too_long}, {@code invalid_params}
   */
  public SearchQuery asked() {
    return new SearchQuery(
        new SearchTerms(Objects.requireNonNull(query)),
        Optional.ofNullable(numResults).orElse(SearchQuery.DEFAULT_RESULTS),
        Optional.ofNullable(category).map(Category::of),
        date("startPublishedDate", startPublishedDate),
        date("endPublishedDate", endPublishedDate),
        Optional.empty());
  }

  private static Optional<PublishedDate> date(String name, @Nullable String text) {
    return Optional.ofNullable(text).map(given -> PublishedDate.parse(name, given));
  }
}
