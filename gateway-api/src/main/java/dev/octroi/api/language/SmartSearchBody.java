package dev.octroi.api.language;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.catalogue.Field;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.route.Route;
import dev.octroi.services.language.translation.Protocols;
import dev.octroi.services.smartsearch.SmartQuery;
import dev.octroi.services.websearch.SearchTerms;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/search}: a query, or a talk whose last user turn is it (decisions). */
public record SmartSearchBody(
    @Field(value = "A question; or `messages`", longest = SearchTerms.LONGEST)
        @Nullable String query,
    @Nullable JsonNode messages,
    @Field(
            value = "Pages that are read at most",
            least = 1,
            most = SmartQuery.MOST_RESULTS,
            byDefault = "" + SmartQuery.DEFAULT_RESULTS)
        @JsonProperty("max_results")
        @Nullable Integer results) {

  /**
   * What it asks.
   *
   * @param body the same as bytes
   * @throws Failure 400 {@code query_too_long}, {@code invalid_params}, {@code model_not_found}
   */
  public SmartQuery asked(byte[] body) {
    int most = Optional.ofNullable(results).orElse(SmartQuery.DEFAULT_RESULTS);
    if (query != null) {
      return new SmartQuery(new SearchTerms(query), most);
    }
    if (messages == null) {
      throw new Failure(ErrorCode.INVALID_PARAMS, "query is required, or messages");
    }
    try {
      Prompt prompt = Protocols.of(Dialect.CHAT).readPrompt(body);
      if (!prompt.model().equals(Route.SEARCH.id())) {
        throw new Failure(ErrorCode.MODEL_NOT_FOUND, "model is " + Route.SEARCH.id() + " here");
      }
      return SmartQuery.of(prompt, most);
    } catch (InvalidPrompt invalid) {
      throw new Failure(ErrorCode.INVALID_PARAMS, invalid.problem().message(), null, invalid);
    }
  }
}
