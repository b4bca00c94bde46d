package dev.octroi.api;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A whole gateway with a database and a vendor of its own, mounted nowhere yet. */
final class GatewayUnderTest implements AutoCloseable {

  private final Vendor vendor = new Vendor();
  private final DataSource database;
  private final boolean ownsDatabase;
  private final Gateway gateway;

  GatewayUnderTest(Map<String, String> settings) {
    this(settings, Clock.systemUTC());
  }

  GatewayUnderTest(Map<String, String> settings, Clock clock) {
    this(settings, H2Database.empty(), true, builder -> builder.clock(clock));
  }

  /** With what a host adds. */
  GatewayUnderTest(Map<String, String> settings, UnaryOperator<GatewayBuilder> host) {
    this(settings, H2Database.empty(), true, host);
  }

  /** On a database that has the schema and is closed with it, if that can be. */
  GatewayUnderTest(Map<String, String> settings, DataSource database) {
    this(settings, database, true, UnaryOperator.identity());
  }

  private GatewayUnderTest(
      Map<String, String> settings,
      DataSource database,
      boolean ownsDatabase,
      UnaryOperator<GatewayBuilder> host) {
    this.database = database;
    this.ownsDatabase = ownsDatabase;
    Map<String, String> values = new HashMap<>();
    values.put("gateway.upstream.cryptodata.base-address", vendor.base().toString());
    values.put("gateway.upstream.prediction.base-address", vendor.base().toString());
    values.put("gateway.upstream.websearch.base-address", vendor.base().toString());
    values.put("gateway.cryptodata.beyond-contract", "*");
    values.put("gateway.prediction.beyond-contract", "*");
    values.putAll(settings);
    gateway =
        host.apply(
                Gateway.builder()
                    .settings(GatewaySettings.read(SettingsSources.none().values("test", values)))
                    .database(database)
                    .figures(pool(database)))
            .build();
  }

  /** Another node on the same database; closed before this one. */
  GatewayUnderTest beside(Map<String, String> settings) {
    return new GatewayUnderTest(settings, database, false, UnaryOperator.identity());
  }

  /** Two gateways on one pool count it once. */
  private static MeterBinder pool(DataSource database) {
    return database instanceof HikariDataSource pool && pool.getMetricRegistry() == null
        ? pool::setMetricRegistry
        : registry -> {};
  }

  /** The same with a clock of the test's. */
  GatewayUnderTest beside(Map<String, String> settings, Clock clock) {
    return new GatewayUnderTest(settings, database, false, builder -> builder.clock(clock));
  }

  /** Behind the gateway's back. */
  void change(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /** One text, asked behind the gateway's back. */
  String text(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** One number, asked behind the gateway's back. */
  long count(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  Vendor vendor() {
    return vendor;
  }

  Gateway gateway() {
    return gateway;
  }

  @Override
  public void close() {
    gateway.close();
    if (ownsDatabase && database instanceof HikariDataSource pool) {
      pool.close();
    }
    vendor.close();
  }
}
