package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.chain.RpcConnection;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.solana.WireReader.MalformedTransaction;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What payments need of Solana's nodes, by JSON-RPC. Thread-safe; every method throws {@link
 * IOException} if no node gave a usable answer, or if it is of another chain.
 */
public final class SolanaRpc implements Blockhashes {

  /** A preflight that failed: this node has not forwarded the transaction. */
  private static final int PREFLIGHT_FAILED = -32002;

  private static final int MAX_ANSWER_BYTES = 1 << 20;
  private static final int TOKEN_ACCOUNT_BYTES = 165;
  private static final int AMOUNT_OFFSET = 64;
  private static final String BASE64 = "base64";

  private static final Map<String, Object> FINALIZED = Map.of("commitment", "finalized");
  private static final Map<String, Object> NO_TRANSACTIONS =
      Map.of(
          "commitment",
          "finalized",
          "transactionDetails",
          "none",
          "rewards",
          false,
          "maxSupportedTransactionVersion",
          0);

  private final RpcNodes nodes;

  /**
   * Names the nodes; none is asked before the first call. What is read comes from the first that
   * answers, in their order; what is sent goes to one.
   *
   * @param urls at least one
   * @param network CAIP-2 id, whose reference is the beginning of the chain's first block's hash
   * @param deadline how long one node may take to answer
   * @throws IllegalArgumentException if an address is not http or https
   */
  public SolanaRpc(HttpClient http, List<URI> urls, String network, Duration deadline) {
    this(
        new RpcNodes(
            urls.stream()
                .map(url -> new RpcConnection(http, url, MAX_ANSWER_BYTES))
                .map(connection -> new RpcNode(connection, network, deadline))
                .toList()));
  }

  private SolanaRpc(RpcNodes nodes) {
    this.nodes = nodes;
  }

  /**
   * The same through one node alone: what a proof puts together must not be of two, one of which
   * may be behind the other.
   */
  SolanaRpc throughOneNode() {
    return new SolanaRpc(nodes.first());
  }

  /**
   * Throws {@link IOException} unless the nodes are of the chain at this moment. What is not to be
   * found proves nothing if it was another chain that was searched.
   */
  void requireChain() throws IOException {
    nodes.requireChain();
  }

  /**
   * A block.
   *
   * @param slot when it was made; slots without a block count
   * @param height how many blocks there are before it
   */
  record Block(long slot, long height) {}

  /** A recent block, and the last height at which its hash dates a transaction. */
  record Latest(SolanaAddress blockhash, long lastValidHeight) {}

  /**
   * How a transaction would end.
   *
   * @param error null if it would succeed, else the chain's words
   * @param left what the watched token account would hold afterwards
   */
  record Simulation(JsonNode error, OptionalLong left) {

    boolean succeeds() {
      return error.isNull() || error.isMissingNode();
    }
  }

  /**
   * Where a transaction stands.
   *
   * @param failed it is in a block, and moved nothing
   * @param confirmation {@code processed}, {@code confirmed} or {@code finalized}
   */
  record Status(boolean failed, String confirmation) {}

  @Override
  public SolanaAddress recent() throws IOException {
    return latest().blockhash();
  }

  Latest latest() throws IOException {
    JsonNode value = read("getLatestBlockhash", Map.of("commitment", "confirmed")).path("value");
    try {
      return new Latest(
          SolanaAddress.parse(value.path("blockhash").asText()),
          required(value.path("lastValidBlockHeight")));
    } catch (IllegalArgumentException e) {
      throw new IOException("getLatestBlockhash was answered with what is no blockhash", e);
    }
  }

  /** The last block that no fork can undo. */
  Block finalized() throws IOException {
    JsonNode info = read("getEpochInfo", FINALIZED);
    return new Block(required(info.path("absoluteSlot")), required(info.path("blockHeight")));
  }

  /**
   * Throws {@link IOException} unless the node holds every block between two heights. One that was
   * started from a snapshot, or has deleted old blocks, knows nothing of what they hold.
   *
   * @param from where to begin, or before
   * @param to at most the height of {@code top}
   * @param top a block that no fork can undo
   */
  void requireBlocks(long from, long to, Block top) throws IOException {
    Block first = top;
    long slot = top.slot();
    for (int step = 0; first.height() > from; step++) {
      if (slot == 0) {
        throw new IOException("the node does not hold the blocks from height " + from);
      }
      // There are at least as many slots as blocks.
      slot = Math.max(0, slot - Math.max(first.height() - from, 1L << step));
      first = block(slot, 1);
    }
    long blocks = to - first.height() + 1;
    if (block(first.slot(), blocks).height() != to) {
      throw new IOException("the node does not hold all blocks to height " + to);
    }
  }

  /**
   * Throws {@link IOException} unless a blockhash dates no transaction any more. The height at
   * which that ends was told by a node that may have been behind.
   *
   * @param top a block that no fork can undo, to which the node must have come
   */
  void requireExpired(SolanaAddress blockhash, Block top) throws IOException {
    JsonNode lives =
        read(
                "isBlockhashValid",
                blockhash.toString(),
                Map.of("commitment", "finalized", "minContextSlot", top.slot()))
            .path("value");
    if (!lives.isBoolean() || lives.booleanValue()) {
      throw new IOException("a transaction's blockhash may be good yet");
    }
  }

  /** Of the blocks that the node holds the one that is the {@code nth} from a slot on. */
  private Block block(long slot, long nth) throws IOException {
    JsonNode slots = read("getBlocksWithLimit", slot, nth, FINALIZED);
    long found = required(slots.path((int) nth - 1));
    return new Block(found, required(read("getBlock", found, NO_TRANSACTIONS).path("blockHeight")));
  }

  /** Tries a transaction, with whatever signatures it has so far. */
  Simulation simulate(SolanaTransaction transaction, SolanaAddress watched) throws IOException {
    JsonNode value =
        read(
                "simulateTransaction",
                transaction.toBase64(),
                Map.of(
                    "encoding",
                    BASE64,
                    "commitment",
                    "confirmed",
                    "sigVerify",
                    false,
                    "replaceRecentBlockhash",
                    false,
                    "accounts",
                    Map.of("encoding", BASE64, "addresses", List.of(watched.toString()))))
            .path("value");
    if (!value.has("err")) {
      throw new IOException("simulateTransaction was answered with something else");
    }
    return new Simulation(value.path("err"), tokens(value.path("accounts").path(0)));
  }

  /** What token accounts hold; empty for one that is not there. */
  List<OptionalLong> tokens(SolanaAddress first, SolanaAddress second) throws IOException {
    JsonNode value =
        read(
                "getMultipleAccounts",
                List.of(first.toString(), second.toString()),
                Map.of("encoding", BASE64, "commitment", "confirmed"))
            .path("value");
    if (value.size() != 2) {
      throw new IOException("getMultipleAccounts was answered with something else");
    }
    return List.of(tokens(value.path(0)), tokens(value.path(1)));
  }

  /**
   * Hands a signed transaction to the chain.
   *
   * @return the reason for which the node has not forwarded it; empty if it has
   * @throws IOException if it may have been forwarded or not
   */
  Optional<JsonNode> send(SolanaTransaction transaction, boolean preflight) throws IOException {
    RpcAnswer reply =
        nodes.ask(
            "sendTransaction",
            transaction.toBase64(),
            Map.of(
                "encoding",
                BASE64,
                "skipPreflight",
                !preflight,
                "preflightCommitment",
                "confirmed",
                "maxRetries",
                0));
    if (reply instanceof RpcAnswer.Result) {
      return Optional.empty();
    }
    RpcAnswer.Refused refused = (RpcAnswer.Refused) reply;
    if (refused.code() == PREFLIGHT_FAILED && refused.data().has("err")) {
      return Optional.of(refused.data().path("err"));
    }
    throw new IOException("sendTransaction was refused with " + refused.code());
  }

  /**
   * Where a transaction stands; empty if the node does not know it.
   *
   * @param history whether to look beyond the last minutes
   */
  Optional<Status> status(String id, boolean history) throws IOException {
    return status(id, history, 0);
  }

  /**
   * The same by a node that has come as far as a slot; behind one address may be several.
   *
   * @throws IOException also if it has not
   */
  Optional<Status> status(String id, boolean history, long slot) throws IOException {
    JsonNode answer =
        read("getSignatureStatuses", List.of(id), Map.of("searchTransactionHistory", history));
    JsonNode value = answer.path("value");
    if (value.size() != 1) {
      throw new IOException("getSignatureStatuses was answered with something else");
    }
    if (required(answer.path("context").path("slot")) < slot) {
      throw new IOException("the node is behind");
    }
    JsonNode status = value.path(0);
    return status.isNull()
        ? Optional.empty()
        : Optional.of(
            new Status(
                status.hasNonNull("err"), status.path("confirmationStatus").asText("processed")));
  }

  /**
   * A transaction that a block holds.
   *
   * @param message the hash of what was signed, by which a payment is known
   * @param meta what it did
   */
  record Landed(String message, JsonNode meta) {

    /** By how much it raised an owner's balance of a token. */
    long credited(String owner, String mint) {
      return balance(meta.path("postTokenBalances"), owner, mint)
          - balance(meta.path("preTokenBalances"), owner, mint);
    }
  }

  /** What a block holds by an id; empty if the node has none. */
  Optional<Landed> landed(String id) throws IOException {
    JsonNode found =
        read(
            "getTransaction",
            id,
            Map.of(
                "encoding",
                BASE64,
                "commitment",
                "confirmed",
                "maxSupportedTransactionVersion",
                0));
    if (!found.path("meta").isObject()) {
      return Optional.empty();
    }
    try {
      SolanaTransaction carried =
          SolanaTransaction.readBase64(found.path("transaction").path(0).asText());
      return Optional.of(new Landed(carried.messageHash(), found.path("meta")));
    } catch (MalformedTransaction e) {
      throw new IOException("getTransaction was answered with what is no transaction", e);
    }
  }

  private static long balance(JsonNode balances, String owner, String mint) {
    long sum = 0;
    for (JsonNode one : balances) {
      if (one.path("owner").asText().equals(owner) && one.path("mint").asText().equals(mint)) {
        sum += one.path("uiTokenAmount").path("amount").asLong();
      }
    }
    return sum;
  }

  private JsonNode read(String method, Object... parameters) throws IOException {
    return nodes.read(method, parameters);
  }

  private static OptionalLong tokens(JsonNode account) {
    if (!account.isObject()) {
      return OptionalLong.empty();
    }
    try {
      byte[] data = Base64.getDecoder().decode(account.path("data").path(0).asText());
      return data.length < TOKEN_ACCOUNT_BYTES
          ? OptionalLong.empty()
          : OptionalLong.of(WireReader.littleEndian(data, AMOUNT_OFFSET, Long.BYTES));
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }

  private static long required(JsonNode number) throws IOException {
    if (!number.canConvertToLong()) {
      throw new IOException("the node answered with what is no number");
    }
    return number.longValue();
  }

  /**
   * The nodes of one chain in their configured order; one that failed lately is asked after the
   * others. Thread-safe.
   *
   * @param nodes at least one
   */
  private record RpcNodes(List<RpcNode> nodes) {

    private static final Logger LOG = LoggerFactory.getLogger(RpcNodes.class);

    RpcNodes {
      nodes = List.copyOf(nodes);
      if (nodes.isEmpty()) {
        throw new IllegalArgumentException("a chain is read through at least one node");
      }
    }

    /** Reads from the first node that answers. */
    JsonNode read(String method, Object... parameters) throws IOException {
      List<RpcNode> order = inOrder();
      for (RpcNode node : order.subList(0, order.size() - 1)) {
        try {
          return node.read(method, parameters);
        } catch (InterruptedIOException e) {
          throw e;
        } catch (IOException e) {
          LOG.warn("Node {} of {}: {}", nodes.indexOf(node) + 1, nodes.size(), e.getMessage());
        }
      }
      return order.get(order.size() - 1).read(method, parameters);
    }

    /** Asks one node, and no other if it fails: what has an effect may have had it. */
    RpcAnswer ask(String method, Object... parameters) throws IOException {
      return inOrder().get(0).ask(method, parameters);
    }

    /** Throws {@link IOException} unless each node says, now, that it is of the chain. */
    void requireChain() throws IOException {
      for (RpcNode node : nodes) {
        node.requireChain();
      }
    }

    /** The node that is asked first at the moment, alone. */
    RpcNodes first() {
      return nodes.size() == 1 ? this : new RpcNodes(inOrder().subList(0, 1));
    }

    private List<RpcNode> inOrder() {
      List<RpcNode> order = new ArrayList<>(nodes);
      order.sort(Comparator.comparing(RpcNode::failedLately));
      return order;
    }
  }

  /** One node, which must be of the chain that it is configured for. Thread-safe. */
  static final class RpcNode {

    private static final long FAILED_NANOS = Duration.ofSeconds(20).toNanos();

    private final RpcConnection connection;
    private final String network;
    private final Duration deadline;
    private volatile boolean introduced;
    private volatile long failedAt = System.nanoTime() - FAILED_NANOS;

    RpcNode(RpcConnection connection, String network, Duration deadline) {
      this.connection = connection;
      this.network = network;
      this.deadline = deadline;
    }

    boolean failedLately() {
      return System.nanoTime() - failedAt < FAILED_NANOS;
    }

    /** The result; a refusal is no usable answer. */
    JsonNode read(String method, Object... parameters) throws IOException {
      try {
        introduce();
        return result(method, parameters);
      } catch (IOException e) {
        failedAt = System.nanoTime();
        throw e;
      }
    }

    /** Throws {@link IOException} if no usable answer came; the call may have reached the node. */
    RpcAnswer ask(String method, Object... parameters) throws IOException {
      try {
        introduce();
        return asked(method, parameters);
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
      String genesis = result("getGenesisHash").asText();
      String reference = network.substring(network.indexOf(':') + 1);
      if (!genesis.startsWith(reference)) {
        throw new IOException("the node is not of " + network);
      }
      introduced = true;
    }

    private JsonNode result(String method, Object... parameters) throws IOException {
      RpcAnswer answer = asked(method, parameters);
      if (answer instanceof RpcAnswer.Result result) {
        return result.value();
      }
      throw new IOException(method + " was refused with " + ((RpcAnswer.Refused) answer).code());
    }

    private RpcAnswer asked(String method, Object... parameters) throws IOException {
      return connection.exchange(List.of(RpcCall.of(method, parameters)), deadline).get(0);
    }

    /** A node of another chain is believed in nothing. */
    private void introduce() throws IOException {
      if (!introduced) {
        requireChain();
      }
    }
  }
}
