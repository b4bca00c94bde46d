package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.SandboxServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Talks to one of the sandbox's language vendors over HTTP, in that vendor's words. */
enum VendorLine {
  MESSAGES("messages", "/v1/messages"),
  CHAT("chat", "/v1/chat/completions"),
  RESPONSES("responses", "/v1/responses");

  static final ObjectMapper JSON = new ObjectMapper();

  private final String mount;
  private final String path;

  VendorLine(String mount, String path) {
    this.mount = mount;
    this.path = path;
  }

  String path() {
    return path;
  }

  /** A request with one user turn; members are JSON without braces, such as {@code "a":1}. */
  String ask(String text, String... members) {
    String said = JSON.createObjectNode().textNode(text).toString();
    List<String> all = new ArrayList<>(List.of("\"model\":\"m\""));
    all.addAll(List.of(members));
    all.add(
        this == RESPONSES
            ? "\"input\":" + said
            : "\"messages\":[{\"role\":\"user\",\"content\":" + said + "}]");
    if (this == MESSAGES && Stream.of(members).noneMatch(m -> m.startsWith("\"max_tokens\""))) {
      all.add("\"max_tokens\":4096");
    }
    return "{" + String.join(",", all) + "}";
  }

  /** A tool in this vendor's form. */
  String tools(String schema, String... names) {
    List<String> tools =
        Stream.of(names)
            .map(
                name ->
                    switch (this) {
                      case MESSAGES ->
                          "{\"name\":\"" + name + "\",\"input_schema\":" + schema + "}";
                      case CHAT ->
                          "{\"type\":\"function\",\"function\":{\"name\":\""
                              + name
                              + "\",\"parameters\":"
                              + schema
                              + "}}";
                      case RESPONSES ->
                          "{\"type\":\"function\",\"name\":\""
                              + name
                              + "\",\"parameters\":"
                              + schema
                              + "}";
                    })
            .toList();
    return "\"tools\":[" + String.join(",", tools) + "]";
  }

  String maxTokens(int tokens) {
    return (this == RESPONSES ? "\"max_output_tokens\":" : "\"max_tokens\":") + tokens;
  }

  String thinking() {
    return switch (this) {
      case MESSAGES -> "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1024}";
      case CHAT -> "\"reasoning_effort\":\"low\"";
      case RESPONSES -> "\"reasoning\":{\"effort\":\"low\"}";
    };
  }

  private String[] credential() {
    return this == MESSAGES
        ? new String[] {"x-api-key", "any", "anthropic-version", "2023-06-01"}
        : new String[] {"Authorization", "Bearer any"};
  }

  HttpResponse<String> send(SandboxServer server, String body) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.baseAddress(mount) + path))
            .headers(credential())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The text of an answer, whole or streamed. */
  String text(String body) {
    StringBuilder text = new StringBuilder();
    for (JsonNode event : events(body)) {
      switch (this) {
        case MESSAGES -> {
          event.path("content").forEach(block -> text.append(block.path("text").asText("")));
          text.append(event.path("delta").path("text").asText(""));
        }
        case CHAT -> {
          text.append(event.at("/choices/0/message/content").asText(""));
          text.append(event.at("/choices/0/delta/content").asText(""));
        }
        case RESPONSES -> {
          if (event.path("type").asText().equals("response.output_text.delta")) {
            text.append(event.path("delta").asText());
          }
          for (JsonNode item : event.path("output")) {
            item.path("content").forEach(part -> text.append(part.path("text").asText("")));
          }
        }
      }
    }
    return text.toString().replace("null", "");
  }

  /** The data of each event of a stream, or a whole answer as the only one. */
  static List<JsonNode> events(String body) {
    Stream<String> data =
        body.startsWith("{")
            ? Stream.of(body)
            : body.lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> line.substring("data: ".length()));
    return data.map(VendorLine::tree).toList();
  }

  /** The members of that name, wherever they stand, in their order. */
  static List<String> all(String body, String member) {
    return events(body).stream()
        .flatMap(event -> event.findValues(member).stream())
        .map(JsonNode::asText)
        .toList();
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }
}
