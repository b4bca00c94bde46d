package dev.octroi.testchain;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.FutureTask;

/**
 * The npm packages with the nodes, the contracts and the published client, in this module's {@code
 * target}.
 *
 * <p>{@link #main} installs them, and the build runs it before any module's tests. A machine
 * without npm still builds: the reason is printed and kept, and the tests that need a chain are
 * skipped with it.
 */
public final class NodePackages {

  static final NodeFolder SOLANA = new NodeFolder("node-solana", "solana/", List.of());

  private static final NodeFolder EVM = new NodeFolder("node", "", List.of("--legacy-peer-deps"));

  private static final String CONTRACTS = "contracts.mjs";

  private NodePackages() {}

  /** Installs what is missing, both at a time, for each waits for the network. */
  public static void main(String[] arguments) throws Exception {
    FutureTask<Void> solana =
        new FutureTask<>(
            () -> {
              SOLANA.install(List.of("node.mjs", "pay.mjs"), NodePackages::hasSolana);
              return null;
            });
    new Thread(solana, "solana-packages").start();
    EVM.install(List.of("contracts.sol", CONTRACTS), NodePackages::hasEvm);
    if (hasEvm()) {
      EVM.run(CONTRACTS);
    }
    solana.get();
  }

  /** The node's binary for this platform, if it is installed. */
  static Optional<Path> binary() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String name = System.getProperty("os.arch", "").contains("aarch64") ? "arm64" : "amd64";
    String platform = system.contains("mac") ? "darwin" : "linux";
    Path binary =
        module("@foundry-rs").resolve("anvil-" + platform + "-" + name).resolve("bin/anvil");
    return Optional.of(binary).filter(Files::isExecutable);
  }

  private static boolean hasEvm() {
    return binary().isPresent()
        && Files.isDirectory(module("solc"))
        && Files.isDirectory(module("@eth-optimism").resolve("contracts-bedrock"));
  }

  /** What was compiled of our own contracts. */
  static Path compiled() {
    return EVM.path().resolve("contracts.json");
  }

  /** Whether Solana's machine and the published client are installed. */
  static boolean hasSolana() {
    return Files.isDirectory(SOLANA.module("litesvm"))
        && Files.isDirectory(SOLANA.module("@x402").resolve("svm"));
  }

  /** A package's folder, whether it is installed or not. */
  static Path module(String name) {
    return EVM.module(name);
  }

  /** Why there is no node. */
  static String reason() {
    return EVM.reason();
  }
}
