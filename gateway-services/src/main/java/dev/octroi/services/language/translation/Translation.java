package dev.octroi.services.language.translation;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Protocol;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.chat.ChatProtocol;
import dev.octroi.services.language.messages.MessagesProtocol;
import dev.octroi.services.language.responses.ResponsesProtocol;
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
   * The body for the upstream.
   *
   * @param body the caller's
   * @param prompt what was read from it
   * @throws dev.octroi.services.language.InvalidPrompt 400 for what the upstream's protocol cannot
   *     say
   */
  public byte[] prompt(byte[] body, Prompt prompt, Target target) {
    return passes()
        ? upstream.forwardPrompt(body, prompt, target)
        : upstream.writePrompt(prompt, target);
  }

  /**
   * The upstream's whole answer for the caller.
   *
   * @throws dev.octroi.services.Failure 502 for what is no answer
   */
  public Translated reply(byte[] body, Asked asked) {
    Reply reply = upstream.readReply(body);
    return new Translated(passes() ? body : caller.writeReply(reply, asked), reply);
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
   * @param listener hears every event, for the accounts
   */
  public StreamTranslation stream(Asked asked, Consumer<Event> listener) {
    return new StreamTranslation(
        upstream.eventReader(), caller.eventWriter(asked), asked, passes(), listener);
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
