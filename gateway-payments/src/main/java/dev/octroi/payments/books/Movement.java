package dev.octroi.payments.books;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/**
 * A line of the journal as a bookkeeper gets it.
 *
 * @param at when it was written, ISO 8601 in UTC
 * @param kind what it is: {@code settlement}, {@code funding}, {@code refund}, {@code loss}, {@code
 *     regain}, {@code opening} (a balance carried over, from or to {@code opening}) or {@code
 *     other}
 * @param from who gives
 * @param to who takes
 * @param amount atomic units
 * @param usd the same in dollars
 * @param payment the payment it belongs to; null where it belongs to none
 * @param transaction what the facilitator called the settlement
 * @param method HTTP method of what was bought
 * @param path its path, without the query, which may be private
 */
@JsonPropertyOrder({
  "at",
  "kind",
  "network",
  "asset",
  "from",
  "to",
  "amount",
  "usd",
  "payment",
  "transaction",
  "method",
  "path"
})
public record Movement(
    String at,
    String kind,
    String network,
    String asset,
    String from,
    String to,
    long amount,
    String usd,
    @Nullable String payment,
    @Nullable String transaction,
    @Nullable String method,
    @Nullable String path) {}
