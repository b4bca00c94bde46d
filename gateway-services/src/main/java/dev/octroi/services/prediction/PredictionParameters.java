package dev.octroi.services.prediction;

import static dev.octroi.services.read.Parameter.optional;
import static dev.octroi.services.read.Parameter.required;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;

/**
 * The parameters that several prediction rows share. Bounds of those that the specification leaves
 * open are the vendor contract's.
 */
final class PredictionParameters {

  /** The end of year 9999: a time beyond it is milliseconds, not the Unix seconds of rule 7. */
  private static final long LAST_SECOND = 253_402_300_799L;

  private PredictionParameters() {}

  /** Specification, limits: page size 20, at most 100. */
  static Parameter limit() {
    return Parameter.limit(20, 100);
  }

  static Parameter offset() {
    return optional("offset", Kind.INTEGER).withDefault("0").atLeast(0);
  }

  static Parameter cursor() {
    return optional("pagination_key");
  }

  static Parameter start() {
    return seconds(optional("start_time", Kind.TIME));
  }

  static Parameter end() {
    return seconds(optional("end_time", Kind.TIME));
  }

  static Parameter startRequired() {
    return seconds(required("start_time", Kind.TIME));
  }

  static Parameter endRequired() {
    return seconds(required("end_time", Kind.TIME));
  }

  static Parameter seconds(Parameter time) {
    return time.between(0, LAST_SECOND);
  }

  /** Specification, parameter rule 8. */
  static Parameter evm(String name) {
    return required(name, Kind.EVM_ADDRESS);
  }

  static Parameter base58(String name) {
    return required(name, Kind.BASE58_ADDRESS);
  }

  static Parameter order() {
    return optional("order").oneOf("asc", "desc");
  }

  static Parameter window() {
    return optional("window");
  }

  static Parameter sortBy() {
    return optional("sort_by");
  }

  static Parameter status() {
    return optional("status");
  }

  /**
   * The vendor insists on a granularity and has no default: {@code day}, as in its other series.
   */
  static Parameter granularity() {
    return optional("granularity").withDefault("day");
  }

  /** A number without a lower bound, such as a profit. */
  static Parameter number(String name) {
    return optional(name, Kind.DECIMAL);
  }

  /** A number from zero on, such as a volume. */
  static Parameter amount(String name) {
    return optional(name, Kind.DECIMAL).atLeast(0);
  }

  /** A share of one: a price or a rate. */
  static Parameter fraction(String name) {
    return optional(name, Kind.DECIMAL).between(0, 1);
  }

  /** A whole number from one on. */
  static Parameter count(String name) {
    return optional(name, Kind.INTEGER).atLeast(1);
  }

  /** One of the alternatives of parameter rule 5, at or above its floor. */
  static Parameter criterion(String name) {
    return optional(name, Kind.DECIMAL);
  }
}
