package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.apache.lucene.util.automaton.Transition;
import org.jspecify.annotations.Nullable;

/**
 * What a schema of a text allows, and a text that it allows. Patterns are run as automatons of
 * bounded size: a hostile one is passed over, and costs no time.
 */
final class SampleText {

  private static final int LONGEST_PATTERN = 300;
  private static final int MOST_REPEATED = 2_000;
  private static final int LONGEST = 10_000;
  private static final Pattern REPEATED = Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?\\}");

  /** What a text of a format looks like, and one that does. */
  private static final Map<String, String[]> FORMATS = new HashMap<>();

  static {
    format("date-time", "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)",
        "2026-01-15T09:30:00Z");
    format("date", "\\d{4}-\\d\\d-\\d\\d", "2026-01-15");
    format("time", "\\d\\d:\\d\\d:\\d\\d(Z|[+-]\\d\\d:\\d\\d)", "09:30:00Z");
    format("duration", "P(\\d+D)?(T(\\d+H)?(\\d+M)?(\\d+S)?)?(?<=[DHMS])", "P1D");
    format("email", "[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+", "sandbox@example.com");
    format("hostname", "[a-z\\d-]+(\\.[a-z\\d-]+)+", "example.com");
    format("ipv4", "\\d{1,3}(\\.\\d{1,3}){3}", "192.0.2.1");
    format("ipv6", "[\\da-f]*:[\\da-f:]+", "2001:db8::1");
    format("uri", "[a-z][a-z\\d+.-]*://\\S+", "https://example.com/");
    format("uuid", "[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}", "3f2a1b4c-5d6e-4f70-8a9b-0c1d2e3f4a5b");
  }

  private static void format(String name, String pattern, String example) {
    FORMATS.put(name, new String[] {pattern, example});
  }

  private final int least;
  private final int most;
  private final String @Nullable [] format;
  private final Optional<Automaton> pattern;
  private final Predicate<String> matches;

  SampleText(JsonNode schema) {
    least = Math.min(LONGEST, schema.path("minLength").asInt(0));
    most = Math.max(least, schema.path("maxLength").asInt(Integer.MAX_VALUE));
    format = formatOf(schema.path("format").asText());
    pattern = automaton(schema.path("pattern").asText());
    matches = pattern.<Predicate<String>>map(SampleText::running).orElse(text -> true);
  }

  private static String @Nullable [] formatOf(String name) {
    return FORMATS.get(
        switch (name) {
          case "url", "iri", "uri-reference" -> "uri";
          case "idn-email" -> "email";
          case "idn-hostname" -> "hostname";
          default -> name;
        });
  }

  /** Whether its texts are all of one form, which an ordinary word does not have. */
  boolean isFormed() {
    return format != null || pattern.isPresent();
  }

  /** Whether the schema allows a text. */
  boolean allows(String text) {
    int length = text.codePointCount(0, text.length());
    return length >= least
        && length <= most
        && (format == null || (text.length() < LONGEST_PATTERN && text.matches(format[0])))
        && matches.test(text);
  }

  /** A text made to fit: cut or filled up where only its length is wrong, else the schema's own. */
  String fitted(String text) {
    if (format == null && pattern.isEmpty()) {
      int length = text.codePointCount(0, text.length());
      return length > most
          ? text.substring(0, text.offsetByCodePoints(0, most))
          : text + "x".repeat(Math.max(0, least - length));
    }
    if (format != null && allows(format[1])) {
      return format[1];
    }
    return pattern.map(this::shortest).orElse(format == null ? text : format[1]);
  }

  /** A pattern as JSON Schema means it: it may match anywhere. */
  private static Optional<Automaton> automaton(String pattern) {
    if (pattern.isEmpty() || pattern.length() > LONGEST_PATTERN || isLarge(pattern)) {
      return Optional.empty();
    }
    boolean begins = pattern.startsWith("^");
    boolean ends = pattern.endsWith("$") && !pattern.endsWith("\\$");
    String inner =
        pattern.substring(begins ? 1 : 0, pattern.length() - (ends ? 1 : 0)).replace("(?:", "(");
    try {
      String whole = (begins ? "" : ".*") + "(" + inner + ")" + (ends ? "" : ".*");
      return Optional.of(new RegExp(whole, RegExp.NONE).toAutomaton());
    } catch (IllegalArgumentException | TooComplexToDeterminizeException notOurs) {
      return Optional.empty();
    }
  }

  private static boolean isLarge(String pattern) {
    long size = 1;
    Matcher repeated = REPEATED.matcher(pattern);
    while (repeated.find() && size <= MOST_REPEATED) {
      String times = repeated.group(2);
      size *= Math.max(1, Long.parseLong(times == null || times.isEmpty() ? repeated.group(1) : times));
    }
    return size > MOST_REPEATED;
  }

  private static Predicate<String> running(Automaton automaton) {
    try {
      return new CharacterRunAutomaton(automaton)::run;
    } catch (TooComplexToDeterminizeException unrunnable) {
      return text -> false;
    }
  }

  /** A shortest text of the pattern that is long enough; the empty one where there is none. */
  private String shortest(Automaton automaton) {
    Automaton length =
        most == Integer.MAX_VALUE
            ? Operations.repeat(Automata.makeAnyChar(), least)
            : Operations.repeat(Automata.makeAnyChar(), least, Math.min(most, LONGEST));
    Automaton both = Operations.intersection(automaton, length);
    Map<Integer, String> reached = new HashMap<>(Map.of(0, ""));
    Deque<Integer> open = new ArrayDeque<>(reached.keySet());
    Transition step = new Transition();
    while (!open.isEmpty() && both.getNumStates() > 0) {
      int state = open.remove();
      String text = String.valueOf(reached.get(state));
      if (both.isAccept(state)) {
        return text;
      }
      int count = both.initTransition(state, step);
      for (int at = 0; at < count; at++) {
        both.getNextTransition(step);
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
