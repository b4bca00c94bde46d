package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.octroi.sandbox.websearch.WebPages;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  /** Whether a text says what to write, so that no tool is called for it unnamed. */
  boolean isInstructed(String text) {
    return instructed(text).isPresent() || !cited(text).isEmpty();
  }

  String answer(Asked asked) {
    JsonNode schema = asked.schema();
    if (schema == null) {
      return instructed(asked.lastText()).orElseGet(() -> observed(asked));
    }
    String said = observed(asked);
    if (schema.isEmpty()) {
      return JsonNodeFactory.instance.objectNode().put("answer", said).toString();
    }
    String prompt = asked.lastText() + "\n" + String.join("\n", asked.results());
    return SampleJson.of(schema, prompt, said).toString();
  }

  private static Optional<String> instructed(String text) {
    Matcher echo = ECHO.matcher(text);
    if (echo.find()) {
      return Optional.of(echo.group(1));
    }
    Matcher count = COUNT.matcher(text);
    if (count.find()) {
      return Optional.of(counted(Math.min(MOST_COUNTED, Integer.parseInt(count.group(1)))));
    }
    Matcher emit = EMIT.matcher(text);
    if (emit.find()) {
      int tokens = Math.min(MOST_TOKENS, Integer.parseInt(emit.group(1)));
      return Optional.of(" token".repeat(tokens));
    }
    return TableQuestion.in(text).map(TableQuestion::query);
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
    return said.isEmpty() ? known(asked.lastText()) : String.join(" ", said);
  }

  private static String known(String text) {
    return WebPages.answer(text)
        .map(found -> found.text() + " (" + found.title() + ", " + found.url() + ")")
        .orElse("This is a sandbox, whose model knows no answer to this: " + shortened(text));
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
