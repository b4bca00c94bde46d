package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.PermitNonce;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls.DepositTerms;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * A deposit as receipts show it.
 *
 * @param token the token's contract
 * @param channel the channel's id in lower-case hex
 * @param nonce what it uses up, as keys of payments spell it in lower-case hex
 * @param needed what the channel holds afterwards at least, in atomic units
 */
public record DepositProof(EvmAddress token, String channel, String nonce, BigInteger needed) {

  static final String DEPOSITED =
      Hex.of(Keccak.ofText("Deposited(bytes32,address,uint128,uint128)"));

  /** Empty for a payment that brings no deposit. */
  static Optional<DepositProof> of(UnresolvedPayment payment) {
    byte[] key = Hex.parse(payment.key().nonce());
    byte[] channel = Hex.parse(payment.key().payer());
    return ChannelNonce.deposit(key)
        .map(
            deposit ->
                new DepositProof(
                    EvmAddress.parse(payment.asset()),
                    payment.key().payer(),
                    Hex.of(ChannelNonce.used(channel, deposit)),
                    ChannelNonce.maxClaimable(key)));
  }

  /** Whether Permit2 moves it, which logs no nonce: then the calldata says whose deposit it is. */
  boolean isByPermit() {
    return PermitNonce.isOne(Hex.parse(nonce));
  }

  /** The topics by which a node finds deposits into this channel. */
  List<String> topics() {
    return List.of(DEPOSITED, channel);
  }

  /**
   * Whether a receipt shows a deposit by Permit2: the transaction was a single call of the contract
   * with this permit, and it logged the deposit.
   *
   * @param receipt what the node gave, which may be a JSON null
   * @param called what the transaction's calldata says
   */
  public boolean isIn(JsonNode receipt, DepositTerms called) {
    return PaidTransfer.succeeded(receipt)
        && isCall(receipt)
        && Hex.of(called.channelId()).equals(channel)
        && Hex.of(called.nonce()).equals(nonce)
        && StreamSupport.stream(receipt.path("logs").spliterator(), false)
            .anyMatch(this::isDeposit);
  }

  /** Whether a transaction, or its receipt, is of a call of the contract itself. */
  static boolean isCall(JsonNode transaction) {
    return transaction.path("to").asText().equalsIgnoreCase(BatchSettlement.ADDRESS.lowerCase());
  }

  /** Whether a receipt, which may be a JSON null, shows one that the token itself took. */
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

  /** Whether the contract has logged a deposit that may be this one. */
  boolean isDeposit(JsonNode log) {
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

  static boolean isTopic(JsonNode log, int index, String topic) {
    return log.path("topics").path(index).asText().equalsIgnoreCase(topic);
  }
}
