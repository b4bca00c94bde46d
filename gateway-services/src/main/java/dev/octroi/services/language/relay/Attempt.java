package dev.octroi.services.language.relay;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.relay.LanguageModels.LanguageSettings;
import dev.octroi.services.language.relay.LanguageModels.ModelAnswer;
import dev.octroi.services.language.relay.LanguageModels.ModelCall;
import dev.octroi.services.language.relay.ModelStream.Pulse;
import dev.octroi.services.language.route.Router.Candidate;
import dev.octroi.services.language.tokens.TokenCounter;
import dev.octroi.services.language.translation.Translation;
import dev.octroi.services.language.translation.Translation.Asking;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamClient.StreamRequest;
import dev.octroi.services.upstream.UpstreamStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Asks one model after the other the same thing. */
record Attempt(
    ModelCall call,
    Map<String, UpstreamClient> upstreams,
    LanguageSettings settings,
    TokenCounter counter,
    Pulse pulse,
    Clock clock) {

  /**
   * What came of asking one model.
   *
   * @param another whether another model may do better: its upstream is overloaded, down or late
   */
  record Outcome(ModelAnswer answer, boolean another) {}

  Outcome ask(Candidate candidate, Deadline deadline) {
    Model model = candidate.model();
    Wire wire = Wire.of(model.source().protocol());
    Translation translation = new Translation(call.dialect(), wire.dialect());
    UpstreamClient upstream = upstreams.get(model.source().upstream());
    if (upstream == null) {
      return refused(translation, unconfigured(model), true);
    }
    try {
      Asking asking = translation.prompt(call.body(), call.prompt(), candidate.target());
      StreamRequest request =
          new StreamRequest(
              wire.path(), asking.body(), headers(wire), timeout(deadline), settings.idle());
      UpstreamStream opened = upstream.open(request, deadline);
      return answered(opened, candidate, translation, asking);
    } catch (InvalidPrompt invalid) {
      return refused(translation, invalid.problem(), false);
    } catch (Failure failure) {
      upstream.warn(failure);
      return refused(translation, problem(failure), true);
    }
  }

  private Map<String, String> headers(Wire wire) {
    if (wire != Wire.MESSAGES || call.betas().isEmpty()) {
      return wire.headers();
    }
    Map<String, String> headers = new HashMap<>(wire.headers());
    headers.put(LanguageModels.BETA_HEADER, String.join(",", call.betas()));
    return headers;
  }

  /** A streamed answer begins soon; a whole one begins when it is there. */
  private Duration timeout(Deadline deadline) {
    return call.prompt().streaming().on() ? settings.firstByte() : deadline.remaining();
  }

  private Outcome answered(
      UpstreamStream opened, Candidate candidate, Translation translation, Asking asking) {
    boolean kept = false;
    try {
      if (!opened.successful()) {
        return error(opened, translation);
      }
      String name = candidate.model().fullId();
      Asked asked = new Asked(call.prompt(), candidate.model().id(), clock.instant());
      if (!call.prompt().streaming().on()) {
        Translation.Translated whole =
            translation.reply(opened.readAll(settings.answerBytes()), asked, asking.stops());
        long micros = new Meter(call, candidate, counter).micros(whole.reply());
        return new Outcome(
            new ModelAnswer.Whole(name, whole.body(), micros, asking.changes()), false);
      }
      Meter meter = new Meter(call, candidate, counter);
      ModelStream stream =
          new ModelStream(
              name, opened, translation.stream(asked, asking.stops(), meter), meter, pulse);
      Event.Failed failed = stream.begin();
      if (failed != null) {
        return refused(translation, failed.problem(), true);
      }
      kept = true;
      return new Outcome(new ModelAnswer.Streamed(stream, asking.changes()), false);
    } catch (IOException broken) {
      throw new Failure(ErrorCode.UPSTREAM_FAILED, "The upstream's answer broke off", null, broken);
    } finally {
      if (!kept) {
        opened.close();
      }
    }
  }

  private Outcome error(UpstreamStream opened, Translation translation) throws IOException {
    int status = opened.status();
    Problem problem = translation.problem(status, opened.readAll(settings.answerBytes()));
    Problem told = problem.forPayer();
    boolean ours = status == 401 || status == 402 || status == 403 || told.status() >= 500;
    return refused(translation, told, ours || status == 429 || status >= 500);
  }

  private static Outcome refused(Translation translation, Problem problem, boolean another) {
    return new Outcome(new ModelAnswer.Refused(problem, translation.error(problem)), another);
  }

  private static Problem problem(Failure failure) {
    return Problem.of(
        failure.code().status(), String.valueOf(failure.getMessage()), failure.code().code());
  }

  private static Problem unconfigured(Model model) {
    return Problem.of(
        ErrorCode.UPSTREAM_UNAVAILABLE.status(),
        "The model " + model.id() + " is not served here",
        ErrorCode.UPSTREAM_UNAVAILABLE.code());
  }

  /** Where and how an upstream of a protocol is asked. */
  enum Wire {
    MESSAGES(Dialect.MESSAGES, "/messages", Map.of("anthropic-version", "2023-06-01")),
    CHAT(Dialect.CHAT, "/chat/completions", Map.of()),
    RESPONSES(Dialect.RESPONSES, "/responses", Map.of());

    private final Dialect dialect;
    private final String path;

    @SuppressWarnings("ImmutableEnumChecker") // Map.of is immutable
    private final Map<String, String> headers;

    Wire(Dialect dialect, String path, Map<String, String> headers) {
      this.dialect = dialect;
      this.path = path;
      this.headers = headers;
    }

    static Wire of(Dialect dialect) {
      return valueOf(dialect.name());
    }

    Dialect dialect() {
      return dialect;
    }

    String path() {
      return path;
    }

    Map<String, String> headers() {
      return headers;
    }
  }
}
