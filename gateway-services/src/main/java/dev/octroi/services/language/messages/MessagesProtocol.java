package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.octroi.services.language.BodyEdit;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Protocol;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Target;
import java.util.Map;

/** The messages protocol (specification, Messages; events of its stream). Thread-safe. */
public final class MessagesProtocol implements Protocol {

  @Override
  public Dialect dialect() {
    return Dialect.MESSAGES;
  }

  @Override
  public Prompt readPrompt(byte[] body) {
    return new MessagesPromptReader().read(body);
  }

  @Override
  public byte[] writePrompt(Prompt prompt, Target target) {
    return new MessagesPromptWriter(prompt, target).write();
  }

  @Override
  public byte[] forwardPrompt(byte[] body, Prompt prompt, Target target) {
    return BodyEdit.set(body, Map.of("model", TextNode.valueOf(target.model())));
  }

  @Override
  public Reply readReply(byte[] body) {
    return MessagesReplies.read(body);
  }

  @Override
  public byte[] writeReply(Reply reply, Asked asked) {
    return MessagesReplies.write(reply, asked);
  }

  @Override
  public EventReader eventReader() {
    return new MessagesEventReader();
  }

  @Override
  public EventWriter eventWriter(Asked asked) {
    return new MessagesEventWriter(asked);
  }

  @Override
  public Problem readError(int status, byte[] body) {
    return MessagesErrors.read(status, body);
  }

  @Override
  public byte[] writeError(Problem problem) {
    return MessagesErrors.write(problem);
  }
}
