package dev.octroi.services.read;

import java.math.BigDecimal;
import java.util.List;
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
 * @param min smallest number, inclusive
 * @param max largest number, inclusive
 * @param allowed the only values taken; empty for any
 */
public record Parameter(
    String name,
    String upstreamName,
    boolean required,
    Kind kind,
    @Nullable String defaultValue,
    @Nullable BigDecimal min,
    @Nullable BigDecimal max,
    List<String> allowed) {

  /** What a value looks like. */
  public enum Kind {
    TEXT,
    INTEGER,
    DECIMAL,
    BOOLEAN,
    /** BASE-QUOTE; else {@code invalid_pair}. */
    PAIR,
    /** Unix seconds. */
    TIME,
    /** 0x and 40 hex digits; else {@code invalid_address}. */
    EVM_ADDRESS,
    /** Base58 of 32 bytes; else {@code invalid_address}. */
    BASE58_ADDRESS,
    /** Repeated, {@code name[]}, or comma-separated. */
    LIST
  }

  public static Parameter required(String name, Kind kind) {
    return new Parameter(name, name, true, kind, null, null, null, List.of());
  }

  public static Parameter required(String name) {
    return required(name, Kind.TEXT);
  }

  public static Parameter optional(String name, Kind kind) {
    return new Parameter(name, name, false, kind, null, null, null, List.of());
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
        allowed);
  }

  public Parameter atLeast(long least) {
    return new Parameter(
        name, upstreamName, required, kind, defaultValue, BigDecimal.valueOf(least), max, allowed);
  }

  public Parameter withDefault(String value) {
    return new Parameter(name, upstreamName, required, kind, value, min, max, allowed);
  }

  public Parameter oneOf(String... values) {
    return new Parameter(
        name, upstreamName, required, kind, defaultValue, min, max, List.of(values));
  }

  /** The same parameter under the vendor's name. */
  public Parameter upstream(String vendorName) {
    return new Parameter(name, vendorName, required, kind, defaultValue, min, max, allowed);
  }
}
