package dev.octroi.payments.books;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.octroi.payments.ledger.AccountKind;
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
    @Nullable String path) {

  /** What a line of the journal is, by the kinds of its two accounts. */
  enum MovementKind {
    SETTLEMENT("settlement"),
    FUNDING("funding"),
    REFUND("refund"),
    /** An answer left for a transaction that failed in the end. */
    LOSS("loss"),
    /** A loss that turned out to have been paid after all. */
    REGAIN("regain"),
    /** A payer puts money into a channel, or has it back. */
    CHANNEL("channel"),
    /** What a channel owed for calls was claimed out of it. */
    CLAIM("claim"),
    /** A call that is owed for. */
    ON_ACCOUNT("on-account"),
    /** What was owed is paid for by a transfer. */
    NETTING("netting"),
    OTHER("other");

    private final String word;

    MovementKind(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }

    static MovementKind of(String debit, String credit) {
      return of(AccountKind.valueOf(debit), AccountKind.valueOf(credit));
    }

    private static MovementKind of(AccountKind debit, AccountKind credit) {
      return switch (debit) {
        case PAYER ->
            switch (credit) {
              case SELLER -> SETTLEMENT;
              case LOSS -> REGAIN;
              case PAYER -> CHANNEL;
              case DEBT -> CLAIM;
              case TREASURY -> OTHER;
            };
        case SELLER ->
            switch (credit) {
              case PAYER -> REFUND;
              case DEBT -> NETTING;
              case SELLER, TREASURY, LOSS -> OTHER;
            };
        case DEBT -> credit == AccountKind.SELLER ? ON_ACCOUNT : OTHER;
        case TREASURY -> credit == AccountKind.PAYER ? FUNDING : OTHER;
        case LOSS -> credit == AccountKind.PAYER ? LOSS : OTHER;
      };
    }
  }
}
