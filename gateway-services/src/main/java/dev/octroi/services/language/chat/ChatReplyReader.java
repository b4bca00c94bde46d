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

/**
 * Reads an upstream's whole answer: of several, each of which says something, the parts of one
 * after those of the other.
 */
final class ChatReplyReader {

  private ChatReplyReader() {}

  static Reply read(byte[] body) {
    JsonNode tree = LanguageJson.tree(body);
    List<Reply> answers =
        tree.path("choices").valueStream().map(choice -> answer(tree, choice)).toList();
    Failures.require(
        !answers.isEmpty() && !repeats(tree.path("choices")), "choices is no list of answers");
    Reply first = answers.get(0);
    List<Part> all = answers.stream().flatMap(each -> each.parts().stream()).toList();
    return new Reply(first.id(), first.model(), all, first.stop(), null, first.usage());
  }

  /** Whether two of several answers have one number. */
  static boolean repeats(JsonNode choices) {
    List<JsonNode> numbers =
        choices
            .valueStream()
            .filter(choice -> choice.has("index"))
            .map(choice -> choice.path("index"))
            .toList();
    return numbers.stream().distinct().count() < numbers.size();
  }

  private static Reply answer(JsonNode tree, JsonNode choice) {
    JsonNode message = choice.path("message");
    String finished = choice.path("finish_reason").asText("");
    Failures.require(
        message.isObject() && !finished.equals(FinishWords.FAILED),
        "message is missing, or its answer failed");
    List<Part> parts = parts(message);
    Reply reply =
        new Reply(
            tree.path("id").asText(""),
            tree.path("model").asText(""),
            parts,
            FinishWords.read(finished, parts),
            null,
            usage(tree.path("usage")));
    boolean others = message.path("audio").isObject() || message.path("function_call").isObject();
    return others ? reply : reply.requireContent();
  }

  private static List<Part> parts(JsonNode message) {
    List<Part> parts = new ArrayList<>();
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
    return parts;
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
