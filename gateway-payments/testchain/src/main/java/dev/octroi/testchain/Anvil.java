package dev.octroi.testchain;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * A real EVM node of its own on a free port of this machine, empty but for ten rich accounts; up in
 * some 0.1 s. Each transaction is mined at once unless {@link #automine} says otherwise.
 */
public final class Anvil implements AutoCloseable {

  /** The chain that it plays. */
  public static final long CHAIN_ID = 8453;

  private static final Pattern LISTENING = Pattern.compile("Listening on (127\\.0\\.0\\.1:\\d+)");
  private static final long START_SECONDS = 20;

  private final Process process;
  private final NodeCalls calls;

  private Anvil(Process process, URI url) {
    this.process = process;
    this.calls = new NodeCalls(url);
  }

  /**
   * Starts a node; skips the test with the reason where there is none.
   *
   * @param options more of anvil's options, such as {@code --slots-in-an-epoch 1}, with which
   *     {@code finalized} is two blocks behind the latest
   */
  public static Anvil start(String... options) {
    Path binary =
        NodePackages.binary().orElseGet(() -> Assumptions.abort(skipped(NodePackages.reason())));
    List<String> command = new ArrayList<>();
    command.addAll(List.of(binary.toString(), "--host", "127.0.0.1", "--port", "0"));
    command.addAll(List.of("--chain-id", Long.toString(CHAIN_ID)));
    command.addAll(List.of(options));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return new Anvil(process, URI.create("http://" + listening(process)));
    } catch (IOException e) {
      return Assumptions.abort(skipped(e.toString()));
    }
  }

  private static String skipped(String reason) {
    System.out.println("SKIPPED, there is no chain to test with: " + reason);
    return reason;
  }

  /** Reads what the node says until it listens, and the rest so that it never waits for us. */
  private static String listening(Process process) {
    CompletableFuture<String> address = new CompletableFuture<>();
    Thread reader = new Thread(() -> read(process, address), "anvil-output");
    reader.setDaemon(true);
    reader.start();
    try {
      return address.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      process.destroyForcibly();
      throw new IllegalStateException("the node did not start", e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void read(Process process, CompletableFuture<String> address) {
    StringBuilder said = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        Matcher matcher = LISTENING.matcher(line);
        if (matcher.find()) {
          address.complete(matcher.group(1));
        } else if (!address.isDone()) {
          said.append(line).append('\n');
        }
        line = lines.readLine();
      }
    } catch (IOException e) {
      said.append(e);
    }
    address.completeExceptionally(new IllegalStateException(said.toString()));
  }

  /** Where its JSON-RPC is. */
  public URI url() {
    return calls.url();
  }

  /**
   * Calls any method.
   *
   * @throws NodeRefused if the node answers with an error
   */
  public JsonNode call(String method, Object... parameters) {
    return calls.call(method, parameters);
  }

  /** Mines empty blocks, or what waits, a second apart. */
  public void mine(int blocks) {
    call("anvil_mine", NodeCalls.hex(BigInteger.valueOf(blocks)));
  }

  /** Whether each transaction is mined at once. */
  public void automine(boolean on) {
    call("evm_setAutomine", on);
  }

  /** Notes the state of everything, to come back to with {@link #revert}, once. */
  public String snapshot() {
    return call("evm_snapshot").textValue();
  }

  /** Goes back to a snapshot. */
  public void revert(String snapshot) {
    if (!call("evm_revert", snapshot).booleanValue()) {
      throw new IllegalStateException("there is no snapshot " + snapshot);
    }
  }

  /** Replaces the last blocks by as many empty ones; their transactions are gone. */
  public void reorg(int depth) {
    call("anvil_reorg", depth, List.of());
  }

  /** Sets an account's gas money. */
  public void setBalance(String address, BigInteger wei) {
    call("anvil_setBalance", address, NodeCalls.hex(wei));
  }

  /** Puts a contract's running code at an address. */
  public void setCode(String address, String code) {
    call("anvil_setCode", address, code);
  }

  /** The next block's time in Unix seconds; later blocks go on from there. */
  public void timestampOfNextBlock(long seconds) {
    call("evm_setNextBlockTimestamp", seconds);
  }

  /** The number of the latest block. */
  public long blockNumber() {
    return NodeCalls.number(call("eth_blockNumber")).longValueExact();
  }

  /** The latest block's time in Unix seconds. */
  public long timestamp() {
    JsonNode block = call("eth_getBlockByNumber", "latest", false);
    return NodeCalls.number(block.path("timestamp")).longValueExact();
  }

  /** One of ten accounts with ten thousand ether, for which the node signs. */
  public String account(int index) {
    return call("eth_accounts").get(index).textValue();
  }

  /**
   * Sends a transaction from any account, without its key, and returns its hash.
   *
   * @param to the contract, or an empty text to create one
   * @param data calldata or creation code, in hex
   */
  public String send(String from, String to, String data) {
    return calls.send(from, to, data);
  }

  /**
   * Sends a signed transaction and waits until it is mined; needs {@link #automine}. The node takes
   * the next one of an account without gas only when the block that brings its gas is there.
   *
   * @param raw the transaction in hex
   */
  public void submit(String raw) {
    calls.call("eth_sendRawTransactionSync", raw);
  }

  /**
   * Sends a transaction that must succeed and returns its receipt; needs {@link #automine}.
   *
   * @throws IllegalStateException if it was mined and failed
   */
  public JsonNode execute(String from, String to, String data) {
    JsonNode receipt = mined(from, to, data);
    if (!receipt.path("status").asText().equals("0x1")) {
      throw new IllegalStateException(
          "a transaction failed: " + receipt.path("transactionHash").asText());
    }
    return receipt;
  }

  /**
   * Sends a transaction and returns its receipt, of success or failure; needs {@link #automine}.
   */
  public JsonNode mined(String from, String to, String data) {
    return calls.sendAndWait(from, to, data);
  }

  /** Creates a contract and returns its address. */
  public String deploy(String creationCode) {
    return execute(account(0), "", creationCode).path("contractAddress").textValue();
  }

  /** A transaction's receipt; a JSON null as long as there is none. */
  public JsonNode receipt(String transaction) {
    return call("eth_getTransactionReceipt", transaction);
  }

  /** What a contract answers, in hex. */
  public String ask(String contract, String data) {
    return calls.ask(contract, data);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
