package dev.octroi.services.language.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Output;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Sampling;
import dev.octroi.services.language.Prompt.Tooling;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import java.util.List;

/**
 * Writes a prompt for an upstream, which is told to store nothing and to hand out its sealed
 * thoughts. What the protocol cannot say: cache marks are dropped; a tool's result that is an error
 * begins with that word.
 */
final class ResponsesPromptWriter {

  private final Prompt prompt;
  private final Target target;

  ResponsesPromptWriter(Prompt prompt, Target target) {
    this.prompt = prompt;
    this.target = target;
  }

  byte[] write() {
    ObjectNode body = LanguageJson.object().put("model", target.model());
    List<Turn> turns = prompt.turns();
    if (hasInstructions(turns)) {
      body.put("instructions", ((Part.Text) turns.get(0).parts().get(0)).text());
      turns = turns.subList(1, turns.size());
    }
    body.set("input", new ItemWriter(target).write(turns));
    LanguageJson.putIfStated(body, "max_output_tokens", prompt.output().maxTokens());
    sampling(body);
    tooling(body);
    thinking(body);
    Output output = prompt.output();
    if (!(output.format() instanceof Format.Prose) || output.verbosity() != null) {
      body.set("text", PromptMembers.text(output));
    }
    labels(body);
    body.put("store", false);
    if (prompt.streaming().on()) {
      body.put("stream", true);
    }
    return LanguageJson.bytes(body);
  }

  /** Whether the talk begins with instructions that are one text. */
  static boolean hasInstructions(List<Turn> turns) {
    return !turns.isEmpty()
        && turns.get(0).role() == Role.SYSTEM
        && turns.get(0).parts().size() == 1
        && turns.get(0).parts().get(0) instanceof Part.Text;
  }

  private void sampling(ObjectNode body) {
    Sampling sampling = prompt.sampling();
    LanguageJson.putIfStated(body, "temperature", sampling.temperature());
    LanguageJson.putIfStated(body, "top_p", sampling.topP());
  }

  private void tooling(ObjectNode body) {
    Tooling tooling = prompt.tooling();
    if (tooling.tools().isEmpty()) {
      return;
    }
    body.set("tools", PromptMembers.tools(tooling.tools()));
    if (tooling.choice() != null) {
      body.set("tool_choice", PromptMembers.choice(tooling.choice()));
    }
    LanguageJson.putIfStated(body, "parallel_tool_calls", tooling.parallel());
  }

  private void thinking(ObjectNode body) {
    if (target.has(Quirk.NO_THOUGHTS)) {
      return;
    }
    if (prompt.reasoning() != null) {
      body.set("reasoning", PromptMembers.reasoning(prompt.reasoning()));
    }
    body.putArray("include").add("reasoning.encrypted_content");
  }

  private void labels(ObjectNode body) {
    LanguageJson.putIfStated(body, "user", prompt.labels().user());
    if (!prompt.labels().metadata().isEmpty()) {
      ObjectNode metadata = body.putObject("metadata");
      prompt.labels().metadata().forEach(metadata::put);
    }
  }
}
