package dev.octroi.api.voice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A call that was placed.
 *
 * @param owner who paid for it, as {@link dev.octroi.payments.Payment#owner} names them
 * @param effect what placed it
 * @param reference the vendor's id of it
 * @param maxMinutes how long it may last once it was answered
 * @param said what the vendor told of it
 * @param placed when
 * @param ends when the gateway ends it
 * @param ended when the gateway learned that it had ended
 * @param look when the vendor is to be asked again; empty: never
 */
record PlacedCall(
    String id,
    String owner,
    UUID effect,
    String reference,
    String from,
    String to,
    int maxMinutes,
    CallStatus status,
    Said said,
    Instant placed,
    Instant ends,
    Optional<Instant> ended,
    Optional<Instant> look) {

  /** No call lasts longer (specification, call duration). */
  static final Duration LONGEST = Duration.ofMinutes(30);

  /** What is kept for a while only. */
  record Said(
      Optional<BigDecimal> minutes,
      Optional<String> answeredBy,
      Optional<String> transcript,
      Optional<String> recording) {

    static final Said NOTHING =
        new Said(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** A call that was placed just now. */
  static PlacedCall initiated(
      UUID effect, String reference, CallIntent intent, Instant now, Instant look) {
    return new PlacedCall(
        intent.call(),
        intent.owner(),
        effect,
        reference,
        intent.order().from(),
        intent.order().to(),
        intent.order().maxMinutes(),
        CallStatus.INITIATED,
        Said.NOTHING,
        now,
        end(now, intent.order().maxMinutes()),
        Optional.empty(),
        Optional.of(look));
  }

  /** When a call is ended that began then: its time counts from the answer, where one is seen. */
  static Instant end(Instant began, int maxMinutes) {
    Duration asked = Duration.ofMinutes(maxMinutes);
    return began.plus(asked.compareTo(LONGEST) < 0 ? asked : LONGEST);
  }

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
}
