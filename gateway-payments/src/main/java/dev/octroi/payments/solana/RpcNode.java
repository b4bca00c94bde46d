package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;

/** One node, which must be of the chain that it is configured for. Thread-safe. */
final class RpcNode {

  private static final long FAILED_NANOS = Duration.ofSeconds(20).toNanos();

  private final RpcCalls calls;
  private final String network;
  private volatile boolean introduced;
  private volatile long failedAt = System.nanoTime() - FAILED_NANOS;

  RpcNode(RpcCalls calls, String network) {
    this.calls = calls;
    this.network = network;
  }

  boolean failedLately() {
    return System.nanoTime() - failedAt < FAILED_NANOS;
  }

  /** The result; a refusal is no usable answer. */
  JsonNode read(String method, Object... parameters) throws IOException {
    try {
      introduce();
      return calls.read(method, parameters);
    } catch (IOException e) {
      failedAt = System.nanoTime();
      throw e;
    }
  }

  /** Throws {@link IOException} if no usable answer came; the call may have reached the node. */
  RpcReply ask(String method, Object... parameters) throws IOException {
    try {
      introduce();
      return calls.ask(method, parameters);
    } catch (IOException e) {
      failedAt = System.nanoTime();
      throw e;
    }
  }

  /**
   * Asks again which chain it is of: its address may lead to another node by now. Throws {@link
   * IOException} if it is of another chain, or does not say.
   */
  void requireChain() throws IOException {
    introduced = false;
    String genesis = calls.read("getGenesisHash").asText();
    String reference = network.substring(network.indexOf(':') + 1);
    if (!genesis.startsWith(reference)) {
      throw new IOException("the node is not of " + network);
    }
    introduced = true;
  }

  /** A node of another chain is believed in nothing. */
  private void introduce() throws IOException {
    if (!introduced) {
      requireChain();
    }
  }
}
