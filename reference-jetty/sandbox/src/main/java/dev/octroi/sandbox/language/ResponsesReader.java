package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** The responses vendor's reading of a request. */
final class ResponsesReader {

  private final JsonNode body;
  private final AskedBuilder asked;
  private boolean inResults;

  private ResponsesReader(JsonNode body) {
    this.body = body;
    this.asked = new AskedBuilder(body);
  }

  static Asked read(JsonNode body) {
    return new ResponsesReader(body).read();
  }

  private Asked read() {
    asked.maxTokens(body.path("max_output_tokens"));
    asked.read(body.path("instructions").asText(""));
    JsonNode input = body.path("input");
    if (input.isTextual()) {
      asked.userTurn();
      asked.userText(input.textValue());
    }
    input.valueStream().forEach(this::item);
    for (JsonNode tool : body.path("tools")) {
      asked.tool(tool.path("name").asText(), tool.path("parameters"), tool);
    }
    choice(body.path("tool_choice"));
    asked.parallel(body.path("parallel_tool_calls").asBoolean(true));
    String effort = body.path("reasoning").path("effort").asText();
    asked.think(!effort.isEmpty() && !effort.equals("none"));
    JsonNode format = body.path("text").path("format");
    if (format.path("type").asText().equals("json_schema")) {
      asked.schema(format.path("schema"));
    } else if (format.path("type").asText().equals("json_object")) {
      asked.schema(JsonNodeFactory.instance.objectNode());
    }
    return asked.built();
  }

  private void item(JsonNode item) {
    String type = item.path("type").asText("message");
    boolean result = type.equals("function_call_output");
    if (result && !inResults) {
      asked.userTurn();
    }
    inResults = result;
    switch (type) {
      case "message" -> message(item);
      case "function_call" -> {
        asked.turn();
        asked.read(item.path("name").asText() + item.path("arguments").asText());
      }
      case "function_call_output" -> asked.result(text(item.path("output")));
      case "reasoning" -> item.path("summary").forEach(part -> asked.read(text(part)));
      default -> asked.read(item.toString());
    }
  }

  private void message(JsonNode item) {
    JsonNode content = item.path("content");
    if (!item.path("role").asText().equals("user")) {
      if (item.path("role").asText().equals("assistant")) {
        asked.turn();
      }
      asked.read(text(content));
      return;
    }
    asked.userTurn();
    if (content.isTextual()) {
      asked.userText(content.textValue());
    }
    for (JsonNode part : content) {
      switch (part.path("type").asText()) {
        case "input_text" -> asked.userText(part.path("text").asText());
        case "input_image" -> asked.address(part.path("image_url").asText());
        case "input_file" ->
            asked.address(part.path("file_data").asText(part.path("file_url").asText()));
        default -> asked.read(part.toString());
      }
    }
  }

  private static String text(JsonNode content) {
    StringBuilder text = new StringBuilder(content.isTextual() ? content.textValue() : "");
    text.append(content.path("text").asText(""));
    content.valueStream().forEach(part -> text.append(part.path("text").asText()));
    return text.toString();
  }

  private void choice(JsonNode choice) {
    if (choice.isObject()) {
      asked.choose(Asked.Choice.of(choice.path("name").asText()));
      return;
    }
    switch (choice.asText()) {
      case "required" -> asked.choose(Asked.Choice.ANY);
      case "none" -> asked.choose(Asked.Choice.NONE);
      default -> asked.choose(Asked.Choice.AUTO);
    }
  }
}
