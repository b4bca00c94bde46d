package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * The published x402 packages, the model vendors' SDKs and the scripts that use them, in a folder
 * of the build.
 */
final class NodeClients {

  /** For a registry that is far away, and a machine that has more to do. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Path SCRIPTS = Path.of("src", "test", "node");
  private static final Path FOLDER = Path.of("target", "node-client").toAbsolutePath();

  private NodeClients() {}

  /** Installs the packages unless they are there; without npm the test is skipped, aloud. */
  static void install() throws Exception {
    Alone.run(FOLDER.resolveSibling("node-client.lock"), NodeClients::installUnlessThere);
  }

  private static void installUnlessThere() throws Exception {
    Files.createDirectories(FOLDER);
    try (DirectoryStream<Path> scripts = Files.newDirectoryStream(SCRIPTS, "*.{mjs,json}")) {
      for (Path script : scripts) {
        Path copy = FOLDER.resolve(script.getFileName().toString());
        // Another test process may be running it.
        if (!Files.exists(copy) || Files.mismatch(script, copy) >= 0) {
          Files.copy(script, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    String wanted = Files.readString(FOLDER.resolve("package.json"));
    // Written last: an installation that was cut off has left half of its packages.
    Path installed = FOLDER.resolve("installed.json");
    if (Files.exists(installed) && Files.readString(installed).equals(wanted)) {
      return;
    }
    List<String> command =
        List.of(
            "npm",
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--prefer-offline");
    try (Running npm = Running.start(command, Map.of(), FOLDER)) {
      if (npm.awaitExit(PATIENCE) != 0) {
        skip("npm install failed: " + npm.said());
      }
      Files.writeString(installed, wanted);
    } catch (IOException e) {
      skip("npm cannot be started: " + e.getMessage());
    }
  }

  /** Runs a script, which must succeed, and reads the JSON that it prints. */
  static JsonNode run(Map<String, String> environment, List<String> scriptAndArguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("node"));
    command.addAll(scriptAndArguments);
    try (Running client = Running.start(command, environment, FOLDER)) {
      assertThat(client.awaitExit()).as(client::said).isZero();
      return new ObjectMapper().readTree(client.outText());
    }
  }

  private static void skip(String reason) {
    System.out.println("SKIPPED, the published packages were not tried: " + reason);
    Assumptions.abort(reason);
  }
}
