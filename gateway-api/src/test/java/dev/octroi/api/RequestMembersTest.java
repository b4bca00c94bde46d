package dev.octroi.api;

import static dev.octroi.api.ModelHost.CHAT;
import static dev.octroi.api.ModelHost.MESSAGES;
import static dev.octroi.api.ModelHost.RESPONSES;
import static dev.octroi.api.ModelHost.json;
import static dev.octroi.api.ModelWords.FIRST;
import static dev.octroi.api.ModelWords.FOURTH;
import static dev.octroi.api.ModelWords.THIRD;
import static dev.octroi.api.ModelWords.completions;
import static dev.octroi.api.ModelWords.message;
import static dev.octroi.api.ModelWords.response;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every member of the vendors' request types, where the caller's protocol is the upstream's: it
 * passes as it is, or is refused by name before anything is asked. The models are free, so that no
 * payment is in the way. {@code NodeSdksIT} compares the list with the types of the installed SDKs.
 */
@Tag("slow")
class RequestMembersTest {

  /** A line of the list. */
  record Line(String protocol, String type, String member, String asks, String outcome) {

    static Line of(String line) {
      String[] cells = line.split(" \\| ");
      return new Line(cells[0], cells[1], cells[2], cells[3].replace('\'', '"'), cells[4].strip());
    }

    String path() {
      return switch (protocol) {
        case "messages" -> MESSAGES;
        case "chat" -> CHAT;
        default -> RESPONSES;
      };
    }

    ObjectNode body() {
      String base =
          switch (protocol) {
            case "messages" ->
                "{\"model\":\"gift-blocks-1.0\",\"max_tokens\":10,"
                    + "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}";
            case "chat" ->
                "{\"model\":\"gift-1.0\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}";
            default -> "{\"model\":\"gift-items-1.0\",\"input\":\"Hello\"}";
          };
      ObjectNode body = (ObjectNode) json(base);
      return asks.equals("-") ? body : body.setAll((ObjectNode) json("{" + asks + "}"));
    }

    @Override
    public String toString() {
      return protocol + " " + type + "." + member + ": " + outcome;
    }
  }

  private static ModelHost host;

  @BeforeAll
  static void start() {
    host = new ModelHost(Map.of());
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @BeforeEach
  void forget() {
    host.vendor().forget();
    host.vendor().says(FIRST, 200, message(10, 20));
    host.vendor().says(THIRD, 200, completions(10, 20));
    host.vendor().says(FOURTH, 200, response("Hi", 10, 20));
  }

  static Stream<Line> lines() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            RequestMembersTest.class.getResourceAsStream("request-members.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(Line::of);
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void aMemberPassesOrIsRefusedByName(Line line) {
    switch (line.outcome()) {
      case "passes", "renamed", "header" -> assertPasses(line);
      case "refused" -> assertThat(refusal(line)).contains("not supported");
      default -> assertThat(refusal(line)).contains(" " + line.outcome() + ",", "not sold here");
    }
  }

  private static void assertPasses(Line line) {
    ObjectNode body = line.body();
    HttpResponse<String> answer = host.unpaid(line.path(), body.toString());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode asked = json(host.vendor().asked().get(0).body());
    body.remove("model");
    if (line.outcome().equals("renamed")) {
      body.set("max_completion_tokens", body.remove("max_tokens"));
    }
    body.properties()
        .forEach(member -> assertThat(asked.get(member.getKey())).isEqualTo(member.getValue()));
  }

  private static String refusal(Line line) {
    HttpResponse<String> answer = host.unpaid(line.path(), line.body().toString());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    assertThat(host.vendor().asked()).isEmpty();
    return json(answer.body()).at("/error/message").asText();
  }
}
