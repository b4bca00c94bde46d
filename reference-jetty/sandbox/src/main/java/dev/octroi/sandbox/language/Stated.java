package dev.octroi.sandbox.language;

import dev.octroi.sandbox.websearch.WebPages;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values that a prompt states: quoted texts, numbers, names and the like. Each is given once,
 * so that two members of an answer do not get the same. Used for one answer.
 */
final class Stated {

  private static final int LONGEST = 20_000;
  private static final int MOST = 200;

  private static final Pattern QUOTED = Pattern.compile("(?<!\\w)[\"“']([^\"”']{1,200})[\"”']");
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.-])-?\\d{1,15}(?:\\.\\d{1,9})?(?![\\w-])(?!\\.\\d)");
  private static final Pattern CODE = Pattern.compile("\\b[A-Z][A-Z0-9]{1,9}(?:[/-][A-Z]{2,6})?\\b");
  private static final Pattern NAME =
      Pattern.compile("\\b\\p{Lu}[\\p{L}\\d'’]*+(?:[ -]\\p{Lu}[\\p{L}\\d'’]*+){0,5}");
  private static final Pattern TOKEN = Pattern.compile("[^\\s\"“”'(),;<>]{1,200}");

  /** A value behind a name: quoted, behind a sign, or behind "is". */
  private static final String VALUE =
      "\\b( is |: *|= *| )(?:[\"“']([^\"”']{1,200})[\"”']|([^\\s\"“']\\S{0,199}))";

  /** What ends before a name that only begins a sentence. */
  private static final Pattern SENTENCE = Pattern.compile("(?:^|[.!?:]\\s|\\n)\\s*$");

  private final String text;
  private final List<String> quoted;
  private final List<String> names = new ArrayList<>();
  private final List<String> codes;
  private final List<String> tokens;
  private final Set<Integer> takenNumbers = new HashSet<>();

  Stated(String prompt) {
    text = prompt.substring(0, Math.min(LONGEST, prompt.length()));
    quoted = found(QUOTED, 1);
    codes = found(CODE, 0);
    tokens = found(TOKEN, 0);
    tokens.replaceAll(token -> token.replaceFirst("[.!?:]+$", ""));
    addNames();
  }

  private List<String> found(Pattern pattern, int group) {
    List<String> found = new ArrayList<>();
    Matcher match = pattern.matcher(text);
    while (found.size() < MOST && match.find()) {
      found.add(match.group(group));
    }
    return found;
  }

  /** Those that only begin a sentence come last; a word such as "What" is no name at all. */
  private void addNames() {
    List<String> doubtful = new ArrayList<>();
    Matcher match = NAME.matcher(text);
    while (names.size() + doubtful.size() < MOST && match.find()) {
      String before = text.substring(Math.max(0, match.start() - 8), match.start());
      boolean begins = SENTENCE.matcher(before).find();
      List<String> parts = new ArrayList<>(List.of(match.group().split(" ")));
      parts.removeIf(part -> part.equals("I") || WebPages.words(part).isEmpty());
      String name = String.join(" ", parts);
      if (!name.isEmpty()) {
        (begins && parts.size() == match.group().split(" ").length ? doubtful : names).add(name);
      }
    }
    names.addAll(doubtful);
  }

  String text() {
    return text;
  }

  /** Whether the prompt has a word or phrase, in any case; underscores stand for blanks too. */
  boolean mentions(String phrase) {
    String plain = phrase.strip();
    if (plain.isEmpty() || plain.length() > MOST) {
      return false;
    }
    String any = Pattern.quote(plain).replaceAll("[ _-]", "\\\\E[ _-]\\\\Q");
    return Pattern.compile("(?<![\\p{L}\\d])" + any + "(?![\\p{L}\\d])", Pattern.CASE_INSENSITIVE)
        .matcher(text)
        .find();
  }

  /** Whether the prompt says not to have what a name names. */
  boolean denies(String name) {
    String words = String.join("[ _-]", words(name).stream().map(Pattern::quote).toList());
    return Pattern.compile(
            "(?i)\\b(?:no|not|without|don'?t|never|exclude|excluding|disable)\\b(?:\\W+\\w+){0,3}?\\W+"
                + words)
        .matcher(text)
        .find();
  }

  /** What stands behind a name in the prompt: {@code name: value}, {@code name is "value"}. */
  Optional<String> named(String name, Predicate<String> fits) {
    List<String> words = words(name);
    if (words.isEmpty()) {
      return Optional.empty();
    }
    String joined = String.join("[ _-]?", words.stream().map(Pattern::quote).toList());
    Matcher match = Pattern.compile("(?i)\\b" + joined + VALUE).matcher(text);
    while (match.find()) {
      String value = match.group(2) == null ? match.group(3) : match.group(2);
      String plain = value.replaceFirst("[.,;!?]+$", "");
      boolean loose = match.group(2) == null && !":=".contains(match.group(1).strip());
      boolean likely = !plain.isEmpty() && !Character.isLowerCase(plain.charAt(0));
      if ((!loose || (match.group(1).contains("is") && likely)) && fits.test(plain)) {
        quoted.remove(plain);
        names.remove(plain);
        return Optional.of(plain);
      }
    }
    return Optional.empty();
  }

  /** The next quoted text that fits. */
  Optional<String> quoted(Predicate<String> fits) {
    return next(quoted, fits);
  }

  /** The next proper name that fits. */
  Optional<String> name(Predicate<String> fits) {
    return next(names, fits);
  }

  /** The next word in capitals, such as BTC, that fits. */
  Optional<String> code(Predicate<String> fits) {
    Optional<String> code = next(codes, fits);
    code.ifPresent(names::remove);
    return code;
  }

  /** The first word of any kind that fits: an address, a date, a number with a letter. */
  Optional<String> token(Predicate<String> fits) {
    return next(tokens, fits);
  }

  /** How many texts there are to fill a list with. */
  int listed() {
    return !quoted.isEmpty() ? quoted.size() : names.size();
  }

  private static Optional<String> next(List<String> values, Predicate<String> fits) {
    Optional<String> next = values.stream().filter(fits).findFirst();
    next.ifPresent(values::remove);
    return next;
  }

  /** The number beside a word of the name, else the next one. */
  Optional<BigDecimal> number(String name) {
    Set<String> wanted = WebPages.words(String.join(" ", words(name)));
    Matcher match = NUMBER.matcher(text);
    int first = -1;
    while (match.find()) {
      if (!takenNumbers.contains(match.start())) {
        String before = text.substring(Math.max(0, match.start() - 30), match.start());
        String after = text.substring(match.end(), Math.min(text.length(), match.end() + 30));
        boolean beside =
            WebPages.words(last(before) + " " + first(after)).stream().anyMatch(wanted::contains);
        if (beside) {
          return taken(match.start());
        }
        first = first < 0 ? match.start() : first;
      }
    }
    return first < 0 ? Optional.empty() : taken(first);
  }

  private Optional<BigDecimal> taken(int at) {
    takenNumbers.add(at);
    Matcher match = NUMBER.matcher(text);
    return match.find(at) ? Optional.of(new BigDecimal(match.group())) : Optional.empty();
  }

  private static String first(String text) {
    return text.strip().split("\\s+", 2)[0];
  }

  /** The last two words: "limit of 5". */
  private static String last(String text) {
    String[] words = text.strip().split("\\s+");
    return words.length > 1 ? words[words.length - 2] + " " + words[words.length - 1] : words[0];
  }

  /** The words of a name in any of the usual spellings: {@code maxResults}, {@code max_results}. */
  static List<String> words(String name) {
    return List.of(
            name.replaceAll("(?<=[\\p{Ll}\\d])(?=\\p{Lu})", " ")
                .replaceAll("[^\\p{L}\\d]+", " ")
                .strip()
                .toLowerCase(Locale.ROOT)
                .split(" "))
        .stream()
        .filter(word -> !word.isEmpty())
        .toList();
  }
}
