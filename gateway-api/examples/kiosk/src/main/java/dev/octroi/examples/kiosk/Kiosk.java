package dev.octroi.examples.kiosk;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.db.Migrations;
import java.io.File;
import java.net.URI;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kiosk as a process. Thread-safe. */
public final class Kiosk implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Kiosk.class);

  /** What holds unless the process is told otherwise: the sandbox, on the port that it takes. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "gateway.sandbox.url",
          "http://127.0.0.1:8403",
          "gateway.database.url",
          "jdbc:h2:async:./kiosk-data/octroi;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
          "gateway.http.port",
          "8482");

  private final KioskServer server;
  private final Gateway gateway;
  private final HikariDataSource database;

  private Kiosk(KioskServer server, Gateway gateway, HikariDataSource database) {
    this.server = server;
    this.gateway = gateway;
    this.database = database;
  }

  /** Serves until the process is ended; the argument is the file of prices. */
  public static void main(String[] args) throws Exception {
    Map<String, String> prices =
        args.length == 0 ? Map.of() : Map.of("gateway.prices.file", args[0]);
    Kiosk kiosk = open(SettingsSources.none().values("command line", prices));
    Runtime.getRuntime().addShutdownHook(new Thread(kiosk::close, "kiosk-stop"));
    LOG.info("The kiosk is open at {}", kiosk.base());
  }

  /** Opens the ledger, the gateway and the kiosk. */
  static Kiosk open(SettingsSources given) throws Exception {
    GatewaySettings settings =
        GatewaySettings.read(
            given
                .systemProperties(System.getProperties())
                .environment(System.getenv())
                .values("the kiosk", DEFAULTS));
    HikariDataSource database = new HikariDataSource();
    database.setJdbcUrl(settings.database().url());
    database.setUsername(settings.database().user());
    database.setPassword(settings.database().password().value());
    Migrations.apply(database);
    Gateway gateway =
        KioskGateway.with(
                Gateway.builder().settings(settings).database(database),
                new File(".")::getUsableSpace)
            .build();
    KioskServer server = KioskServer.start(new KioskApplication(gateway), settings.http().port());
    gateway.warmUp();
    return new Kiosk(server, gateway, database);
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
    database.close();
  }
}
