package dev.octroi.services.language.messages;

import dev.octroi.services.language.Member;
import dev.octroi.services.language.Prompt.CacheMark;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Source;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.PromptLimits;
import dev.octroi.services.language.Seal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a caller's content blocks, and notes those that no other protocol can say. */
final class BlockReader {

  private final List<Untranslatable> untranslatable;

  BlockReader(List<Untranslatable> untranslatable) {
    this.untranslatable = untranslatable;
  }

  /** Content that is a text or a list of blocks. */
  List<Part> content(Member content) {
    if (!content.present()) {
      return List.of();
    }
    if (content.isText()) {
      return List.of(Part.text(content.text(PromptLimits.TEXT)));
    }
    List<Part> parts = new ArrayList<>();
    for (Member block : content.each(PromptLimits.PARTS)) {
      parts.add(part(block.object()));
    }
    return parts;
  }

  private Part part(Member block) {
    return switch (block.type()) {
      case "text" ->
          new Part.Text(block.at("text").text(PromptLimits.TEXT), List.of(), CacheMark.of(block));
      case "image" ->
          source(block.at("source"))
              .<Part>map(source -> new Part.Image(source, null, CacheMark.of(block)))
              .orElseGet(() -> stored(block));
      case "document" -> document(block);
      case "thinking" -> thinking(block);
      case "redacted_thinking" ->
          new Part.Thinking(
              "", Seal.read(block.at("data").text(PromptLimits.TEXT), Seal.Kind.REDACTED, ""));
      case "tool_use" -> toolUse(block);
      case "tool_result" -> toolResult(block);
      case "" -> throw block.at("type").invalid("is required");
      case "server_tool_use", "mcp_tool_use", "search_result" -> own(block);
      default -> block.type().endsWith("_tool_result") ? own(block) : feature(block, block.type());
    };
  }

  private Part document(Member block) {
    boolean cites = block.at("citations").at("enabled").flag();
    Optional<Source> source = source(block.at("source"));
    if (block.at("source").type().equals("content")) {
      return own(block);
    }
    if (source.isEmpty()) {
      return stored(block);
    }
    if (cites || block.at("context").present()) {
      return own(block);
    }
    return new Part.Document(
        source.get(), block.at("title").textOrNull(PromptLimits.WORD), CacheMark.of(block));
  }

  private static Part thinking(Member block) {
    String signature = block.at("signature").textOrNull(PromptLimits.TEXT);
    return new Part.Thinking(
        block.at("thinking").text(PromptLimits.TEXT),
        signature == null ? null : Seal.read(signature, Seal.Kind.SIGNATURE, ""));
  }

  private static Part toolUse(Member block) {
    Member input = block.at("input").object();
    return new Part.ToolUse(
        block.at("id").name(),
        block.at("name").name(),
        input.value().isEmpty() ? "" : input.value().toString(),
        CacheMark.of(block));
  }

  private Part toolResult(Member block) {
    return new Part.ToolResult(
        block.at("tool_use_id").name(),
        content(block.at("content")),
        block.at("is_error").flag(),
        CacheMark.of(block));
  }

  /** Empty for sources that only the vendor can open. */
  private static Optional<Source> source(Member source) {
    return switch (source.object().type()) {
      case "base64" ->
          Optional.of(
              new Source.Inline(
                  source.at("media_type").name(), source.at("data").text(PromptLimits.TEXT)));
      case "url" -> Optional.of(new Source.Address(source.at("url").text(PromptLimits.TEXT)));
      case "text" -> Optional.of(new Source.Plain(source.at("data").text(PromptLimits.TEXT)));
      case "" -> throw source.at("type").invalid("is required");
      default -> Optional.empty();
    };
  }

  /** What is quoted of earlier turns and of the caller's own sources costs tokens alone. */
  private Part own(Member block) {
    untranslatable.add(block.untranslatable());
    return block.asNative();
  }

  /** A file that the vendor keeps, whose tokens the gateway cannot count. */
  private Part stored(Member block) {
    return feature(block, Member.FILE);
  }

  private Part feature(Member block, String name) {
    untranslatable.add(block.feature(name));
    return block.asNative();
  }
}
