package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;

/** The messages vendor's reading of a request. */
final class MessagesReader {

  private final JsonNode body;
  private final AskedBuilder asked;

  private MessagesReader(JsonNode body) {
    this.body = body;
    this.asked = new AskedBuilder(body);
  }

  static Asked read(JsonNode body) {
    return new MessagesReader(body).read();
  }

  private Asked read() {
    asked.maxTokens(body.path("max_tokens"));
    texts(body.path("system"));
    for (JsonNode message : body.path("messages")) {
      turn(message);
    }
    for (JsonNode tool : body.path("tools")) {
      asked.tool(tool.path("name").asText(), tool.path("input_schema"), tool);
    }
    choice(body.path("tool_choice"));
    String thinking = body.path("thinking").path("type").asText();
    asked.think(thinking.equals("enabled") || thinking.equals("adaptive"));
    JsonNode format = body.path("output_config").path("format").path("schema");
    if (format.isObject()) {
      asked.schema(format);
    }
    return asked.built();
  }

  private void texts(JsonNode system) {
    if (system.isTextual()) {
      asked.read(system.textValue());
    }
    system.valueStream().forEach(block -> asked.read(block.path("text").asText()));
  }

  private void turn(JsonNode message) {
    String role = message.path("role").asText();
    JsonNode content = message.path("content");
    if (role.equals("system")) {
      texts(content);
      return;
    }
    if (role.equals("assistant")) {
      asked.turn();
      assistant(content);
      return;
    }
    asked.userTurn();
    if (content.isTextual()) {
      asked.userText(content.textValue());
    }
    content.valueStream().forEach(this::block);
  }

  private void assistant(JsonNode content) {
    if (content.isTextual()) {
      asked.read(content.textValue());
    }
    for (JsonNode block : content) {
      asked.read(block.path("text").asText() + block.path("thinking").asText());
      if (block.has("input")) {
        asked.read(block.get("input").toString());
      }
    }
  }

  private void block(JsonNode block) {
    switch (block.path("type").asText()) {
      case "text" -> asked.userText(block.path("text").asText());
      case "image", "document" -> source(block.path("source"));
      case "tool_result" -> result(block.path("content"));
      default -> asked.read(block.toString());
    }
  }

  private void source(JsonNode source) {
    switch (source.path("type").asText()) {
      case "base64" -> asked.file(source.path("media_type").asText(), source.path("data").asText());
      case "url" -> asked.address(source.path("url").asText());
      default -> asked.read(source.path("data").asText());
    }
  }

  private void result(JsonNode content) {
    if (content.isTextual()) {
      asked.result(content.textValue());
    }
    for (JsonNode block : content) {
      if (block.has("text")) {
        asked.result(block.path("text").asText());
      } else {
        source(block.path("source"));
      }
    }
  }

  private void choice(JsonNode choice) {
    switch (choice.path("type").asText()) {
      case "any" -> asked.choose(Asked.Choice.ANY);
      case "none" -> asked.choose(Asked.Choice.NONE);
      case "tool" -> asked.choose(Asked.Choice.of(choice.path("name").asText()));
      default -> asked.choose(Asked.Choice.AUTO);
    }
    asked.parallel(!choice.path("disable_parallel_tool_use").asBoolean(false));
  }
}
