package dev.octroi.war;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;

/** Someone with a wallet, before a deployment. */
record Visitor(URI base) {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  HttpResponse<String> get(String target) throws IOException, InterruptedException {
    return HTTP.send(request(target), BodyHandlers.ofString());
  }

  /** The same as a page. */
  HttpResponse<String> getAsBrowser(String target) throws IOException, InterruptedException {
    HttpRequest page =
        HttpRequest.newBuilder(request(target), (name, value) -> true)
            .header("Accept", "text/html")
            .build();
    return HTTP.send(page, BodyHandlers.ofString());
  }

  /** What an address anywhere is answered with. */
  int status(URI address) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
    return HTTP.send(request, BodyHandlers.discarding()).statusCode();
  }

  /** The same with a token. */
  HttpResponse<String> getWith(String token, String target)
      throws IOException, InterruptedException {
    HttpRequest with =
        HttpRequest.newBuilder(request(target), (name, value) -> true)
            .header("Authorization", "Bearer " + token)
            .build();
    return HTTP.send(with, BodyHandlers.ofString());
  }

  /** The same with a body of JSON that is sent. */
  HttpResponse<String> postWith(String token, String target, String json)
      throws IOException, InterruptedException {
    HttpRequest with =
        HttpRequest.newBuilder(request(target), (name, value) -> true)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build();
    return HTTP.send(with, BodyHandlers.ofString());
  }

  /** Pays what is asked, up to a dollar. */
  PaidAnswer buy(String target) throws IOException, InterruptedException {
    PaymentSigner signer = new PaymentSigner(Wallet.generate(), Clock.systemUTC());
    return new PayingClient(HTTP, signer, SpendingLimit.of(Usd.parse("1"))).send(request(target));
  }

  /** The status of a call with a body of JSON that is not paid for. */
  int post(String target, String json) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(request(target), (name, value) -> true)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build();
    return HTTP.send(request, BodyHandlers.discarding()).statusCode();
  }

  /** What is asked for a call. */
  PaymentRequired challenge(String target) throws IOException, InterruptedException {
    return PaymentRequired.read(header(target));
  }

  /** Pays what is asked, as a wallet does that states an address of its own making. */
  HttpResponse<String> buyStating(String address, String target)
      throws IOException, InterruptedException {
    String header = header(target);
    String asked = new String(Base64.getDecoder().decode(header), StandardCharsets.UTF_8);
    String url = PaymentRequired.read(header).resource().url();
    String told = asked.replace(url, address);
    PaymentRequired terms =
        PaymentRequired.read(
            Base64.getEncoder().encodeToString(told.getBytes(StandardCharsets.UTF_8)));
    PaymentSigner signer = new PaymentSigner(Wallet.generate(), Clock.systemUTC());
    HttpRequest paid =
        HttpRequest.newBuilder(request(target), (name, value) -> true)
            .header("PAYMENT-SIGNATURE", signer.sign(terms, terms.accepts().get(0)))
            .build();
    return HTTP.send(paid, BodyHandlers.ofString());
  }

  private String header(String target) throws IOException, InterruptedException {
    return get(target).headers().firstValue("PAYMENT-REQUIRED").orElseThrow();
  }

  /** What a GET gets that names another host, over a raw socket; headers may follow the host. */
  String named(String host, String target) throws IOException {
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout((int) TIMEOUT.toMillis());
      String path = base.getRawPath().replaceAll("/$", "") + target;
      String request =
          "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private HttpRequest request(String target) {
    String address = base.toString().replaceAll("/$", "") + target;
    return HttpRequest.newBuilder(URI.create(address)).timeout(TIMEOUT).build();
  }
}
