package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.ForwardEdit;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Protocol;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Target;
import java.util.Objects;

/** The messages protocol (specification, Messages; events of its stream). Thread-safe. */
public final class MessagesProtocol implements Protocol {

  @Override
  public Dialect dialect() {
    return Dialect.MESSAGES;
  }

  @Override
  public Prompt readPrompt(byte[] body) {
    return new MessagesPromptReader(true).read(body);
  }

  @Override
  public Prompt readToCount(byte[] body) {
    return new MessagesPromptReader(false).read(body);
  }

  @Override
  public byte[] writePrompt(Prompt prompt, Target target) {
    return new MessagesPromptWriter(prompt, target).write();
  }

  @Override
  public byte[] forwardPrompt(byte[] body, Prompt prompt, Prompt fitting, Target target) {
    ForwardEdit edit =
        new ForwardEdit(body, target)
            .limit("max_tokens", prompt.output(), fitting.output())
            .sampling(prompt.sampling(), fitting.sampling())
            .drop("top_k", prompt.sampling().topK(), fitting.sampling().topK());
    if (!Objects.equals(prompt.reasoning(), fitting.reasoning())) {
      ObjectNode thinking = ThinkingMember.of(fitting.reasoning());
      if (thinking == null) {
        edit.drop("thinking");
      } else {
        edit.set("thinking", thinking);
      }
      edit.word("output_config", "effort", ThinkingMember.effort(fitting.reasoning()));
    }
    return edit.bytes();
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
