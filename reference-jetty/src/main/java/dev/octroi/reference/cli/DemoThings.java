package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaidAnswer;
import java.io.IOException;

/**
 * What the demo's calls have brought that later ones speak of.
 *
 * @param number a phone number, {@code {number}} in what is sent; empty if there is none
 * @param call the id of a call, {@code {call}}; empty if there is none
 */
record DemoThings(String number, String call) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static final DemoThings NONE = new DemoThings("", "");

  /** What an answer names. */
  static DemoThings in(PaidAnswer answer) {
    try {
      JsonNode body = JSON.readTree(answer.body());
      return new DemoThings(body.path("phone_number").asText(), body.path("call_id").asText());
    } catch (IOException notJson) {
      return NONE;
    }
  }

  /** What is newer stands before what is known. */
  DemoThings and(DemoThings newer) {
    return new DemoThings(
        newer.number.isEmpty() ? number : newer.number, newer.call.isEmpty() ? call : newer.call);
  }

  String namedIn(String text) {
    return text.replace("{number}", number).replace("{call}", call);
  }
}
