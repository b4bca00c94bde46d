package dev.octroi.services.voice;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

  /**
   * A call's transcript as the specification states it: turns separated by a newline, each prefixed
   * with a speaker label.
   */
  static final class Transcripts {

    /** A call of half an hour has some 30,000 characters. */
    static final int LONGEST = 200_000;

    private static final Pattern LABELLED = Pattern.compile("[A-Za-z][A-Za-z0-9 _-]{0,30}:( .*)?");
    private static final Pattern LINE_END = Pattern.compile("\\R");
    private static final Set<String> SPEAKERS = Set.of("user", "assistant", "agent", "human");

    private Transcripts() {}

    /** From the whole text where the vendor gives it, else from the single turns. */
    static Optional<String> of(JsonNode call) {
      List<? extends CharSequence> turns = lines(call.path("concatenated_transcript").asText(""));
      if (turns.isEmpty()) {
        turns = turns(call.path("transcripts"));
      }
      return turns.isEmpty() ? Optional.empty() : Optional.of(cut(String.join("\n", turns)));
    }

    /** A line without a label goes on with the turn before it. */
    private static List<StringBuilder> lines(String text) {
      List<StringBuilder> turns = new ArrayList<>();
      text.lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.equals("null"))
          .forEach(
              line -> {
                if (LABELLED.matcher(line).matches()) {
                  turns.add(new StringBuilder(line));
                } else if (turns.isEmpty()) {
                  turns.add(new StringBuilder("unknown: ").append(line));
                } else {
                  turns.get(turns.size() - 1).append(' ').append(line);
                }
              });
      return turns;
    }

    /** The vendor also lists what its assistant did; only what was said is a turn. */
    private static List<String> turns(JsonNode said) {
      List<String> turns = new ArrayList<>();
      for (JsonNode turn : said) {
        String speaker = turn.path("user").asText("");
        String text = oneLine(turn.path("text").asText(""));
        if (SPEAKERS.contains(speaker) && !text.isEmpty()) {
          turns.add(speaker + ": " + text);
        }
      }
      return turns;
    }

    private static String oneLine(String text) {
      return LINE_END
          .splitAsStream(text)
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .collect(Collectors.joining(" "));
    }

    private static String cut(String text) {
      return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
  }
}
