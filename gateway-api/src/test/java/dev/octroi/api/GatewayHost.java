package dev.octroi.api;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.db.Migrations;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** A whole gateway over real HTTP, with a vendor behind it and a wallet in front of it. */
final class GatewayHost implements AutoCloseable {

  private final Vendor vendor = new Vendor();
  private final HikariDataSource database;
  private final Gateway gateway;
  private final HttpHost http;
  private final Wallet wallet = Wallet.generate();

  GatewayHost(Map<String, String> settings) {
    this(settings, GatewayApplication::new);
  }

  GatewayHost(Map<String, String> settings, Function<Gateway, Application> application) {
    Map<String, String> values = new HashMap<>();
    values.put("gateway.upstream.cryptodata.base-address", vendor.base().toString());
    values.put("gateway.upstream.prediction.base-address", vendor.base().toString());
    values.putAll(settings);
    database = database();
    gateway =
        Gateway.builder()
            .settings(GatewaySettings.read(SettingsSources.none().values("test", values)))
            .database(database)
            .build();
    http = new HttpHost(application.apply(gateway));
  }

  static HikariDataSource database() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    config.setMaximumPoolSize(8);
    HikariDataSource database = new HikariDataSource(config);
    Migrations.apply(database);
    return database;
  }

  Vendor vendor() {
    return vendor;
  }

  HttpHost http() {
    return http;
  }

  Gateway gateway() {
    return gateway;
  }

  /** Pays for a GET with the host's own wallet. */
  PaidAnswer paid(String target) {
    return paid(http.request(target).build());
  }

  PaidAnswer paid(HttpRequest request) {
    return paid(request, wallet);
  }

  PaidAnswer paid(HttpRequest request, Wallet payer) {
    PayingClient client =
        new PayingClient(
            http.client(),
            new PaymentSigner(payer, Clock.systemUTC()),
            SpendingLimit.of(Usd.parse("1")));
    try {
      return client.send(request);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static String text(PaidAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.close();
    gateway.close();
    database.close();
    vendor.close();
  }
}
