package dev.octroi.services.language.responses;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.upstream.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Reads an upstream's whole answer. */
final class ResponsesReplyReader {

  /** How an answer stands that is none, or none yet. */
  static final Set<String> UNDONE = Set.of("failed", "cancelled", "queued", "in_progress");

  private ResponsesReplyReader() {}

  static Reply read(byte[] body) {
    JsonNode tree = LanguageJson.tree(body);
    Failures.require(
        tree.path("output").isArray() && !UNDONE.contains(tree.path("status").asText("")),
        "output is no list, or not done");
    List<Part> parts = new ArrayList<>();
    for (JsonNode item : tree.path("output")) {
      parts(item, parts);
    }
    Reply reply =
        new Reply(
            tree.path("id").asText(""),
            tree.path("model").asText(""),
            parts,
            stop(
                tree,
                parts.stream().anyMatch(Part.ToolUse.class::isInstance),
                parts.stream().anyMatch(Part.Refusal.class::isInstance)),
            null,
            usage(tree.path("usage")));
    boolean others =
        tree.path("output").valueStream().anyMatch(item -> isOther(item.path("type").asText("")));
    return others ? reply : reply.requireContent();
  }

  /** Whether an item is that of a tool of the vendor's own. */
  static boolean isOther(String type) {
    return !Set.of("message", "reasoning", "function_call", "").contains(type);
  }

  private static void parts(JsonNode item, List<Part> parts) {
    switch (item.path("type").asText("")) {
      case "message" -> item.path("content").forEach(content -> words(content, parts));
      case "function_call" -> parts.add(call(item, item.path("arguments").asText("")));
      case "reasoning" -> {
        Seal seal = seal(item);
        String text = thoughts(item);
        if (seal != null || !text.isEmpty()) {
          parts.add(new Part.Thinking(text, seal));
        }
      }
      default -> {
        // items of tools that the upstream ran itself, which no translated prompt asks for
      }
    }
  }

  private static void words(JsonNode content, List<Part> parts) {
    if (content.path("type").asText("").equals("refusal")) {
      parts.add(new Part.Refusal(content.path("refusal").asText("")));
      return;
    }
    List<Citation> citations = new ArrayList<>();
    for (JsonNode annotation : content.path("annotations")) {
      if (annotation.path("url").isTextual()) {
        citations.add(citation(annotation));
      }
    }
    parts.add(new Part.Text(content.path("text").asText(""), citations, null));
  }

  static Citation citation(JsonNode annotation) {
    return new Citation(
        annotation.path("url").asText(""),
        annotation.path("title").asText(""),
        "",
        annotation.path("start_index").asInt(),
        annotation.path("end_index").asInt());
  }

  static Part.ToolUse call(JsonNode item, String arguments) {
    return new Part.ToolUse(
        item.path("call_id").asText(""), item.path("name").asText(""), arguments, null);
  }

  private static String thoughts(JsonNode item) {
    StringJoiner text = new StringJoiner("\n\n");
    JsonNode summary = item.path("summary");
    for (JsonNode part : summary.isEmpty() ? item.path("content") : summary) {
      text.add(part.path("text").asText(""));
    }
    return text.toString();
  }

  static @Nullable Seal seal(JsonNode item) {
    JsonNode content = item.path("encrypted_content");
    return content.isTextual()
        ? Seal.read(content.asText(), Seal.Kind.ENCRYPTED, item.path("id").asText(""))
        : null;
  }

  static StopReason stop(JsonNode response, boolean called, boolean refused) {
    if (response.path("status").asText("").equals("incomplete")) {
      String reason = response.path("incomplete_details").path("reason").asText("");
      return reason.equals("content_filter") ? StopReason.REFUSAL : StopReason.MAX_TOKENS;
    }
    if (refused) {
      return StopReason.REFUSAL;
    }
    return called ? StopReason.TOOL_USE : StopReason.END_TURN;
  }

  static Usage usage(JsonNode usage) {
    return Usage.ofAllInput(
        usage.path("input_tokens").asLong(),
        usage.path("output_tokens").asLong(),
        usage.path("input_tokens_details").path("cached_tokens").asLong(),
        usage.path("input_tokens_details").path("cache_write_tokens").asLong(),
        usage.path("output_tokens_details").path("reasoning_tokens").asLong());
  }
}
