package dev.octroi.payments.evm.channel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.evm.TokenDomain;
import java.math.BigInteger;
import java.util.Map;

/**
 * A deposit that the token itself takes (EIP-3009).
 *
 * @param amount atomic units
 * @param validAfter Unix seconds
 * @param validBefore Unix seconds
 * @param salt makes deposits into one channel differ, 0 to 2^256 - 1
 * @param signature the signature's bytes, of any length
 */
public record TokenDeposit(
    BigInteger amount,
    BigInteger validAfter,
    BigInteger validBefore,
    BigInteger salt,
    byte[] signature)
    implements ChannelDeposit {

  private static final String MEMBER = "erc3009Authorization";

  private static final byte[] TYPE_HASH =
      Keccak.ofText(
          "ReceiveWithAuthorization(address from,address to,uint256 value,"
              + "uint256 validAfter,uint256 validBefore,bytes32 nonce)");

  /** The same with a signature. */
  public TokenDeposit signed(byte[] by) {
    return new TokenDeposit(amount, validAfter, validBefore, salt, by);
  }

  @Override
  public BigInteger end() {
    return validBefore;
  }

  @Override
  public byte[] unique() {
    return ChannelNonce.ofSalt(salt);
  }

  @Override
  public EvmAddress collector() {
    return BatchSettlement.DEPOSIT_COLLECTOR;
  }

  @Override
  public boolean endsBefore(long second) {
    return validBefore.compareTo(BigInteger.valueOf(second)) < 0;
  }

  /** What the payer signs for the token of this domain: 32 bytes. */
  public byte[] digest(TokenDomain token, EvmAddress payer, byte[] channelId) {
    byte[] words =
        AbiWords.of(
            TYPE_HASH, payer, collector(), amount, validAfter, validBefore, nonce(channelId));
    return token.digest(words);
  }

  static boolean isIn(JsonNode authorization) {
    return authorization.path(MEMBER).isObject();
  }

  static TokenDeposit read(BigInteger amount, JsonNode authorization) {
    JsonNode said = authorization.path(MEMBER);
    return new TokenDeposit(
        amount,
        PayloadFields.uint256(said, "validAfter"),
        PayloadFields.uint256(said, "validBefore"),
        PayloadFields.hex256(said, "salt"),
        PayloadFields.bytes(said, "signature"));
  }

  @Override
  public Map<String, Object> authorization() {
    return Map.of(
        MEMBER,
        Map.of(
            "validAfter",
            validAfter.toString(),
            "validBefore",
            validBefore.toString(),
            "salt",
            Hex.of(unique()),
            "signature",
            Hex.of(signature)));
  }
}
