package dev.octroi.reference.process;

import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentRequired;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call and what it costs.
 *
 * @param target path and query
 * @param body to be posted; null for a GET
 * @param challenge what the gateway asks for it
 */
record Offer(String target, @Nullable String body, PaymentRequired challenge) {

  static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final String GROUP = "/v1/marketplace/cryptodata/";
  private static final String READ = GROUP + "exchange/price?pair=BTC-USDT";
  private static final Duration TIMEOUT = Duration.ofSeconds(45);

  /** A read that may be run again for a payer whose answer was lost. */
  static Offer read(URI base) throws IOException, InterruptedException {
    return ask(base, READ, null);
  }

  /** The same read, paid for by an API key. */
  static CompletableFuture<HttpResponse<String>> readByKey(URI base, String secret) {
    HttpRequest.Builder request = request(base, READ, null);
    return HTTP.sendAsync(
        request.header("Authorization", "Bearer " + secret).build(), BodyHandlers.ofString());
  }

  /** A query whose answer is stored before it is charged. */
  static Offer query(URI base) throws IOException, InterruptedException {
    return ask(base, GROUP + "onchain/sql", "{\"sql\":\"SELECT 1 AS one\"}");
  }

  static Offer ask(URI base, String target, @Nullable String body)
      throws IOException, InterruptedException {
    HttpResponse<String> unpaid =
        HTTP.send(request(base, target, body).build(), BodyHandlers.ofString());
    String challenge =
        unpaid
            .headers()
            .firstValue(PaymentHeaders.PAYMENT_REQUIRED)
            .orElseThrow(() -> new IOException("no challenge: " + unpaid + unpaid.body()));
    return new Offer(target, body, PaymentRequired.read(challenge));
  }

  /** A payment of its own for each call, by the first way to pay. */
  Sale accept(Wallet payer) {
    return accept(payer, 0);
  }

  /** The same by another way. */
  Sale accept(Wallet payer, int way) {
    return new Sale(
        this,
        payer,
        new PaymentSigner(payer, Clock.systemUTC()).sign(challenge, challenge.accepts().get(way)));
  }

  HttpRequest.Builder request(URI base) {
    return request(base, target, body);
  }

  private static HttpRequest.Builder request(URI base, String target, @Nullable String body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(target)).timeout(TIMEOUT);
    return body == null
        ? request
        : request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
  }
}
