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
import java.util.Optional;

/**
 * A folder of the build with npm packages and the scripts that use them.
 *
 * @param scripts where the scripts and their {@code package.json} are written
 * @param folder where they run
 */
record NpmFolder(Path scripts, Path folder) {

  /** For a registry that is far away, and a machine that has more to do. */
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private static final String MANIFEST = "package.json";

  private static final List<String> INSTALL =
      List.of(
          "npm",
          "install",
          "--ignore-scripts",
          "--no-audit",
          "--no-fund",
          "--no-package-lock",
          "--prefer-offline");

  static NpmFolder of(String scripts, String name) {
    return new NpmFolder(Path.of("src", "test", scripts), Path.of("target", name).toAbsolutePath());
  }

  /**
   * Copies the scripts, and installs what they name and these packages besides, unless it is there.
   *
   * @return why it could not be, if it could not
   */
  Optional<String> install(String... more) throws Exception {
    Path lock = folder.resolveSibling(folder.getFileName() + ".lock");
    return Alone.run(lock, () -> installUnlessThere(more));
  }

  private Optional<String> installUnlessThere(String... more) throws Exception {
    Files.createDirectories(folder);
    try (DirectoryStream<Path> written = Files.newDirectoryStream(scripts, "*.{mjs,json}")) {
      for (Path script : written) {
        Path copy = folder.resolve(script.getFileName().toString());
        // Another test process may be running it.
        if (!Files.exists(copy) || Files.mismatch(script, copy) >= 0) {
          Files.copy(script, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    String wanted = Files.readString(folder.resolve(MANIFEST)) + String.join(" ", more);
    // Written last: an installation that was cut off has left half of its packages.
    Path installed = folder.resolve("installed.txt");
    if (Files.exists(installed) && Files.readString(installed).startsWith(wanted)) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(INSTALL);
    if (more.length > 0) {
      command.add("--no-save");
      command.addAll(List.of(more));
    }
    try (Running npm = Running.start(command, Map.of(), folder)) {
      if (npm.awaitExit(TIMEOUT) != 0) {
        return Optional.of("npm install failed: " + npm.said());
      }
    } catch (IOException e) {
      return Optional.of("npm cannot be started: " + e.getMessage());
    }
    Files.writeString(installed, wanted);
    return Optional.empty();
  }

  /** Starts a script that goes on until it is closed. */
  Running start(List<String> scriptAndArguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("node"));
    command.addAll(scriptAndArguments);
    return Running.start(command, Map.of(), folder);
  }

  /** Runs a script, which must succeed, and reads the JSON that it prints. */
  JsonNode run(Map<String, String> environment, List<String> scriptAndArguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("node"));
    command.addAll(scriptAndArguments);
    try (Running client = Running.start(command, environment, folder)) {
      assertThat(client.awaitExit(TIMEOUT)).as(client::said).isZero();
      return new ObjectMapper().readTree(client.outText());
    }
  }
}
