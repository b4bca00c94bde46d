package dev.octroi.services.language.chat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.NestedErrors;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Protocol;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;

/** The chat-completions protocol. Thread-safe. */
public final class ChatProtocol implements Protocol {

  @Override
  public Dialect dialect() {
    return Dialect.CHAT;
  }

  @Override
  public Prompt readPrompt(byte[] body) {
    return new ChatPromptReader().read(body);
  }

  @Override
  public byte[] writePrompt(Prompt prompt, Target target) {
    return new ChatPromptWriter(prompt, target).write();
  }

  /** A stream is asked for its usage, which the gateway's accounts need. */
  @Override
  public byte[] forwardPrompt(byte[] body, Prompt prompt, Prompt fitting, Target target) {
    return new ChatForward(body, prompt, fitting, target).bytes();
  }

  /** How hosts without words for an effort are told whether to think. */
  static ObjectNode thinking(Reasoning reasoning) {
    return LanguageJson.object().put("type", reasoning.off() ? "disabled" : "enabled");
  }

  /** The member that bounds the answer, of which there are two names. */
  static String limit(Target target) {
    return target.has(Quirk.OLD_MAX_TOKENS) ? "max_tokens" : "max_completion_tokens";
  }

  @Override
  public Reply readReply(byte[] body) {
    return ChatReplyReader.read(body);
  }

  @Override
  public byte[] writeReply(Reply reply, Asked asked) {
    return ChatReplyWriter.write(reply, asked);
  }

  @Override
  public EventReader eventReader() {
    return new ChatEventReader();
  }

  @Override
  public EventWriter eventWriter(Asked asked) {
    return new ChatEventWriter(asked);
  }

  @Override
  public Problem readError(int status, byte[] body) {
    return NestedErrors.read(status, body);
  }

  @Override
  public byte[] writeError(Problem problem) {
    return NestedErrors.write(problem);
  }
}
