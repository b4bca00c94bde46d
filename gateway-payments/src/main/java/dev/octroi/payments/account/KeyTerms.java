package dev.octroi.payments.account;

import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What an operator grants to a key.
 *
 * @param name for people, 1 to 100 characters, none of them a control character
 * @param groups words of the groups of endpoints that it may call, at most 32; empty: all
 * @param requestsPerMinute 1 to 10,000,000; empty: the rate of payers
 * @param limits what it may spend at most
 * @param expires when it ends by itself
 */
public record KeyTerms(
    String name,
    Set<String> groups,
    OptionalInt requestsPerMinute,
    KeyLimits limits,
    Optional<Instant> expires) {

  private static final int MAX_NAME = 100;
  private static final int MAX_GROUPS = 32;
  private static final int MAX_GROUP = 64;
  private static final int MAX_RATE = 10_000_000;

  /** Throws {@link IllegalArgumentException} where a member is out of its range. */
  public KeyTerms {
    groups = Set.copyOf(groups);
    requireName(name);
    require(groups.size() <= MAX_GROUPS, "a key names at most 32 groups");
    groups.forEach(
        group ->
            require(
                !group.isBlank() && group.length() <= MAX_GROUP && group.indexOf(',') < 0,
                "a group is a word of 1 to 64 characters"));
    int rate = requestsPerMinute.orElse(1);
    require(rate >= 1 && rate <= MAX_RATE, "requests per minute are 1 to 10,000,000");
  }

  /** A key of that name for all groups, with these limits. */
  public static KeyTerms of(String name, KeyLimits limits) {
    return new KeyTerms(name, Set.of(), OptionalInt.empty(), limits, Optional.empty());
  }

  static void requireName(String name) {
    require(!name.isBlank() && name.length() <= MAX_NAME, "a name has 1 to 100 characters");
    require(!ControlCharacters.areIn(name), "a name has no control characters");
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
