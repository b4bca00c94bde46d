package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a facilitator says that the contract holds for a channel (x402, batch-settlement): {@code
 * extra} of an answer to {@code /verify}, and {@code extra.channelState} of one to {@code /settle}.
 *
 * @param channelId 32 bytes in hex
 * @param balance what was put in and not taken back, in atomic units; claims do not reduce it
 * @param totalClaimed what of it is the receiver's for good
 * @param withdrawRequestedAt when its payer began to withdraw, in Unix seconds; 0 if it did not
 * @param refundNonce how often it was refunded
 */
public record StatedChannel(
    String channelId,
    BigInteger balance,
    BigInteger totalClaimed,
    long withdrawRequestedAt,
    BigInteger refundNonce) {

  /** The member of a settlement's {@code extra}. */
  public static final String MEMBER = "channelState";

  private static final List<String> NUMBERS =
      List.of("balance", "totalClaimed", "withdrawRequestedAt", "refundNonce");

  /** Of at most 256 bits. */
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,78}");

  /**
   * As an answer says it; empty where it says none that can be read. An answer is as good without
   * it.
   *
   * @param extra null if there is none
   */
  static Optional<StatedChannel> read(@Nullable JsonNode extra) {
    if (extra == null || !extra.path("channelId").isTextual()) {
      return Optional.empty();
    }
    boolean isRead =
        NUMBERS.stream().allMatch(name -> NUMBER.matcher(digits(extra, name)).matches());
    return isRead
        ? Optional.of(
            new StatedChannel(
                extra.path("channelId").textValue(),
                new BigInteger(digits(extra, "balance")),
                new BigInteger(digits(extra, "totalClaimed")),
                new BigInteger(digits(extra, "withdrawRequestedAt")).longValue(),
                new BigInteger(digits(extra, "refundNonce"))))
        : Optional.empty();
  }

  /** Some facilitators say a number, others its digits. */
  private static String digits(JsonNode extra, String name) {
    return extra.path(name).asText();
  }

  /** The same as it goes over the wire. */
  @JsonValue
  public Map<String, Object> toJson() {
    return Map.of(
        "channelId", channelId,
        "balance", balance.toString(),
        "totalClaimed", totalClaimed.toString(),
        "withdrawRequestedAt", withdrawRequestedAt,
        "refundNonce", refundNonce.toString());
  }
}
