package dev.octroi.services.language;

import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Labels;
import dev.octroi.services.language.Prompt.Tool;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Tooling;
import dev.octroi.services.language.Prompt.Untranslatable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the chat and the responses protocol say in the same words: tools, formats and labels.
 * For one prompt.
 *
 * @param untranslatable where is noted what no other protocol can say
 * @param details finds what an object with a type says of itself: the one protocol nests it under
 *     the type's name, the other does not
 */
public record PromptWords(List<Untranslatable> untranslatable, UnaryOperator<Member> details) {

  private static final String FUNCTION = "function";

  /** The tools, and how they may be asked for. */
  public Tooling tooling(Member body) {
    List<Tool> tools = new ArrayList<>();
    for (Member tool : body.at("tools").each(PromptLimits.TOOLS)) {
      if (tool.object().type().equals(FUNCTION)) {
        tools.add(tool(details.apply(tool)));
      } else {
        untranslatable.add(tool.untranslatable());
      }
    }
    return new Tooling(
        tools, choice(body.at("tool_choice")), body.at("parallel_tool_calls").flagOrNull());
  }

  private static Tool tool(Member function) {
    Member schema = function.at("parameters");
    return new Tool(
        function.at("name").name(),
        function.at("description").textOrNull(PromptLimits.TEXT),
        schema.present() ? schema.object().value() : null,
        function.at("strict").flagOrNull(),
        null);
  }

  private @Nullable ToolChoice choice(Member choice) {
    if (!choice.present()) {
      return null;
    }
    if (choice.isText()) {
      return switch (choice.name()) {
        case "auto" -> new ToolChoice.Auto();
        case "none" -> new ToolChoice.None();
        case "required" -> new ToolChoice.Any();
        default -> {
          own(choice);
          yield null;
        }
      };
    }
    if (choice.object().type().equals(FUNCTION)) {
      return new ToolChoice.Named(details.apply(choice).at("name").name());
    }
    own(choice);
    return null;
  }

  /** What the answer has to look like. */
  public Format format(Member format) {
    if (!format.present()) {
      return new Format.Prose();
    }
    return switch (format.object().type()) {
      case "text" -> new Format.Prose();
      case "json_object" -> new Format.JsonObject();
      case "json_schema" -> schema(details.apply(format));
      default -> {
        own(format);
        yield new Format.Prose();
      }
    };
  }

  private static Format schema(Member json) {
    return new Format.JsonSchema(
        json.at("name").name(),
        json.at("description").textOrNull(PromptLimits.TEXT),
        json.at("schema").object().value(),
        json.at("strict").flagOrNull());
  }

  /** A word that came after this was written is the upstream's to judge, where bytes pass. */
  public void own(Member member) {
    untranslatable.add(member.untranslatable());
  }

  /** What the caller wants to find again. */
  public static Labels labels(Member body) {
    Map<String, String> metadata = new LinkedHashMap<>();
    Member given = body.at("metadata");
    List<Member> pairs = given.present() ? given.object().members() : List.of();
    if (pairs.size() > PromptLimits.METADATA) {
      throw given.invalid("has more than " + PromptLimits.METADATA + " members");
    }
    for (Member pair : pairs) {
      metadata.put(pair.path().substring("metadata.".length()), pair.text(PromptLimits.WORD));
    }
    return new Labels(body.at("user").textOrNull(PromptLimits.WORD), metadata);
  }
}
