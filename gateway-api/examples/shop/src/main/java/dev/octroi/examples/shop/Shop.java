package dev.octroi.examples.shop;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.Migrations;
import dev.octroi.payments.evm.EvmAddress;
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

/** The shop as a process, with its books in a file. Thread-safe. */
public final class Shop implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Shop.class);

  /** By itself H2 loses commits that it has acknowledged, and closes before the last calls end. */
  private static final String DURABLE = ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

  private static final int PORT = 8480;
  private static final int SEATS = 100;
  private static final int KEY_BYTES = 32;

  /** An account whose key is not known: with real money, your own. */
  private static final EvmAddress SELLER =
      EvmAddress.parse("0x000000000000000000000000000000000000dEaD");

  private final ShopServer server;
  private final Payments payments;
  private final HikariDataSource pool;

  private Shop(ShopServer server, Payments payments, HikariDataSource pool) {
    this.server = server;
    this.payments = payments;
    this.pool = pool;
  }

  /**
   * Serves until the process is ended; the first argument may name another folder for the books.
   */
  public static void main(String[] args) throws Exception {
    Shop shop = open(Path.of(args.length == 0 ? "shop-data" : args[0]), PORT);
    Runtime.getRuntime().addShutdownHook(new Thread(shop::close, "shop-stop"));
    LOG.info("The shop is open at {}", shop.base());
  }

  /** Opens the books in a folder, and the shop; 0 is any free port. */
  static Shop open(Path folder, int port) throws Exception {
    Files.createDirectories(folder);
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl("jdbc:h2:async:" + folder.resolve("shop").toAbsolutePath() + DURABLE);
    Migrations.apply(pool);
    // The shop's own tables lie in the same file, so that both take turns.
    DataSource database = SingleWriter.of(pool);
    Payments payments = ShopMoney.open(database, answerKey(folder), SELLER);
    Seats seats = Seats.open(database, SEATS);
    ShopServer server = ShopServer.start(new ShopApplication(payments, seats), port);
    return new Shop(server, payments, pool);
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
