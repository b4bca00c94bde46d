package dev.octroi.payments.evm.channel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.x402.MalformedPayment;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a payment out of a channel, not verified yet.
 *
 * @param kind what it asks for
 * @param config the channel's terms
 * @param voucher what was signed
 * @param signature the voucher's signature, of any length
 * @param deposit what is put into the channel first; null but with {@link Kind#DEPOSIT}, and with
 *     that where it is authorized in no known way, which the verifier refuses
 * @param refund how much the payer wants back; null for all, and but with {@link Kind#REFUND}
 */
public record ChannelPayload(
    Kind kind,
    ChannelConfig config,
    Voucher voucher,
    byte[] signature,
    @Nullable ChannelDeposit deposit,
    @Nullable BigInteger refund) {

  /** What a payload asks for, by the protocol's words. */
  public enum Kind {
    /** A call, paid out of the channel after money was put into it. */
    DEPOSIT,
    /** A call, paid out of the channel. */
    VOUCHER,
    /** What is left in the channel. */
    REFUND;

    private static Optional<Kind> of(JsonNode payload) {
      return switch (payload.path("type").asText()) {
        case "deposit" -> Optional.of(DEPOSIT);
        case "voucher" -> Optional.of(VOUCHER);
        case "refund" -> Optional.of(REFUND);
        default -> Optional.empty();
      };
    }
  }

  /**
   * Reads the payload's members; empty where it is of no kind that is taken here.
   *
   * @throws MalformedPayment if a member is missing, has another type or another form
   */
  public static Optional<ChannelPayload> read(JsonNode payload) {
    return Kind.of(payload).map(kind -> read(kind, payload));
  }

  private static ChannelPayload read(Kind kind, JsonNode payload) {
    JsonNode voucher = payload.path("voucher");
    return new ChannelPayload(
        kind,
        ChannelConfig.read(payload.path("channelConfig")),
        new Voucher(
            PayloadFields.bytes(voucher, "channelId"), amount(voucher, "maxClaimableAmount")),
        PayloadFields.bytes(voucher, "signature"),
        kind == Kind.DEPOSIT ? ChannelDeposit.read(payload.path("deposit")).orElse(null) : null,
        kind == Kind.REFUND && payload.hasNonNull("amount") ? amount(payload, "amount") : null);
  }

  static BigInteger amount(JsonNode object, String name) {
    BigInteger amount = PayloadFields.uint256(object, name);
    if (!BatchSettlement.isCountable(amount)) {
      throw new MalformedPayment("In the payment, " + name + " is not a decimal uint128.");
    }
    return amount;
  }

  /** The payload as it goes over the wire. */
  public Map<String, Object> toJson() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", kind.name().toLowerCase(Locale.ROOT));
    members.put("channelConfig", config.toJson());
    members.put(
        "voucher",
        Map.of(
            "channelId",
            Hex.of(voucher.channelId()),
            "maxClaimableAmount",
            voucher.maxClaimable().toString(),
            "signature",
            Hex.of(signature)));
    if (deposit != null) {
      members.put("deposit", deposit.toJson());
    }
    if (refund != null) {
      members.put("amount", refund.toString());
    }
    return members;
  }
}
