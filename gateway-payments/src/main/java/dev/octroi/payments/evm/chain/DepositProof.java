package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A deposit as receipts show it.
 *
 * @param token whose authorization it is
 * @param channel the channel's id in lower-case hex
 * @param nonce by which the token knows the authorization, in lower-case hex
 * @param needed what the channel holds afterwards at least, in atomic units
 */
public record DepositProof(EvmAddress token, String channel, String nonce, BigInteger needed) {

  private static final String DEPOSITED =
      Hex.of(
          Keccak.hash(
              "Deposited(bytes32,address,uint128,uint128)".getBytes(StandardCharsets.US_ASCII)));

  /** Empty for a payment that brings no deposit. */
  static Optional<DepositProof> of(UnresolvedPayment payment) {
    byte[] key = Hex.parse(payment.key().nonce());
    byte[] channel = Hex.parse(payment.key().payer());
    return ChannelNonce.salt(key)
        .map(
            salt ->
                new DepositProof(
                    EvmAddress.parse(payment.asset()),
                    payment.key().payer(),
                    Hex.of(ChannelDeposit.nonce(channel, salt)),
                    ChannelNonce.maxClaimable(key)));
  }

  /** The topics by which a node finds deposits into this channel. */
  List<String> topics() {
    return List.of(DEPOSITED, channel);
  }

  /** Whether a receipt, which may be a JSON null, shows it. */
  public boolean isIn(JsonNode receipt) {
    if (!PaidTransfer.succeeded(receipt)) {
      return false;
    }
    boolean used = false;
    for (JsonNode log : receipt.path("logs")) {
      used |=
          PaidTransfer.isOf(log, token.lowerCase())
              && isTopic(log, 0, PaidTransfer.USED)
              && isTopic(log, 2, nonce);
      if (used && isDeposit(log)) {
        return true;
      }
    }
    return false;
  }

  private boolean isDeposit(JsonNode log) {
    return PaidTransfer.isOf(log, BatchSettlement.ADDRESS.lowerCase())
        && isTopic(log, 0, DEPOSITED)
        && isTopic(log, 1, channel)
        && balance(log).compareTo(needed) >= 0;
  }

  /** The last word of its data. */
  private static BigInteger balance(JsonNode log) {
    byte[] data = Quantities.bytes(log.path("data"));
    return data.length < AbiReader.WORD
        ? BigInteger.ZERO
        : new BigInteger(1, data, data.length - AbiReader.WORD, AbiReader.WORD);
  }

  private static boolean isTopic(JsonNode log, int index, String topic) {
    return log.path("topics").path(index).asText().equalsIgnoreCase(topic);
  }
}
