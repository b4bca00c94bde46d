package dev.octroi.services.language.chat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;

/** Writes a whole answer for a caller. */
final class ChatReplyWriter {

  private ChatReplyWriter() {}

  static byte[] write(Reply reply, Asked asked) {
    ObjectNode tree = completion("chat.completion", reply.id(), asked);
    ObjectNode choice = tree.putArray("choices").addObject().put("index", 0);
    choice.set("message", message(reply));
    boolean refused = reply.parts().stream().anyMatch(Part.Refusal.class::isInstance);
    choice.putNull("logprobs").put("finish_reason", FinishWords.write(reply.stop(), refused));
    tree.set("usage", usage(reply.usage()));
    return LanguageJson.bytes(tree);
  }

  static ObjectNode completion(String object, String id, Asked asked) {
    return LanguageJson.object()
        .put("id", id.startsWith("chatcmpl-") ? id : "chatcmpl-" + id)
        .put("object", object)
        .put("created", asked.at().getEpochSecond())
        .put("model", asked.model());
  }

  private static ObjectNode message(Reply reply) {
    StringBuilder words = new StringBuilder();
    StringBuilder thoughts = new StringBuilder();
    ArrayNode details = LanguageJson.array();
    ArrayNode annotations = LanguageJson.array();
    ArrayNode calls = LanguageJson.array();
    ObjectNode message = LanguageJson.object().put("role", "assistant");
    message.putNull("content").putNull("refusal");
    for (Part part : reply.parts()) {
      if (part instanceof Part.Text text) {
        message.put("content", words.append(text.text()).toString());
        text.citations().forEach(citation -> annotations.add(annotation(citation)));
      } else if (part instanceof Part.Refusal refusal) {
        message.put("refusal", refusal.text());
      } else if (part instanceof Part.Thinking thinking) {
        thoughts.append(thinking.text());
        if (thinking.seal() != null) {
          details.add(detail(thinking.text(), thinking.seal()));
        }
      } else if (part instanceof Part.ToolUse use) {
        calls.add(ChatMessages.call(use));
      }
    }
    message.set("annotations", annotations);
    if (thoughts.length() > 0) {
      message.put("reasoning_content", thoughts.toString());
    }
    if (!details.isEmpty()) {
      message.set("reasoning_details", details);
    }
    if (!calls.isEmpty()) {
      message.set("tool_calls", calls);
    }
    return message;
  }

  /** Sealed thoughts, to be handed back whole. */
  static ObjectNode detail(String text, Seal seal) {
    return LanguageJson.object()
        .put("type", "reasoning.text")
        .put("text", text)
        .put("signature", seal.token());
  }

  static ObjectNode annotation(Citation citation) {
    ObjectNode annotation = LanguageJson.object().put("type", "url_citation");
    annotation
        .putObject("url_citation")
        .put("url", citation.url())
        .put("title", citation.title())
        .put("start_index", citation.start())
        .put("end_index", citation.end());
    return annotation;
  }

  static ObjectNode usage(Usage usage) {
    ObjectNode node =
        LanguageJson.object()
            .put("prompt_tokens", usage.allInput())
            .put("completion_tokens", usage.output())
            .put("total_tokens", usage.allInput() + usage.output());
    node.putObject("prompt_tokens_details")
        .put("cached_tokens", usage.cacheRead())
        .put("cache_write_tokens", usage.allCacheWrite())
        .put("audio_tokens", 0);
    node.putObject("completion_tokens_details")
        .put("reasoning_tokens", usage.reasoning())
        .put("audio_tokens", 0)
        .put("accepted_prediction_tokens", 0)
        .put("rejected_prediction_tokens", 0);
    return node;
  }
}
