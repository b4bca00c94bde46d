package dev.octroi.services.language.relay;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.BodyEdit;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Output;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Target.Quirk;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.relay.LanguageModels.LanguageSettings;
import dev.octroi.services.language.relay.LanguageModels.ModelAnswer;
import dev.octroi.services.language.relay.LanguageModels.ModelCall;
import dev.octroi.services.language.relay.ModelStream.Pulse;
import dev.octroi.services.language.route.Router.Candidate;
import dev.octroi.services.language.tokens.TokenCounter;
import dev.octroi.services.language.translation.Translation;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamClient.StreamRequest;
import dev.octroi.services.upstream.UpstreamStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** Asks one model after the other the same thing. */
record Attempt(
    ModelCall call,
    Map<String, UpstreamClient> upstreams,
    LanguageSettings settings,
    TokenCounter counter,
    Pulse pulse,
    Clock clock) {

  private static final String OLDER_LIMIT = "max_tokens";

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
      byte[] json = json(translation, wire, candidate);
      StreamRequest request =
          new StreamRequest(wire.path(), json, wire.headers(), timeout(deadline), settings.idle());
      UpstreamStream opened = upstream.open(request, deadline);
      return answered(opened, candidate, translation);
    } catch (InvalidPrompt invalid) {
      return refused(translation, invalid.problem(), false);
    } catch (Failure failure) {
      return refused(translation, problem(failure), true);
    }
  }

  /** A streamed answer begins soon; a whole one begins when it is there. */
  private Duration timeout(Deadline deadline) {
    return call.prompt().streaming().on() ? settings.firstByte() : deadline.remaining();
  }

  private byte[] json(Translation translation, Wire wire, Candidate candidate) {
    int limit = candidate.maxOutput();
    byte[] json =
        translation.prompt(call.body(), limited(call.prompt(), limit), candidate.target());
    return translation.passes() && call.isLimited(candidate)
        ? BodyEdit.set(json, Map.of(limitOf(wire, candidate), IntNode.valueOf(limit)))
        : json;
  }

  /** The member that bounds the answer, of which one protocol has two names. */
  private String limitOf(Wire wire, Candidate candidate) {
    boolean older = candidate.target().has(Quirk.OLD_MAX_TOKENS);
    return wire == Wire.CHAT && older ? OLDER_LIMIT : wire.limit();
  }

  private static Prompt limited(Prompt prompt, int limit) {
    Output output = prompt.output();
    Output bounded = new Output(limit, output.format(), output.verbosity(), output.candidates());
    return new Prompt(
        prompt.model(),
        prompt.turns(),
        prompt.tooling(),
        prompt.sampling(),
        bounded,
        prompt.reasoning(),
        prompt.labels(),
        prompt.streaming(),
        prompt.mark(),
        prompt.untranslatable());
  }

  private Outcome answered(UpstreamStream opened, Candidate candidate, Translation translation) {
    boolean kept = false;
    try {
      if (!opened.successful()) {
        return error(opened, translation);
      }
      String name = candidate.model().fullId();
      Asked asked = new Asked(call.prompt(), candidate.model().id(), clock.instant());
      if (!call.prompt().streaming().on()) {
        Translation.Translated whole =
            translation.reply(opened.readAll(settings.answerBytes()), asked);
        long micros = candidate.quote().charge(whole.reply().usage());
        return new Outcome(new ModelAnswer.Whole(name, whole.body(), micros), false);
      }
      Meter meter = new Meter(call, candidate, counter);
      ModelStream stream =
          new ModelStream(name, opened, translation.stream(asked, meter), meter, pulse);
      Event.Failed failed = stream.begin();
      if (failed != null) {
        return refused(translation, failed.problem().forPayer(), true);
      }
      kept = true;
      return new Outcome(new ModelAnswer.Streamed(stream), false);
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
    boolean ours = status == 401 || status == 402 || status == 403;
    return refused(translation, problem.forPayer(), ours || status == 429 || status >= 500);
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
    MESSAGES(
        Dialect.MESSAGES, "/messages", "max_tokens", Map.of("anthropic-version", "2023-06-01")),
    CHAT(Dialect.CHAT, "/chat/completions", "max_completion_tokens", Map.of()),
    RESPONSES(Dialect.RESPONSES, "/responses", "max_output_tokens", Map.of());

    private final Dialect dialect;
    private final String path;
    private final String limit;

    @SuppressWarnings("ImmutableEnumChecker") // Map.of is immutable
    private final Map<String, String> headers;

    Wire(Dialect dialect, String path, String limit, Map<String, String> headers) {
      this.dialect = dialect;
      this.path = path;
      this.limit = limit;
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

    /** The member that bounds the answer. */
    String limit() {
      return limit;
    }

    Map<String, String> headers() {
      return headers;
    }
  }
}
