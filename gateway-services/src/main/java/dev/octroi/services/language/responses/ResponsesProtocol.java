package dev.octroi.services.language.responses;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.ForwardEdit;
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

/** The responses protocol, stateless. Thread-safe. */
public final class ResponsesProtocol implements Protocol {

  @Override
  public Dialect dialect() {
    return Dialect.RESPONSES;
  }

  @Override
  public Prompt readPrompt(byte[] body) {
    return new ResponsesPromptReader().read(body);
  }

  @Override
  public byte[] writePrompt(Prompt prompt, Target target) {
    return new ResponsesPromptWriter(prompt, target).write();
  }

  /** Upstreams store answers unless they are told not to. */
  @Override
  public byte[] forwardPrompt(byte[] body, Prompt prompt, Prompt fitting, Target target) {
    ForwardEdit edit =
        new ForwardEdit(body, target)
            .set("store", BooleanNode.FALSE)
            .limit("max_output_tokens", prompt.output(), fitting.output())
            .sampling(prompt.sampling(), fitting.sampling());
    Reasoning taken = fitting.reasoning();
    if (taken == null) {
      edit.drop("reasoning");
    } else if (!taken.equals(prompt.reasoning())) {
      edit.word("reasoning", "effort", taken.effort());
    }
    if (prompt.output().verbosity() != null && fitting.output().verbosity() == null) {
      edit.set("text", edit.object("text").without("verbosity"));
    }
    return edit.bytes();
  }

  @Override
  public Reply readReply(byte[] body) {
    return ResponsesReplyReader.read(body);
  }

  @Override
  public byte[] writeReply(Reply reply, Asked asked) {
    return new ResponseObject(asked).whole(reply);
  }

  @Override
  public EventReader eventReader() {
    return new ResponsesEventReader();
  }

  @Override
  public EventWriter eventWriter(Asked asked) {
    return new ResponsesEventWriter(asked);
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
