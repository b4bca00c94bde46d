package dev.octroi.testchain;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A folder with npm packages below this module's {@code target}.
 *
 * @param name the folder's name
 * @param resources where its files lie beside this class, with a slash at the end if not here
 * @param options of {@code npm install}, besides the usual
 */
record NodeFolder(String name, String resources, List<String> options) {

  private static final String MANIFEST = "package.json";
  private static final String REASON = "not-installed.txt";
  private static final long MINUTES = 5;

  private static final List<String> INSTALL =
      List.of(
          "npm",
          "install",
          "--ignore-scripts",
          "--no-package-lock",
          "--no-audit",
          "--no-fund",
          "--prefer-offline",
          "--loglevel=error");

  /** Installs what is missing, and keeps the reason if that fails. */
  void install(List<String> files, BooleanSupplier installed)
      throws IOException, InterruptedException {
    Files.createDirectories(path());
    copy(MANIFEST);
    for (String file : files) {
      copy(file);
    }
    if (!installed.getAsBoolean()) {
      Optional<String> problem = run(installed);
      if (problem.isPresent()) {
        System.out.println("NO TEST CHAIN, its tests will be skipped: " + problem.get());
        Files.writeString(path().resolve(REASON), problem.get());
      } else {
        Files.deleteIfExists(path().resolve(REASON));
      }
    }
  }

  /** Runs one of its files to its end; its failure is the build's. */
  void run(String script) throws IOException, InterruptedException {
    Process node =
        new ProcessBuilder("node", script).directory(path().toFile()).inheritIO().start();
    if (!node.waitFor(MINUTES, TimeUnit.MINUTES) || node.exitValue() != 0) {
      node.destroyForcibly();
      throw new IllegalStateException("node " + script + " failed");
    }
  }

  private void copy(String file) throws IOException {
    try (InputStream in = NodeFolder.class.getResourceAsStream(resources + file)) {
      if (in == null) {
        throw new IllegalStateException("the jar has no " + resources + file);
      }
      Files.copy(in, path().resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Optional<String> run(BooleanSupplier installed) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(INSTALL);
    command.addAll(options);
    Path output = path().resolve("npm.txt");
    try {
      Process npm =
          new ProcessBuilder(command)
              .directory(path().toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!npm.waitFor(MINUTES, TimeUnit.MINUTES)) {
        npm.destroyForcibly();
        return Optional.of("npm install did not end in " + MINUTES + " minutes");
      }
      return npm.exitValue() == 0 && installed.getAsBoolean()
          ? Optional.empty()
          : Optional.of("npm install failed: " + Files.readString(output));
    } catch (IOException e) {
      return Optional.of("npm cannot be started: " + e.getMessage());
    }
  }

  /** A package's folder, whether it is installed or not. */
  Path module(String module) {
    return path().resolve("node_modules").resolve(module);
  }

  /** Why there is nothing to start. */
  String reason() {
    try {
      Path reason = path().resolve(REASON);
      return Files.exists(reason)
          ? Files.readString(reason)
          : "nothing for this platform below " + path();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Beside the module's classes, or beside its jar: in both cases below its {@code target}. */
  Path path() {
    try {
      Path code =
          Path.of(NodeFolder.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return code.resolveSibling(name);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
