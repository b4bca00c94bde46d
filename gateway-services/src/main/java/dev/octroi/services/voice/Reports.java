package dev.octroi.services.voice;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Optional;

/** From the vendor's record of a call to what the gateway knows of it. */
final class Reports {

  private static final int LONGEST_ADDRESS = 2_000;
  private static final int LONGEST_WORD = 32;

  /** No call lasts longer; a length that says so is no length. */
  private static final BigDecimal A_DAY = BigDecimal.valueOf(1_440);

  private Reports() {}

  static CallReport of(JsonNode call) {
    return new CallReport(
        status(call),
        minutes(call.path("call_length")),
        text(call, "answered_by", LONGEST_WORD),
        Transcripts.of(call),
        text(call, "recording_url", LONGEST_ADDRESS),
        text(call, "transferred_to", LONGEST_WORD));
  }

  /**
   * The vendor tells how far a call is in {@code queue_status}, and how it ended in {@code status}.
   * Some versions of it say {@code complete}, some {@code completed}.
   */
  static CallStatus status(JsonNode call) {
    String stage = call.path("queue_status").asText("");
    if (call.path("completed").asBoolean() || stage.startsWith("complete")) {
      return ended(call);
    }
    return switch (stage) {
      case "error" -> CallStatus.FAILED;
      case "allocated" -> CallStatus.RINGING;
      case "started" -> answered(call) ? CallStatus.IN_PROGRESS : CallStatus.RINGING;
      default -> CallStatus.INITIATED;
    };
  }

  private static boolean answered(JsonNode call) {
    return call.hasNonNull("started_at") || call.hasNonNull("answered_by");
  }

  /** A call that a voice mail took was still a conversation, with a machine. */
  private static CallStatus ended(JsonNode call) {
    boolean unanswered = call.path("answered_by").asText("").equals("no-answer");
    return switch (call.path("status").asText("")) {
      case "busy" -> CallStatus.BUSY;
      case "no-answer" -> CallStatus.NO_ANSWER;
      case "failed", "canceled", "error" -> CallStatus.FAILED;
      case "completed", "complete" -> unanswered ? CallStatus.NO_ANSWER : CallStatus.COMPLETED;
      default -> unanswered ? CallStatus.NO_ANSWER : spoken(call);
    };
  }

  private static CallStatus spoken(JsonNode call) {
    boolean spoken = minutes(call.path("call_length")).filter(m -> m.signum() > 0).isPresent();
    return spoken && !call.hasNonNull("error_message") ? CallStatus.COMPLETED : CallStatus.FAILED;
  }

  private static Optional<BigDecimal> minutes(JsonNode length) {
    return length.isNumber()
        ? Optional.of(length.decimalValue())
            .filter(minutes -> minutes.signum() >= 0 && minutes.compareTo(A_DAY) <= 0)
        : Optional.empty();
  }

  private static Optional<String> text(JsonNode call, String member, int longest) {
    return Optional.ofNullable(call.path(member).textValue())
        .filter(text -> !text.isBlank() && text.length() <= longest);
  }
}
