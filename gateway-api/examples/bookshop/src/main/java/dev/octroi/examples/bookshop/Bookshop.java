package dev.octroi.examples.bookshop;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.db.Migrations;
import java.net.URI;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bookshop as a process. Thread-safe. */
public final class Bookshop implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Bookshop.class);

  /** What holds unless the process is told otherwise: the sandbox, on the port that it takes. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "gateway.sandbox.url",
          "http://127.0.0.1:8403",
          "gateway.database.url",
          "jdbc:h2:async:./bookshop-data/octroi;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
          "gateway.http.port",
          "8481");

  private final BookshopServer server;
  private final Gateway gateway;
  private final HikariDataSource dataSource;

  private Bookshop(BookshopServer server, Gateway gateway, HikariDataSource dataSource) {
    this.server = server;
    this.gateway = gateway;
    this.dataSource = dataSource;
  }

  /** Serves until the process is ended, by settings of the environment. */
  public static void main(String[] args) throws Exception {
    Bookshop shop = open(SettingsSources.ofProcess());
    Runtime.getRuntime().addShutdownHook(new Thread(shop::close, "bookshop-stop"));
    LOG.info("The bookshop is open at {}", shop.base());
  }

  /** Opens the ledger, the gateway and the bookshop. */
  static Bookshop open(SettingsSources given) throws Exception {
    GatewaySettings settings = GatewaySettings.read(given.values("the bookshop", DEFAULTS));
    HikariDataSource dataSource = new HikariDataSource();
    dataSource.setJdbcUrl(settings.database().url());
    dataSource.setUsername(settings.database().user());
    dataSource.setPassword(settings.database().password().value());
    Migrations.apply(dataSource);
    Gateway gateway =
        Gateway.builder()
            .settings(settings)
            .database(dataSource) // takes no part in your transactions
            .sell("books", "Books", Books.class) // in the catalogue beside what is built in
            .strict(true) // nothing is free by omission
            .build();
    BookshopServer server = BookshopServer.start(gateway, settings.http().port());
    gateway.warmUp();
    return new Bookshop(server, gateway, dataSource);
  }

  URI base() {
    return server.base();
  }

  /** Balancers are told first, calls end next, then what they use. */
  @Override
  public void close() {
    gateway.drain();
    server.close();
    gateway.close();
    dataSource.close();
  }
}
