package dev.octroi.services.language.chat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.upstream.Failures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads an upstream's whole answer: of several, the parts of one after those of the other. */
final class ChatReplyReader {

  private ChatReplyReader() {}

  static Reply read(byte[] body) {
    JsonNode tree = LanguageJson.tree(body);
    List<Part> parts = new ArrayList<>();
    boolean others = false;
    for (JsonNode choice : tree.path("choices")) {
      JsonNode message = choice.path("message");
      if (!message.isObject() || finished(choice).equals(FinishWords.FAILED)) {
        throw Failures.rubbish(null);
      }
      parts(message, parts);
      others |= message.path("audio").isObject() || message.path("function_call").isObject();
    }
    if (tree.path("choices").isEmpty()) {
      throw Failures.rubbish(null);
    }
    Reply reply =
        new Reply(
            tree.path("id").asText(""),
            tree.path("model").asText(""),
            parts,
            FinishWords.read(finished(tree.path("choices").path(0)), parts),
            null,
            usage(tree.path("usage")));
    return others ? reply : reply.requireContent();
  }

  private static String finished(JsonNode choice) {
    return choice.path("finish_reason").asText("");
  }

  private static void parts(JsonNode message, List<Part> parts) {
    String thoughts = thoughts(message);
    if (!thoughts.isEmpty()) {
      parts.add(new Part.Thinking(thoughts, null));
    }
    String words = message.path("content").asText("");
    if (!words.isEmpty() && !message.path("content").isNull()) {
      parts.add(new Part.Text(words, citations(message.path("annotations")), null));
    }
    if (message.path("refusal").isTextual()) {
      parts.add(new Part.Refusal(message.path("refusal").asText()));
    }
    for (JsonNode call : message.path("tool_calls")) {
      JsonNode function = call.path("function");
      Part.Thinking mark = mark(call);
      if (mark != null) {
        parts.add(mark);
      }
      parts.add(
          new Part.ToolUse(
              call.path("id").asText(""),
              function.path("name").asText(""),
              function.path("arguments").asText(""),
              null));
    }
  }

  /** What a host marks a call with, as a thought without words; null where there is none. */
  static Part.@Nullable Thinking mark(JsonNode call) {
    JsonNode mark = call.path("extra_content");
    return mark.isObject()
        ? new Part.Thinking(
            "", new Seal(Seal.Kind.CALL, call.path("id").asText(""), mark.toString()))
        : null;
  }

  /** Compatible hosts tell them under one of two names; some tell them in details alone. */
  static String thoughts(JsonNode message) {
    String named = namedThoughts(message);
    return named.isEmpty() ? detailedThoughts(message) : named;
  }

  static String namedThoughts(JsonNode message) {
    String content = words(message, "reasoning_content");
    return content.isEmpty() ? words(message, "reasoning") : content;
  }

  static String detailedThoughts(JsonNode message) {
    StringBuilder details = new StringBuilder();
    for (JsonNode detail : message.path("reasoning_details")) {
      details.append(words(detail, "text")).append(words(detail, "summary"));
    }
    return details.toString();
  }

  private static String words(JsonNode of, String member) {
    JsonNode words = of.path(member);
    return words.isTextual() ? words.textValue() : "";
  }

  static List<Citation> citations(JsonNode annotations) {
    List<Citation> citations = new ArrayList<>();
    for (JsonNode annotation : annotations) {
      JsonNode citation = annotation.path("url_citation");
      if (citation.isObject()) {
        citations.add(
            new Citation(
                citation.path("url").asText(""),
                citation.path("title").asText(""),
                "",
                citation.path("start_index").asInt(),
                citation.path("end_index").asInt()));
      }
    }
    return citations;
  }

  /** Some hosts count thoughts beside the completion instead of in it; the total tells. */
  static Usage usage(JsonNode usage) {
    long input = usage.path("prompt_tokens").asLong();
    long output =
        Math.max(
            usage.path("completion_tokens").asLong(), usage.path("total_tokens").asLong() - input);
    return Usage.ofAllInput(
        input,
        output,
        usage.path("prompt_tokens_details").path("cached_tokens").asLong(),
        usage.path("prompt_tokens_details").path("cache_write_tokens").asLong(),
        usage.path("completion_tokens_details").path("reasoning_tokens").asLong());
  }
}
