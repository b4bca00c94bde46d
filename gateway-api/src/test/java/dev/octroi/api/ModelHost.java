package dev.octroi.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.client.PaidAnswer;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** A gateway that sells the models of {@code models.json}, with the upstream that runs them. */
final class ModelHost implements AutoCloseable {

  static final String MESSAGES = "/v1/messages";
  static final String CHAT = "/v1/chat/completions";
  static final String RESPONSES = "/v1/responses";

  private final ModelVendor vendor = new ModelVendor();
  private final GatewayHost host;

  ModelHost(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("gateway.language.catalogue", catalogue());
    for (String mount : Set.of("first", "second", "third", "fourth")) {
      all.put("gateway.language.upstreams." + mount, vendor.base(mount).toString());
    }
    all.put("gateway.keys.master-key", "A".repeat(43) + "=");
    all.putAll(settings);
    host = new GatewayHost(all);
  }

  static String catalogue() {
    try {
      return Path.of(Objects.requireNonNull(ModelHost.class.getResource("models.json")).toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  ModelVendor vendor() {
    return vendor;
  }

  HttpHost http() {
    return host.http();
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

  HttpRequest.Builder to(String path, String body) {
    HttpRequest.Builder request = http().request(path).header("Content-Type", "application/json");
    if (path.equals(MESSAGES)) {
      request.header("anthropic-version", "2023-06-01");
    }
    return request.POST(BodyPublishers.ofString(body));
  }

  /** Without any credential. */
  HttpResponse<String> unpaid(String path, String body) {
    return http().send(to(path, body).build());
  }

  PaidAnswer paid(String path, String body) {
    return host.paid(to(path, body).build());
  }

  PaidAnswer paid(HttpRequest request) {
    return host.paid(request);
  }

  /** By signing a ceiling. */
  HttpResponse<String> upto(String path, String body) {
    return http()
        .send(
            to(path, body)
                .header("PAYMENT-SIGNATURE", GatewayHost.ceiling(unpaid(path, body)))
                .build());
  }

  /** What the payment that an answer names was charged, in millionths of a dollar. */
  long charged(HttpResponse<String> answer) throws SQLException {
    String id = answer.headers().firstValue("X-Payment-Id").orElseThrow();
    return host.count(
        "SELECT COALESCE(charged, amount) FROM payment WHERE state = 'SETTLED' AND id = '"
            + id
            + "'");
  }

  HttpResponse<String> byKey(IssuedKey key, String path, String body) {
    return http().send(to(path, body).header("x-api-key", key.secret()).build());
  }

  /** An answer that is read while it comes; the test hangs up by closing the stream. */
  HttpResponse<InputStream> streamed(IssuedKey key, String path, String body) {
    return http()
        .send(
            to(path, body)
                .header("x-api-key", key.secret())
                .header("Accept-Encoding", "gzip")
                .build(),
            BodyHandlers.ofInputStream());
  }

  static JsonNode json(String text) {
    return Admin.json(text);
  }

  @Override
  public void close() {
    host.close();
    vendor.close();
  }
}
