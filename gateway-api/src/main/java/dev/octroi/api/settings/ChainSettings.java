package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The EVM chain, as it is read and written without a facilitator of others, {@code gateway.chain}.
 */
public record ChainSettings(
    @Setting(
            about =
                "JSON-RPC addresses of the chain's nodes, comma-separated; the next is asked where"
                    + " one fails. Needed for `gateway.payments.mode=chain`; with `remote` they let"
                    + " the gateway find out by itself what became of a payment in doubt.")
        List<Secret> rpcUrl,
    @Setting(about = "How long one reading of the chain may take, over all nodes.", value = "5s")
        Duration rpcDeadline,
    @Setting(
            about =
                "Blocks that show a transfer, its own included, before it counts as settled for"
                    + " good.",
            value = "1")
        @Min(1)
        @Max(1_000)
        int confirmations,
    @Setting(
            about =
                "Blocks above one that never changes, by which cancellation and expiry are judged;"
                    + " 0 asks the nodes for their own block `finalized`.",
            value = "0")
        @Min(0)
        @Max(100_000)
        int finalDepth,
    @Setting(about = "Blocks that a node is asked for logs of at once.", value = "1000")
        @Min(10)
        @Max(100_000)
        int logBlocks,
    @Setting(
            about =
                "Contracts that may deploy a payer's wallet (ERC-6492), comma-separated. A wallet"
                    + " of another one cannot pay before it is deployed.")
        List<String> erc6492Factories,
    @Setting(
            about =
                "Private keys of the wallets that pay for gas where `gateway.payments.mode=chain`,"
                    + " comma-separated. Several nodes may share them; each also needs ether.")
        List<Secret> relayerKeys,
    @Setting(about = "A file with more such keys, one a line.") Optional<Path> relayerKeysFile,
    @Setting(
            about =
                "How long an answer waits for its payment: `confirmed` until it is proven at"
                    + " `confirmations`, `broadcast` until a node has taken the transaction. What is"
                    + " lost after that is the gateway's loss.",
            value = "confirmed")
        Wait waitUntil,
    @Setting(about = "The most that is offered for a unit of gas, in gwei.", value = "50")
        @Min(1)
        @Max(100_000)
        int feeCap,
    @Setting(
            about =
                "What all payers together are given in 24 hours to pay the gas of approving Permit2,"
                    + " in gwei of the chain's own coin, where a token has no permits of its own"
                    + " (EIP-2612). A payer may keep it. With 0 they are given nothing.",
            value = "0")
        @Min(0)
        @Max(1_000_000_000)
        int approvalBudget,
    @Setting(about = "Payments that go out in one transaction at most.", value = "32")
        @Min(1)
        @Max(32)
        int batchSize,
    @Setting(
            about =
                "How long a payment waits for others to go out with; with 0s those go together that"
                    + " came during the last send.",
            value = "0s")
        Duration batchWindow,
    @Setting(
            about =
                "How long a transaction may lie in no block before it is sent again, with higher"
                    + " fees if it needs them.",
            value = "15s")
        Duration resendAfter,
    @Setting(
            about =
                "How long a call waits for its payment to settle; after that the payment is in doubt"
                    + " until the chain has decided.",
            value = "30s")
        Duration settleDeadline,
    @Setting(
            about =
                "What one unit of the chain's own coin, in which gas is paid, is worth in dollars;"
                    + " for the report of margins alone, which tells gas in that coin without it.")
        Optional<Usd> coinPrice) {

  /** How long an answer waits. */
  public enum Wait {
    CONFIRMED,
    BROADCAST
  }

  private static final String ADDRESS = "0x[0-9a-fA-F]{40}";
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  public ChainSettings {
    if (rpcDeadline.compareTo(SHORTEST) < 0 || rpcDeadline.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("rpc-deadline is 500ms to 1min");
    }
    if (!erc6492Factories.stream().allMatch(factory -> factory.matches(ADDRESS))) {
      throw new IllegalArgumentException("erc6492-factories are addresses of 0x and 40 hex digits");
    }
    within("batch-window", batchWindow, Duration.ZERO, Duration.ofSeconds(10));
    within("resend-after", resendAfter, Duration.ofSeconds(1), Duration.ofMinutes(10));
    within("settle-deadline", settleDeadline, Duration.ofSeconds(1), Duration.ofMinutes(5));
    nodes(rpcUrl);
  }

  private static void within(String setting, Duration given, Duration least, Duration most) {
    if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          setting + " is " + least.toSeconds() + "s to " + most.toSeconds() + "s");
    }
  }

  /** The nodes' addresses, in the order in which they are asked. */
  public List<URI> nodes() {
    return nodes(rpcUrl);
  }

  /** No message repeats an address: it may hold a key. */
  static List<URI> nodes(List<Secret> addresses) {
    return addresses.stream().map(address -> node(address.value())).toList();
  }

  private static URI node(String address) {
    String expected = "each rpc-url is http:// or https:// and a host, without user and password";
    URI url;
    try {
      url = URI.create(address);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(expected);
    }
    boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    if (!web || url.getHost() == null || url.getRawUserInfo() != null) {
      throw new IllegalArgumentException(expected);
    }
    return url;
  }
}
