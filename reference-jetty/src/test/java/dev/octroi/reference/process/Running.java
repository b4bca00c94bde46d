package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process and what it has said so far. Closing it kills it, and verifies its books if it is a
 * gateway.
 */
final class Running implements AutoCloseable {

  /** Generous: the machine may have more to do than these tests. */
  static final Duration TIMEOUT = Duration.ofMinutes(3);

  private static final Pattern READY = Pattern.compile("Octroi is ready on (\\S+)");
  private static final Pattern SERVER = Pattern.compile("Listening on (http\\S+)");
  private static final Pattern DEBUGGER = Pattern.compile("Listening for transport .*: (\\S+)");

  private final Process process;
  private final List<String> out = new CopyOnWriteArrayList<>();
  private final List<String> err = new CopyOnWriteArrayList<>();
  private final Thread outReader;
  private final Thread errReader;
  private final Optional<ClosingBooks> books;

  private Running(Process process, Optional<ClosingBooks> books) {
    this.process = process;
    this.books = books;
    outReader = reader(new InputStreamReader(process.getInputStream(), UTF_8), out);
    errReader = reader(new InputStreamReader(process.getErrorStream(), UTF_8), err);
  }

  static Running start(List<String> command, Map<String, String> environment, Path folder)
      throws IOException {
    return start(command, environment, folder, Optional.empty());
  }

  /** Starts a process that may turn out to be a gateway, which keeps these books then. */
  static Running start(
      List<String> command,
      Map<String, String> environment,
      Path folder,
      Optional<ClosingBooks> books)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GATEWAY_"));
    builder.environment().putAll(environment);
    return new Running(builder.start(), books);
  }

  /** Waits until it serves; returns where. */
  URI awaitReady() {
    return URI.create(awaitLine(READY));
  }

  /** Waits until a server of a test's listens; returns where. */
  URI awaitListening() {
    return URI.create(awaitLine(SERVER));
  }

  /** The port at which a debugger may attach. */
  String awaitDebugger() {
    String address = awaitLine(DEBUGGER);
    return address.substring(address.lastIndexOf(':') + 1);
  }

  List<String> out() {
    return List.copyOf(out);
  }

  String outText() {
    return String.join("\n", out);
  }

  String errText() {
    return String.join("\n", err);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL: no handler of the process runs. */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** SIGSTOP: it does nothing more, and does not know. */
  void stall() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** SIGCONT: it goes on as if no time had passed. */
  void wake() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String which) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", which, Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** SIGTERM. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** Waits for its end; everything that it said has been read then. */
  int awaitExit() throws InterruptedException {
    return awaitExit(TIMEOUT);
  }

  /** The same for what may take its time. */
  int awaitExit(Duration timeout) throws InterruptedException {
    assertThat(process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS)).as(this::said).isTrue();
    outReader.join();
    errReader.join();
    return process.exitValue();
  }

  String said() {
    return "stdout:\n" + outText() + "\nstderr:\n" + errText();
  }

  @Override
  public void close() {
    try {
      if (books.isPresent()) {
        verify(books.get());
      }
    } finally {
      process.toHandle().destroyForcibly();
    }
  }

  private void verify(ClosingBooks kept) {
    AtomicReference<String> base = new AtomicReference<>("");
    if (!isSaid(READY, base)) {
      return;
    }
    try {
      if (isAlive()) {
        kept.verifyOfLiving(URI.create(base.get()));
      } else {
        kept.verifyOfDead();
      }
    } catch (IOException | SQLException e) {
      throw new AssertionError("the books could not be verified\n" + said(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String awaitLine(Pattern pattern) {
    AtomicReference<String> found = new AtomicReference<>("");
    await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              assertThat(isAlive() || isSaid(pattern, found)).as(this::said).isTrue();
              return isSaid(pattern, found);
            });
    return found.get();
  }

  private boolean isSaid(Pattern pattern, AtomicReference<String> found) {
    for (String line : out) {
      Matcher matcher = pattern.matcher(line);
      if (matcher.find()) {
        found.set(matcher.group(1));
        return true;
      }
    }
    return false;
  }

  private static Thread reader(InputStreamReader from, List<String> into) {
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader lines = new BufferedReader(from)) {
                lines.lines().forEach(into::add);
              } catch (IOException | java.io.UncheckedIOException e) {
                // Killed: what it said until then is all there is.
              }
            },
            "process-output");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
