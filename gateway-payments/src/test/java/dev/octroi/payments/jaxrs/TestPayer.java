package dev.octroi.payments.jaxrs;

import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentRequired;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.function.Supplier;

/** A payer of its own wallet, one step at a time. */
public final class TestPayer {

  private final URI base;
  private final Wallet wallet = Wallet.generate();
  private final Supplier<HttpClient> http;

  public TestPayer(URI base) {
    this(base, true);
  }

  /**
   * A payer with a new wallet.
   *
   * @param keepsConnections whether all calls share their connections
   */
  public TestPayer(URI base, boolean keepsConnections) {
    this.base = base;
    HttpClient one = HttpClient.newHttpClient();
    this.http = keepsConnections ? () -> one : HttpClient::newHttpClient;
  }

  public EvmAddress address() {
    return wallet.address();
  }

  public HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(base.resolve(path));
  }

  public HttpResponse<String> get(String path) {
    return send(to(path));
  }

  public HttpResponse<String> send(HttpRequest.Builder request) {
    return send(request, BodyHandlers.ofString());
  }

  private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body) {
    try {
      return http.get().send(request.build(), body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A fresh payment for what a GET of this path costs. */
  public String payment(String path) {
    return payment(get(path), TestMoney.HERE);
  }

  public String payment(HttpResponse<String> unpaid, EvmToken token) {
    return payment(unpaid, token, Clock.systemUTC());
  }

  /** A payment that was signed at another time. */
  public String payment(HttpResponse<String> unpaid, EvmToken token, Clock clock) {
    PaymentRequired challenge =
        PaymentRequired.read(
            unpaid.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED).orElseThrow());
    return new PaymentSigner(wallet, clock)
        .sign(
            challenge,
            challenge.accepts().stream()
                .filter(terms -> terms.network().equals(token.network()))
                .findFirst()
                .orElseThrow());
  }

  public HttpResponse<String> get(String path, String payment) {
    return send(to(path).header(PaymentHeaders.PAYMENT_SIGNATURE, payment));
  }

  /** An answer that is read while it comes. */
  public HttpResponse<InputStream> open(String path, String payment) {
    return send(
        to(path).header(PaymentHeaders.PAYMENT_SIGNATURE, payment), BodyHandlers.ofInputStream());
  }

  public HttpResponse<String> post(String path, String body, String payment) {
    return send(
        to(path)
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString(body)));
  }

  /** Pays for a GET, from the challenge to the answer. */
  public HttpResponse<String> buy(String path) {
    return get(path, payment(path));
  }
}
