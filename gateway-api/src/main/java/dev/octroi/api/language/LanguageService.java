package dev.octroi.api.language;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.group.GroupContext.CallDeadlines;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.language.SmartSearchResource.SmartSearchService;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Usd;
import dev.octroi.services.Deadline;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.price.TokenQuote;
import dev.octroi.services.language.relay.LanguageModels;
import dev.octroi.services.language.relay.LanguageModels.ModelAnswer;
import dev.octroi.services.language.relay.LanguageModels.ModelCall;
import dev.octroi.services.language.relay.ModelStream;
import dev.octroi.services.language.translation.Translation.Protocols;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.Providers;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves calls of language models, whatever protocol they come in. Thread-safe.
 *
 * @param list all that may be named as a model
 * @param limit how long a call may take, if its payment lives that long
 * @param search answers what is asked of the model {@code auto/search}
 */
record LanguageService(
    LanguageModels models,
    ModelList list,
    Duration limit,
    CallDeadlines deadlines,
    SmartSearchService search) {

  /** The name of the model that answered, where its own protocol may not tell. */
  static final String MODEL = "X-Model";

  /** What the model did not take as the caller wrote it: {@code name=value} or {@code name}. */
  static final String ADAPTED = "X-Adapted";

  static LanguageService of(@Context Providers providers) {
    return Mounted.of(providers, LanguageService.class);
  }

  Response answer(Dialect dialect, byte[] body, SecurityContext security) {
    return answer(dialect, body, List.of(), security);
  }

  /**
   * Answers a call.
   *
   * @param betas as {@link LanguageModels#prepare(Dialect, byte[], List)}
   */
  Response answer(Dialect dialect, byte[] body, List<String> betas, SecurityContext security) {
    Optional<Payment> payment = Payment.of(security.getUserPrincipal());
    try {
      ModelCall call =
          payment
              .flatMap(paid -> paid.noted(ModelCall.class))
              .orElseGet(() -> models.prepare(dialect, body, betas));
      if (call.searches()) {
        return search.answer(call, deadline(payment));
      }
      return response(call, models.answer(call, deadline(payment)), payment);
    } catch (InvalidPrompt invalid) {
      return Problems.response(dialect, invalid.problem());
    }
  }

  /** How many tokens a prompt has at most, under the name that its protocol has for it. */
  Response count(Dialect dialect, byte[] body) {
    try {
      ObjectNode count = LanguageJson.object();
      if (dialect == Dialect.RESPONSES) {
        count.put("object", "response.input_tokens");
      }
      count.put("input_tokens", models.count(dialect, body));
      return Response.ok(LanguageJson.bytes(count), MediaType.APPLICATION_JSON_TYPE).build();
    } catch (InvalidPrompt invalid) {
      return Problems.response(dialect, invalid.problem());
    }
  }

  Deadline deadline(Optional<Payment> payment) {
    return deadlines.of(payment, limit);
  }

  private static Response response(ModelCall call, ModelAnswer answer, Optional<Payment> payment) {
    if (answer instanceof ModelAnswer.Whole whole) {
      byte[] body =
          UsageCost.into(whole.body(), payment.map(paid -> charge(paid, call, whole.micros())));
      return adapted(whole.changes(), Response.ok(body, MediaType.APPLICATION_JSON_TYPE))
          .header(MODEL, whole.model())
          .build();
    }
    if (answer instanceof ModelAnswer.Streamed streamed) {
      ModelStream stream = streamed.stream();
      return adapted(
              streamed.changes(),
              Response.ok(
                  new ModelOutput(stream, call, payment), MediaType.SERVER_SENT_EVENTS_TYPE))
          .header(MODEL, stream.model())
          .header(Payment.METERED, "true")
          .build();
    }
    ModelAnswer.Refused refused = (ModelAnswer.Refused) answer;
    return Problems.response(refused.problem(), refused.body());
  }

  private static Response.ResponseBuilder adapted(
      List<String> changes, Response.ResponseBuilder response) {
    return changes.isEmpty() ? response : response.header(ADAPTED, String.join(", ", changes));
  }

  /**
   * An operator's own price of the whole call stands; the list's is for tokens that are used. A
   * free model that took the place of the one that was sold costs the least that a call costs.
   */
  private static Usd charge(Payment payment, ModelCall call, long micros) {
    return payment.quote().micros() == call.micros()
        ? payment.charge(new Usd(Math.max(micros, TokenQuote.LEAST_MICROS)))
        : payment.quote();
  }

  /**
   * A streamed answer on its way out. Closed where it may not leave after all, so that its upstream
   * does not wait for a reader who never comes.
   */
  private record ModelOutput(ModelStream stream, ModelCall call, Optional<Payment> payment)
      implements StreamingOutput, Closeable {

    @Override
    public void write(OutputStream out) throws IOException {
      try {
        stream.writeTo(UsageCost.events(new Metered(out), this::charge));
      } finally {
        charge();
      }
    }

    /**
     * States the charge by now; the last one is of all that has left, or that the reader waited
     * for. A signed quote was charged before.
     */
    private Optional<Usd> charge() {
      return payment.map(
          paid ->
              paid.chargesUse()
                  ? LanguageService.charge(paid, call, stream.micros())
                  : paid.quote());
    }

    @Override
    public void close() {
      stream.close();
    }

    /** States the charge as the stream leaves, for a reader who stops to read. */
    private final class Metered extends FilterOutputStream {

      Metered(OutputStream out) {
        super(out);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        var unused = charge();
      }
    }
  }

  /**
   * Tells the caller in an answer's {@code usage} what the call is charged: {@code cost}, in
   * dollars. What the vendor charges the seller is taken out, because it concerns no caller.
   */
  static final class UsageCost {

    private static final String USAGE = "usage";
    private static final String DATA = "data:";
    private static final List<String> VENDORS = List.of("cost", "cost_details", "is_byok");

    private UsageCost() {}

    /**
     * A whole answer, or the data of an event.
     *
     * @param cost empty for a free model
     * @return the same array where it has no usage
     */
    static byte[] into(byte[] json, Optional<Usd> cost) {
      JsonNode tree = LanguageJson.tree(json);
      JsonNode usage = tree.path(USAGE).isObject() ? tree.path(USAGE) : tree.at("/response/usage");
      if (!(usage instanceof ObjectNode members)) {
        return json;
      }
      members.remove(VENDORS);
      BigDecimal dollars = cost.map(Usd::dollars).map(BigDecimal::new).orElse(BigDecimal.ZERO);
      members.set("cost", DecimalNode.valueOf(dollars));
      return LanguageJson.bytes(tree);
    }

    /**
     * A stream that is written in whole events.
     *
     * @param cost what the call is charged by the time that an event is written
     */
    static OutputStream events(OutputStream out, Supplier<Optional<Usd>> cost) {
      return new Events(out, cost);
    }

    private static final class Events extends FilterOutputStream {

      private final Supplier<Optional<Usd>> cost;

      Events(OutputStream out, Supplier<Optional<Usd>> cost) {
        super(out);
        this.cost = cost;
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        // One character a byte: what is no usage leaves as it came, whatever its encoding.
        String events = new String(bytes, offset, length, ISO_8859_1);
        if (!events.contains("\"" + USAGE + "\"")) {
          out.write(bytes, offset, length);
          return;
        }
        StringBuilder told = new StringBuilder(length + 32);
        for (String line : events.split("(?<=\n)")) {
          told.append(line.startsWith(DATA) ? told(line) : line);
        }
        out.write(told.toString().getBytes(ISO_8859_1));
      }

      private String told(String line) {
        String text = line.stripTrailing();
        byte[] data = text.substring(DATA.length()).getBytes(ISO_8859_1);
        byte[] with = into(data, cost.get());
        return data == with
            ? line
            : DATA + " " + new String(with, ISO_8859_1) + line.substring(text.length());
      }
    }
  }

  /** Errors in the words of the caller's protocol. */
  static final class Problems {

    private static final int UNAVAILABLE = 503;

    private Problems() {}

    static Response response(Dialect dialect, Problem problem) {
      return response(problem, Protocols.of(dialect).writeError(problem));
    }

    static Response response(Problem problem, byte[] body) {
      Response.ResponseBuilder response =
          Response.status(problem.status())
              .entity(new ErrorAnswer.Written(body, problem.message()))
              .type(MediaType.APPLICATION_JSON_TYPE)
              .header(HttpHeaders.CACHE_CONTROL, "no-store");
      if (problem.status() == UNAVAILABLE) {
        response.header(HttpHeaders.RETRY_AFTER, 1);
      }
      return response.build();
    }
  }
}
