package dev.octroi.reference.cli;

import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Signer;
import dev.octroi.payments.client.SolanaSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.solana.Blockhashes;
import dev.octroi.payments.solana.SolanaRpc;
import dev.octroi.payments.solana.SolanaWallet;
import dev.octroi.reference.DataDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whose wallet pays. */
final class PayerOptions {

  private static final Pattern HEX = Pattern.compile("(0x)?[0-9a-fA-F]{64}");
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  @Option(
      names = "--key-file",
      paramLabel = "F",
      description = {
        "File with the payer's private key: in hex for EVM chains, in base58 or as the array of",
        "bytes of its command line for Solana. Default: the sandbox's demo payer."
      })
  private @Nullable Path keyFile;

  @Option(
      names = "--rpc-url",
      paramLabel = "URL",
      description = "A Solana node, to be asked for a recent blockhash when real money is paid.")
  private @Nullable URI rpcUrl;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "octroi-data",
      description = "The gateway's data folder, which holds the demo payer's key.")
  private Path data = Path.of("octroi-data");

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** Who looks for an offer; without a key file it has a fresh key, which signs nothing. */
  Signer asking() {
    return keyFile == null
        ? evm(Wallet.generate())
        : ofFile(
            keyFile,
            () -> {
              throw new IOException("a quote is not signed");
            });
  }

  /**
   * Who pays.
   *
   * @param sandbox whether the gateway takes sandbox money
   * @param network where is paid, as CAIP-2 id
   * @param warning where a danger is told
   */
  Signer paying(boolean sandbox, String network, Consumer<String> warning) {
    if (keyFile != null) {
      if (sandbox) {
        warning.accept(
            "warning  this gateway takes sandbox money; never use a funded mainnet key here");
      }
      return ofFile(keyFile, () -> node(network).recent());
    }
    if (!sandbox) {
      throw wrong("This gateway takes real money. Name the payer's key with --key-file");
    }
    // A sandbox funds any wallet that it sees for the first time.
    return evm(Files.isDirectory(data) ? new DataDirectory(data).demoPayer() : Wallet.generate());
  }

  private Signer ofFile(Path file, Blockhashes blockhashes) {
    String key = AdminOptions.read("key", file);
    if (HEX.matcher(key).matches()) {
      return evm(Wallet.fromHex(key));
    }
    try {
      return new SolanaSigner(SolanaWallet.parse(key), blockhashes);
    } catch (IllegalArgumentException e) {
      throw wrong("The key file holds no key: " + e.getMessage());
    }
  }

  private Blockhashes node(String network) {
    if (rpcUrl == null) {
      throw wrong("A payment on this chain needs a recent blockhash. Name a node with --rpc-url");
    }
    HttpClient http = HttpClient.newBuilder().connectTimeout(DEADLINE).build();
    try {
      return new SolanaRpc(http, List.of(rpcUrl), network, DEADLINE);
    } catch (IllegalArgumentException e) {
      throw wrong("--rpc-url: " + e.getMessage());
    }
  }

  private static Signer evm(Wallet wallet) {
    return new PaymentSigner(wallet, Clock.systemUTC());
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
