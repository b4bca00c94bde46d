package dev.octroi.sandbox.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The text that an instruction makes the model write. Thread-safe. */
final class Wording {

  private static final int MOST_TOKENS = 20_000;
  private static final int MOST_COUNTED = 5_000;
  private static final int MOST_SOURCES = 6;
  private static final int SHORT = 120;

  private static final Pattern ECHO = Pattern.compile("(?is)\\becho:?\\s+(.*)");
  private static final Pattern COUNT = Pattern.compile("(?i)\\bcount to (\\d{1,6})");
  private static final Pattern EMIT = Pattern.compile("(?i)\\bemit (\\d{1,6}) tokens?");
  private static final Pattern SOURCE =
      Pattern.compile("(?m)^[ \\t]*+\\[(\\d{1,3})\\][ \\t]*+(.+)$");
  private static final Pattern SENTENCE_END = Pattern.compile("[.!?](\\s|$)");

  String answer(Asked asked) {
    if (asked.schema() != null) {
      return SampleJson.of(asked.schema(), asked.lastText()).toString();
    }
    Matcher echo = ECHO.matcher(asked.lastText());
    if (echo.find()) {
      return echo.group(1);
    }
    Matcher count = COUNT.matcher(asked.lastText());
    if (count.find()) {
      return counted(Math.min(MOST_COUNTED, Integer.parseInt(count.group(1))));
    }
    Matcher emit = EMIT.matcher(asked.lastText());
    if (emit.find()) {
      return " token".repeat(Math.min(MOST_TOKENS, Integer.parseInt(emit.group(1))));
    }
    return TableQuestion.in(asked.lastText())
        .map(TableQuestion::query)
        .orElseGet(() -> observed(asked));
  }

  static String shortened(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() > SHORT ? line.substring(0, SHORT) + "…" : line;
  }

  private static String observed(Asked asked) {
    List<String> said = new ArrayList<>(cited(asked.lastText()));
    if (!said.isEmpty()) {
      return String.join(" ", said);
    }
    asked.results().forEach(result -> said.add("The tool said: " + shortened(result) + "."));
    asked
        .pictures()
        .forEach(picture -> said.add("I was given " + Pictures.described(picture) + "."));
    if (said.isEmpty()) {
      said.add("You said: " + shortened(asked.lastText()));
    }
    return String.join(" ", said);
  }

  /** A sentence of each source that the prompt lists as {@code [n] text}, with its number. */
  private static List<String> cited(String text) {
    List<String> sentences = new ArrayList<>();
    Matcher source = SOURCE.matcher(text);
    while (source.find() && sentences.size() < MOST_SOURCES) {
      sentences.add(sentence(source.group(2)) + " [" + source.group(1) + "].");
    }
    return sentences;
  }

  private static String sentence(String text) {
    Matcher end = SENTENCE_END.matcher(text);
    return (end.find() ? text.substring(0, end.start()) : text).strip();
  }

  private static String counted(int most) {
    return IntStream.rangeClosed(1, most)
        .mapToObj(number -> String.format(Locale.ROOT, "%d", number))
        .collect(Collectors.joining(", "));
  }
}
