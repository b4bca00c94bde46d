package dev.octroi.payments.evm.channel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.x402.MalformedPayment;
import java.math.BigInteger;
import java.util.Map;

/**
 * A payer's permission to move money into a channel, which the token itself takes (EIP-3009).
 *
 * @param amount atomic units
 * @param validAfter Unix seconds
 * @param validBefore Unix seconds
 * @param salt makes deposits into one channel differ, 0 to 2^256 - 1
 * @param signature the signature's bytes, of any length
 */
public record ChannelDeposit(
    BigInteger amount,
    BigInteger validAfter,
    BigInteger validBefore,
    BigInteger salt,
    byte[] signature) {

  private static final byte[] TYPE_HASH =
      BatchSettlement.typeHash(
          "ReceiveWithAuthorization(address from,address to,uint256 value,"
              + "uint256 validAfter,uint256 validBefore,bytes32 nonce)");

  /** The nonce by which the token knows it, which names its channel: 32 bytes. */
  public byte[] nonce(byte[] channelId) {
    return nonce(channelId, salt);
  }

  /** The nonce of a deposit with this salt into a channel. */
  public static byte[] nonce(byte[] channelId, BigInteger salt) {
    byte[] words = BatchSettlement.words(2);
    AbiWords.write(words, 0, channelId);
    AbiWords.write(words, 1, salt);
    return Keccak.hash(words);
  }

  /** What the payer signs for the token of this domain: 32 bytes. */
  public byte[] digest(TokenDomain token, EvmAddress payer, byte[] channelId) {
    byte[] words = BatchSettlement.words(7);
    AbiWords.write(words, 0, TYPE_HASH);
    AbiWords.write(words, 1, payer);
    AbiWords.write(words, 2, BatchSettlement.DEPOSIT_COLLECTOR);
    AbiWords.write(words, 3, amount);
    AbiWords.write(words, 4, validAfter);
    AbiWords.write(words, 5, validBefore);
    AbiWords.write(words, 6, nonce(channelId));
    return token.digest(words);
  }

  /**
   * Reads the members of a payload's {@code deposit} whose authorization is the token's own.
   *
   * @throws MalformedPayment if one is missing, has another type or another form
   */
  static ChannelDeposit read(JsonNode deposit) {
    JsonNode authorization = deposit.at("/authorization/erc3009Authorization");
    byte[] salt = PayloadFields.bytes(authorization, "salt");
    if (salt.length > Keccak.BYTES) {
      throw new MalformedPayment("In the payment, a deposit's salt exceeds 32 bytes.");
    }
    return new ChannelDeposit(
        PayloadFields.uint256(deposit, "amount"),
        PayloadFields.uint256(authorization, "validAfter"),
        PayloadFields.uint256(authorization, "validBefore"),
        new BigInteger(1, salt),
        PayloadFields.bytes(authorization, "signature"));
  }

  /** The same as it goes over the wire. */
  public Map<String, Object> toJson() {
    byte[] word = BatchSettlement.words(1);
    AbiWords.write(word, 0, salt);
    return Map.of(
        "amount",
        amount.toString(),
        "authorization",
        Map.of(
            "erc3009Authorization",
            Map.of(
                "validAfter", validAfter.toString(),
                "validBefore", validBefore.toString(),
                "salt", Hex.of(word),
                "signature", Hex.of(signature))));
  }
}
