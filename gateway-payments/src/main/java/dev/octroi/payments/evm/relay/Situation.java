package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.Quantities;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must be known to send, asked in one round trip.
 *
 * @param baseFee the next block's, in wei
 * @param fees what is offered now: twice the base fee, so that it may rise for some blocks
 * @param balances gas money of each relayer, in wei
 * @param nonces the nonce that each relayer would use next, as far as the node knows
 * @param contracts those of the payers that have code
 */
record Situation(
    BigInteger baseFee,
    Fees fees,
    Map<EvmAddress, BigInteger> balances,
    Map<EvmAddress, Long> nonces,
    Set<EvmAddress> contracts) {

  /** A thousandth of a gwei, where other senders offer less. */
  private static final BigInteger LEAST_TIP = BigInteger.valueOf(1_000_000);

  private static final String LATEST = "latest";
  private static final int RELAYER_CALLS = 2;
  private static final int MEDIAN = 50;

  /** Asks the chain; throws {@link dev.octroi.payments.evm.chain.ChainUnavailable}. */
  static Situation read(JsonRpc rpc, List<EvmAddress> relayers, List<EvmAddress> payers) {
    List<RpcCall> calls = new ArrayList<>();
    calls.add(RpcCall.of("eth_feeHistory", "0x4", LATEST, List.of(MEDIAN)));
    for (EvmAddress relayer : relayers) {
      calls.add(RpcCall.of("eth_getBalance", relayer.lowerCase(), LATEST));
      calls.add(RpcCall.of("eth_getTransactionCount", relayer.lowerCase(), "pending"));
    }
    payers.forEach(payer -> calls.add(RpcCall.of("eth_getCode", payer.lowerCase(), LATEST)));
    List<JsonNode> answers = rpc.read(calls);
    Map<EvmAddress, BigInteger> balances = new HashMap<>();
    Map<EvmAddress, Long> nonces = new HashMap<>();
    for (int i = 0; i < relayers.size(); i++) {
      balances.put(relayers.get(i), Quantities.of(answers.get(1 + RELAYER_CALLS * i)));
      nonces.put(relayers.get(i), Quantities.small(answers.get(2 + RELAYER_CALLS * i)));
    }
    Set<EvmAddress> contracts = new HashSet<>();
    for (int i = 0; i < payers.size(); i++) {
      String code = answers.get(1 + RELAYER_CALLS * relayers.size() + i).asText();
      if (code.length() > 2) {
        contracts.add(payers.get(i));
      }
    }
    JsonNode history = answers.get(0);
    BigInteger base = baseFee(history);
    return new Situation(base, fees(base, tip(history)), balances, nonces, contracts);
  }

  private static BigInteger baseFee(JsonNode history) {
    JsonNode base = history.path("baseFeePerGas");
    return Quantities.of(base.path(base.size() - 1));
  }

  private static BigInteger tip(JsonNode history) {
    BigInteger tip = LEAST_TIP;
    for (JsonNode block : history.path("reward")) {
      tip = tip.max(Quantities.of(block.path(0)));
    }
    return tip;
  }

  private static Fees fees(BigInteger base, BigInteger tip) {
    return new Fees(base.shiftLeft(1).add(tip), tip);
  }

  /** The fees within the cap; above it where not even the next block would take that. */
  Fees within(BigInteger cap) {
    boolean enough = baseFee.add(fees.tip()).compareTo(cap) <= 0;
    return enough ? new Fees(fees.max().min(cap), fees.tip()) : fees;
  }
}
