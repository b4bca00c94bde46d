package dev.octroi.services.read;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One parameter of a read: how it is checked, what is sent when it is absent, and how the upstream
 * calls it.
 *
 * @param name as the specification names it
 * @param upstreamName as the vendor names it
 * @param required whether its absence is 400 {@code invalid_params}
 * @param kind what a value looks like
 * @param defaultValue sent upstream when the caller gives none; null sends nothing
 * @param min smallest number, inclusive; of a text, fewest characters
 * @param max largest number, inclusive; of a text, most characters; of a list, most elements
 * @param allowed the only values taken; empty for any
 * @param words values that the vendor spells otherwise, with its spelling; nothing is sent for an
 *     empty one
 * @param refusal why a value of it is refused; null where it is taken
 */
public record Parameter(
    String name,
    String upstreamName,
    boolean required,
    Kind kind,
    @Nullable String defaultValue,
    @Nullable BigDecimal min,
    @Nullable BigDecimal max,
    List<String> allowed,
    Map<String, String> words,
    @Nullable String refusal) {

  public Parameter {
    allowed = List.copyOf(allowed);
    words = Map.copyOf(words);
  }

  /** What a value looks like. */
  public enum Kind {
    TEXT(".*"),
    INTEGER("-?\\d{1,18}"),
    DECIMAL("-?\\d{1,18}(\\.\\d{1,18})?"),
    BOOLEAN("true|false"),
    /** BASE-QUOTE; else {@code invalid_pair}. */
    PAIR("[A-Za-z0-9]{2,20}-[A-Za-z0-9]{2,20}"),
    /** Unix seconds. */
    TIME("\\d{1,11}"),
    /** A day: {@code YYYY-MM-DD}. */
    DATE("\\d{4}-\\d{2}-\\d{2}"),
    /** 0x and 40 hex digits; else {@code invalid_address}. */
    EVM_ADDRESS("0x[0-9a-fA-F]{40}"),
    /** Base58 of 32 bytes; else {@code invalid_address}. */
    BASE58_ADDRESS("[1-9A-HJ-NP-Za-km-z]{32,44}"),
    /** Repeated, {@code name[]}, or comma-separated. */
    LIST(".*");

    private final String form;

    Kind(String form) {
      this.form = form;
    }

    /** A regular expression that the whole of every value matches. */
    public String form() {
      return form;
    }
  }

  /** No identifier, word or address is nearly as long. */
  static final int LONGEST = 2048;

  /** A search text may be as long as the web search allows (specification, query length). */
  private static final int LONGEST_QUERY = 10_000;

  private static final int MOST_ELEMENTS = 1000;

  public static Parameter required(String name, Kind kind) {
    return new Parameter(name, name, true, kind, null, null, null, List.of(), Map.of(), null);
  }

  public static Parameter required(String name) {
    return required(name, Kind.TEXT);
  }

  public static Parameter optional(String name, Kind kind) {
    return new Parameter(name, name, false, kind, null, null, null, List.of(), Map.of(), null);
  }

  public static Parameter optional(String name) {
    return optional(name, Kind.TEXT);
  }

  public static Parameter limit(int defaultValue, int max) {
    return optional("limit", Kind.INTEGER)
        .withDefault(Integer.toString(defaultValue))
        .between(1, max);
  }

  public Parameter between(long least, long most) {
    return new Parameter(
        name,
        upstreamName,
        required,
        kind,
        defaultValue,
        BigDecimal.valueOf(least),
        BigDecimal.valueOf(most),
        allowed,
        words,
        refusal);
  }

  public Parameter atLeast(long least) {
    return atLeast(BigDecimal.valueOf(least));
  }

  public Parameter atLeast(BigDecimal least) {
    return new Parameter(
        name, upstreamName, required, kind, defaultValue, least, max, allowed, words, refusal);
  }

  public Parameter withDefault(String value) {
    return new Parameter(
        name, upstreamName, required, kind, value, min, max, allowed, words, refusal);
  }

  public Parameter oneOf(String... values) {
    return new Parameter(
        name,
        upstreamName,
        required,
        kind,
        defaultValue,
        min,
        max,
        List.of(values),
        words,
        refusal);
  }

  /** The same parameter under the vendor's name. */
  public Parameter upstream(String vendorName) {
    return new Parameter(
        name, vendorName, required, kind, defaultValue, min, max, allowed, words, refusal);
  }

  /** The same parameter with the vendor's spellings of some of its values. */
  public Parameter spelled(Map<String, String> vendorWords) {
    return new Parameter(
        name, upstreamName, required, kind, defaultValue, min, max, allowed, vendorWords, refusal);
  }

  /** The same parameter, refused: the vendor cannot do what it asks for. */
  public Parameter refused(String reason) {
    return new Parameter(
        name, upstreamName, required, kind, defaultValue, min, max, allowed, words, reason);
  }

  /** A value as the vendor spells it; empty where nothing is sent for it. */
  String spelling(String value) {
    return words.getOrDefault(value, value);
  }

  /** How many characters a value has at most: its maximum, or a limit that no value needs. */
  public int longest() {
    if (kind == Kind.TEXT && max != null) {
      return max.intValueExact();
    }
    return name.equals("q") ? LONGEST_QUERY : LONGEST;
  }

  /** How many characters a value has at least. */
  public int shortest() {
    return kind == Kind.TEXT && min != null ? min.intValueExact() : 1;
  }

  /** How many elements a list has at most: its maximum, or a thousand. */
  public int mostElements() {
    return max == null ? MOST_ELEMENTS : max.intValueExact();
  }
}
