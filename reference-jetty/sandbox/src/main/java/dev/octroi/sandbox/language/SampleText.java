package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.apache.lucene.util.automaton.Transition;
import org.jspecify.annotations.Nullable;

/**
 * What a schema of a text allows, and a text that it allows. A pattern is run as an automaton of
 * bounded size: a hostile one is passed over, and costs no time.
 */
final class SampleText {

  private static final int LONGEST = 10_000;
  private static final int LONGEST_PATTERN = 300;
  private static final int MOST_REPEATED = 1_000;
  private static final Pattern REPEATED = Pattern.compile("\\{\\d*,?(\\d{1,9})}");

  /** What a text of a format looks like, and one that does. */
  private static final Map<String, List<String>> FORMATS =
      Map.ofEntries(
          format(
              "date-time", "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\S+", "2026-01-15T09:30:00Z"),
          format("date", "\\d{4}-\\d\\d-\\d\\d", "2026-01-15"),
          format("time", "\\d\\d:\\d\\d:\\d\\d\\S+", "09:30:00Z"),
          format("duration", "P[\\dDTHMS]+", "P1D"),
          format("email", "[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+", "sandbox@example.com"),
          format("hostname", "[a-z\\d-]+(\\.[a-z\\d-]+)+", "example.com"),
          format("ipv4", "\\d{1,3}(\\.\\d{1,3}){3}", "192.0.2.1"),
          format("ipv6", "[\\da-f]*:[\\da-f:]+", "2001:db8::1"),
          format("uri", "[a-z][a-z\\d+.-]*://\\S+", "https://example.com/"),
          format("url", "https?://\\S+", "https://example.com/"),
          format(
              "uuid",
              "[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}",
              "3f2a1b4c-5d6e-4f70-8a9b-0c1d2e3f4a5b"));

  private static Map.Entry<String, List<String>> format(String name, String like, String example) {
    return Map.entry(name, List.of(like, example));
  }

  private final int least;
  private final int most;
  private final @Nullable List<String> format;
  private final @Nullable Automaton pattern;

  SampleText(JsonNode schema) {
    least = Math.min(LONGEST, schema.path("minLength").asInt(0));
    most = Math.max(least, schema.path("maxLength").asInt(Integer.MAX_VALUE));
    format = FORMATS.get(schema.path("format").asText());
    pattern = automaton(schema.path("pattern").asText());
  }

  /** Whether its texts have a form that an ordinary word does not have. */
  boolean isFormed() {
    return format != null || pattern != null;
  }

  /** Whether the schema allows a text. */
  boolean allows(String text) {
    return text.length() >= least
        && text.length() <= most
        && (format == null || (text.length() <= LONGEST_PATTERN && text.matches(format.get(0))))
        && (pattern == null || new CharacterRunAutomaton(pattern).run(text));
  }

  /**
   * The text where it is allowed, cut or filled up where only its length is wrong; else another.
   */
  String fitted(String text) {
    if (pattern != null) {
      return format != null && allows(format.get(1)) ? format.get(1) : shortest(pattern);
    }
    if (format != null) {
      return format.get(1);
    }
    String enough = text + "x".repeat(Math.max(0, least - text.length()));
    return enough.substring(0, Math.min(most, enough.length()));
  }

  /** A pattern as JSON Schema means it: it may match anywhere. */
  private static @Nullable Automaton automaton(String pattern) {
    if (pattern.isEmpty() || pattern.length() > LONGEST_PATTERN || isLarge(pattern)) {
      return null;
    }
    boolean begins = pattern.startsWith("^");
    boolean ends = pattern.endsWith("$") && !pattern.endsWith("\\$");
    String inner =
        pattern.substring(begins ? 1 : 0, pattern.length() - (ends ? 1 : 0)).replace("(?:", "(");
    String whole = (begins ? "" : ".*") + "(" + inner + ")" + (ends ? "" : ".*");
    try {
      Automaton automaton = new RegExp(whole, RegExp.NONE).toAutomaton();
      return Operations.determinize(automaton, Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
    } catch (IllegalArgumentException | TooComplexToDeterminizeException notOurs) {
      return null;
    }
  }

  private static boolean isLarge(String pattern) {
    long size = 1;
    Matcher repeated = REPEATED.matcher(pattern);
    while (repeated.find() && size <= MOST_REPEATED) {
      size *= Math.max(1, Long.parseLong(repeated.group(1)));
    }
    return size > MOST_REPEATED;
  }

  /** A shortest text of the pattern; the empty one where there is none. */
  private static String shortest(Automaton automaton) {
    Map<Integer, String> reached = new HashMap<>(Map.of(0, ""));
    Deque<Integer> open = new ArrayDeque<>(reached.keySet());
    Transition step = new Transition();
    while (!open.isEmpty()) {
      int state = open.remove();
      String text = reached.getOrDefault(state, "");
      if (automaton.isAccept(state)) {
        return text;
      }
      int count = automaton.initTransition(state, step);
      for (int at = 0; at < count; at++) {
        automaton.getNextTransition(step);
        if (reached.putIfAbsent(step.dest, text + Character.toString(plain(step))) == null) {
          open.add(step.dest);
        }
      }
    }
    return "";
  }

  /** The most ordinary character of a transition. */
  private static int plain(Transition step) {
    for (int wanted : new int[] {'a', 'A', '1'}) {
      if (step.min <= wanted && wanted <= step.max) {
        return wanted;
      }
    }
    return step.min;
  }
}
