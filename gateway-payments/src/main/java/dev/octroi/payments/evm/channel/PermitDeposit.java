package dev.octroi.payments.evm.channel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.evm.PermitNonce;
import dev.octroi.payments.evm.permit2.PermitWitness;
import dev.octroi.payments.evm.permit2.Permitted;
import dev.octroi.payments.evm.permit2.TokenApproval.Brought;
import dev.octroi.payments.evm.permit2.TokenPermit.Sponsoring;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A deposit that Permit2 moves, of a token that takes no authorization itself.
 *
 * @param from the payer, who signs and is not part of what is signed
 * @param token the token's contract
 * @param amount atomic units
 * @param permitted what the permit allows, which must be the same
 * @param spender who may use the permit
 * @param nonce any number of 256 bits
 * @param deadline the last second at which it may be used, in Unix seconds
 * @param channelId the channel that it goes into
 * @param signature the signature's bytes, of any length
 */
public record PermitDeposit(
    EvmAddress from,
    EvmAddress token,
    BigInteger amount,
    BigInteger permitted,
    EvmAddress spender,
    BigInteger nonce,
    BigInteger deadline,
    byte[] channelId,
    byte[] signature)
    implements ChannelDeposit, Permitted {

  private static final String MEMBER = "permit2Authorization";

  private static final PermitWitness WITNESS =
      new PermitWitness("DepositWitness", "bytes32 channelId");

  /** One into a channel of these terms, which its payer has yet to sign. */
  public static PermitDeposit unsigned(
      ChannelConfig config,
      byte[] channelId,
      BigInteger amount,
      BigInteger nonce,
      BigInteger deadline) {
    return new PermitDeposit(
        config.payer(),
        config.token(),
        amount,
        amount,
        BatchSettlement.PERMIT_COLLECTOR,
        nonce,
        deadline,
        channelId,
        new byte[0]);
  }

  /** The same with a signature. */
  public PermitDeposit signed(byte[] by) {
    return new PermitDeposit(
        from, token, amount, permitted, spender, nonce, deadline, channelId, by);
  }

  @Override
  public BigInteger end() {
    return deadline.add(BigInteger.ONE);
  }

  @Override
  public byte[] unique() {
    return PermitNonce.bytes(nonce);
  }

  @Override
  public EvmAddress collector() {
    return BatchSettlement.PERMIT_COLLECTOR;
  }

  @Override
  public boolean endsBefore(long second) {
    return deadline.compareTo(BigInteger.valueOf(second)) < 0;
  }

  /** What the payer signs on a chain, where both amounts are the same: 32 bytes. */
  public byte[] digest(long chainId) {
    return WITNESS.digest(chainId, this, spender, nonce, deadline, channelId);
  }

  @Override
  public Sponsoring sponsoring(PaymentPayload payment, PaymentRequirements terms, long now) {
    return Sponsoring.of(payment, terms, this, now);
  }

  @Override
  public Brought approval(PaymentPayload payment, PaymentRequirements terms) {
    return Brought.of(payment, terms, this);
  }

  static boolean isIn(JsonNode authorization) {
    return authorization.path(MEMBER).isObject();
  }

  static PermitDeposit read(BigInteger amount, JsonNode authorization) {
    JsonNode said = authorization.path(MEMBER);
    JsonNode allowed = said.path("permitted");
    return new PermitDeposit(
        PayloadFields.address(said, "from"),
        PayloadFields.address(allowed, "token"),
        amount,
        PayloadFields.uint256(allowed, "amount"),
        PayloadFields.address(said, "spender"),
        PayloadFields.uint256(said, "nonce"),
        PayloadFields.uint256(said, "deadline"),
        PayloadFields.bytes(said.path("witness"), "channelId"),
        PayloadFields.bytes(said, "signature"));
  }

  @Override
  public Map<String, Object> authorization() {
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("from", from.toString());
    said.put("permitted", Map.of("token", token.toString(), "amount", permitted.toString()));
    said.put("spender", spender.toString());
    said.put("nonce", nonce.toString());
    said.put("deadline", deadline.toString());
    said.put("witness", Map.of("channelId", Hex.of(channelId)));
    said.put("signature", Hex.of(signature));
    return Map.of(MEMBER, said);
  }
}
