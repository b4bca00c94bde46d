package dev.octroi.payments.evm.channel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A payer of channels for tests: the node's published third account, whose key everybody knows. */
public final class ChannelSamples {

  public static final long CHAIN = 8453;
  public static final EvmAddress PAYER =
      EvmAddress.parse("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
  public static final EvmAddress RECEIVER =
      EvmAddress.parse("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
  public static final EvmAddress AUTHORIZER =
      EvmAddress.parse("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
  public static final long DELAY = 86_400;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte[] KEY =
      Hex.parse("0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a");
  private static final Signatures SIGNATURES = Signatures.fastest();

  private ChannelSamples() {}

  public static ChannelConfig config(long salt) {
    return new ChannelConfig(
        PAYER,
        PAYER,
        RECEIVER,
        AUTHORIZER,
        EvmToken.BASE_USDC.address(),
        DELAY,
        Hex.parse(String.format("0x%064x", salt)));
  }

  /** The offer at a price in atomic units. */
  public static PaymentRequirements terms(long amount) {
    return new PaymentRequirements(
        PaymentOption.CHANNEL,
        EvmToken.BASE_USDC.network(),
        Long.toString(amount),
        EvmToken.BASE_USDC.address().toString(),
        RECEIVER.toString(),
        300,
        Map.of(
            PaymentOption.RECEIVER_AUTHORIZER,
            AUTHORIZER.toString(),
            PaymentOption.WITHDRAW_DELAY,
            (int) DELAY,
            "name",
            EvmToken.BASE_USDC.name(),
            "version",
            EvmToken.BASE_USDC.version()));
  }

  public static byte[] sign(byte[] digest) {
    return SIGNATURES.sign(digest, KEY);
  }

  public static TokenDeposit deposit(ChannelConfig config, long amount, long salt, long until) {
    return deposit(config, amount, salt, until, ChannelSamples::sign);
  }

  /** The same of another payer, who signs digests. */
  public static TokenDeposit deposit(
      ChannelConfig config, long amount, long salt, long until, UnaryOperator<byte[]> payer) {
    TokenDeposit unsigned =
        new TokenDeposit(
            BigInteger.valueOf(amount),
            BigInteger.ZERO,
            BigInteger.valueOf(until),
            BigInteger.valueOf(salt),
            new byte[0]);
    byte[] digest = unsigned.digest(EvmToken.BASE_USDC.domain(), config.payer(), config.id(CHAIN));
    return unsigned.signed(payer.apply(digest));
  }

  public static ChannelPayload voucher(ChannelConfig config, long max) {
    return payload(ChannelPayload.Kind.VOUCHER, config, max, null, null);
  }

  public static ChannelPayload payload(
      ChannelPayload.Kind kind,
      ChannelConfig config,
      long max,
      @Nullable ChannelDeposit deposit,
      @Nullable Long refund) {
    Voucher voucher = new Voucher(config.id(CHAIN), BigInteger.valueOf(max));
    return new ChannelPayload(
        kind,
        config,
        voucher,
        sign(voucher.digest(CHAIN)),
        deposit,
        refund == null ? null : BigInteger.valueOf(refund));
  }

  /** The envelope of a payment, its members as a client writes them. */
  public static ObjectNode json(ChannelPayload payload) {
    return JSON.valueToTree(payload.toJson());
  }

  public static PaymentPayload payment(JsonNode payload, PaymentRequirements terms) {
    JsonNode accepted = JSON.valueToTree(terms);
    String envelope = payload + " " + accepted;
    return new PaymentPayload(
        2,
        null,
        accepted,
        terms.scheme(),
        terms.network(),
        payload,
        null,
        envelope.getBytes(StandardCharsets.UTF_8));
  }
}
