package dev.octroi.war;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server in a JVM of its own.
 *
 * @param log where everything goes that it prints
 */
record ServerProcess(Process process, Path log) implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final int SECONDS_TO_END = 30;

  static ServerProcess start(Path folder, String log, List<String> arguments) throws IOException {
    return start(folder, log, arguments, Map.of());
  }

  /**
   * Starts {@code java} with these arguments.
   *
   * @param folder where it works
   * @param log the name of the file there that holds what it prints
   * @param environment variables beside those of the tests
   */
  static ServerProcess start(
      Path folder, String log, List<String> arguments, Map<String, String> environment)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    Path printed = folder.resolve(log);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GATEWAY_"));
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(printed.toFile());
    return new ServerProcess(builder.start(), printed);
  }

  /** Waits until it has ended by itself. */
  void awaitEnd() {
    await("the process's end").atMost(TIMEOUT).until(() -> !process.isAlive());
  }

  /** Waits until the server has printed this, and returns the pattern's first group. */
  String printed(Pattern pattern) {
    await(pattern.pattern())
        .atMost(TIMEOUT)
        .failFast("the server ended: " + log, () -> !process.isAlive())
        .until(() -> pattern.matcher(output()).find());
    Matcher found = pattern.matcher(output());
    if (!found.find()) {
      throw new AssertionError(output());
    }
    return found.group(1);
  }

  String output() {
    try {
      return Files.readString(log, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks it to end, as an operator does, and ends it if it does not. */
  @Override
  public void close() {
    process.destroy();
    boolean ended = false;
    try {
      ended = process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      process.destroyForcibly();
      throw new AssertionError("the server did not end:\n" + output());
    }
  }
}
