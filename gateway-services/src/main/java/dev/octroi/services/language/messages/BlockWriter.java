package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.CacheMark;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Source;
import dev.octroi.services.language.Seal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes content blocks for an upstream. Empty texts are left out, since upstreams refuse them, and
 * so are thoughts that another protocol's upstream sealed, since only that one can open them.
 */
final class BlockWriter {

  private BlockWriter() {}

  static ArrayNode blocks(List<Part> parts) {
    ArrayNode blocks = LanguageJson.array();
    for (Part part : parts) {
      ObjectNode block = block(part);
      if (block != null) {
        blocks.add(block);
      }
    }
    return blocks;
  }

  private static @Nullable ObjectNode block(Part part) {
    if (part instanceof Part.Text text) {
      return text.text().isEmpty() ? null : marked(text(text.text()), text.mark());
    }
    if (part instanceof Part.Refusal refusal) {
      return refusal.text().isEmpty() ? null : text(refusal.text());
    }
    if (part instanceof Part.Image image) {
      ObjectNode block = LanguageJson.object().put("type", "image");
      block.set("source", source(image.source()));
      return marked(block, image.mark());
    }
    if (part instanceof Part.Document document) {
      return document(document);
    }
    if (part instanceof Part.Thinking thinking) {
      return thinking(thinking);
    }
    if (part instanceof Part.ToolUse use) {
      return marked(toolUse(use), use.mark());
    }
    return part instanceof Part.ToolResult result ? toolResult(result) : null;
  }

  static ObjectNode text(String text) {
    return LanguageJson.object().put("type", "text").put("text", text);
  }

  private static ObjectNode document(Part.Document document) {
    ObjectNode block = LanguageJson.object().put("type", "document");
    block.set("source", source(document.source()));
    LanguageJson.putIfStated(block, "title", document.title());
    return marked(block, document.mark());
  }

  private static @Nullable ObjectNode thinking(Part.Thinking thinking) {
    Seal seal = thinking.seal();
    return seal == null || !seal.ofMessages() ? null : thought(thinking);
  }

  /** Thoughts as a block, sealed in any protocol: for callers, who carry the seal as a token. */
  static ObjectNode thought(Part.Thinking thinking) {
    Seal seal = thinking.seal();
    if (seal != null && seal.kind() == Seal.Kind.REDACTED) {
      return LanguageJson.object().put("type", "redacted_thinking").put("data", seal.value());
    }
    return LanguageJson.object()
        .put("type", "thinking")
        .put("thinking", thinking.text())
        .put("signature", seal == null ? "" : seal.in(Seal.Kind.SIGNATURE));
  }

  static ObjectNode toolUse(Part.ToolUse use) {
    ObjectNode block =
        LanguageJson.object().put("type", "tool_use").put("id", use.id()).put("name", use.name());
    block.set("input", LanguageJson.arguments(use.arguments()));
    return block;
  }

  private static ObjectNode toolResult(Part.ToolResult result) {
    ObjectNode block =
        LanguageJson.object().put("type", "tool_result").put("tool_use_id", result.id());
    ArrayNode content = blocks(result.parts());
    if (!content.isEmpty()) {
      block.set("content", content);
    }
    if (result.error()) {
      block.put("is_error", true);
    }
    return marked(block, result.mark());
  }

  private static ObjectNode source(Source source) {
    ObjectNode node = LanguageJson.object();
    if (source instanceof Source.Inline inline) {
      return node.put("type", "base64")
          .put("media_type", inline.mediaType())
          .put("data", inline.base64());
    }
    if (source instanceof Source.Address address) {
      return node.put("type", "url").put("url", address.url());
    }
    return node.put("type", "text")
        .put("media_type", "text/plain")
        .put("data", ((Source.Plain) source).text());
  }

  static ObjectNode marked(ObjectNode block, @Nullable CacheMark mark) {
    if (mark != null) {
      ObjectNode control = block.putObject("cache_control").put("type", "ephemeral");
      LanguageJson.putIfStated(control, "ttl", mark.life());
    }
    return block;
  }
}
