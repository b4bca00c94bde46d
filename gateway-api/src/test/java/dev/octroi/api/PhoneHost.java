package dev.octroi.api;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.payments.x402.PaymentRequired;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import javax.sql.DataSource;

/**
 * A gateway over HTTP that leases the numbers of a {@link NumberVendor}. Its chores are done when a
 * test says so, and never by themselves.
 */
final class PhoneHost implements AutoCloseable {

  private static final String PHONE = "/v1/marketplace/phone/";

  private final Gateway gateway;
  private final HttpHost http;

  PhoneHost(DataSource database, NumberVendor vendor, Map<String, String> more) {
    this(database, vendor.base(), more);
  }

  PhoneHost(DataSource database, String vendor, Map<String, String> more) {
    Map<String, String> values = new HashMap<>();
    values.put("gateway.upstream.cryptodata.base-address", vendor);
    values.put("gateway.upstream.prediction.base-address", vendor);
    values.put("gateway.upstream.phone.base-address", vendor);
    values.put("gateway.upstream.phone.credential", "AC1:secret");
    values.put("gateway.upstream.phone.deadline", "5s");
    values.put("gateway.keys.master-key", "A".repeat(43) + "=");
    values.put("gateway.reconciler.start-after", "1h");
    values.putAll(more);
    gateway =
        Gateway.builder()
            .settings(GatewaySettings.read(SettingsSources.none().values("test", values)))
            .database(database)
            .build();
    http = new HttpHost(new GatewayApplication(gateway));
  }

  /** Where it serves. */
  String base() {
    return http.base().toString();
  }

  /** One run of everything that is done for leases and effects beside the calls. */
  void doChores() {
    gateway.runtime().groups().tasks().stream()
        .filter(task -> task.name().startsWith("effects-") || task.name().endsWith("leases"))
        .map(RecurringTask::work)
        .forEach(Runnable::run);
  }

  IssuedKey key() {
    return gateway
        .accounts()
        .open(
            "an account",
            new KeyTerms(
                "a key",
                Set.of(),
                OptionalInt.empty(),
                gateway.settings().keys().limits(),
                Optional.empty()));
  }

  HttpResponse<String> byKey(IssuedKey key, String method, String body) {
    return http.send(post(method, body).header("Authorization", "Bearer " + key.secret()).build());
  }

  PaidAnswer paid(Wallet payer, String method, String body) {
    PayingClient client =
        new PayingClient(
            http.client(),
            new PaymentSigner(payer, Clock.systemUTC()),
            SpendingLimit.of(Usd.parse("100")));
    try {
      return client.send(post(method, body).build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<String> unpaid(String method) {
    return unpaid(method, "{}");
  }

  HttpResponse<String> unpaid(String method, String body) {
    return http.send(post(method, body).build());
  }

  /** A payment for a method, to be sent as often as a test likes. */
  String payment(Wallet payer, String method) {
    PaymentRequired challenge =
        PaymentRequired.read(unpaid(method).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    return new PaymentSigner(payer, Clock.systemUTC()).sign(challenge, challenge.accepts().get(0));
  }

  HttpResponse<String> send(String payment, String method, String body) {
    return http.send(post(method, body).header("PAYMENT-SIGNATURE", payment).build());
  }

  private HttpRequest.Builder post(String method, String body) {
    return http.request(PHONE + method)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  @Override
  public void close() {
    http.close();
    gateway.close();
  }
}
