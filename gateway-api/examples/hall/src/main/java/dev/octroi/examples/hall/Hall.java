package dev.octroi.examples.hall;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.Migrations;
import dev.octroi.payments.ledger.jdbc.SingleWriter;
import dev.octroi.payments.setup.Payments;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hall as a process, with its books in a file. Thread-safe. */
public final class Hall implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Hall.class);

  /** By itself H2 loses commits that it has acknowledged, and closes before the last calls end. */
  private static final String DURABLE = ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

  private static final int PORT = 8483;
  private static final int SEATS = 100;
  private static final int KEY_BYTES = 32;


  private final HallServer server;
  private final Payments payments;
  private final HikariDataSource pool;

  private Hall(HallServer server, Payments payments, HikariDataSource pool) {
    this.server = server;
    this.payments = payments;
    this.pool = pool;
  }

  /**
   * Serves until the process is ended; the first argument may name another folder for the books.
   */
  public static void main(String[] args) throws Exception {
    Hall hall = open(Path.of(args.length == 0 ? "hall-data" : args[0]), PORT);
    Runtime.getRuntime().addShutdownHook(new Thread(hall::close, "hall-stop"));
    LOG.info("The hall is open at {}", hall.base());
  }

  /** Opens the books in a folder, and the hall; 0 is any free port. */
  static Hall open(Path folder, int port) throws Exception {
    Files.createDirectories(folder);
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl("jdbc:h2:async:" + folder.resolve("hall").toAbsolutePath() + DURABLE);
    Migrations.apply(pool);
    // The hall's own tables lie in the same file, so that both take turns.
    DataSource database = SingleWriter.of(pool);
    Payments payments =
        Payments.sandbox(database) // for real money: remote or chain
            .answerKey(answerKey(folder))
            .strict(true) // nothing is free by omission
            .build();
    Seats seats = Seats.open(database, SEATS);
    HallServer server = HallServer.start(new HallApplication(payments, seats), port);
    return new Hall(server, payments, pool);
  }

  private static byte[] answerKey(Path folder) throws IOException {
    Path file = folder.resolve("answer.key");
    if (!Files.exists(file)) {
      byte[] key = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(key);
      Files.write(file, key);
    }
    return Files.readAllBytes(file);
  }

  URI base() {
    return server.base();
  }

  /** Calls first, then the books that they write to. */
  @Override
  public void close() {
    server.close();
    payments.close();
    pool.close();
  }
}
