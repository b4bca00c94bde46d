package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.Multicall3.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the chain says of an authorization at one moment, in one round trip, or two where the final
 * block is a number of blocks behind the latest.
 *
 * <p>The state is asked for at the latest block, which every full node has, and tells its own time:
 * what is unused there, at the authorization's end or later, was used in no block before.
 *
 * @param head the latest block
 * @param finalBlock the latest block that never changes
 * @param used whether the authorization counts as used, which a cancellation does too
 * @param time the time of the block that said so, in Unix seconds
 * @param receipt that of the transaction that is known; a JSON null where there is none
 */
record ChainView(Block head, Block finalBlock, boolean used, long time, JsonNode receipt) {

  private static final Pattern HASH = Pattern.compile("0x[0-9a-fA-F]{64}");

  /**
   * Asks the chain.
   *
   * @param transaction the transaction that was last heard of, if it is one of this chain's
   */
  static ChainView read(
      JsonRpc rpc, Finality finality, PaidTransfer transfer, @Nullable String transaction) {
    Call state =
        new Call(
            transfer.asset(),
            TokenCalls.authorizationState(transfer.payer(), Hex.parse(transfer.nonce())));
    List<Call> calls = List.of(state, Multicall3.TIME);
    boolean named = transaction != null && HASH.matcher(transaction).matches();
    List<RpcCall> batch = new ArrayList<>();
    batch.add(Block.call("latest"));
    batch.add(PaymentReader.simulation(calls));
    if (named) {
      batch.add(RpcCall.of("eth_getTransactionReceipt", String.valueOf(transaction)));
    }
    if (finality.finalDepth() == 0) {
      batch.add(Block.call("finalized"));
    }
    List<JsonNode> answers = rpc.read(batch);
    Block head = Block.of(answers.get(0));
    List<Result> results = Multicall3.results(Quantities.bytes(answers.get(1)), calls.size());
    Block finalBlock =
        finality.finalDepth() == 0
            ? Block.of(answers.get(answers.size() - 1))
            : behind(rpc, head, finality.finalDepth());
    return new ChainView(
        head,
        finalBlock,
        TokenCalls.number(results.get(0)).signum() != 0,
        TokenCalls.number(results.get(1)).longValue(),
        named ? answers.get(2) : NullNode.getInstance());
  }

  private static Block behind(JsonRpc rpc, Block head, int depth) {
    String number = Quantities.hex(Math.max(head.number() - depth, 0));
    return Block.of(rpc.read(List.of(Block.call(number))).get(0));
  }
}
