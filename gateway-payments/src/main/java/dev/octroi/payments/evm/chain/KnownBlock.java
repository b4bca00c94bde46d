package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.chain.JsonRpc.Attempt;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.Multicall3.Result;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A block that a node has told of. Contracts are asked as of it, and tell its time in the same
 * request: an address may lead to several nodes, and one that is behind knows nothing of what was
 * paid since.
 *
 * @param number its height
 * @param time when it was made
 */
public record KnownBlock(JsonRpc rpc, long number, Instant time) {

  /**
   * The number that a contract says; zero where it says none.
   *
   * @throws ChainUnavailable if no node answers, or only out of an older block
   */
  public BigInteger said(Call call) {
    List<Call> calls = List.of(call, Multicall3.TIME);
    JsonNode answer = rpc.read(List.of(PaymentReader.simulation(calls, tag()))).get(0);
    return TokenCalls.number(current(answer, calls).get(0));
  }

  /**
   * Simulates a transaction.
   *
   * @param sender who sends it; empty where that makes no difference
   * @param gas its limit
   * @return what it returns; empty if it reverted
   * @throws ChainUnavailable as {@link #said} does
   */
  public Optional<JsonNode> simulated(
      Optional<EvmAddress> sender, EvmAddress to, byte[] data, long gas) {
    List<Call> calls = List.of(Multicall3.TIME);
    Attempt attempt =
        rpc.attempt(
            List.of(PaymentReader.simulation(calls, tag())),
            JsonRpc.transaction(sender, to, data, gas, tag()));
    current(attempt.read().get(0), calls);
    return attempt.ended() instanceof RpcAnswer.Result result
        ? Optional.of(result.value())
        : Optional.empty();
  }

  private String tag() {
    return Quantities.hex(number);
  }

  /** Some nodes answer out of their latest block where they do not have the one asked for. */
  private List<Result> current(JsonNode answer, List<Call> calls) {
    List<Result> results = Multicall3.results(Quantities.bytes(answer), calls.size());
    long told = TokenCalls.number(results.get(calls.size() - 1)).longValue();
    if (told < time.getEpochSecond()) {
      throw new ChainUnavailable("a node answered out of a block before " + number);
    }
    return results;
  }
}
