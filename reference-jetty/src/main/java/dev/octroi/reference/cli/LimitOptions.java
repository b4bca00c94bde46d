package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Usd;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a key may spend. A limit that is not named is left to the gateway. */
final class LimitOptions {

  private static final String NONE = "none";

  @Option(names = "--per-call", paramLabel = "USD|none", description = "Maximum price per call.")
  private @Nullable Limit perCall;

  @Option(names = "--daily", paramLabel = "USD|none", description = "Maximum of a day (UTC).")
  private @Nullable Limit daily;

  @Option(names = "--monthly", paramLabel = "USD|none", description = "Maximum of a month (UTC).")
  private @Nullable Limit monthly;

  boolean isEmpty() {
    return perCall == null && daily == null && monthly == null;
  }

  /** Adds the limits that were named; {@code none} is null. */
  void putInto(ObjectNode body) {
    put(body, "perCall", perCall);
    put(body, "daily", daily);
    put(body, "monthly", monthly);
  }

  private static void put(ObjectNode body, String member, @Nullable Limit limit) {
    if (limit != null) {
      body.put(member, limit.amount == null ? null : limit.amount.dollars());
    }
  }

  /**
   * An amount, or no limit.
   *
   * @param amount null for no limit
   */
  record Limit(@Nullable Usd amount) {

    /** Reads an amount or {@code none}. */
    static Limit typed(String text) {
      return new Limit(text.equals(NONE) ? null : Typed.amount(text));
    }
  }
}
