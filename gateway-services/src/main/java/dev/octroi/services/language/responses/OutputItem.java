package dev.octroi.services.language.responses;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Seal;

/**
 * An item of an answer: every part is one of its own.
 *
 * @param id made of the answer's, so that streams and whole answers agree
 * @param index where it stands in the output
 */
record OutputItem(String id, int index) {

  static OutputItem of(String answerId, int index, Part part) {
    String kind = "msg_";
    if (part instanceof Part.ToolUse) {
      kind = "fc_";
    } else if (part instanceof Part.Thinking) {
      kind = "rs_";
    }
    return new OutputItem(kind + answerId + "_" + index, index);
  }

  /** The item as it begins. */
  ObjectNode begun(Part part) {
    ObjectNode item = LanguageJson.object().put("id", id);
    if (part instanceof Part.ToolUse use) {
      return call(item, use, "").put("status", "in_progress");
    }
    if (part instanceof Part.Thinking) {
      item.put("type", "reasoning").putArray("summary");
      return item;
    }
    item.put("type", "message").put("status", "in_progress").put("role", "assistant");
    item.putArray("content");
    return item;
  }

  ObjectNode whole(Part part) {
    ObjectNode item = LanguageJson.object().put("id", id);
    if (part instanceof Part.ToolUse use) {
      return call(item, use, arguments(use)).put("status", "completed");
    }
    if (part instanceof Part.Thinking thinking) {
      return thoughts(item, thinking);
    }
    item.put("type", "message").put("status", "completed").put("role", "assistant");
    item.putArray("content").add(content(part));
    return item;
  }

  /** Callers parse them, and nothing is no JSON. */
  static String arguments(Part.ToolUse use) {
    return use.arguments().isEmpty() ? "{}" : use.arguments();
  }

  private static ObjectNode call(ObjectNode item, Part.ToolUse use, String arguments) {
    return item.put("type", "function_call")
        .put("call_id", use.id())
        .put("name", use.name())
        .put("arguments", arguments);
  }

  private static ObjectNode thoughts(ObjectNode item, Part.Thinking thinking) {
    item.put("type", "reasoning");
    ArrayNode summary = item.putArray("summary");
    if (!thinking.text().isEmpty()) {
      summary.add(summary(thinking.text()));
    }
    if (thinking.seal() != null) {
      item.put("encrypted_content", thinking.seal().in(Seal.Kind.ENCRYPTED));
    }
    return item;
  }

  static ObjectNode summary(String text) {
    return LanguageJson.object().put("type", "summary_text").put("text", text);
  }

  /** The content of a message. */
  static ObjectNode content(Part part) {
    if (part instanceof Part.Refusal refusal) {
      return LanguageJson.object().put("type", "refusal").put("refusal", refusal.text());
    }
    Part.Text text = part instanceof Part.Text words ? words : Part.text("");
    ObjectNode content = LanguageJson.object().put("type", "output_text").put("text", text.text());
    ArrayNode annotations = content.putArray("annotations");
    text.citations().forEach(citation -> annotations.add(annotation(citation)));
    content.putArray("logprobs");
    return content;
  }

  static ObjectNode annotation(Citation citation) {
    return LanguageJson.object()
        .put("type", "url_citation")
        .put("url", citation.url())
        .put("title", citation.title())
        .put("start_index", citation.start())
        .put("end_index", citation.end());
  }
}
