package dev.octroi.api.language;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Field;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.relay.LanguageModels.ModelAnswer;
import dev.octroi.services.language.relay.LanguageModels.ModelCall;
import dev.octroi.services.language.route.Router.Route;
import dev.octroi.services.language.translation.Translation.Protocols;
import dev.octroi.services.smartsearch.SmartSearch;
import dev.octroi.services.smartsearch.SmartSearch.SmartQuery;
import dev.octroi.services.smartsearch.SmartSearch.Summary;
import dev.octroi.services.smartsearch.SummaryStream;
import dev.octroi.services.websearch.SearchQuery.SearchTerms;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.Providers;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Smart search: a summary of what the web says, with the pages that say it. */
@Path(SmartSearchGroup.BASE)
public class SmartSearchResource {

  private final LanguageService service;

  public SmartSearchResource(@Context Providers providers) {
    service = LanguageService.of(providers);
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Sold(
      about = "Smart search: a written summary of what the web says, with citations.",
      body = SmartSearchBody.class,
      example = "{\"query\":\"What is a pay-per-call gateway?\"}")
  @Paid(by = SmartSearchTariff.class)
  @Described(answerSchema = "SmartSearchResult")
  public Response search(byte[] body, @Context SecurityContext security) {
    return service.search().answer(body, service.deadline(Payment.of(security.getUserPrincipal())));
  }

  /** The price of a smart search, whatever it asks (decisions, smart search). */
  public static final class SmartSearchTariff implements Tariff {

    private final Usd price;

    public SmartSearchTariff(Usd price) {
      this.price = price;
    }

    @Override
    public Usd price(PricedRequest request) {
      return price;
    }
  }

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
        throw Failure.invalid("query is required, or messages");
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

  /**
   * Serves smart searches: as a record of their own, and as answers of the model {@code
   * auto/search}. Thread-safe.
   *
   * @param search empty where there is no search vendor
   * @param bodies reads what is asked
   */
  public record SmartSearchService(Optional<SmartSearch> search, BodyReader bodies) {

    private static final String MAX_RESULTS = "max_results";

    /** {@code POST /v1/search}. */
    Response answer(byte[] body, Deadline deadline) {
      SmartQuery query = bodies.read(body, SmartSearchBody.class).asked(body);
      Summary summary = open().summary(query, deadline);
      ObjectNode record = LanguageJson.object().put("query", query.terms().text());
      record.put("summary", summary.text());
      ArrayNode citations = record.putArray("citations");
      summary
          .citations()
          .forEach(one -> citations.addObject().put("title", one.title()).put("url", one.url()));
      record.put("sources_used", citations.size());
      return Response.ok(LanguageJson.bytes(record), MediaType.APPLICATION_JSON_TYPE)
          .header(LanguageService.MODEL, summary.model())
          .build();
    }

    /**
     * A call of the model {@code auto/search}, whose price is the search's and no matter of tokens.
     */
    Response answer(ModelCall call, Deadline deadline) {
      SmartQuery query = SmartQuery.of(call.prompt(), results(call.body()));
      if (call.prompt().streaming().on()) {
        SummaryStream stream = open().stream(call, query, deadline);
        return Response.ok(new Output(stream), MediaType.SERVER_SENT_EVENTS_TYPE)
            .header(LanguageService.MODEL, stream.model())
            .build();
      }
      ModelAnswer.Whole whole = open().answer(call, query, deadline);
      return Response.ok(whole.body(), MediaType.APPLICATION_JSON_TYPE)
          .header(LanguageService.MODEL, whole.model())
          .build();
    }

    /** Closed where it may not leave after all: its model does not wait for a reader. */
    private record Output(SummaryStream stream) implements StreamingOutput, Closeable {

      @Override
      public void write(OutputStream out) throws IOException {
        stream.writeTo(out);
      }

      @Override
      public void close() {
        stream.close();
      }
    }

    private SmartSearch open() {
      return search.orElseThrow(
          () -> new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "This gateway has no search vendor"));
    }

    private static int results(byte[] body) {
      JsonNode most = LanguageJson.tree(body).path(MAX_RESULTS);
      if (most.isMissingNode() || most.isNull()) {
        return SmartQuery.DEFAULT_RESULTS;
      }
      if (!most.isInt()) {
        throw new InvalidPrompt(MAX_RESULTS, MAX_RESULTS + " is a number");
      }
      return most.intValue();
    }
  }
}
