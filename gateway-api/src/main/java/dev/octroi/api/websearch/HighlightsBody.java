package dev.octroi.api.websearch;

import dev.octroi.api.catalogue.Field;
import dev.octroi.services.websearch.HighlightQuery;
import dev.octroi.services.websearch.SearchTerms;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
   * @throws dev.octroi.services.Failure 400 {@code query_too_long}, {@code invalid_url}, {@code
   *     invalid_params}
   */
  public HighlightQuery asked() {
    return new HighlightQuery(
        new SearchTerms(Objects.requireNonNull(query)),
        Urls.checked("ids", Objects.requireNonNull(ids)),
        Optional.ofNullable(numSentences),
        Optional.ofNullable(highlightsPerUrl));
  }
}
