package dev.octroi.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * One HTTP answer.
 *
 * @param call what was asked
 * @param status HTTP status
 * @param headers as they came
 * @param body as it came
 */
record Reply(Call call, int status, HttpHeaders headers, byte[] body) {

  JsonNode json() {
    return Json.read(body);
  }

  /** The header's first value; empty text where it is missing. */
  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  /** The code of a nested error; empty text where there is none. */
  String code() {
    return json().path("error").path("code").asText();
  }

  /** The message of a nested error, or the text of a flat one. */
  String message() {
    JsonNode error = json().path("error");
    return error.isTextual() ? error.textValue() : error.path("message").asText();
  }

  /** The JSON of a header that carries base64. */
  JsonNode decoded(String header) {
    return Json.read(Base64.getDecoder().decode(header(header)));
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** For the message of a test that failed. */
  @Override
  public String toString() {
    String said = text();
    return call.method()
        + " "
        + call.target()
        + " -> "
        + status
        + " "
        + said.substring(0, Math.min(400, said.length()));
  }
}
