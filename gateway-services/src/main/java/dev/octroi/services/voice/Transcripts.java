package dev.octroi.services.voice;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A call's transcript as the specification states it: turns separated by a newline, each prefixed
 * with a speaker label.
 */
final class Transcripts {

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
