package dev.octroi.reference;

import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.HttpSettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.db.DatabaseFault;
import dev.octroi.db.UnsupportedSchema;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Why a gateway does not start, for its operator: one sentence that says what is wrong, and one
 * that says what to change. This is the only place that turns a cause into such sentences; {@code
 * octroi.jar} and its {@code doctor} say the same. No sentence holds a password.
 */
public final class CannotStart extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private static final String ELSEWHERE = "Name another folder with --data DIR.";
  private static final String RIGHT =
      "Give this user the right to read and write there, or name another folder with --data DIR.";

  private final String what;
  private final String advice;
  private final boolean inUse;

  private CannotStart(String what, String advice, boolean inUse, Throwable cause) {
    super(what + ". " + advice, cause);
    this.what = what;
    this.advice = advice;
    this.inUse = inUse;
  }

  /** What is wrong: a sentence without its full stop. */
  public String what() {
    return what;
  }

  /** What the operator changes: a sentence. */
  public String advice() {
    return advice;
  }

  /** Whether another process has what this one needs, perhaps a gateway that runs already. */
  public boolean inUse() {
    return inUse;
  }

  /**
   * The reason in words.
   *
   * @param settings with which the gateway was to start
   * @return {@code thrown} itself where it already says what to change
   */
  static Exception because(Exception thrown, GatewaySettings settings) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof CannotStart
          || cause instanceof InvalidSettings
          || cause instanceof UnsupportedSchema) {
        return (Exception) cause;
      }
      if (cause instanceof SQLException driver) {
        return database(driver, settings.database());
      }
      if (cause instanceof BindException bind) {
        return listening(bind, settings.http());
      }
      if (cause instanceof UnresolvedAddressException) {
        return noAddress(thrown, settings.http());
      }
      if (cause instanceof FileSystemException file) {
        return file("The file " + file.getFile() + " cannot be used", file);
      }
    }
    return thrown;
  }

  /**
   * A file or a folder that cannot be used.
   *
   * @param what without the reason, which is added
   */
  static CannotStart file(String what, IOException thrown) {
    return new CannotStart(
        what + ": " + reason(thrown),
        thrown instanceof AccessDeniedException ? RIGHT : ELSEWHERE,
        false,
        thrown);
  }

  /** Why a file cannot be used, in words. */
  public static String reason(IOException thrown) {
    if (thrown instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (thrown instanceof NoSuchFileException) {
      return "it does not exist";
    }
    if (thrown instanceof FileAlreadyExistsException) {
      return "a file of that name exists";
    }
    return thrown instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : thrown.getClass().getSimpleName();
  }

  /**
   * A database that cannot be opened or brought to the schema of this version.
   *
   * @param thrown by the driver
   */
  public static CannotStart database(SQLException thrown, DatabaseSettings settings) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof FileSystemException denied) {
        return file("The file " + denied.getFile() + " cannot be used", denied);
      }
    }
    DatabaseFault fault =
        DatabaseFault.of(thrown, settings.url(), settings.user(), settings.password().value());
    return new CannotStart(fault.what(), fault.advice(), fault.isInUse(), thrown);
  }

  /** Whether this process could listen where the settings say; empty if it could. */
  public static Optional<CannotStart> listening(HttpSettings http) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(http.bindAddress(), http.port()));
      return Optional.empty();
    } catch (BindException e) {
      return Optional.of(listening(e, http));
    } catch (IOException | RuntimeException e) {
      return Optional.of(noAddress(e, http));
    }
  }

  private static CannotStart listening(BindException thrown, HttpSettings http) {
    String reason = String.valueOf(thrown.getMessage());
    if (reason.contains("Permission denied")) {
      return new CannotStart(
          "This user may not listen on port " + http.port(),
          "Start with a port above 1023, such as --port 8402.",
          false,
          thrown);
    }
    return reason.contains("assign requested address")
        ? noAddress(thrown, http)
        : taken(http.bindAddress(), http.port(), thrown);
  }

  private static CannotStart noAddress(Exception thrown, HttpSettings http) {
    return new CannotStart(
        "This machine has no address " + http.bindAddress(),
        "Correct gateway.http.bind-address: 127.0.0.1 serves this machine, 0.0.0.0 serves others.",
        false,
        thrown);
  }

  /** A port on which another process listens. */
  public static CannotStart taken(String address, int port, Exception thrown) {
    String free =
        freeAfter(address, port)
            .map(other -> "Start this one with --port " + other + ", which is free")
            .orElse("Start this one with --port 0, which takes any free port");
    return new CannotStart(
        "Another process listens on port " + port + " of " + address,
        free + ", or stop the other process.",
        true,
        thrown);
  }

  private static Optional<Integer> freeAfter(String address, int port) {
    return IntStream.rangeClosed(port + 1, Math.min(port + 50, 65_535))
        .boxed()
        .filter(other -> isFree(address, other))
        .findFirst();
  }

  private static boolean isFree(String address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(address, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
