package dev.octroi.api.websearch;

import dev.octroi.api.catalogue.Field;
import dev.octroi.services.websearch.SearchQuery;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code POST /find-similar} (specification, web search). */
public record SimilarBody(
    @Field(value = "An address", format = "uri") @NotBlank(message = "is required")
        @Nullable String url,
    @Field(value = "How many at most", byDefault = "" + SearchQuery.DEFAULT_RESULTS)
        @Min(value = 1, message = "is 1 to 100")
        @Max(value = 100, message = "is 1 to 100")
        @Nullable Integer numResults) {

  /**
   * The page.
   *
   * @throws dev.octroi.services.Failure 400 {@code invalid_url}
   */
  public String source() {
    return Urls.checked("url", Objects.requireNonNull(url));
  }

  public int results() {
    return Optional.ofNullable(numResults).orElse(SearchQuery.DEFAULT_RESULTS);
  }
}
