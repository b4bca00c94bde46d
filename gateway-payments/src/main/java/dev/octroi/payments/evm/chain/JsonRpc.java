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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
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

  private static final String LATEST = "latest";

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
    return exchange(calls, RpcAnswer.Result.class::isInstance).stream()
        .map(answer -> ((RpcAnswer.Result) answer).value())
        .toList();
  }

  /**
   * Reads, and calls a contract, in one round trip.
   *
   * @throws ChainUnavailable if no node answered all of them, or each refused the call for a reason
   *     of its own, such as too many calls: that says nothing of the contract
   */
  Attempt attempt(List<RpcCall> reads, RpcCall call) {
    List<RpcCall> calls = new ArrayList<>(reads);
    calls.add(call);
    List<RpcAnswer> answers = exchange(calls, JsonRpc::isOfTheContract);
    return new Attempt(
        answers.subList(0, reads.size()).stream()
            .map(answer -> ((RpcAnswer.Result) answer).value())
            .toList(),
        answers.get(reads.size()));
  }

  /**
   * How a call of a contract ended, and what was read with it.
   *
   * @param read in the order of the calls
   * @param ended refused if the contract ended it
   */
  record Attempt(List<JsonNode> read, RpcAnswer ended) {}

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
    return exchange(List.of(call), answer -> true).get(0);
  }

  /**
   * Calls a contract at the latest block.
   *
   * @param sender who calls; empty where that makes no difference
   * @return what it answers; empty if it reverted
   * @throws ChainUnavailable as {@link #attempt} does
   */
  public Optional<JsonNode> call(Optional<EvmAddress> sender, EvmAddress contract, byte[] data) {
    return attempt(List.of(), callOf(sender, contract, data)).ended()
            instanceof RpcAnswer.Result result
        ? Optional.of(result.value())
        : Optional.empty();
  }

  /** The same as one of several calls. */
  static RpcCall callOf(Optional<EvmAddress> sender, EvmAddress contract, byte[] data) {
    return callOf(sender, contract, data, LATEST);
  }

  /** The same as of a block, by its tag or its number in hex. */
  static RpcCall callOf(
      Optional<EvmAddress> sender, EvmAddress contract, byte[] data, String block) {
    return RpcCall.of("eth_call", request(sender, contract, data), block);
  }

  /** What a transaction would do at the latest block, with no more gas than it is given. */
  static RpcCall transaction(Optional<EvmAddress> sender, EvmAddress to, byte[] data, long gas) {
    return transaction(sender, to, data, gas, LATEST);
  }

  /** The same as of a block. */
  static RpcCall transaction(
      Optional<EvmAddress> sender, EvmAddress to, byte[] data, long gas, String block) {
    Map<String, String> request = request(sender, to, data);
    request.put("gas", Quantities.hex(gas));
    return RpcCall.of("eth_call", request, block);
  }

  private static Map<String, String> request(
      Optional<EvmAddress> sender, EvmAddress to, byte[] data) {
    Map<String, String> request = new HashMap<>();
    request.put("to", to.lowerCase());
    request.put("data", Hex.of(data));
    sender.ifPresent(from -> request.put("from", from.lowerCase()));
    return request;
  }

  /** Whether a call has an end that is the contract's, rather than a refusal of the node. */
  private static boolean isOfTheContract(RpcAnswer answer) {
    if (!(answer instanceof RpcAnswer.Refused refused)) {
      return true;
    }
    String words = refused.message().toLowerCase(Locale.ROOT).replace(" ", "");
    return refused.code() == REVERT || ENDED.stream().anyMatch(words::contains);
  }

  /** All but the last must have a result. */
  private List<RpcAnswer> exchange(List<RpcCall> calls, Predicate<RpcAnswer> isGoodAsLast) {
    long end = System.nanoTime() + deadline.toNanos();
    List<RpcNode> order = new ArrayList<>(nodes);
    order.sort(Comparator.comparing(RpcNode::failedLately));
    String last = "no time is left";
    for (int i = 0; i < order.size(); i++) {
      RpcNode node = order.get(i);
      long share = (end - System.nanoTime()) / (order.size() - i);
      try {
        List<RpcAnswer> answers = node.exchange(calls, Duration.ofNanos(Math.max(share, 1)));
        requireAll(answers, isGoodAsLast);
        return answers;
      } catch (IOException e) {
        last = String.valueOf(e.getMessage());
        LOG.warn("{} did not answer {}: {}", node, calls.get(0).method(), last);
      }
    }
    throw new ChainUnavailable("no node answered " + calls.get(0).method() + ": " + last);
  }

  private static void requireAll(List<RpcAnswer> answers, Predicate<RpcAnswer> isGoodAsLast)
      throws IOException {
    for (int i = 0; i < answers.size(); i++) {
      boolean isLast = i == answers.size() - 1;
      if (answers.get(i) instanceof RpcAnswer.Refused refused
          && !(isLast && isGoodAsLast.test(refused))) {
        throw new IOException("it refused with code " + refused.code());
      }
    }
  }

  @Override
  public String toString() {
    return nodes.toString();
  }
}
