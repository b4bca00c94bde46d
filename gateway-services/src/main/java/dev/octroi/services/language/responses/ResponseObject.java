package dev.octroi.services.language.responses;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the object that stands for an answer, which repeats what was asked. */
final class ResponseObject {

  private static final String PREFIX = "resp_";

  private final Asked asked;

  ResponseObject(Asked asked) {
    this.asked = asked;
  }

  byte[] whole(Reply reply) {
    return LanguageJson.bytes(ended(reply));
  }

  /** The answer as it begins. */
  ObjectNode begun(String id) {
    ObjectNode tree = response(id, "in_progress", null);
    tree.putArray("output");
    return tree.putNull("usage");
  }

  /** The answer that broke off. */
  ObjectNode failed(Reply reply, Problem problem) {
    ObjectNode tree = response(reply.id(), "failed", null);
    ObjectNode error = tree.putObject("error");
    error.put("code", problem.code() == null ? "server_error" : problem.code());
    error.put("message", problem.message());
    tree.set("output", output(reply));
    return tree.putNull("usage");
  }

  ObjectNode ended(Reply reply) {
    String reason = incomplete(reply);
    ObjectNode tree = response(reply.id(), reason == null ? "completed" : "incomplete", reason);
    tree.set("output", output(reply));
    tree.set("usage", usage(reply.usage()));
    return tree;
  }

  /** Why an answer is not complete; null when it is. */
  private static @Nullable String incomplete(Reply reply) {
    if (reply.stop() == StopReason.MAX_TOKENS || reply.stop() == StopReason.CONTEXT_EXCEEDED) {
      return "max_output_tokens";
    }
    boolean told = reply.parts().stream().anyMatch(Part.Refusal.class::isInstance);
    return reply.stop() == StopReason.REFUSAL && !told ? "content_filter" : null;
  }

  private static ArrayNode output(Reply reply) {
    ArrayNode output = LanguageJson.array();
    for (Part part : reply.parts()) {
      output.add(OutputItem.of(reply.id(), output.size(), part).whole(part));
    }
    return output;
  }

  private ObjectNode response(String id, String status, @Nullable String incomplete) {
    Prompt prompt = asked.prompt();
    ObjectNode tree =
        LanguageJson.object()
            .put("id", id.startsWith(PREFIX) ? id : PREFIX + id)
            .put("object", "response")
            .put("created_at", asked.at().getEpochSecond())
            .put("status", status)
            .put("background", false);
    tree.putNull("error").putNull("incomplete_details");
    if (incomplete != null) {
      tree.putObject("incomplete_details").put("reason", incomplete);
    }
    tree.put("instructions", instructions(prompt.turns()))
        .put("max_output_tokens", prompt.output().maxTokens())
        .put("model", asked.model())
        .put("parallel_tool_calls", PromptMembers.parallel(prompt.tooling()))
        .putNull("previous_response_id");
    tree.set("reasoning", PromptMembers.reasoning(prompt.reasoning()));
    tree.put("store", false).put("temperature", orOne(prompt.sampling().temperature()));
    tree.set("text", PromptMembers.text(prompt.output()));
    tree.set("tool_choice", PromptMembers.choice(prompt.tooling().choice()));
    tree.set("tools", PromptMembers.tools(prompt.tooling().tools()));
    tree.put("top_p", orOne(prompt.sampling().topP()))
        .put("truncation", "disabled")
        .put("user", prompt.labels().user());
    ObjectNode metadata = tree.putObject("metadata");
    prompt.labels().metadata().forEach(metadata::put);
    return tree;
  }

  private static @Nullable String instructions(List<Turn> turns) {
    return ResponsesPromptWriter.hasInstructions(turns)
        ? ((Part.Text) turns.get(0).parts().get(0)).text()
        : null;
  }

  private static BigDecimal orOne(@Nullable BigDecimal number) {
    return number == null ? BigDecimal.ONE : number;
  }

  private static ObjectNode usage(Usage usage) {
    ObjectNode node = LanguageJson.object().put("input_tokens", usage.allInput());
    node.putObject("input_tokens_details")
        .put("cache_write_tokens", usage.allCacheWrite())
        .put("cached_tokens", usage.cacheRead());
    node.put("output_tokens", usage.output());
    node.putObject("output_tokens_details").put("reasoning_tokens", usage.reasoning());
    return node.put("total_tokens", usage.allInput() + usage.output());
  }
}
