package dev.octroi.api;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/** A node that places calls on a {@link VoiceLine}; its chores are done when a test says so. */
final class VoiceHost implements AutoCloseable {

  static final String VOICE = "/v1/marketplace/voice/call";

  private final Gateway gateway;
  private final HttpHost http;
  private final Clock clock;

  VoiceHost(
      String node,
      DataSource database,
      NumberVendor numbers,
      VoiceLine line,
      Clock clock,
      Map<String, String> more) {
    this.clock = clock;
    Map<String, String> values = new HashMap<>();
    values.put("gateway.upstream.cryptodata.base-address", numbers.base());
    values.put("gateway.upstream.prediction.base-address", numbers.base());
    values.put("gateway.upstream.phone.base-address", numbers.base());
    values.put("gateway.upstream.phone.credential", "AC1:secret");
    values.put("gateway.upstream.voice.base-address", line.base());
    values.put("gateway.upstream.voice.credential", "secret");
    values.put("gateway.voice.encrypted-key", "carrier-key");
    values.put("gateway.reconciler.start-after", "1h");
    values.put("gateway.database.node", node);
    values.put("gateway.database.answer-key", "A".repeat(43) + "=");
    values.putAll(more);
    gateway =
        Gateway.builder()
            .settings(GatewaySettings.read(SettingsSources.none().values("test", values)))
            .database(database)
            .clock(clock)
            .build();
    http = new HttpHost(new GatewayApplication(gateway));
  }

  /** One run of everything that is done for calls and effects beside the requests. */
  void doChores() {
    gateway.runtime().groups().tasks().stream()
        .filter(task -> task.name().contains("voice"))
        .map(RecurringTask::work)
        .forEach(Runnable::run);
  }

  /** A payment for a POST, to be sent as often as a test likes. */
  String payment(Wallet payer, String target) {
    return signed(payer, post(target, "{}").build());
  }

  String signed(Wallet payer, HttpRequest request) {
    PaymentRequired challenge =
        PaymentRequired.read(
            http.send(request).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    return new PaymentSigner(payer, clock).sign(challenge, challenge.accepts().get(0));
  }

  HttpResponse<String> send(String payment, String target, String body) {
    return http.send(post(target, body).header("PAYMENT-SIGNATURE", payment).build());
  }

  HttpResponse<String> get(String target) {
    return http.get(target);
  }

  HttpRequest get(String target, Map<String, String> headers) {
    HttpRequest.Builder request = http.request(target).GET();
    headers.forEach(request::header);
    return request.build();
  }

  HttpRequest.Builder post(String target, String body) {
    return http.request(target)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  HttpResponse<String> send(HttpRequest request) {
    return http.send(request);
  }

  @Override
  public void close() {
    http.close();
    gateway.close();
  }
}
