package dev.octroi.services.language.chat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Sampling;
import dev.octroi.services.language.Prompt.Tool;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Tooling;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import java.util.List;
import java.util.Objects;

/**
 * Writes a prompt for an upstream. What the protocol cannot say: cache marks and metadata are
 * dropped; pictures in the result of a tool move to a message that follows it; a result that is an
 * error begins with that word.
 */
final class ChatPromptWriter {

  private final Prompt prompt;
  private final Target target;

  ChatPromptWriter(Prompt prompt, Target target) {
    this.prompt = prompt;
    this.target = target;
  }

  byte[] write() {
    ObjectNode body = LanguageJson.object().put("model", target.model());
    body.set("messages", new ChatMessages(target).write(prompt.turns()));
    LanguageJson.putIfStated(body, ChatProtocol.limit(target), prompt.output().maxTokens());
    sampling(body);
    tooling(body);
    reasoning(body);
    output(body);
    LanguageJson.putIfStated(body, "user", prompt.labels().user());
    if (prompt.streaming().on()) {
      body.put("stream", true).putObject("stream_options").put("include_usage", true);
    }
    return LanguageJson.bytes(body);
  }

  private void reasoning(ObjectNode body) {
    Reasoning reasoning = prompt.reasoning();
    if (reasoning != null && target.has(Quirk.THINKING_SWITCH)) {
      body.set("thinking", ChatProtocol.thinking(reasoning));
    } else if (reasoning != null && reasoning.inWords() != null) {
      body.put("reasoning_effort", Objects.requireNonNull(reasoning.inWords()).word());
    }
  }

  private void sampling(ObjectNode body) {
    Sampling sampling = prompt.sampling();
    LanguageJson.putIfStated(body, "temperature", sampling.temperature());
    LanguageJson.putIfStated(body, "top_p", sampling.topP());
    LanguageJson.putIfStated(body, "seed", sampling.seed());
    LanguageJson.putIfStated(body, "frequency_penalty", sampling.frequencyPenalty());
    LanguageJson.putIfStated(body, "presence_penalty", sampling.presencePenalty());
    stops(body, sampling.stopSequences());
  }

  private static void stops(ObjectNode body, List<String> sequences) {
    if (!sequences.isEmpty()) {
      ArrayNode stops = body.putArray("stop");
      sequences.forEach(stops::add);
    }
  }

  private void tooling(ObjectNode body) {
    Tooling tooling = prompt.tooling();
    if (tooling.tools().isEmpty()) {
      return;
    }
    ArrayNode tools = body.putArray("tools");
    tooling.tools().forEach(tool -> tools.add(tool(tool)));
    if (tooling.choice() instanceof ToolChoice.Named named) {
      ObjectNode choice = body.putObject("tool_choice").put("type", "function");
      choice.putObject("function").put("name", named.name());
    } else if (tooling.choice() != null) {
      body.put("tool_choice", word(tooling.choice()));
    }
    LanguageJson.putIfStated(body, "parallel_tool_calls", tooling.parallel());
  }

  private static ObjectNode tool(Tool tool) {
    ObjectNode node = LanguageJson.object().put("type", "function");
    ObjectNode function = node.putObject("function").put("name", tool.name());
    LanguageJson.putIfStated(function, "description", tool.description());
    if (tool.schema() != null) {
      function.set("parameters", tool.schema());
    }
    LanguageJson.putIfStated(function, "strict", tool.strict());
    return node;
  }

  private static String word(ToolChoice choice) {
    if (choice instanceof ToolChoice.Any) {
      return "required";
    }
    return choice instanceof ToolChoice.None ? "none" : "auto";
  }

  private void output(ObjectNode body) {
    LanguageJson.putIfStated(body, "verbosity", prompt.output().verbosity());
    Format format = prompt.output().format();
    if (format instanceof Format.JsonObject) {
      body.putObject("response_format").put("type", "json_object");
    } else if (format instanceof Format.JsonSchema json) {
      ObjectNode node = body.putObject("response_format").put("type", "json_schema");
      ObjectNode schema = node.putObject("json_schema").put("name", json.name());
      LanguageJson.putIfStated(schema, "description", json.description());
      LanguageJson.putIfStated(schema, "strict", json.strict());
      schema.set("schema", json.schema());
    }
  }
}
