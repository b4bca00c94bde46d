package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.Quantities;
import dev.octroi.payments.evm.chain.RpcCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The chain's latest block, and how far it has come with each relayer, asked in one round trip.
 *
 * @param number the block's height
 * @param time when it was made
 * @param mined how many transactions of each relayer the chain has, which is the nonce that is next
 */
record Head(long number, Instant time, Map<EvmAddress, Long> mined) {

  /** Asks the chain; throws {@link dev.octroi.payments.evm.chain.ChainUnavailable}. */
  static Head read(JsonRpc rpc, Collection<EvmAddress> relayers) {
    List<EvmAddress> asked = List.copyOf(relayers);
    List<RpcCall> calls = new ArrayList<>();
    calls.add(RpcCall.of("eth_getBlockByNumber", "latest", false));
    asked.forEach(
        relayer -> calls.add(RpcCall.of("eth_getTransactionCount", relayer.lowerCase(), "latest")));
    List<JsonNode> answers = rpc.read(calls);
    Map<EvmAddress, Long> mined = new HashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      mined.put(asked.get(i), Quantities.small(answers.get(1 + i)));
    }
    JsonNode block = answers.get(0);
    return new Head(
        Quantities.small(block.path("number")),
        Instant.ofEpochSecond(Quantities.small(block.path("timestamp"))),
        mined);
  }

  boolean hasMined(NonceGroup group) {
    return group.nonce() < mined.getOrDefault(group.relayer(), 0L);
  }

  /** Whether every transaction of this relayer before it is in a block. */
  boolean isNext(NonceGroup group) {
    return group.nonce() == mined.getOrDefault(group.relayer(), 0L);
  }
}
