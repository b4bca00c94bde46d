package dev.octroi.services.language.responses;

import dev.octroi.services.language.Member;
import dev.octroi.services.language.Prompt.CacheMark;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.PromptLimits;
import dev.octroi.services.language.Seal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the items of a talk, and notes what no other protocol can say. */
final class InputItems {

  private final List<Untranslatable> untranslatable;

  InputItems(List<Untranslatable> untranslatable) {
    this.untranslatable = untranslatable;
  }

  List<Turn> read(Member input) {
    if (input.isText()) {
      return List.of(new Turn(Role.USER, List.of(Part.text(input.text(PromptLimits.TEXT)))));
    }
    List<Turn> turns = new ArrayList<>();
    for (Member item : input.each(PromptLimits.TURNS)) {
      turns.add(turn(item.object()));
    }
    if (turns.isEmpty()) {
      throw input.invalid("must be a string or hold at least one item");
    }
    return turns;
  }

  private Turn turn(Member item) {
    return switch (item.type()) {
      case "", "message" -> new Turn(role(item.at("role")), content(item.at("content")));
      case "function_call" -> new Turn(Role.ASSISTANT, List.of(call(item)));
      case "function_call_output" -> new Turn(Role.USER, List.of(result(item)));
      case "reasoning" -> new Turn(Role.ASSISTANT, List.of(thoughts(item)));
      case "item_reference" -> throw item.invalid("is not supported: calls are stateless");
      default -> new Turn(Role.ASSISTANT, List.of(said(item)));
    };
  }

  private static Role role(Member role) {
    return switch (role.name()) {
      case "system" -> Role.SYSTEM;
      case "developer" -> Role.DEVELOPER;
      case "user" -> Role.USER;
      case "assistant" -> Role.ASSISTANT;
      default -> throw role.invalid("must be system, developer, user or assistant");
    };
  }

  private static Part call(Member item) {
    return new Part.ToolUse(
        item.at("call_id").name(),
        item.at("name").name(),
        item.at("arguments").text(PromptLimits.TEXT),
        null);
  }

  private Part result(Member item) {
    return new Part.ToolResult(
        item.at("call_id").name(), content(item.at("output")), false, CacheMark.of(item));
  }

  private static Part thoughts(Member item) {
    String id = item.at("id").textOrNull(PromptLimits.NAME);
    String seal = item.at("encrypted_content").textOrNull(PromptLimits.TEXT);
    return new Part.Thinking(
        Stream.of("summary", "content")
            .flatMap(words -> item.at(words).each(PromptLimits.PARTS).stream())
            .map(part -> part.at("text").text(PromptLimits.TEXT))
            .collect(Collectors.joining("\n\n")),
        seal == null ? null : Seal.read(seal, Seal.Kind.ENCRYPTED, id == null ? "" : id));
  }

  private List<Part> content(Member content) {
    if (content.isText()) {
      return List.of(Part.text(content.text(PromptLimits.TEXT)));
    }
    if (!content.present()) {
      throw content.invalid("is required");
    }
    List<Part> parts = new ArrayList<>();
    for (Member part : content.each(PromptLimits.PARTS)) {
      parts.add(part(part.object()));
    }
    return parts;
  }

  private Part part(Member part) {
    return switch (part.type()) {
      case "input_text", "output_text", "text" ->
          new Part.Text(part.at("text").text(PromptLimits.TEXT), List.of(), CacheMark.of(part));
      case "refusal" -> new Part.Refusal(part.at("refusal").text(PromptLimits.TEXT));
      case "input_image" ->
          part.at("image_url").present() && !part.at(Member.FILE).present()
              ? new Part.Image(
                  part.at("image_url").source(),
                  part.at("detail").detailOrNull(),
                  CacheMark.of(part))
              : feature(part, Member.FILE);
      case "input_file" -> file(part);
      case "" -> throw part.at("type").invalid("is required");
      default -> feature(part, part.type());
    };
  }

  private Part file(Member part) {
    Member url = part.at(part.at("file_url").present() ? "file_url" : "file_data");
    if (!url.present() || part.at(Member.FILE).present()) {
      return feature(part, Member.FILE);
    }
    return new Part.Document(
        url.source(), part.at("filename").textOrNull(PromptLimits.WORD), CacheMark.of(part));
  }

  /** What an earlier turn asked of tools and what they said costs tokens alone. */
  private Part said(Member item) {
    String type = item.type();
    if (!type.endsWith("_call") && !type.endsWith("_output") && !type.startsWith("mcp_")) {
      return feature(item, type);
    }
    untranslatable.add(item.untranslatable());
    return item.asNative();
  }

  private Part feature(Member part, String name) {
    untranslatable.add(part.feature(name));
    return part.asNative();
  }
}
