package dev.octroi.payments;

import java.util.List;
import java.util.Map;

/** What a {@link Tariff} may look at. */
public interface PricedRequest {

  /** The HTTP method, in upper case. */
  String method();

  /**
   * The path below the application, with a leading slash, after aliases were resolved; encoded as
   * received.
   */
  String path();

  /** The decoded values of the matched path template's parameters. */
  Map<String, List<String>> pathParameters();

  /** The decoded query parameters in order of appearance. */
  Map<String, List<String>> queryParameters();

  /** The body, read and bounded on first use; empty where there is none. Do not modify. */
  byte[] body();

  /**
   * Each value of a header in order; empty where it is not there. A tariff may refuse a call by a
   * header, and sets no price by one: a payment is bound to the address and the body alone.
   */
  default List<String> headers(String name) {
    return List.of();
  }

  /** Keeps what was found out about the request, so that its method need not find it out again. */
  default void note(Object finding) {}

  /**
   * States that the price is a ceiling: what the call costs is known when it was answered, and
   * stated by {@link Payment#charge}. Payers may then sign the ceiling and are charged what was
   * used (scheme {@code upto}); such as sign a price are charged that.
   */
  default void metered(Metering how) {}
}
