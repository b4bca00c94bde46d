package dev.octroi.reference;

import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.HttpSettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.db.H2Files;
import dev.octroi.db.UnsupportedSchema;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
    String place = H2Files.file(settings.url()).orElseGet(() -> place(settings.url()));
    for (DatabaseFault fault : DatabaseFault.ALL) {
      if (fault.is.test(thrown)) {
        return new CannotStart(
            fault.what.formatted(place, settings.user()),
            fault.advice,
            thrown.getErrorCode() == DatabaseFault.IN_USE,
            thrown);
      }
    }
    return new CannotStart(
        "The database " + place + " cannot be opened: " + said(thrown, settings),
        "Check gateway.database.url, gateway.database.user and gateway.database.password.",
        false,
        thrown);
  }

  /** An address without what may hold a password: its parameters, and a user before the host. */
  public static String place(String url) {
    return url.replaceAll("[?;].*", "").replaceAll("//[^/@]*@", "//");
  }

  /** The first line of the driver's message, without the address. */
  private static String said(SQLException thrown, DatabaseSettings settings) {
    String message = String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
    String line = message.replace(settings.url(), place(settings.url()));
    String password = settings.password().value();
    String shown = password.isEmpty() ? line : line.replace(password, "***");
    return shown.replaceAll("[.\\s]+$", "");
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

  /**
   * What a driver of a database reports.
   *
   * @param is whether it is this one, by its code, its SQL state, its message or its cause
   * @param what with {@code %1$s} for the database and {@code %2$s} for its user
   */
  private record DatabaseFault(Predicate<SQLException> is, String what, String advice) {

    private static final int IN_USE = 90_020;

    private static final List<DatabaseFault> ALL =
        List.of(
            new DatabaseFault(
                code(IN_USE),
                "Another process uses the database %s",
                "A gateway may run there already: use it, stop it, or start this one with another folder,"
                    + " --data DIR."),
            new DatabaseFault(
                code(90_030),
                "The database file %s is damaged",
                "Restore it from a backup, or start with another folder, --data DIR."),
            new DatabaseFault(
                code(90_028, 90_031),
                "The database file %s cannot be read whole, and may be damaged",
                "Check the disk; restore the file from a backup, or start with another folder,"
                    + " --data DIR."),
            new DatabaseFault(
                code(90_048),
                "Another version of H2 wrote the database file %s",
                "Start the version of Octroi that wrote it, or restore a backup."),
            new DatabaseFault(
                code(90_097),
                "This user may not write the database file %s",
                "Give this user that right, or start with another folder, --data DIR."),
            new DatabaseFault(
                message("No suitable driver", "Unable to parse URL"),
                "No driver knows the database address %s",
                "Correct gateway.database.url; it is like jdbc:postgresql://127.0.0.1:5432/octroi."),
            new DatabaseFault(
                cause(UnknownHostException.class),
                "The host of the database %s is unknown",
                "Correct the host in gateway.database.url."),
            new DatabaseFault(
                cause(SocketTimeoutException.class),
                "The database %s does not answer in time",
                "Correct host and port in gateway.database.url, and let this machine connect there."),
            new DatabaseFault(
                cause(ConnectException.class),
                "No database server answers at %s",
                "Start it, or correct host and port in gateway.database.url."),
            new DatabaseFault(
                state("57P03"),
                "The database %s is still starting",
                "Start the gateway again in a moment."),
            new DatabaseFault(
                state("28P01", "28000"),
                "The database %s refuses the user %s or its password",
                "Correct gateway.database.user and gateway.database.password."),
            new DatabaseFault(
                state("3D000"),
                "The server has no database %s",
                "Correct the name in gateway.database.url, or make the database with createdb."),
            new DatabaseFault(
                state("42501"),
                "The user %2$s may not change the schema of the database %1$s",
                "Grant that user CREATE on the schema, or start this version once as its owner."),
            new DatabaseFault(
                state("25006"),
                "The database %s takes no changes, as a standby does not",
                "Name the server that takes them in gateway.database.url, or let this user write."),
            new DatabaseFault(
                state("26000", "42P05"),
                "A pooler before the database %s lends sessions to others between transactions",
                "Add prepareThreshold=0 to gateway.database.url, such as jdbc:postgresql://…/octroi?prepareThreshold=0,"
                    + " or let the pooler keep a session for each client."),
            new DatabaseFault(
                state("53300"),
                "The database %s takes no further connections",
                "Raise its max_connections, or lower gateway.database.pool-size."));

    /** Some of H2's own codes. */
    private static Predicate<SQLException> code(Integer... codes) {
      return thrown -> List.of(codes).contains(thrown.getErrorCode());
    }

    private static Predicate<SQLException> state(String... states) {
      return thrown -> List.of(states).contains(String.valueOf(thrown.getSQLState()));
    }

    private static Predicate<SQLException> message(String... beginnings) {
      return thrown ->
          Stream.of(beginnings).anyMatch(String.valueOf(thrown.getMessage())::startsWith);
    }

    private static Predicate<SQLException> cause(Class<? extends Throwable> type) {
      return thrown -> type.isInstance(thrown.getCause());
    }
  }
}
