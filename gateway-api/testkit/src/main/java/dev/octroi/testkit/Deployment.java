package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The gateway under test as a payer sees it over HTTP. Thread-safe. */
final class Deployment {

  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  private final URI base;
  private final Examples examples = new Examples(this);

  Deployment(URI base) {
    this.base = base;
  }

  URI base() {
    return base;
  }

  /** The calls by which every endpoint answers 200 here. */
  Examples examples() {
    return examples;
  }

  /** Sends a call as it is. */
  Reply send(Call call) {
    try {
      var response = HTTP.send(call.at(base), BodyHandlers.ofByteArray());
      return new Reply(call, response.statusCode(), response.headers(), response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(call.method() + " " + call.target() + ": no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  CompletableFuture<Reply> sendAsync(Call call) {
    return HTTP.sendAsync(call.at(base), BodyHandlers.ofByteArray())
        .thenApply(answer -> new Reply(call, answer.statusCode(), answer.headers(), answer.body()));
  }

  /** Sends a call with a payment made before. */
  Reply send(Call call, String payment) {
    return send(call.with(PaymentHeaders.PAYMENT_SIGNATURE, payment));
  }

  /** The challenge that a call without payment gets. */
  Reply challenge(Call call) {
    Reply reply = send(call);
    assertThat(reply.status()).as(reply.toString()).isEqualTo(402);
    return reply;
  }

  /**
   * A new payment of what the call costs, by a payer that the gateway has not seen before: so no
   * limit per payer is reached.
   */
  String payment(Call call) {
    return new Payer(Wallet.generate()).sign(challenge(call));
  }

  /**
   * A new payment that names no path, as a client's whose address is too long for a header: it buys
   * any one thing of this price.
   */
  String openPayment(Call call) {
    return new Payer(Wallet.generate()).signOpenly(challenge(call));
  }

  /** Asks for the price, pays it and returns the answer, whatever it is. */
  Reply pay(Call call) {
    return send(call, payment(call));
  }

  /** Pays for a call that must be answered. */
  Reply buy(Call call) {
    Reply reply = pay(call);
    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    return reply;
  }
}
