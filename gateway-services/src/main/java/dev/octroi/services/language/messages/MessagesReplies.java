package dev.octroi.services.language.messages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.upstream.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Whole answers, read from an upstream and written for a caller. */
final class MessagesReplies {

  private static final String CITATION = "web_search_result_location";

  private MessagesReplies() {}

  static Reply read(byte[] body) {
    JsonNode tree = LanguageJson.tree(body);
    Failures.require(tree.path("content").isArray(), "content is no list");
    List<Part> parts = new ArrayList<>();
    for (JsonNode block : tree.path("content")) {
      Part part = part(block);
      if (part != null) {
        parts.add(part);
      }
    }
    Reply reply =
        new Reply(
            tree.path("id").asText(""),
            tree.path("model").asText(""),
            parts,
            StopWords.read(tree.path("stop_reason").asText("")),
            tree.path("stop_sequence").textValue(),
            usage(tree.path("usage"), Usage.NONE, searches(tree.path("content"))));
    return parts.size() < tree.path("content").size() ? reply : reply.requireContent();
  }

  private static long searches(JsonNode blocks) {
    return StreamSupport.stream(blocks.spliterator(), false)
        .filter(MessagesReplies::isSearch)
        .count();
  }

  /** Whether a block, or its beginning, is a search of the vendor's. */
  static boolean isSearch(JsonNode block) {
    return block.path("type").asText("").equals("server_tool_use")
        && block.path("name").asText("").equals("web_search");
  }

  /** A block of an answer, or its beginning; null for one that has no neutral form. */
  static @Nullable Part part(JsonNode block) {
    return switch (block.path("type").asText("")) {
      case "text" ->
          new Part.Text(block.path("text").asText(""), citations(block.path("citations")), null);
      case "thinking" ->
          new Part.Thinking(
              block.path("thinking").asText(""),
              Seal.read(block.path("signature").asText(""), Seal.Kind.SIGNATURE, ""));
      case "redacted_thinking" ->
          new Part.Thinking("", Seal.read(block.path("data").asText(""), Seal.Kind.REDACTED, ""));
      case "tool_use" ->
          new Part.ToolUse(
              block.path("id").asText(""),
              block.path("name").asText(""),
              block.path("input").isEmpty() ? "" : block.path("input").toString(),
              null);
      default -> null;
    };
  }

  private static List<Citation> citations(JsonNode list) {
    List<Citation> citations = new ArrayList<>();
    for (JsonNode citation : list) {
      if (citation.path("url").isTextual()) {
        citations.add(citation(citation));
      }
    }
    return citations;
  }

  static Citation citation(JsonNode citation) {
    return new Citation(
        citation.path("url").asText(""),
        citation.path("title").asText(""),
        citation.path("cited_text").asText(""),
        0,
        0);
  }

  /**
   * What is stated replaces what was known.
   *
   * @param searches that the answer shows, for a vendor whose usage does not count them
   */
  static Usage usage(JsonNode usage, Usage known, long searches) {
    long written = usage.path("cache_creation_input_tokens").asLong(known.allCacheWrite());
    long hour =
        usage
            .path("cache_creation")
            .path("ephemeral_1h_input_tokens")
            .asLong(known.cacheWriteHour());
    return new Usage(
        usage.path("input_tokens").asLong(known.input()),
        usage.path("output_tokens").asLong(known.output()),
        usage.path("cache_read_input_tokens").asLong(known.cacheRead()),
        Math.max(0, written - hour),
        hour,
        usage.path("output_tokens_details").path("thinking_tokens").asLong(known.reasoning()),
        usage.path("server_tool_use").path("web_search_requests").asLong(searches));
  }

  static byte[] write(Reply reply, Asked asked) {
    ObjectNode tree = message(reply.id(), asked);
    ArrayNode content = tree.putArray("content");
    for (Part part : reply.parts()) {
      ObjectNode block = block(part);
      if (block != null) {
        content.add(block);
      }
    }
    tree.put("stop_reason", StopWords.write(reply.stop()));
    tree.put("stop_sequence", reply.stopSequence());
    tree.set("usage", usage(reply.usage()));
    return LanguageJson.bytes(tree);
  }

  /** The beginning of a message. */
  static ObjectNode message(String id, Asked asked) {
    return LanguageJson.object()
        .put("id", id.startsWith("msg_") ? id : "msg_" + id)
        .put("type", "message")
        .put("role", "assistant")
        .put("model", asked.model());
  }

  static @Nullable ObjectNode block(Part part) {
    if (part instanceof Part.Text text) {
      ObjectNode block = BlockWriter.text(text.text());
      if (!text.citations().isEmpty()) {
        ArrayNode citations = block.putArray("citations");
        text.citations().forEach(citation -> citations.add(citation(citation)));
      }
      return block;
    }
    if (part instanceof Part.Refusal refusal) {
      return BlockWriter.text(refusal.text());
    }
    if (part instanceof Part.Thinking thinking) {
      return BlockWriter.thought(thinking);
    }
    return part instanceof Part.ToolUse use ? BlockWriter.toolUse(use) : null;
  }

  static ObjectNode citation(Citation citation) {
    return LanguageJson.object()
        .put("type", CITATION)
        .put("url", citation.url())
        .put("title", citation.title())
        .put("cited_text", citation.quoted())
        .put("encrypted_index", "");
  }

  static ObjectNode usage(Usage usage) {
    ObjectNode tree =
        LanguageJson.object()
            .put("input_tokens", usage.input())
            .put("cache_creation_input_tokens", usage.allCacheWrite())
            .put("cache_read_input_tokens", usage.cacheRead())
            .put("output_tokens", usage.output());
    if (usage.reasoning() > 0) {
      tree.putObject("output_tokens_details").put("thinking_tokens", usage.reasoning());
    }
    if (usage.cacheWriteHour() > 0) {
      tree.putObject("cache_creation")
          .put("ephemeral_5m_input_tokens", usage.cacheWrite())
          .put("ephemeral_1h_input_tokens", usage.cacheWriteHour());
    }
    return tree;
  }
}
