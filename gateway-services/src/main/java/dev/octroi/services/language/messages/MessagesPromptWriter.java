package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Sampling;
import dev.octroi.services.language.Prompt.Tool;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Tooling;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a prompt for an upstream. What the protocol cannot say: instructions amid the talk move to
 * the system prompt; the detail of pictures and metadata are dropped; {@code json_object} becomes
 * an instruction.
 */
final class MessagesPromptWriter {

  private static final String JSON_ONLY =
      "Answer with one valid JSON object and nothing else: no prose, no code fence.";

  private final Prompt prompt;
  private final Target target;
  private final int maxTokens;

  MessagesPromptWriter(Prompt prompt, Target target) {
    this.prompt = prompt;
    this.target = target;
    Integer most = prompt.output().maxTokens();
    this.maxTokens = most == null ? target.maxOutputTokens() : most;
  }

  byte[] write() {
    ObjectNode body =
        LanguageJson.object().put("model", target.model()).put("max_tokens", maxTokens);
    ArrayNode system = system();
    if (!system.isEmpty()) {
      body.set("system", system);
    }
    body.set("messages", messages());
    ObjectNode thinking = ThinkingMember.of(prompt.reasoning());
    sampling(body);
    tooling(body);
    if (thinking != null) {
      body.set("thinking", thinking);
    }
    outputConfig(body);
    if (prompt.labels().user() != null) {
      body.putObject("metadata").put("user_id", prompt.labels().user());
    }
    if (prompt.streaming().on()) {
      body.put("stream", true);
    }
    return LanguageJson.bytes(body);
  }

  private ArrayNode system() {
    ArrayNode system = LanguageJson.array();
    for (Turn turn : prompt.turns()) {
      if (turn.role().instructs()) {
        system.addAll(BlockWriter.blocks(turn.parts()));
      }
    }
    if (prompt.output().format() instanceof Format.JsonObject) {
      system.add(BlockWriter.text(JSON_ONLY));
    }
    return system;
  }

  private ArrayNode messages() {
    ArrayNode messages = LanguageJson.array();
    for (Turn turn : Turn.joined(talk())) {
      ArrayNode blocks = BlockWriter.blocks(turn.parts());
      if (!blocks.isEmpty()) {
        messages
            .addObject()
            .put("role", turn.role() == Role.USER ? "user" : "assistant")
            .set("content", content(blocks));
      }
    }
    return messages;
  }

  /** Taking instructions out may bring turns of one speaker together. */
  private List<Turn> talk() {
    return prompt.turns().stream().filter(turn -> !turn.role().instructs()).toList();
  }

  private static JsonNode content(ArrayNode blocks) {
    boolean plainText = blocks.size() == 1 && blocks.get(0).size() == 2;
    return plainText && blocks.get(0).has("text") ? blocks.get(0).get("text") : blocks;
  }

  private void sampling(ObjectNode body) {
    Sampling sampling = prompt.sampling();
    LanguageJson.putIfStated(body, "temperature", sampling.temperature());
    LanguageJson.putIfStated(body, "top_p", sampling.topP());
    LanguageJson.putIfStated(body, "top_k", sampling.topK());
    if (!sampling.stopSequences().isEmpty()) {
      ArrayNode stops = body.putArray("stop_sequences");
      sampling.stopSequences().forEach(stops::add);
    }
  }

  private void tooling(ObjectNode body) {
    Tooling tooling = prompt.tooling();
    if (tooling.tools().isEmpty()) {
      return;
    }
    ArrayNode tools = body.putArray("tools");
    tooling.tools().forEach(tool -> tools.add(tool(tool)));
    if (tooling.choice() != null || tooling.parallel() != null) {
      ObjectNode choice = choice(tooling.choice());
      if (tooling.parallel() != null && !(tooling.choice() instanceof ToolChoice.None)) {
        choice.put("disable_parallel_tool_use", !tooling.parallel());
      }
      body.set("tool_choice", choice);
    }
  }

  private static ObjectNode tool(Tool tool) {
    ObjectNode node = LanguageJson.object().put("name", tool.name());
    LanguageJson.putIfStated(node, "description", tool.description());
    node.set("input_schema", tool.schema() == null ? LanguageJson.emptySchema() : tool.schema());
    if (Boolean.TRUE.equals(tool.strict())) {
      node.put("strict", true);
    }
    return BlockWriter.marked(node, tool.mark());
  }

  private static ObjectNode choice(@Nullable ToolChoice choice) {
    ObjectNode node = LanguageJson.object();
    if (choice instanceof ToolChoice.Named named) {
      return node.put("type", "tool").put("name", named.name());
    }
    if (choice instanceof ToolChoice.Any) {
      return node.put("type", "any");
    }
    return node.put("type", choice instanceof ToolChoice.None ? "none" : "auto");
  }

  private void outputConfig(ObjectNode body) {
    ObjectNode config = LanguageJson.object();
    if (prompt.output().format() instanceof Format.JsonSchema json) {
      config.putObject("format").put("type", "json_schema").set("schema", json.schema());
    }
    Effort effort = ThinkingMember.effort(prompt.reasoning());
    if (effort != null) {
      config.put("effort", effort.word());
    }
    if (!config.isEmpty()) {
      body.set("output_config", config);
    }
  }
}
