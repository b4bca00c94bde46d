package dev.octroi.testchain;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The npm packages with the node and the contracts, in this module's {@code target/node}.
 *
 * <p>{@link #main} installs them, and the build runs it before any module's tests. A machine
 * without npm still builds: the reason is printed and kept, and the tests that need a chain are
 * skipped with it.
 */
public final class NodePackages {

  private static final String MANIFEST = "package.json";
  private static final String REASON = "not-installed.txt";
  private static final long MINUTES = 5;

  private NodePackages() {}

  /** Installs what is missing; never fails the build. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = folder();
    Files.createDirectories(folder);
    try (InputStream manifest = NodePackages.class.getResourceAsStream(MANIFEST)) {
      if (manifest == null) {
        throw new IllegalStateException("the jar has no " + MANIFEST);
      }
      Files.copy(manifest, folder.resolve(MANIFEST), StandardCopyOption.REPLACE_EXISTING);
    }
    if (binary().isEmpty()) {
      Optional<String> problem = install(folder);
      if (problem.isPresent()) {
        System.out.println("NO TEST CHAIN, its tests will be skipped: " + problem.get());
        Files.writeString(folder.resolve(REASON), problem.get());
      } else {
        Files.deleteIfExists(folder.resolve(REASON));
      }
    }
  }

  private static Optional<String> install(Path folder) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            "npm",
            "install",
            "--legacy-peer-deps",
            "--ignore-scripts",
            "--no-package-lock",
            "--no-audit",
            "--no-fund",
            "--prefer-offline",
            "--loglevel=error");
    Path output = folder.resolve("npm.txt");
    try {
      Process npm =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!npm.waitFor(MINUTES, TimeUnit.MINUTES)) {
        npm.destroyForcibly();
        return Optional.of("npm install did not end in " + MINUTES + " minutes");
      }
      return npm.exitValue() == 0 && binary().isPresent()
          ? Optional.empty()
          : Optional.of("npm install failed: " + Files.readString(output));
    } catch (IOException e) {
      return Optional.of("npm cannot be started: " + e.getMessage());
    }
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

  /** A package's folder, whether it is installed or not. */
  static Path module(String name) {
    return folder().resolve("node_modules").resolve(name);
  }

  /** Why there is no node. */
  static String reason() {
    try {
      Path reason = folder().resolve(REASON);
      return Files.exists(reason)
          ? Files.readString(reason)
          : "no node for this platform below " + folder();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Beside the module's classes, or beside its jar: in both cases its {@code target}. */
  private static Path folder() {
    try {
      Path code =
          Path.of(NodePackages.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return code.resolveSibling("node");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
