package dev.octroi.services.language.responses;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Source;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes the turns of a talk as items for an upstream. Thoughts that this protocol's upstreams did
 * not seal are left out, since they cannot open them.
 */
final class ItemWriter {

  private final ArrayNode items = LanguageJson.array();
  private final List<Part> words = new ArrayList<>();
  private final Target target;

  ItemWriter(Target target) {
    this.target = target;
  }

  ArrayNode write(List<Turn> turns) {
    for (Turn turn : turns) {
      for (Part part : turn.parts()) {
        if (part instanceof Part.ToolResult result) {
          message(turn.role());
          items.add(result(result));
        } else if (part instanceof Part.ToolUse use) {
          message(turn.role());
          items.add(call(use));
        } else if (part instanceof Part.Thinking thinking) {
          message(turn.role());
          thoughts(thinking);
        } else {
          words.add(part);
        }
      }
      message(turn.role());
    }
    return items;
  }

  /** Ends the message that was gathered. */
  private void message(Role role) {
    if (!words.isEmpty()) {
      ObjectNode item = items.addObject().put("type", "message").put("role", word(role));
      item.set("content", content(words, role == Role.ASSISTANT));
      words.clear();
    }
  }

  private String word(Role role) {
    boolean old = role == Role.DEVELOPER && target.has(Quirk.NO_DEVELOPER_ROLE);
    return (old ? Role.SYSTEM : role).name().toLowerCase(Locale.ROOT);
  }

  private static ArrayNode content(List<Part> parts, boolean said) {
    ArrayNode content = LanguageJson.array();
    for (Part part : parts) {
      content.add(part(part, said ? "output_text" : "input_text"));
    }
    return content;
  }

  private static ObjectNode part(Part part, String wordsType) {
    ObjectNode node = LanguageJson.object();
    if (part instanceof Part.Refusal refusal) {
      return node.put("type", "refusal").put("refusal", refusal.text());
    }
    if (part instanceof Part.Image image) {
      node.put("type", "input_image").put("image_url", url(image.source()));
      return node.put("detail", image.detail() == null ? "auto" : image.detail());
    }
    if (part instanceof Part.Document document) {
      return document(document, wordsType);
    }
    return node.put("type", wordsType)
        .put("text", part instanceof Part.Text text ? text.text() : "");
  }

  private static ObjectNode document(Part.Document document, String wordsType) {
    ObjectNode node = LanguageJson.object();
    String title = document.title();
    if (document.source() instanceof Source.Plain plain) {
      return node.put("type", wordsType)
          .put("text", title == null ? plain.text() : title + "\n\n" + plain.text());
    }
    node.put("type", "input_file");
    if (document.source() instanceof Source.Address address) {
      return node.put("file_url", address.url());
    }
    return node.put("filename", title == null ? "document" : title)
        .put("file_data", url(document.source()));
  }

  private static String url(Source source) {
    if (source instanceof Source.Address address) {
      return address.url();
    }
    return source instanceof Source.Inline inline ? inline.dataUrl() : "";
  }

  private static ObjectNode call(Part.ToolUse use) {
    return LanguageJson.object()
        .put("type", "function_call")
        .put("call_id", use.id())
        .put("name", use.name())
        .put("arguments", use.arguments().isEmpty() ? "{}" : use.arguments());
  }

  private static ObjectNode result(Part.ToolResult result) {
    ObjectNode item =
        LanguageJson.object().put("type", "function_call_output").put("call_id", result.id());
    List<Part> parts = result.parts();
    String error = result.error() ? "Error: " : "";
    if (parts.isEmpty()) {
      return item.put("output", error);
    }
    if (parts.size() == 1 && parts.get(0) instanceof Part.Text text) {
      return item.put("output", error + text.text());
    }
    ArrayNode output = content(parts, false);
    if (result.error()) {
      output.insert(0, part(Part.text(error), "input_text"));
    }
    item.set("output", output);
    return item;
  }

  private void thoughts(Part.Thinking thinking) {
    Seal seal = thinking.seal();
    if (seal == null || seal.kind() != Seal.Kind.ENCRYPTED) {
      return;
    }
    ObjectNode item = items.addObject().put("type", "reasoning");
    if (!seal.id().isEmpty()) {
      item.put("id", seal.id());
    }
    ArrayNode summary = item.putArray("summary");
    if (!thinking.text().isEmpty()) {
      summary.addObject().put("type", "summary_text").put("text", thinking.text());
    }
    item.put("encrypted_content", seal.value());
  }
}
