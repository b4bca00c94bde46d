package dev.octroi.services.language.translation;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Protocol;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.chat.ChatProtocol;
import dev.octroi.services.language.messages.MessagesProtocol;
import dev.octroi.services.language.responses.ResponsesProtocol;
import dev.octroi.services.upstream.Failures;
import java.util.List;
import java.util.function.Consumer;

/** One call's way from its caller's protocol to its upstream's and back. Thread-safe. */
public final class Translation {

  private final Protocol caller;
  private final Protocol upstream;

  public Translation(Dialect caller, Dialect upstream) {
    this.caller = Protocols.of(caller);
    this.upstream = Protocols.of(upstream);
  }

  /**
   * What an upstream answered, for the caller and for the accounts.
   *
   * @param body for the caller; do not modify
   */
  public record Translated(byte[] body, Reply reply) {}

  /** Whether both ends speak the same, so that bytes pass. */
  public boolean passes() {
    return caller == upstream;
  }

  /**
   * What an upstream is asked.
   *
   * @param body for the upstream; do not modify
   * @param changes {@code name=value} for each member of the caller's that was replaced for this
   *     model, {@code name} for each that was left out
   * @param stops the sequences at which the answer is to end, where the upstream does not do it
   */
  public record Asking(byte[] body, List<String> changes, List<String> stops) {

    public Asking {
      changes = List.copyOf(changes);
      stops = List.copyOf(stops);
    }
  }

  /**
   * Checks that a model can do what a prompt asks, without writing it.
   *
   * @throws dev.octroi.services.language.InvalidPrompt 400, naming what the model or the upstream's
   *     protocol cannot do
   */
  public void check(Prompt prompt, Target target) {
    Adaptation.of(prompt, target, caller.dialect(), upstream.dialect());
  }

  /**
   * The prompt for the upstream.
   *
   * @param body the caller's
   * @param prompt what was read from it
   * @throws dev.octroi.services.language.InvalidPrompt as {@link #check} does
   */
  public Asking prompt(byte[] body, Prompt prompt, Target target) {
    Adaptation adapted = Adaptation.of(prompt, target, caller.dialect(), upstream.dialect());
    byte[] written =
        passes()
            ? upstream.forwardPrompt(body, prompt, adapted.prompt(), target)
            : upstream.writePrompt(adapted.prompt(), target);
    return new Asking(written, adapted.changes(), adapted.stops());
  }

  /**
   * The upstream's whole answer for the caller.
   *
   * @param stops as {@link Asking#stops}
   * @throws dev.octroi.services.Failure 502 for what is no answer
   */
  public Translated reply(byte[] body, Asked asked, List<String> stops) {
    Reply told = upstream.readReply(body);
    int answers = asked.prompt().output().candidates();
    // Several are asked for where bytes pass, in the one protocol that has them.
    Failures.require(
        answers <= 1 || LanguageJson.tree(body).path("choices").size() >= answers,
        "choices are fewer than asked for");
    Reply reply = stops.isEmpty() ? told : StopSequences.cut(told, stops);
    boolean same = passes() && reply.equals(told);
    return new Translated(same ? body : caller.writeReply(reply, asked), reply);
  }

  /** The upstream's error, before it is told to the payer. */
  public Problem problem(int status, byte[] body) {
    return upstream.readError(status, body);
  }

  /** The body of an error for the caller. */
  public byte[] error(Problem problem) {
    return caller.writeError(problem);
  }

  /**
   * A stream's translation.
   *
   * @param stops as {@link Asking#stops}
   * @param listener hears every event, for the accounts
   */
  public StreamTranslation stream(Asked asked, List<String> stops, Consumer<Event> listener) {
    EventReader reader = upstream.eventReader();
    return new StreamTranslation(
        stops.isEmpty() ? reader : new StopSequences(reader, stops),
        caller.eventWriter(asked),
        asked,
        passes() && stops.isEmpty(),
        listener);
  }

  /** The protocols that the gateway speaks. */
  public static final class Protocols {

    private static final Protocol MESSAGES = new MessagesProtocol();
    private static final Protocol CHAT = new ChatProtocol();
    private static final Protocol RESPONSES = new ResponsesProtocol();

    private Protocols() {}

    public static Protocol of(Dialect dialect) {
      return switch (dialect) {
        case MESSAGES -> MESSAGES;
        case CHAT -> CHAT;
        case RESPONSES -> RESPONSES;
      };
    }
  }
}
