package dev.octroi.reference.process;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The books that a gateway process keeps, verified whenever a test is done with the process: by the
 * process itself, chain included, if it lives, else from what it left in its database.
 *
 * @param data its data folder, with the database unless there is an address of another
 * @param url the address of a database that it shares with others
 * @param user who logs in there
 */
record ClosingBooks(Path data, @Nullable String url, @Nullable String user) {

  /** The books of a process with this command line. */
  static ClosingBooks of(List<String> arguments, Path folder) {
    int option = arguments.indexOf("--data");
    Path data = folder.resolve(option < 0 ? "octroi-data" : arguments.get(option + 1));
    return new ClosingBooks(
        data, set(arguments, "gateway.database.url"), set(arguments, "gateway.database.user"));
  }

  private static @Nullable String set(List<String> arguments, String key) {
    return arguments.stream()
        .filter(argument -> argument.startsWith(key + "="))
        .map(argument -> argument.substring(key.length() + 1))
        .findFirst()
        .orElse(null);
  }

  void verifyOfLiving(URI base) throws IOException, InterruptedException {
    new Operator(base, data).assertBooksAgree();
  }

  void verifyOfDead() throws IOException, SQLException {
    if (url == null && !Files.exists(data.resolve("octroi.mv.db"))) {
      return;
    }
    try (LedgerTables left = tables()) {
      left.assertVerified();
    }
  }

  private LedgerTables tables() throws IOException, SQLException {
    return url == null || user == null
        ? LedgerTables.ofFile(data, data.resolve("copies"))
        : LedgerTables.at(url, user);
  }
}
