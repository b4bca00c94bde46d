package dev.octroi.api.websearch;

import dev.octroi.api.catalogue.Field;
import dev.octroi.services.websearch.SearchTerms;
import jakarta.validation.constraints.NotBlank;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /answer} (specification, web search). */
public record AnswerBody(
    @Field(value = "A question", longest = SearchTerms.LONGEST) @NotBlank(message = "is required")
        @Nullable String query) {

  /**
   * What it asks.
   *
   * @throws dev.octroi.services.Failure 400 {@code query_too_long}, {@code invalid_params}
   */
  public SearchTerms question() {
    return new SearchTerms(Objects.requireNonNull(query));
  }
}
