package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of one chain, asked by JSON-RPC in their configured order. Thread-safe.
 *
 * <p>A call waits no longer than its deadline, of which each node gets its share. A node that
 * failed lately is asked after the others. Its address may hold a key and is never logged, nor in a
 * message.
 */
public final class JsonRpc {

  private static final Logger LOG = LoggerFactory.getLogger(JsonRpc.class);

  /** The code that most nodes give to a call that reverted. */
  private static final long REVERT = 3;

  /** How nodes word that a contract's own code has ended a call, without spaces. */
  private static final List<String> ENDED =
      List.of("revert", "vmexecution", "invalidopcode", "outofgas", "stackunderflow");

  private final List<RpcNode> nodes;
  private final long chainId;
  private final Duration deadline;

  /**
   * Names the nodes; none is asked before the first call.
   *
   * @param http shared by all
   * @param urls http or https addresses, at least one
   * @param chainId the chain that each node must be of; one of another chain is never believed
   * @param deadline how long a call may take, over all nodes
   * @throws IllegalArgumentException if an address cannot be used
   */
  public JsonRpc(HttpClient http, List<URI> urls, long chainId, Duration deadline) {
    if (urls.isEmpty()) {
      throw new IllegalArgumentException("a chain is read through at least one node");
    }
    this.nodes =
        IntStream.range(0, urls.size())
            .mapToObj(i -> new RpcNode(http, urls.get(i), i + 1, chainId))
            .toList();
    this.chainId = chainId;
    this.deadline = deadline;
  }

  /** The chain that is asked. */
  public long chainId() {
    return chainId;
  }

  /**
   * Reads in one round trip.
   *
   * @return the results, in the order of the calls
   * @throws ChainUnavailable if no node answered all of them
   */
  public List<JsonNode> read(List<RpcCall> calls) {
    return exchange(calls, true).stream()
        .map(answer -> ((RpcAnswer.Result) answer).value())
        .toList();
  }

  /**
   * Reads one thing.
   *
   * @throws ChainUnavailable if no node answered
   */
  public JsonNode read(String method, Object... parameters) {
    return read(List.of(RpcCall.of(method, parameters))).get(0);
  }

  /**
   * Calls once, where a node's refusal is an answer too, as for a transaction that is sent.
   *
   * @throws ChainUnavailable if no node answered; the call may have reached one all the same
   */
  public RpcAnswer ask(RpcCall call) {
    return exchange(List.of(call), false).get(0);
  }

  /**
   * Calls a contract at the latest block.
   *
   * @return what it answers; empty if it reverted
   * @throws ChainUnavailable if no node answered, or one refused for a reason of its own, such as
   *     too many calls: that says nothing of the contract
   */
  public Optional<JsonNode> call(EvmAddress contract, byte[] data) {
    Map<String, String> request = Map.of("to", contract.lowerCase(), "data", Hex.of(data));
    RpcAnswer answer = ask(RpcCall.of("eth_call", request, "latest"));
    if (answer instanceof RpcAnswer.Result result) {
      return Optional.of(result.value());
    }
    RpcAnswer.Refused refused = (RpcAnswer.Refused) answer;
    if (isOfTheContract(refused)) {
      return Optional.empty();
    }
    throw new ChainUnavailable("a node refused eth_call with code " + refused.code());
  }

  /** Whether the contract that was called ended the call, rather than the node. */
  private static boolean isOfTheContract(RpcAnswer.Refused refused) {
    String words = refused.message().toLowerCase(Locale.ROOT).replace(" ", "");
    return refused.code() == REVERT || ENDED.stream().anyMatch(words::contains);
  }

  private List<RpcAnswer> exchange(List<RpcCall> calls, boolean mustSucceed) {
    long end = System.nanoTime() + deadline.toNanos();
    List<RpcNode> order = new ArrayList<>(nodes);
    order.sort(Comparator.comparing(RpcNode::failedLately));
    String last = "no time is left";
    for (int i = 0; i < order.size(); i++) {
      RpcNode node = order.get(i);
      long share = (end - System.nanoTime()) / (order.size() - i);
      try {
        List<RpcAnswer> answers = node.exchange(calls, Duration.ofNanos(Math.max(share, 1)));
        if (mustSucceed) {
          requireResults(answers);
        }
        return answers;
      } catch (IOException e) {
        last = String.valueOf(e.getMessage());
        LOG.warn("{} did not answer {}: {}", node, calls.get(0).method(), last);
      }
    }
    throw new ChainUnavailable("no node answered " + calls.get(0).method() + ": " + last);
  }

  private static void requireResults(List<RpcAnswer> answers) throws IOException {
    for (RpcAnswer answer : answers) {
      if (answer instanceof RpcAnswer.Refused refused) {
        throw new IOException("it refused with code " + refused.code());
      }
    }
  }

  @Override
  public String toString() {
    return nodes.toString();
  }
}
