package dev.octroi.api.wallet;

import dev.octroi.payments.account.ApiKey;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as it is shown: never its secret.
 *
 * @param state whether it may be used: active, or why not
 * @param prefix the first characters of its secret
 * @param groups that it may call; empty for all
 * @param requestsPerMinute its own rate; null for the setting's
 * @param granted what the operator lets it spend
 * @param own what its owner lets it spend
 * @param limits whatever of both is lower
 */
public record KeyView(
    UUID id,
    UUID account,
    String name,
    String state,
    String prefix,
    List<String> groups,
    @Nullable Integer requestsPerMinute,
    SpendLimits granted,
    SpendLimits own,
    SpendLimits limits,
    Instant created,
    @Nullable Instant expires,
    @Nullable Instant revoked) {

  public static KeyView of(ApiKey key, Instant now) {
    String state = key.revoked().isPresent() ? "revoked" : key.isGood(now) ? "active" : "expired";
    return new KeyView(
        key.id(),
        key.account(),
        key.name(),
        state,
        key.prefix(),
        key.groups().stream().sorted().toList(),
        key.requestsPerMinute().isPresent() ? key.requestsPerMinute().getAsInt() : null,
        SpendLimits.of(key.granted()),
        SpendLimits.of(key.own()),
        SpendLimits.of(key.limits()),
        key.created(),
        key.expires().orElse(null),
        key.revoked().orElse(null));
  }
}
