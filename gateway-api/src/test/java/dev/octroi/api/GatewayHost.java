package dev.octroi.api;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import jakarta.servlet.Filter;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A whole gateway over real HTTP, with a vendor behind it and a wallet in front of it. */
final class GatewayHost implements AutoCloseable {

  private final GatewayUnderTest gateway;
  private final HttpHost http;
  private final Wallet wallet = Wallet.generate();

  GatewayHost(Map<String, String> settings) {
    this(settings, GatewayApplication::new);
  }

  /** By another clock than the system's. */
  GatewayHost(Map<String, String> settings, Clock clock) {
    this(new GatewayUnderTest(settings, clock), GatewayApplication::new);
  }

  /** On a database of the test's. */
  GatewayHost(Map<String, String> settings, DataSource database) {
    this(new GatewayUnderTest(settings, database), GatewayApplication::new);
  }

  /** With what a host adds to the gateway. */
  static GatewayHost with(Map<String, String> settings, UnaryOperator<GatewayBuilder> host) {
    return new GatewayHost(new GatewayUnderTest(settings, host), GatewayApplication::new);
  }

  GatewayHost(Map<String, String> settings, Function<Gateway, Application> application) {
    this(new GatewayUnderTest(settings), application);
  }

  private GatewayHost(GatewayUnderTest gateway, Function<Gateway, Application> application) {
    this(gateway, application, List.of());
  }

  private GatewayHost(
      GatewayUnderTest gateway, Function<Gateway, Application> application, List<Filter> first) {
    this.gateway = gateway;
    http = new HttpHost(application.apply(gateway.gateway()), first);
  }

  /** The same, with a filter of the host's before it. */
  static GatewayHost with(
      Map<String, String> settings,
      UnaryOperator<GatewayBuilder> host,
      Function<Gateway, Filter> filter) {
    GatewayUnderTest gateway = new GatewayUnderTest(settings, host);
    return new GatewayHost(
        gateway, GatewayApplication::new, List.of(filter.apply(gateway.gateway())));
  }

  /** In a servlet container, with the filters before it. */
  static GatewayHost routing(Map<String, String> settings) {
    return routing(new GatewayUnderTest(settings));
  }

  /** The same, on a database or with a clock of the test's. */
  static GatewayHost routing(GatewayUnderTest gateway) {
    return new GatewayHost(
        gateway,
        GatewayApplication::new,
        List.of(new RouteFilter(gateway.gateway()), new ReadFilter(gateway.gateway())));
  }

  /** Another node on the same database; closed before this one. */
  GatewayHost beside(Map<String, String> settings) {
    return new GatewayHost(gateway.beside(settings), GatewayApplication::new);
  }

  /** Changes the database behind the gateway's back. */
  void change(String sql) throws SQLException {
    gateway.change(sql);
  }

  long count(String sql) throws SQLException {
    return gateway.count(sql);
  }

  Vendor vendor() {
    return gateway.vendor();
  }

  HttpHost http() {
    return http;
  }

  Gateway gateway() {
    return gateway.gateway();
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

  /** A payment for what a GET costs here, not sent. */
  String payment(String target) {
    return payment(http.request(target).build());
  }

  /** A payment for what a call costs here, not sent. */
  String payment(HttpRequest call) {
    PaymentRequired challenge =
        PaymentRequired.read(
            http.send(call).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    return new PaymentSigner(wallet, Clock.systemUTC()).sign(challenge, challenge.accepts().get(0));
  }

  /** The signature of a ceiling, by a new wallet, for what was challenged. */
  static String ceiling(HttpResponse<String> unpaid) {
    PaymentRequired challenge =
        PaymentRequired.read(unpaid.headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    return new PaymentSigner(Wallet.generate(), Clock.systemUTC())
        .sign(
            challenge,
            challenge.accepts().stream()
                .filter(PaymentRequirements::isUpto)
                .findFirst()
                .orElseThrow());
  }

  static String text(PaidAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.close();
    gateway.close();
  }
}
