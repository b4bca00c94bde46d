package dev.octroi.testchain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Assumptions;

/**
 * Solana's virtual machine behind its JSON-RPC, on a free port of this machine. Blocks come only by
 * {@link #blocks}; a blockhash lives 150 of them, and a block is final 32 later.
 */
public final class SolanaNode implements AutoCloseable {

  /** The stablecoin that exists from the start. */
  public static final String MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

  private static final Path FOLDER = NodePackages.SOLANA.path();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final NodeCalls calls;

  private SolanaNode(Process process, URI url) {
    this.process = process;
    this.calls = new NodeCalls(url);
  }

  /** Starts a node; skips the test with the reason where there is none. */
  public static SolanaNode start() {
    if (!NodePackages.hasSolana()) {
      return Assumptions.abort(skipped(NodePackages.SOLANA.reason()));
    }
    try {
      Process process =
          new ProcessBuilder("node", "node.mjs")
              .directory(FOLDER.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = lines.readLine();
      if (line == null) {
        throw new IllegalStateException("the node did not start");
      }
      int port = JSON.readTree(line).path("port").intValue();
      SolanaNode node = new SolanaNode(process, URI.create("http://127.0.0.1:" + port));
      node.call("test_mint", MINT);
      return node;
    } catch (IOException e) {
      return Assumptions.abort(skipped(e.toString()));
    }
  }

  private static String skipped(String reason) {
    System.out.println("SKIPPED, there is no Solana chain to test with: " + reason);
    return reason;
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

  /** Makes so many empty blocks. */
  public void blocks(int count) {
    call("test_blocks", count);
  }

  /**
   * Lets the node have no blocks of these heights, as one that was started from a snapshot.
   *
   * @param from the first that it lacks
   * @param to the first after them that it has
   */
  public void lack(long from, long to) {
    call("test_lack", from, to);
  }

  /** Gives an owner an account of the stablecoin with so much in it, and returns its address. */
  public String tokens(String owner, long amount) {
    return call("test_tokens", owner, MINT, Long.toString(amount)).textValue();
  }

  /** Lets an account have so much of what fees are paid with; with 0 it is gone. */
  public void lamports(String owner, long amount) {
    call("test_lamports", owner, Long.toString(amount));
  }

  /** What a token account holds. */
  public long held(String tokenAccount) {
    JsonNode data = call("getAccountInfo", tokenAccount).path("value").path("data");
    byte[] bytes = Base64.getDecoder().decode(data.path(0).asText());
    return Long.reverseBytes(java.nio.ByteBuffer.wrap(bytes, 64, 8).getLong());
  }

  /** How many transactions are in blocks. */
  public int landed() {
    return call("test_landed").intValue();
  }

  /**
   * Makes a method misbehave.
   *
   * @param what {@code error}, {@code rubbish} or {@code reset} for any method; {@code lose},
   *     {@code hold} or {@code hang} for {@code sendTransaction}, {@code blind} or {@code behind}
   *     for {@code getSignatureStatuses}; empty to heal it
   */
  public void ill(String method, String what) {
    call("test_ill", method, what);
  }

  /**
   * Pays for an address with the published client, unmodified.
   *
   * @param keypair the payer's 64 bytes
   * @return payer, status, receipt and body as one JSON object
   */
  public JsonNode pay(URI address, byte[] keypair) {
    try {
      Process client =
          new ProcessBuilder(
                  "node",
                  "pay.mjs",
                  address.toString(),
                  url().toString(),
                  Base64.getEncoder().encodeToString(keypair))
              .directory(FOLDER.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return JSON.readTree(client.getInputStream().readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException("the published client did not pay", e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
