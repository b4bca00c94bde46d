package dev.octroi.api.wallet;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.KeyLimits;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Limits of spending as JSON, in both directions.
 *
 * @param perCall the dearest call; null for no limit
 * @param daily all calls of a day, UTC
 * @param monthly all calls of a month, UTC
 */
public record SpendLimits(@Nullable Usd perCall, @Nullable Usd daily, @Nullable Usd monthly) {

  public static SpendLimits of(KeyLimits limits) {
    return new SpendLimits(
        limits.perCall().orElse(null), limits.daily().orElse(null), limits.monthly().orElse(null));
  }

  public KeyLimits limits() {
    return new KeyLimits(
        Optional.ofNullable(perCall), Optional.ofNullable(daily), Optional.ofNullable(monthly));
  }
}
