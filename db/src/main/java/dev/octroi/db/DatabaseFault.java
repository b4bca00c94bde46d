package dev.octroi.db;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Why a database cannot be opened or brought to the schema of this version, for its operator. No
 * sentence holds a password.
 *
 * @param what is wrong: a sentence without its full stop
 * @param advice what the operator changes: a sentence
 * @param isInUse whether another process has it, perhaps a gateway that runs already
 */
public record DatabaseFault(String what, String advice, boolean isInUse) {

  /** What a driver says of a database, in words. */
  public static DatabaseFault of(SQLException thrown, String url, String user, String password) {
    String place = H2Files.file(url).orElseGet(() -> place(url));
    for (Known fault : Known.ALL) {
      if (fault.is.test(thrown)) {
        return new DatabaseFault(
            fault.what.formatted(place, user), fault.advice, thrown.getErrorCode() == Known.IN_USE);
      }
    }
    return new DatabaseFault(
        "The database " + place + " cannot be opened: " + said(thrown, url, password),
        "Check gateway.database.url, gateway.database.user and gateway.database.password.",
        false);
  }

  /** An address without what may hold a password: its parameters, and a user before the host. */
  public static String place(String url) {
    return url.replaceAll("[?;].*", "").replaceAll("//[^/@]*@", "//");
  }

  /** The first line of the driver's message, without the address. */
  private static String said(SQLException thrown, String url, String password) {
    String message = String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
    String line = message.replace(url, place(url));
    String shown = password.isEmpty() ? line : line.replace(password, "***");
    return shown.replaceAll("[.\\s]+$", "");
  }

  /**
   * What a driver of a database reports.
   *
   * @param is whether it is this one, by its code, its SQL state, its message or its cause
   * @param what with {@code %1$s} for the database and {@code %2$s} for its user
   */
  private record Known(Predicate<SQLException> is, String what, String advice) {

    private static final int IN_USE = 90_020;

    private static final List<Known> ALL =
        List.of(
            new Known(
                code(IN_USE),
                "Another process uses the database %s",
                "A gateway may run there already: use it, stop it, or start this one with another folder:"
                    + " --data DIR, or gateway.database.url."),
            new Known(
                code(90_030),
                "The database file %s is damaged",
                "Restore it from a backup, or start with another folder: --data DIR, or gateway.database.url."),
            new Known(
                code(90_028, 90_031),
                "The database file %s cannot be read whole, and may be damaged",
                "Check the disk; restore the file from a backup, or start with another folder:"
                    + " --data DIR, or gateway.database.url."),
            new Known(
                code(90_048),
                "Another version of H2 wrote the database file %s",
                "Start the version of Octroi that wrote it, or restore a backup."),
            new Known(
                code(90_097),
                "This user may not write the database file %s",
                "Give this user that right, or start with another folder: --data DIR, or gateway.database.url."),
            new Known(
                message("No suitable driver", "Unable to parse URL"),
                "No driver knows the database address %s",
                "Correct gateway.database.url; it is like jdbc:postgresql://127.0.0.1:5432/octroi."),
            new Known(
                cause(UnknownHostException.class),
                "The host of the database %s is unknown",
                "Correct the host in gateway.database.url."),
            new Known(
                cause(SocketTimeoutException.class),
                "The database %s does not answer in time",
                "Correct host and port in gateway.database.url, and let this machine connect there."),
            new Known(
                cause(ConnectException.class),
                "No database server answers at %s",
                "Start it, or correct host and port in gateway.database.url."),
            new Known(
                state("57P03"),
                "The database %s is still starting",
                "Start the gateway again in a moment."),
            new Known(
                state("28P01", "28000"),
                "The database %s refuses the user %s or its password",
                "Correct gateway.database.user and gateway.database.password."),
            new Known(
                state("3D000"),
                "The server has no database %s",
                "Correct the name in gateway.database.url, or make the database with createdb."),
            new Known(
                state("42501"),
                "The user %2$s may not change the schema of the database %1$s",
                "Grant that user CREATE on the schema, or start this version once as its owner."),
            new Known(
                state("25006"),
                "The database %s takes no changes, as a standby does not",
                "Name the server that takes them in gateway.database.url, or let this user write."),
            new Known(
                state("26000", "42P05"),
                "A pooler before the database %s lends sessions to others between transactions",
                "Add prepareThreshold=0 to gateway.database.url, such as jdbc:postgresql://…/octroi?prepareThreshold=0,"
                    + " or let the pooler keep a session for each client."),
            new Known(
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
