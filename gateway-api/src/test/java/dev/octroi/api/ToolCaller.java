package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Base64;

/** Calls tools as a client of the Model Context Protocol does. */
record ToolCaller(HttpHost http) {

  private static final JsonMapper JSON = new JsonMapper();

  /** In the {@code _meta} of a call: what a payment header says. */
  static String paying(String payment) {
    return "{\"x402/payment\":" + new String(Base64.getDecoder().decode(payment)) + "}";
  }

  HttpResponse<String> post(String message, String... headers) {
    return postTo("/mcp", message, headers);
  }

  HttpResponse<String> postTo(String address, String message, String... headers) {
    var request =
        http.request(address)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofString(message));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return http.send(request.build());
  }

  /** The result of a call, out of its stream of events. */
  JsonNode called(String tool, String arguments, String meta, String... headers)
      throws IOException {
    HttpResponse<String> answer =
        post(
            "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":{\"name\":\""
                + tool
                + "\",\"arguments\":"
                + arguments
                + ",\"_meta\":"
                + meta
                + "}}",
            headers);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).contains("text/event-stream");
    String data =
        answer
            .body()
            .lines()
            .filter(line -> line.startsWith("data: "))
            .reduce((first, last) -> last)
            .orElseThrow();
    return JSON.readTree(data.substring("data: ".length())).path("result");
  }
}
