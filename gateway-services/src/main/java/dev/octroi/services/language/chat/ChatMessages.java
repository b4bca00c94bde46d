package dev.octroi.services.language.chat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Source;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the turns of a talk as messages for an upstream. */
final class ChatMessages {

  private final ArrayNode messages = LanguageJson.array();
  private final Map<String, String> tools = new HashMap<>();
  private final Target target;

  ChatMessages(Target target) {
    this.target = target;
  }

  ArrayNode write(List<Turn> turns) {
    for (Turn turn : turns) {
      switch (turn.role()) {
        case SYSTEM -> spoken("system", turn.parts());
        case DEVELOPER ->
            spoken(target.has(Quirk.NO_DEVELOPER_ROLE) ? "system" : "developer", turn.parts());
        case USER -> user(turn.parts());
        case ASSISTANT -> assistant(turn.parts());
      }
    }
    return messages;
  }

  /** Results come first: the upstream wants them right behind the calls they answer. */
  private void user(List<Part> parts) {
    List<Part> rest = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Part.ToolResult result) {
        rest.addAll(result(result));
      }
    }
    parts.stream().filter(part -> !(part instanceof Part.ToolResult)).forEach(rest::add);
    spoken("user", rest);
  }

  /** Writes the result; what stays is what a tool's message cannot hold. */
  private List<Part> result(Part.ToolResult result) {
    List<Part> words = new ArrayList<>();
    List<Part> stays = new ArrayList<>();
    for (Part part : result.parts()) {
      (part instanceof Part.Text ? words : stays).add(part);
    }
    if (!stays.isEmpty()) {
      stays.add(0, Part.text("Result of tool call " + result.id() + ":"));
    }
    if (result.error()) {
      String first = words.isEmpty() ? "" : ((Part.Text) words.remove(0)).text();
      words.add(0, Part.text("Error: " + first));
    }
    ObjectNode message = messages.addObject().put("role", "tool").put("tool_call_id", result.id());
    if (target.has(Quirk.NAMED_RESULTS) && tools.containsKey(result.id())) {
      message.put("name", tools.get(result.id()));
    }
    content(message, isPlain() ? joined(words) : words);
    return stays;
  }

  private void spoken(String role, List<Part> parts) {
    if (!parts.isEmpty()) {
      content(messages.addObject().put("role", role), parts);
    }
  }

  private void assistant(List<Part> parts) {
    ObjectNode message = LanguageJson.object().put("role", "assistant");
    List<Part> words = parts.stream().filter(this::isSpoken).toList();
    if (words.isEmpty()) {
      message.putNull("content");
    } else {
      content(message, words);
    }
    ArrayNode calls = LanguageJson.array();
    StringBuilder thoughts = new StringBuilder();
    for (Part part : parts) {
      if (part instanceof Part.Refusal refusal && !isPlain()) {
        message.put("refusal", refusal.text());
      } else if (part instanceof Part.ToolUse use) {
        tools.put(use.id(), use.name());
        calls.add(marked(call(use), parts));
      } else if (part instanceof Part.Thinking thinking) {
        thoughts.append(thinking.text());
      }
    }
    if (!calls.isEmpty()) {
      message.set("tool_calls", calls);
    }
    if (target.has(Quirk.REASONING_CONTENT) && thoughts.length() > 0) {
      message.put("reasoning_content", thoughts.toString());
    }
    if (message.size() > 2 || !words.isEmpty()) {
      messages.add(message);
    }
  }

  /** Hosts that only call themselves compatible know a refusal as a text. */
  private boolean isSpoken(Part part) {
    return part instanceof Part.Text || (isPlain() && part instanceof Part.Refusal);
  }

  private boolean isPlain() {
    return target.has(Quirk.NO_DEVELOPER_ROLE);
  }

  /** They take the result of a tool as one text. */
  private static List<Part> joined(List<Part> texts) {
    return List.of(
        Part.text(
            texts.stream()
                .map(text -> ((Part.Text) text).text())
                .collect(Collectors.joining("\n"))));
  }

  static ObjectNode call(Part.ToolUse use) {
    ObjectNode call = LanguageJson.object().put("id", use.id()).put("type", "function");
    call.putObject("function")
        .put("name", use.name())
        .put("arguments", use.arguments().isEmpty() ? "{}" : use.arguments());
    return call;
  }

  /** Gives a call back what its host marked it with. */
  private static ObjectNode marked(ObjectNode call, List<Part> parts) {
    for (Part part : parts) {
      if (part instanceof Part.Thinking thinking
          && thinking.seal() != null
          && thinking.seal().kind() == Seal.Kind.CALL
          && thinking.seal().id().equals(call.path("id").asText())) {
        call.set("extra_content", LanguageJson.tree(thinking.seal().value()));
      }
    }
    return call;
  }

  /** One text is a string, which every compatible host reads. */
  private static void content(ObjectNode message, List<Part> parts) {
    if (parts.isEmpty()) {
      message.put("content", "");
    } else if (parts.size() == 1
        && !(parts.get(0) instanceof Part.Image || parts.get(0) instanceof Part.Document)) {
      message.set("content", part(parts.get(0)).path("text"));
    } else {
      ArrayNode content = message.putArray("content");
      parts.forEach(part -> content.add(part(part)));
    }
  }

  private static ObjectNode part(Part part) {
    if (part instanceof Part.Image image) {
      return image(image);
    }
    if (part instanceof Part.Document document) {
      return document(document);
    }
    String words = part instanceof Part.Text text ? text.text() : "";
    return words(part instanceof Part.Refusal refusal ? refusal.text() : words);
  }

  private static ObjectNode words(String text) {
    return LanguageJson.object().put("type", "text").put("text", text);
  }

  private static ObjectNode image(Part.Image image) {
    ObjectNode node = LanguageJson.object().put("type", "image_url");
    ObjectNode url = node.putObject("image_url").put("url", url(image.source()));
    LanguageJson.putIfStated(url, "detail", image.detail());
    return node;
  }

  private static ObjectNode document(Part.Document document) {
    String title = document.title();
    if (document.source() instanceof Source.Plain plain) {
      return words(title == null ? plain.text() : title + "\n\n" + plain.text());
    }
    ObjectNode node = LanguageJson.object().put("type", "file");
    node.putObject("file")
        .put("filename", title == null ? "document" : title)
        .put("file_data", url(document.source()));
    return node;
  }

  private static String url(Source source) {
    if (source instanceof Source.Address address) {
      return address.url();
    }
    return source instanceof Source.Inline inline ? inline.dataUrl() : "";
  }
}
