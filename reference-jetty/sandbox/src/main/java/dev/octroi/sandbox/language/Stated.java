package dev.octroi.sandbox.language;

import dev.octroi.sandbox.websearch.WebPages;
import java.math.BigDecimal;
import java.util.ArrayList;
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
  private static final Pattern CODE =
      Pattern.compile("\\b[A-Z][A-Z0-9]{1,9}(?:[/-][A-Z]{2,6})?\\b");
  private static final Pattern NAME =
      Pattern.compile("\\b\\p{Lu}[\\p{L}\\d'’]*+(?:[ -]\\p{Lu}[\\p{L}\\d'’]*+){0,5}");
  private static final Pattern TOKEN =
      Pattern.compile("[^\\s\"“”'(),;<>]{0,199}[^\\s\"“”'(),;<>.!?:]");

  private final String text;
  private final List<String> quoted;
  private final List<String> codes;
  private final List<String> tokens;
  private final List<String> names = new ArrayList<>();
  private final List<Integer> takenNumbers = new ArrayList<>();

  Stated(String prompt) {
    text = prompt.substring(0, Math.min(LONGEST, prompt.length()));
    quoted = found(QUOTED, 1);
    codes = found(CODE, 0);
    tokens = found(TOKEN, 0);
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

  /** The word that begins a sentence may be no name: it comes last; one such as "What" is none. */
  private void addNames() {
    List<String> doubtful = new ArrayList<>();
    Matcher match = NAME.matcher(text);
    while (names.size() + doubtful.size() < MOST && match.find()) {
      String before = text.substring(0, match.start()).stripTrailing();
      boolean begins = before.isEmpty() || ".!?:".indexOf(before.charAt(before.length() - 1)) >= 0;
      List<String> parts = new ArrayList<>(List.of(match.group().split(" ", -1)));
      boolean cut = parts.removeIf(part -> part.equals("I") || WebPages.words(part).isEmpty());
      if (!parts.isEmpty()) {
        (begins && !cut && parts.size() == 1 ? doubtful : names).add(String.join(" ", parts));
      }
    }
    names.addAll(doubtful);
  }

  String text() {
    return text;
  }

  /** Whether the prompt has a word or phrase, in any case; underscores stand for blanks too. */
  boolean mentions(String phrase) {
    String any = any(List.of(phrase.strip().split("[ _-]", -1)));
    return !phrase.isBlank() && matcher("(?<![\\p{L}\\d])" + any + "(?![\\p{L}\\d])").find();
  }

  /** Whether the prompt says not to have what a name names. */
  boolean denies(String name) {
    return matcher("\\b(?:no|not|without|don'?t|never)\\b(?:\\W+\\w+){0,3}?\\W+" + any(words(name)))
        .find();
  }

  private Matcher matcher(String pattern) {
    return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE).matcher(text);
  }

  private static String any(List<String> words) {
    return String.join("[ _-]?", words.stream().map(Pattern::quote).toList());
  }

  /** What stands behind a name in the prompt, as in {@code name: value} or {@code name "value"}. */
  Optional<String> named(String name, Predicate<String> fits) {
    List<String> words = words(name);
    if (words.isEmpty()) {
      return Optional.empty();
    }
    Matcher match =
        matcher(
            "\\b"
                + any(words)
                + "(?: is)? ?(?:[:=] *([^\\s\"“',;]+)|[:=]? *[\"“']([^\"”']+)[\"”'])");
    while (match.find()) {
      String value = match.group(1) == null ? match.group(2) : match.group(1);
      if (fits.test(value)) {
        quoted.remove(value);
        names.remove(value);
        return Optional.of(value);
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
    return next(codes, fits);
  }

  /** The next word of any kind that fits: an address, a date, a number with a letter. */
  Optional<String> token(Predicate<String> fits) {
    return next(tokens, fits);
  }

  /** How many texts there are to fill a list with. */
  int listed() {
    return quoted.isEmpty() ? names.size() : quoted.size();
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
    Integer first = null;
    while (match.find()) {
      if (takenNumbers.contains(match.start())) {
        continue;
      }
      String around =
          text.substring(Math.max(0, match.start() - 15), match.start())
              + text.substring(match.end(), Math.min(text.length(), match.end() + 15));
      if (WebPages.words(around).stream().anyMatch(wanted::contains)) {
        first = match.start();
        break;
      }
      first = first == null ? (Integer) match.start() : first;
    }
    if (first == null || !match.find(first)) {
      return Optional.empty();
    }
    takenNumbers.add(first);
    return Optional.of(new BigDecimal(match.group()));
  }

  /** The words of a name in any of the usual spellings: {@code maxResults}, {@code max_results}. */
  static List<String> words(String name) {
    String spaced = name.replaceAll("(?<=[\\p{Ll}\\d])(?=\\p{Lu})", " ");
    return Pattern.compile("[^\\p{L}\\d]+")
        .splitAsStream(spaced.toLowerCase(Locale.ROOT))
        .filter(word -> !word.isEmpty())
        .toList();
  }
}
