package dev.octroi.services.language;

import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Labels;
import dev.octroi.services.language.Prompt.Part.Native;
import dev.octroi.services.language.Prompt.Tool;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Tooling;
import dev.octroi.services.language.Prompt.Untranslatable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the chat and the responses protocol say in the same words: tools, formats and labels.
 * For one prompt.
 *
 * @param untranslatable where is noted what no other protocol can say
 * @param details finds what an object with a type says of itself: the one protocol nests it under
 *     the type's name, the other does not
 * @param limit the member that bounds how often the vendor's own tools run; null where the protocol
 *     has none
 */
public record PromptWords(
    List<Untranslatable> untranslatable, UnaryOperator<Member> details, @Nullable String limit) {

  private static final String FUNCTION = "function";

  /** A tool that the caller runs and whose input is no JSON. */
  private static final String CUSTOM = "custom";

  private static final Set<String> OF_FUNCTIONS =
      Set.of("type", "name", "description", "parameters", "strict");

  private static final Set<String> ORDINARY_TIERS = Set.of("auto", "default", "standard_only");

  /**
   * Notes the members of a prompt that no other protocol can say.
   *
   * @param known those that are read
   * @param harmless those without which the answer is as good
   * @param isDefault whether a member asks for what is done anyway
   */
  public void beyond(
      Member body, Set<String> known, Set<String> harmless, Predicate<Member> isDefault) {
    for (Member member : body.members()) {
      if (!known.contains(member.path()) && !isDefault.test(member)) {
        untranslatable.add(
            harmless.contains(member.path())
                ? member.untranslatable()
                : member.feature(member.path()));
      }
    }
    untranslatable.addAll(tier(body));
  }

  /** The tools, and how they may be asked for. */
  public Tooling tooling(Member body) {
    List<Tool> tools = new ArrayList<>();
    List<Native> natives = new ArrayList<>();
    for (Member tool : body.at("tools").each(PromptLimits.TOOLS)) {
      if (tool.object().type().equals(FUNCTION)) {
        Member function = details.apply(tool);
        tools.add(tool(function));
        for (Member more : function.beyond(OF_FUNCTIONS)) {
          untranslatable.add(more.untranslatable());
          natives.add(more.asNative());
        }
      } else {
        natives.add(tool.asNative());
        untranslatable.add(tool.type().equals(CUSTOM) ? tool.untranslatable() : hosted(tool, body));
      }
    }
    // the retired form of the same
    for (Member function : body.at("functions").each(PromptLimits.TOOLS)) {
      natives.add(function.asNative());
    }
    return new Tooling(
        tools,
        choice(body.at("tool_choice")),
        body.at("parallel_tool_calls").flagOrNull(),
        natives);
  }

  /** Some hosts name a tool of theirs by its only member. */
  private Untranslatable hosted(Member tool, Member body) {
    Iterator<String> names = tool.value().fieldNames();
    String name = tool.type().isEmpty() && names.hasNext() ? names.next() : tool.type();
    return limit == null ? tool.feature(name) : tool.feature(name, body.at(limit));
  }

  /** A tier of service that is not the ordinary one has another price. */
  public static List<Untranslatable> tier(Member body) {
    Member tier = body.at("service_tier");
    boolean ordinary = !tier.present() || ORDINARY_TIERS.contains(tier.name());
    return ordinary ? List.of() : List.of(tier.feature(tier.path()));
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
