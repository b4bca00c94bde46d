package dev.octroi.api.operator;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.KeyLimits;
import dev.octroi.payments.account.KeyTerms;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as the operator asks for it.
 *
 * @param name for people
 * @param account to which it is added; null opens one
 * @param groups words of the groups that it may call; null for all
 * @param requestsPerMinute its own rate; null for the setting's
 * @param perCall limit; null for the setting's
 * @param daily limit; null for the setting's
 * @param monthly limit; null for the setting's
 * @param expires when it ends by itself; null for never
 * @param fund sandbox money to put into its account's wallets
 */
record NewKey(
    @Nullable String name,
    @Nullable UUID account,
    @Nullable Set<String> groups,
    @Nullable Integer requestsPerMinute,
    @Nullable Usd perCall,
    @Nullable Usd daily,
    @Nullable Usd monthly,
    @Nullable Instant expires,
    @Nullable Usd fund) {

  /**
   * Throws {@link IllegalArgumentException} with a sentence where a member is out of its range.
   *
   * @param defaults limits in place of those that are not named
   */
  KeyTerms terms(KeyLimits defaults) {
    return new KeyTerms(
        name == null ? "" : name,
        groups == null ? Set.of() : groups,
        requestsPerMinute == null ? OptionalInt.empty() : OptionalInt.of(requestsPerMinute),
        new KeyLimits(
            Optional.ofNullable(perCall).or(defaults::perCall),
            Optional.ofNullable(daily).or(defaults::daily),
            Optional.ofNullable(monthly).or(defaults::monthly)),
        Optional.ofNullable(expires));
  }
}
