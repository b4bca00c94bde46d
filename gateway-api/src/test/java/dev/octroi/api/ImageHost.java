package dev.octroi.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** A gateway that sells the image models of the built-in catalogue, with what draws for it. */
final class ImageHost implements AutoCloseable {

  static final String DRAW = "/v1/images/generations";
  static final String EDIT = "/v1/images/edits";

  private final ImageVendor vendor;
  private final GatewayHost host;

  ImageHost(Map<String, String> settings) {
    vendor = new ImageVendor();
    host = new GatewayHost(settings(vendor, settings));
  }

  /** By another clock than the system's. */
  ImageHost(Map<String, String> settings, Clock clock) {
    vendor = new ImageVendor();
    host = new GatewayHost(settings(vendor, settings), clock);
  }

  private ImageHost(ImageVendor vendor, GatewayHost host) {
    this.vendor = vendor;
    this.host = host;
  }

  /** Another node on the same database with the same vendor; closed before this one. */
  ImageHost beside(Map<String, String> settings) {
    return new ImageHost(vendor, host.beside(settings(vendor, settings)));
  }

  private static Map<String, String> settings(ImageVendor vendor, Map<String, String> more) {
    Map<String, String> all = new HashMap<>();
    for (String provider : Set.of("provider-a", "provider-b", "provider-c", "provider-d")) {
      all.put("gateway.images.upstreams." + provider, vendor.base().toString());
    }
    all.put("gateway.images.takeover", "100ms");
    all.put("gateway.reconciler.start-after", "100ms");
    all.put("gateway.reconciler.polling", "100ms");
    all.put("gateway.keys.master-key", "A".repeat(43) + "=");
    all.put("gateway.database.answer-key", "B".repeat(43) + "=");
    all.putAll(more);
    return all;
  }

  ImageVendor vendor() {
    return vendor;
  }

  GatewayHost gateway() {
    return host;
  }

  long count(String sql) throws SQLException {
    return host.count(sql);
  }

  HttpHost http() {
    return host.http();
  }

  static String prompt(String words) {
    return "{\"model\":\"provider-a/image-1\",\"prompt\":\"" + words + "\"}";
  }

  HttpRequest.Builder draw(String body) {
    return http()
        .request(DRAW)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  HttpRequest.Builder poll(String job) {
    return http().request(DRAW + "/" + job);
  }

  /** A payment for what is asked, not sent. */
  String payment(HttpRequest.Builder request, Wallet payer, Clock clock) {
    HttpResponse<String> challenge = http().send(request.build());
    PaymentRequired required =
        PaymentRequired.read(
            challenge
                .headers()
                .firstValue("PAYMENT-REQUIRED")
                .orElseThrow(() -> new AssertionError(challenge.body())));
    return new PaymentSigner(payer, clock).sign(required, required.accepts().get(0));
  }

  HttpResponse<String> sent(HttpRequest.Builder request, String payment) {
    return http().send(request.copy().header("PAYMENT-SIGNATURE", payment).build());
  }

  /** With a payment of its own. */
  PaidAnswer paid(HttpRequest.Builder request, Wallet payer) {
    return host.paid(request.build(), payer);
  }

  HttpResponse<String> byKey(HttpRequest.Builder request, IssuedKey key) {
    return http().send(request.copy().header("x-api-key", key.secret()).build());
  }

  IssuedKey key() {
    return host.gateway()
        .accounts()
        .open(
            "an account",
            new KeyTerms(
                "a key",
                Set.of(),
                OptionalInt.empty(),
                host.gateway().settings().keys().limits(),
                Optional.empty()));
  }

  /** What a key has spent today, in millionths of a dollar. */
  long spent(IssuedKey key) {
    return host.gateway().accounts().spent(key.key().id()).orElseThrow().today().micros();
  }

  static JsonNode json(HttpResponse<String> answer) {
    return Admin.json(answer.body());
  }

  static JsonNode json(PaidAnswer answer) {
    return Admin.json(GatewayHost.text(answer));
  }

  @Override
  public void close() {
    host.close();
    vendor.close();
  }
}
