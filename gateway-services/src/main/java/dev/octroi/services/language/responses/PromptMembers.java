package dev.octroi.services.language.responses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Output;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Tool;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Tooling;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Members that stand in prompts and are repeated by answers. */
final class PromptMembers {

  private PromptMembers() {}

  static ArrayNode tools(List<Tool> tools) {
    ArrayNode list = LanguageJson.array();
    for (Tool tool : tools) {
      ObjectNode node = list.addObject().put("type", "function").put("name", tool.name());
      node.put("description", tool.description());
      node.set("parameters", tool.schema() == null ? LanguageJson.emptySchema() : tool.schema());
      // here strictness is the default, elsewhere it is not
      node.put("strict", Boolean.TRUE.equals(tool.strict()));
    }
    return list;
  }

  static JsonNode choice(@Nullable ToolChoice choice) {
    if (choice instanceof ToolChoice.Named named) {
      return LanguageJson.object().put("type", "function").put("name", named.name());
    }
    if (choice instanceof ToolChoice.Any) {
      return TextNode.valueOf("required");
    }
    return TextNode.valueOf(choice instanceof ToolChoice.None ? "none" : "auto");
  }

  static boolean parallel(Tooling tooling) {
    return !Boolean.FALSE.equals(tooling.parallel());
  }

  static ObjectNode text(Output output) {
    ObjectNode text = LanguageJson.object();
    text.set("format", format(output.format()));
    LanguageJson.putIfStated(text, "verbosity", output.verbosity());
    return text;
  }

  private static ObjectNode format(Format format) {
    ObjectNode node = LanguageJson.object();
    if (format instanceof Format.JsonSchema json) {
      node.put("type", "json_schema").put("name", json.name());
      LanguageJson.putIfStated(node, "description", json.description());
      node.set("schema", json.schema());
      LanguageJson.putIfStated(node, "strict", json.strict());
      return node;
    }
    return node.put("type", format instanceof Format.JsonObject ? "json_object" : "text");
  }

  static ObjectNode reasoning(@Nullable Reasoning reasoning) {
    Effort effort = reasoning == null ? null : reasoning.inWords();
    boolean summary = reasoning != null && reasoning.summary() && !reasoning.off();
    return LanguageJson.object()
        .put("effort", effort == null ? null : effort.word())
        .put("summary", summary ? "auto" : null);
  }
}
