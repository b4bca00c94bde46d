package dev.octroi.services.language.messages;

import dev.octroi.services.language.Member;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.CacheMark;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Labels;
import dev.octroi.services.language.Prompt.Output;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Part.Native;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Sampling;
import dev.octroi.services.language.Prompt.Streaming;
import dev.octroi.services.language.Prompt.Tool;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Tooling;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.PromptLimits;
import dev.octroi.services.language.PromptWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a caller's prompt (specification, Messages). For one prompt. */
final class MessagesPromptReader {

  /** Members that are translated, and those that no answer depends on. */
  private static final Set<String> KNOWN =
      Set.of(
          "model",
          "messages",
          "max_tokens",
          "system",
          "stream",
          "temperature",
          "top_p",
          "top_k",
          "stop_sequences",
          "tools",
          "tool_choice",
          "thinking",
          "metadata",
          "output_config",
          "cache_control",
          "service_tier");

  /** Members of a tool that are translated, and how its arguments are streamed. */
  private static final Set<String> OF_TOOLS =
      Set.of(
          "type",
          "name",
          "description",
          "input_schema",
          "strict",
          "cache_control",
          "eager_input_streaming");

  /** Tools that the vendor runs several times within one call, up to their {@code max_uses}. */
  private static final Pattern REPEATED =
      Pattern.compile("(?:web_search|web_fetch|advisor)(?:_|$)");

  private final boolean limited;
  private final List<Untranslatable> untranslatable = new ArrayList<>();
  private final BlockReader blocks = new BlockReader(untranslatable);

  /**
   * @param limited whether the prompt must say how long its answer may be
   */
  MessagesPromptReader(boolean limited) {
    this.limited = limited;
  }

  Prompt read(byte[] bytes) {
    Member body = Member.body(bytes);
    for (Member member : body.members()) {
      if (!KNOWN.contains(member.path())) {
        untranslatable.add(member.feature(member.path()));
      }
    }
    untranslatable.addAll(PromptWords.tier(body));
    boolean stream = body.at("stream").flag();
    return new Prompt(
        body.at("model").name(),
        turns(body),
        tooling(body),
        sampling(body),
        output(body),
        reasoning(body),
        labels(body.at("metadata")),
        new Streaming(stream, stream),
        CacheMark.of(body),
        untranslatable);
  }

  private List<Turn> turns(Member body) {
    List<Turn> turns = new ArrayList<>();
    List<Part> system = blocks.content(body.at("system"));
    if (!system.isEmpty()) {
      turns.add(new Turn(Role.SYSTEM, system));
    }
    List<Member> messages = body.at("messages").each(PromptLimits.TURNS);
    if (messages.isEmpty()) {
      throw body.at("messages").invalid("must hold at least one message");
    }
    for (Member message : messages) {
      Member content = message.object().at("content");
      if (!content.present()) {
        throw content.invalid("is required");
      }
      turns.add(new Turn(role(message.at("role")), blocks.content(content)));
    }
    return turns;
  }

  private static Role role(Member role) {
    return switch (role.name()) {
      case "user" -> Role.USER;
      case "assistant" -> Role.ASSISTANT;
      case "system" -> Role.SYSTEM;
      default -> throw role.invalid("must be user or assistant");
    };
  }

  private Tooling tooling(Member body) {
    List<Tool> tools = new ArrayList<>();
    List<Native> natives = new ArrayList<>();
    for (Member tool : body.at("tools").each(PromptLimits.TOOLS)) {
      String type = tool.object().type();
      if (type.isEmpty() || type.equals("custom")) {
        tools.add(tool(tool));
        for (Member more : tool.beyond(OF_TOOLS)) {
          untranslatable.add(more.untranslatable());
          natives.add(more.asNative());
        }
      } else {
        untranslatable.add(
            REPEATED.matcher(type).lookingAt()
                ? tool.feature(type, tool.at("max_uses"))
                : tool.feature(type));
        natives.add(tool.asNative());
      }
    }
    Member choice = body.at("tool_choice");
    Boolean serial = choice.at("disable_parallel_tool_use").flagOrNull();
    return new Tooling(tools, choice(choice), serial == null ? null : !serial, natives);
  }

  private static Tool tool(Member tool) {
    return new Tool(
        tool.at("name").name(),
        tool.at("description").textOrNull(PromptLimits.TEXT),
        tool.at("input_schema").object().value(),
        tool.at("strict").flagOrNull(),
        CacheMark.of(tool));
  }

  private @Nullable ToolChoice choice(Member choice) {
    if (!choice.present()) {
      return null;
    }
    return switch (choice.object().type()) {
      case "auto" -> new ToolChoice.Auto();
      case "any" -> new ToolChoice.Any();
      case "none" -> new ToolChoice.None();
      case "tool" -> new ToolChoice.Named(choice.at("name").name());
      default -> {
        own(choice);
        yield null;
      }
    };
  }

  private static Sampling sampling(Member body) {
    List<String> stops = new ArrayList<>();
    for (Member stop : body.at("stop_sequences").each(PromptLimits.STOP_SEQUENCES)) {
      stops.add(stop.text(PromptLimits.WORD));
    }
    return new Sampling(
        body.at("temperature").numberOrNull(0, 1),
        body.at("top_p").numberOrNull(0, 1),
        body.at("top_k").countOrNull(0),
        null,
        null,
        null,
        stops);
  }

  private Output output(Member body) {
    Member most = body.at("max_tokens");
    if (limited && !most.present()) {
      throw most.invalid("is required");
    }
    return new Output(most.countOrNull(1), format(body.at("output_config")), null, 1);
  }

  private Format format(Member config) {
    for (Member member : config.members()) {
      if (!member.path().endsWith(".format") && !member.path().endsWith(".effort")) {
        untranslatable.add(member.feature(config.path()));
      }
    }
    Member format = config.at("format");
    if (!format.present()) {
      return new Format.Prose();
    }
    if (!format.object().type().equals("json_schema")) {
      untranslatable.add(format.untranslatable());
      return new Format.Prose();
    }
    return new Format.JsonSchema("answer", null, format.at("schema").object().value(), true);
  }

  private @Nullable Reasoning reasoning(Member body) {
    Member thinking = body.at("thinking");
    Effort effort = effort(body.at("output_config").at("effort"));
    if (!thinking.present()) {
      return effort == null ? null : new Reasoning(effort, null, false, false);
    }
    boolean shown = !"omitted".equals(thinking.at("display").textOrNull(PromptLimits.NAME));
    return switch (thinking.object().type()) {
      case "enabled" -> new Reasoning(effort, budget(thinking.at("budget_tokens")), shown);
      case "adaptive" -> new Reasoning(effort, null, shown);
      case "disabled" -> new Reasoning(Effort.NONE, null, false);
      default -> {
        own(thinking);
        yield null;
      }
    };
  }

  private static Integer budget(Member budget) {
    Integer tokens = budget.countOrNull(1);
    if (tokens == null) {
      throw budget.invalid("is required");
    }
    return tokens;
  }

  private @Nullable Effort effort(Member effort) {
    String word = effort.textOrNull(PromptLimits.NAME);
    Optional<Effort> known = word == null ? Optional.empty() : Effort.of(word);
    if (word != null && known.isEmpty()) {
      own(effort);
    }
    return known.orElse(null);
  }

  /** A word that came after this was written is the upstream's to judge, where bytes pass. */
  private void own(Member member) {
    untranslatable.add(member.untranslatable());
  }

  private static Labels labels(Member metadata) {
    String user = metadata.at("user_id").textOrNull(PromptLimits.WORD);
    return user == null ? Labels.NONE : new Labels(user, Map.of());
  }
}
