package dev.octroi.services.language.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.Member;
import dev.octroi.services.language.Prompt.CacheMark;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.PromptLimits;
import dev.octroi.services.language.Seal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Reads the messages of a talk, and notes what no other protocol can say. */
final class ChatTurns {

  /** What is read of a detail of thoughts. */
  private static final List<String> WORDS = List.of("type", "text", "summary");

  private static final List<String> SEALED_WORDS = List.of("type", "text", "summary", "signature");

  private final List<Untranslatable> untranslatable;

  ChatTurns(List<Untranslatable> untranslatable) {
    this.untranslatable = untranslatable;
  }

  List<Turn> read(Member messages) {
    List<Turn> turns = new ArrayList<>();
    for (Member message : messages.each(PromptLimits.TURNS)) {
      turns.add(turn(message.object()));
    }
    if (turns.isEmpty()) {
      throw messages.invalid("must hold at least one message");
    }
    return turns;
  }

  private Turn turn(Member message) {
    Turn turn = spoken(message);
    String name = message.at("name").textOrNull(PromptLimits.NAME);
    return name == null ? turn : turn.by(name);
  }

  private Turn spoken(Member message) {
    return switch (message.at("role").name()) {
      case "system" -> new Turn(Role.SYSTEM, required(message));
      case "developer" -> new Turn(Role.DEVELOPER, required(message));
      case "user" -> new Turn(Role.USER, required(message));
      case "assistant" -> assistant(message);
      case "tool" -> new Turn(Role.USER, List.of(result(message)));
      case "function" -> new Turn(Role.USER, List.of(own(message)));
      default ->
          throw message.at("role").invalid("must be system, developer, user, assistant or tool");
    };
  }

  private Part result(Member message) {
    return new Part.ToolResult(
        message.at("tool_call_id").name(), required(message), false, CacheMark.of(message));
  }

  private Turn assistant(Member message) {
    List<String> besides = new ArrayList<>();
    List<Part> parts = new ArrayList<>(thoughts(message, besides));
    parts.addAll(content(message.at("content")));
    String refusal = message.at("refusal").textOrNull(PromptLimits.TEXT);
    if (refusal != null) {
      parts.add(new Part.Refusal(refusal));
    }
    for (Member call : message.at("tool_calls").each(PromptLimits.PARTS)) {
      Part.Thinking mark = ChatReplyReader.mark(call.object().value());
      if (mark != null) {
        parts.add(mark);
      }
      parts.add(call(call.object()));
    }
    Member retired = message.at("function_call");
    if (retired.present()) {
      parts.add(own(retired));
    }
    Member audio = message.at("audio");
    if (audio.present()) {
      parts.add(feature(audio, "audio"));
    }
    return new Turn(Role.ASSISTANT, parts, besides);
  }

  /**
   * The details hold the seals, and the words once more; hosts that read no details read the words,
   * under one of two names.
   *
   * @param besides takes what other hosts write into details, such as thoughts that they encrypt
   */
  private static List<Part> thoughts(Member message, List<String> besides) {
    List<Part> thoughts = new ArrayList<>();
    int told = 0;
    for (Member detail : message.at("reasoning_details").each(PromptLimits.PARTS)) {
      String words = words(detail, "text") + words(detail, "summary");
      told += words.length();
      Seal seal = Seal.read(words(detail, "signature"), null, "");
      thoughts.add(new Part.Thinking(words, seal));
      JsonNode more = detail.value().deepCopy();
      if (more instanceof ObjectNode known) {
        known.remove(seal == null ? WORDS : SEALED_WORDS);
      }
      besides.add(more.isEmpty() && more.isObject() ? "" : more.toString());
    }
    String words =
        Stream.of("reasoning_content", "reasoning")
            .map(message::at)
            .filter(Member::isText)
            .map(each -> each.text(PromptLimits.TEXT))
            .max(Comparator.comparingInt(String::length))
            .orElse("");
    if (words.length() > told) {
      thoughts.add(new Part.Thinking(words, null));
    }
    return thoughts;
  }

  private static String words(Member detail, String member) {
    String words = detail.at(member).textOrNull(PromptLimits.TEXT);
    return words == null ? "" : words;
  }

  private Part call(Member call) {
    if (!call.type().equals("function")) {
      return own(call);
    }
    Member function = call.at("function").object();
    String arguments = function.at("arguments").text(PromptLimits.TEXT);
    return new Part.ToolUse(call.at("id").name(), function.at("name").name(), arguments, null);
  }

  private List<Part> required(Member message) {
    Member content = message.at("content");
    if (!content.present()) {
      throw content.invalid("is required");
    }
    return content(content);
  }

  private List<Part> content(Member content) {
    if (!content.present()) {
      return List.of();
    }
    if (content.isText()) {
      return List.of(Part.text(content.text(PromptLimits.TEXT)));
    }
    List<Part> parts = new ArrayList<>();
    for (Member part : content.each(PromptLimits.PARTS)) {
      parts.add(part(part.object()));
    }
    return parts;
  }

  private Part part(Member part) {
    return switch (part.type()) {
      case "text" ->
          new Part.Text(part.at("text").text(PromptLimits.TEXT), List.of(), CacheMark.of(part));
      case "refusal" -> new Part.Refusal(part.at("refusal").text(PromptLimits.TEXT));
      case "image_url" -> image(part);
      case "file" -> file(part);
      case "" -> throw part.at("type").invalid("is required");
      default -> feature(part, part.type());
    };
  }

  private static Part image(Member part) {
    Member image = part.at("image_url").object();
    return new Part.Image(
        image.at("url").source(), image.at("detail").detailOrNull(), CacheMark.of(part));
  }

  private Part file(Member part) {
    Member file = part.at("file").object();
    if (!file.at("file_data").present() || file.at(Member.FILE).present()) {
      return feature(part, Member.FILE);
    }
    return new Part.Document(
        file.at("file_data").source(),
        file.at("filename").textOrNull(PromptLimits.WORD),
        CacheMark.of(part));
  }

  private Part own(Member part) {
    untranslatable.add(part.untranslatable());
    return part.asNative();
  }

  private Part feature(Member part, String name) {
    untranslatable.add(part.feature(name));
    return part.asNative();
  }
}
