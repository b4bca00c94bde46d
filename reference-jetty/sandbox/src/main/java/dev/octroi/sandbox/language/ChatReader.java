package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** The chat vendor's reading of a request. */
final class ChatReader {

  private final JsonNode body;
  private final AskedBuilder asked;

  private ChatReader(JsonNode body) {
    this.body = body;
    this.asked = new AskedBuilder(body);
  }

  static Asked read(JsonNode body) {
    return new ChatReader(body).read();
  }

  private Asked read() {
    asked.maxTokens(body.path("max_tokens"));
    asked.maxTokens(body.path("max_completion_tokens"));
    boolean afterUser = false;
    for (JsonNode message : body.path("messages")) {
      afterUser = turn(message, afterUser);
    }
    for (JsonNode tool : body.path("tools")) {
      JsonNode function = tool.path("function");
      asked.tool(function.path("name").asText(), function.path("parameters"), function);
    }
    choice(body.path("tool_choice"));
    asked.parallel(body.path("parallel_tool_calls").asBoolean(true));
    String effort = body.path("reasoning_effort").asText();
    asked.think(!effort.isEmpty() && !effort.equals("none"));
    format(body.path("response_format"));
    return asked.built();
  }

  /** Results of tools stand in turns of their own, which together are as one of the user's. */
  private boolean turn(JsonNode message, boolean afterResult) {
    JsonNode content = message.path("content");
    String role = message.path("role").asText();
    switch (role) {
      case "user" -> {
        asked.userTurn();
        content(content);
      }
      case "tool" -> {
        if (!afterResult) {
          asked.userTurn();
        }
        asked.result(text(content));
      }
      case "system", "developer" -> asked.read(text(content));
      case "assistant" -> {
        asked.turn();
        asked.read(text(content));
        for (JsonNode call : message.path("tool_calls")) {
          asked.read(call.path("function").toString());
        }
      }
      default -> throw new IllegalStateException(role);
    }
    return role.equals("tool");
  }

  private void content(JsonNode content) {
    if (content.isTextual()) {
      asked.userText(content.textValue());
    }
    for (JsonNode part : content) {
      switch (part.path("type").asText()) {
        case "text" -> asked.userText(part.path("text").asText());
        case "image_url" -> asked.address(part.path("image_url").path("url").asText());
        case "file" -> asked.address(part.path("file").path("file_data").asText());
        default -> asked.read(part.toString());
      }
    }
  }

  private static String text(JsonNode content) {
    StringBuilder text = new StringBuilder(content.isTextual() ? content.textValue() : "");
    content.valueStream().forEach(part -> text.append(part.path("text").asText()));
    return text.toString();
  }

  private void choice(JsonNode choice) {
    if (choice.isObject()) {
      asked.choose(Asked.Choice.of(choice.path("function").path("name").asText()));
      return;
    }
    switch (choice.asText()) {
      case "required" -> asked.choose(Asked.Choice.ANY);
      case "none" -> asked.choose(Asked.Choice.NONE);
      default -> asked.choose(Asked.Choice.AUTO);
    }
  }

  private void format(JsonNode format) {
    switch (format.path("type").asText()) {
      case "json_schema" -> asked.schema(format.path("json_schema").path("schema"));
      case "json_object" -> asked.schema(JsonNodeFactory.instance.objectNode());
      default -> {
        // plain text
      }
    }
  }
}
