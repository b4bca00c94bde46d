package dev.octroi.reference.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * The published x402 packages, the model vendors' SDKs and the scripts that use them, in a folder
 * of the build.
 */
final class NodeClients {

  private static final NpmFolder FOLDER = NpmFolder.of("node", "node-client");

  private NodeClients() {}

  /** Installs the packages unless they are there; without npm the test is skipped, aloud. */
  static void install() throws Exception {
    FOLDER
        .install()
        .ifPresent(
            reason -> {
              System.out.println("SKIPPED, the published packages were not tried: " + reason);
              Assumptions.abort(reason);
            });
  }

  /** A file of an installed package. */
  static String packaged(String file) throws IOException {
    return Files.readString(FOLDER.folder().resolve("node_modules").resolve(file));
  }

  /** Starts a script that goes on until it is closed. */
  static Running start(List<String> scriptAndArguments) throws IOException {
    return FOLDER.start(scriptAndArguments);
  }

  /** Runs a script, which must succeed, and reads the JSON that it prints. */
  static JsonNode run(Map<String, String> environment, List<String> scriptAndArguments)
      throws Exception {
    return FOLDER.run(environment, scriptAndArguments);
  }
}
