package dev.octroi.api.voice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.voice.CallOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What is noted before a call is placed, so that a node that finds it can go on.
 *
 * @param call the id that the call will have
 * @param owner who pays for it
 */
record CallIntent(String call, String owner, CallOrder order) {

  String json() {
    ObjectNode intent = UpstreamJson.record().put("call", call).put("owner", owner);
    intent.put("from", order.from()).put("to", order.to()).put("task", order.task());
    intent.put("voice", order.voice()).put("max_duration", order.maxMinutes());
    order.firstSentence().ifPresent(words -> intent.put("first_sentence", words));
    intent.put("wait_for_greeting", order.waitForGreeting());
    return new String(UpstreamJson.bytes(intent), StandardCharsets.UTF_8);
  }

  static CallIntent of(String json) {
    JsonNode intent = UpstreamJson.object(json.getBytes(StandardCharsets.UTF_8));
    return new CallIntent(
        intent.path("call").asText(),
        intent.path("owner").asText(),
        new CallOrder(
            intent.path("from").asText(),
            intent.path("to").asText(),
            intent.path("task").asText(),
            intent.path("voice").asText(),
            intent.path("max_duration").asInt(),
            Optional.ofNullable(intent.path("first_sentence").textValue()),
            intent.path("wait_for_greeting").asBoolean(),
            Optional.empty()));
  }
}
