package dev.octroi.api.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.relay.ModelAnswer;
import dev.octroi.services.language.relay.ModelCall;
import dev.octroi.services.smartsearch.SmartQuery;
import dev.octroi.services.smartsearch.SmartSearch;
import dev.octroi.services.smartsearch.Summary;
import dev.octroi.services.smartsearch.SummaryStream;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Serves smart searches: as a record of their own, and as answers of the model {@code auto/search}.
 * Thread-safe.
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
