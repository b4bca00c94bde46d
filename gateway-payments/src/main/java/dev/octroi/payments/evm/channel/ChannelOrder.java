package dev.octroi.payments.evm.channel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.channel.ChannelCalls.ClaimRow;
import dev.octroi.payments.evm.channel.ClaimBatch.ChannelClaim;
import dev.octroi.payments.x402.MalformedPayment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a seller has a facilitator do with channels: the payloads of {@code /settle} (x402,
 * batch-settlement), besides a payer's deposit, which is a {@link ChannelPayload}.
 */
public sealed interface ChannelOrder {

  /** Channels in one claim. */
  int MOST = 100;

  /** The payload as it goes over the wire. */
  Map<String, Object> toJson();

  /**
   * Takes out of channels what their payers have signed for.
   *
   * @param rows one for each channel
   * @param signature that of the rows' authorizer; empty where the facilitator has its key
   */
  record ClaimOrder(List<ClaimRow> rows, Optional<byte[]> signature) implements ChannelOrder {

    public ClaimOrder {
      rows = List.copyOf(rows);
    }

    @Override
    public Map<String, Object> toJson() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("type", "claim");
      members.put("claims", json(rows));
      signature.ifPresent(signed -> members.put(CLAIM_SIGNATURE, Hex.of(signed)));
      return members;
    }
  }

  /** Pays a receiver what was claimed for it. */
  record PayoutOrder(EvmAddress receiver, EvmAddress token) implements ChannelOrder {

    @Override
    public Map<String, Object> toJson() {
      return Map.of("type", "settle", "receiver", receiver.toString(), "token", token.toString());
    }
  }

  /**
   * Gives a payer back what is left in a channel, by what the receiver has said of it.
   *
   * @param asked the channel, its last voucher, and the most that goes back
   * @param nonce how often the channel was refunded before
   * @param claims what is claimed before, out of the same channel; may be empty
   * @param signature that of the channel's authorizer; empty where the facilitator has its key
   * @param claimSignature the same for the claims
   */
  record RefundOrder(
      ChannelPayload asked,
      BigInteger nonce,
      List<ClaimRow> claims,
      Optional<byte[]> signature,
      Optional<byte[]> claimSignature)
      implements ChannelOrder {

    public RefundOrder {
      claims = List.copyOf(claims);
    }

    @Override
    public Map<String, Object> toJson() {
      Map<String, Object> members = new LinkedHashMap<>(asked.toJson());
      members.put("refundNonce", nonce.toString());
      members.put("claims", json(claims));
      signature.ifPresent(signed -> members.put(REFUND_SIGNATURE, Hex.of(signed)));
      claimSignature.ifPresent(signed -> members.put(CLAIM_SIGNATURE, Hex.of(signed)));
      return members;
    }
  }

  /** The member with the authorizer's signature of claims. */
  String CLAIM_SIGNATURE = "claimAuthorizerSignature";

  /** The member with the authorizer's signature of a refund. */
  String REFUND_SIGNATURE = "refundAuthorizerSignature";

  /**
   * Reads the payload's members; empty where it is none of these.
   *
   * @param chainId where the channels are
   * @throws MalformedPayment if a member is missing, has another type or another form, or there are
   *     too many channels
   */
  static Optional<ChannelOrder> read(JsonNode payload, long chainId) {
    return switch (payload.path("type").asText()) {
      case "claim" ->
          Optional.of(
              new ClaimOrder(rows(payload, chainId), optionalBytes(payload, CLAIM_SIGNATURE)));
      case "settle" ->
          Optional.of(
              new PayoutOrder(
                  PayloadFields.address(payload, "receiver"),
                  PayloadFields.address(payload, "token")));
      case "refund" ->
          payload.hasNonNull("refundNonce")
              ? Optional.of(
                  new RefundOrder(
                      ChannelPayload.read(payload).orElseThrow(),
                      PayloadFields.uint256(payload, "refundNonce"),
                      rows(payload, chainId),
                      optionalBytes(payload, REFUND_SIGNATURE),
                      optionalBytes(payload, CLAIM_SIGNATURE)))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static List<ClaimRow> rows(JsonNode payload, long chainId) {
    JsonNode claims = payload.path("claims");
    if (!claims.isArray() || claims.size() > MOST) {
      throw new MalformedPayment("The payment does not list claims of at most 100 channels.");
    }
    List<ClaimRow> rows = new ArrayList<>();
    for (JsonNode claim : claims) {
      JsonNode voucher = claim.path("voucher");
      ChannelConfig config = ChannelConfig.read(voucher.path("channel"));
      Voucher signed =
          new Voucher(config.id(chainId), ChannelPayload.amount(voucher, "maxClaimableAmount"));
      BigInteger total = ChannelPayload.amount(claim, "totalClaimed");
      rows.add(
          new ClaimRow(
              config, new ChannelClaim(signed, total), PayloadFields.bytes(claim, "signature")));
    }
    return rows;
  }

  private static Optional<byte[]> optionalBytes(JsonNode object, String name) {
    return object.hasNonNull(name)
        ? Optional.of(PayloadFields.bytes(object, name))
        : Optional.empty();
  }

  private static List<Map<String, Object>> json(List<ClaimRow> rows) {
    return rows.stream()
        .map(
            row ->
                Map.of(
                    "voucher",
                    Map.of(
                        "channel",
                        row.config().toJson(),
                        "maxClaimableAmount",
                        row.claim().voucher().maxClaimable().toString()),
                    "signature",
                    Hex.of(Signatures.spelled(row.signature())),
                    "totalClaimed",
                    row.claim().totalClaimed().toString()))
        .toList();
  }
}
