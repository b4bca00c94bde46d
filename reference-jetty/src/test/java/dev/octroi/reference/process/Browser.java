package dev.octroi.reference.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * A real headless Chromium, driven by the scripts of {@code src/test/browser}: the one that is
 * installed, or else one that an npm package carries. Pictures are kept in {@link #PICTURES}.
 */
final class Browser {

  /** Where the scripts leave what they saw. */
  static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();

  /** A Chromium in a package, for a machine that has none. */
  private static final String CARRIED = "@sparticuz/chromium@153.0.0";

  private static final NpmFolder FOLDER = NpmFolder.of("browser", "browser");

  private Browser() {}

  /** Has a browser ready; where none can be had the test is skipped, aloud. */
  static void install() throws Exception {
    Files.createDirectories(PICTURES);
    // A carried browser unpacks itself at its first start:
    // no other test process may start half of it.
    Optional<String> problem =
        Alone.run(FOLDER.folder().resolveSibling("browser-start.lock"), Browser::firstStart);
    problem.ifPresent(
        reason -> {
          System.out.println("SKIPPED, no page was looked at in a browser: " + reason);
          Assumptions.abort(reason);
        });
  }

  /**
   * Runs a script, which must succeed, and reads the JSON that it prints.
   *
   * @param arguments follow the folder for pictures
   */
  static JsonNode run(String script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(script, PICTURES.toString()));
    command.addAll(List.of(arguments));
    return FOLDER.run(Map.of(), command);
  }

  private static Optional<String> firstStart() throws Exception {
    Optional<String> problem = problem();
    return problem.isPresent() ? problem(CARRIED) : problem;
  }

  /** Why no browser starts with these packages, if none does. */
  private static Optional<String> problem(String... more) throws Exception {
    Optional<String> problem = FOLDER.install(more);
    return problem.isPresent()
        ? problem
        : Optional.ofNullable(
            FOLDER.run(Map.of(), List.of("probe.mjs")).path("problem").textValue());
  }
}
