package dev.octroi.payments.evm.channel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.x402.MalformedPayment;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The terms of a channel, which never change: its id is their EIP-712 digest.
 *
 * @param payer whose money it holds
 * @param payerAuthorizer whose key signs vouchers; the address 0 stands for the payer
 * @param receiver who is paid
 * @param receiverAuthorizer whose key signs claims and refunds for the receiver
 * @param token the token's contract
 * @param withdrawDelay how long a payer's own withdrawal takes, in seconds
 * @param salt 32 bytes that tell channels of the same terms apart
 */
public record ChannelConfig(
    EvmAddress payer,
    EvmAddress payerAuthorizer,
    EvmAddress receiver,
    EvmAddress receiverAuthorizer,
    EvmAddress token,
    long withdrawDelay,
    byte[] salt) {

  private static final EvmAddress NONE = EvmAddress.parse("0x" + "00".repeat(EvmAddress.BYTES));

  private static final byte[] TYPE_HASH =
      Keccak.ofText(
          "ChannelConfig(address payer,address payerAuthorizer,address receiver,"
              + "address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)");

  /** The id of the channel on a chain: 32 bytes. */
  public byte[] id(long chainId) {
    byte[] words =
        AbiWords.of(
            TYPE_HASH,
            payer,
            payerAuthorizer,
            receiver,
            receiverAuthorizer,
            token,
            withdrawDelay,
            salt);
    return BatchSettlement.domain(chainId).digest(words);
  }

  /** Whether claims can be authorized by a signature. */
  boolean hasAuthorizer() {
    return !receiverAuthorizer.equals(NONE);
  }

  /** Whose signature vouchers need. */
  public EvmAddress voucherSigner() {
    return payerAuthorizer.equals(NONE) ? payer : payerAuthorizer;
  }

  /**
   * Reads the members of a payload's {@code channelConfig}.
   *
   * @throws MalformedPayment if one is missing, has another type or another form
   */
  static ChannelConfig read(JsonNode config) {
    byte[] salt = PayloadFields.bytes(config, "salt");
    JsonNode delay = config.path("withdrawDelay");
    if (salt.length != Keccak.BYTES) {
      throw new MalformedPayment("In the payment, salt does not have 32 bytes.");
    }
    if (!delay.isIntegralNumber() || !delay.canConvertToLong() || delay.longValue() < 0) {
      throw new MalformedPayment("In the payment, withdrawDelay is not a number of seconds.");
    }
    return new ChannelConfig(
        PayloadFields.address(config, "payer"),
        PayloadFields.address(config, "payerAuthorizer"),
        PayloadFields.address(config, "receiver"),
        PayloadFields.address(config, "receiverAuthorizer"),
        PayloadFields.address(config, "token"),
        delay.longValue(),
        salt);
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static ChannelConfig parse(String text) {
    String[] words = text.split(" ", -1);
    if (words.length != 7) {
      throw new IllegalArgumentException("the terms of a channel are seven words");
    }
    return new ChannelConfig(
        EvmAddress.parse(words[0]),
        EvmAddress.parse(words[1]),
        EvmAddress.parse(words[2]),
        EvmAddress.parse(words[3]),
        EvmAddress.parse(words[4]),
        Long.parseLong(words[5]),
        Hex.parse(words[6]));
  }

  /** The same as text, in which a claim finds it again. */
  public String text() {
    return String.join(
        " ",
        payer.lowerCase(),
        payerAuthorizer.lowerCase(),
        receiver.lowerCase(),
        receiverAuthorizer.lowerCase(),
        token.lowerCase(),
        Long.toString(withdrawDelay),
        Hex.of(salt));
  }

  /** The same as it goes over the wire. */
  public Map<String, Object> toJson() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("payer", payer.toString());
    members.put("payerAuthorizer", payerAuthorizer.toString());
    members.put("receiver", receiver.toString());
    members.put("receiverAuthorizer", receiverAuthorizer.toString());
    members.put("token", token.toString());
    members.put("withdrawDelay", withdrawDelay);
    members.put("salt", Hex.of(salt));
    return members;
  }
}
