package dev.octroi.payments.evm.chain;

import dev.octroi.payments.chain.RpcConnection;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One node, which must be of the chain that it is configured for: it tells its chain with every
 * answer, for an address may lead to another node tomorrow, and what is not to be found on another
 * chain must not count as never paid. Thread-safe.
 */
final class RpcNode {

  /** Hundreds of receipts, far above what is asked for here. */
  private static final int MAX_ANSWER_BYTES = 8 << 20;

  private static final long FAILED_NANOS = Duration.ofSeconds(20).toNanos();
  private static final RpcCall CHAIN_ID = RpcCall.of("eth_chainId");

  private final RpcConnection connection;
  private final int number;
  private final long chainId;
  private volatile boolean known;
  private volatile long failedAt = System.nanoTime() - FAILED_NANOS;

  RpcNode(HttpClient http, URI url, int number, long chainId) {
    this.connection = new RpcConnection(http, url, MAX_ANSWER_BYTES);
    this.number = number;
    this.chainId = chainId;
  }

  boolean failedLately() {
    return System.nanoTime() - failedAt < FAILED_NANOS;
  }

  /** The answers in the order of the calls. */
  List<RpcAnswer> exchange(List<RpcCall> calls, Duration time) throws IOException {
    try {
      return known ? told(calls, time) : introduced(calls, time);
    } catch (IOException e) {
      failedAt = System.nanoTime();
      throw e;
    }
  }

  /** Asked before a call with an effect could reach the wrong chain, so on its own. */
  private List<RpcAnswer> introduced(List<RpcCall> calls, Duration time) throws IOException {
    long start = System.nanoTime();
    requireChain(connection.exchange(List.of(CHAIN_ID), time).get(0));
    known = true;
    return told(calls, time.minusNanos(System.nanoTime() - start));
  }

  /** One request goes to one node: who answers the calls has told its chain in the same answer. */
  private List<RpcAnswer> told(List<RpcCall> calls, Duration time) throws IOException {
    List<RpcCall> batch = new ArrayList<>(calls);
    batch.add(CHAIN_ID);
    List<RpcAnswer> answers = connection.exchange(batch, time);
    requireChain(answers.get(calls.size()));
    return answers.subList(0, calls.size());
  }

  private void requireChain(RpcAnswer answer) throws IOException {
    if (!(answer instanceof RpcAnswer.Result result)
        || !result.value().asText().equals(Quantities.hex(chainId))) {
      known = false;
      throw new IOException("it is not a node of chain " + chainId);
    }
  }

  @Override
  public String toString() {
    return "node " + number + " of chain " + chainId;
  }
}
