package dev.octroi.payments.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.Challenges;
import dev.octroi.payments.x402.Challenges.Challenge;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.Offers.OfferMatch;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.ResourceInfo;
import dev.octroi.payments.x402.SettlementResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A small server that sells one answer for a cent, and verifies what it is paid with. */
final class Seller implements AutoCloseable {

  static final Usd PRICE = Usd.parse("0.01");
  private static final EvmAddress PAY_TO =
      EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");

  private static final String FORMER_CHALLENGE =
      """
      {"x402Version":1,"error":"%s","accepts":[{"scheme":"exact","network":"base",
      "maxAmountRequired":"10000","resource":"http://127.0.0.1/former","description":"",
      "mimeType":"","payTo":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","maxTimeoutSeconds":60,
      "asset":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913","outputSchema":{"input":{"type":"http",
      "method":"GET","discoverable":true}},"extra":{"name":"USD Coin","version":"2"}}]}
      """;

  /** The payments received, in order. */
  final Queue<String> payments = new ConcurrentLinkedQueue<>();

  /** What goes wrong with the next paid calls: a status, or 0 for a cut connection. */
  final Queue<Integer> faults = new ConcurrentLinkedQueue<>();

  private final HttpServer server;
  private final Offers offers;
  private final Challenges challenges;
  private final ExactEvmVerifier verifier =
      new ExactEvmVerifier(Clock.systemUTC(), Signatures.fastest());

  Seller(EvmToken token) throws IOException {
    offers = new Offers(List.of(token.payableTo(PAY_TO, 300)));
    challenges = new Challenges(offers);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/paid", this::paid);
    server.createContext("/body-only", exchange -> challenge(exchange, "payment_required", false));
    server.createContext("/former", this::former);
    server.createContext("/free", exchange -> answer(exchange, 200, "free"));
    server.createContext("/dripping", this::drip);
    server.start();
  }

  URI at(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /** Takes the payment, and never comes to the end of its answer. */
  private void drip(HttpExchange exchange) throws IOException {
    String header = exchange.getRequestHeaders().getFirst(PaymentHeaders.PAYMENT_SIGNATURE);
    if (header == null) {
      challenge(exchange, Challenges.PAYMENT_REQUIRED, true);
      return;
    }
    payments.add(header);
    exchange.sendResponseHeaders(200, 0);
    exchange.getResponseBody().write('s');
    exchange.getResponseBody().flush();
  }

  private void paid(HttpExchange exchange) throws IOException {
    String header = exchange.getRequestHeaders().getFirst(PaymentHeaders.PAYMENT_SIGNATURE);
    if (header == null) {
      challenge(exchange, Challenges.PAYMENT_REQUIRED, true);
      return;
    }
    payments.add(header);
    Integer fault = faults.poll();
    if (fault == null) {
      sell(exchange, PaymentPayload.read(header));
    } else if (fault == 0) {
      exchange.close();
    } else if (fault == 402) {
      challenge(exchange, "insufficient_funds", true);
    } else {
      exchange.getResponseHeaders().set("Retry-After", "0");
      answer(exchange, fault, "later");
    }
  }

  /** As the published middleware of version 1 asks for a payment, and takes it. */
  private void former(HttpExchange exchange) throws IOException {
    String header = exchange.getRequestHeaders().getFirst(PaymentHeaders.X_PAYMENT);
    Integer fault = header == null ? null : faults.poll();
    if (header != null) {
      payments.add(header);
    }
    if (header == null || fault != null) {
      String error = fault == null ? "X-PAYMENT header is required" : "insufficient_funds";
      exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
      answer(exchange, 402, FORMER_CHALLENGE.formatted(error));
      return;
    }
    sell(exchange, PaymentPayload.read(header));
  }

  private void sell(HttpExchange exchange, PaymentPayload payment) throws IOException {
    OfferMatch match = offers.match(payment, OfferedPrice.of(PRICE));
    if (match instanceof OfferMatch.Matched matched
        && verifier.verify(payment, matched.terms()) instanceof Verification.Valid valid) {
      String receipt =
          SettlementResponse.settled("0xfeed", payment.network(), valid.payer(), "10000").header();
      exchange
          .getResponseHeaders()
          .set(
              payment.x402Version() == 1
                  ? PaymentHeaders.X_PAYMENT_RESPONSE
                  : PaymentHeaders.PAYMENT_RESPONSE,
              receipt);
      answer(exchange, 200, "sold");
    } else {
      challenge(exchange, match.toString(), true);
    }
  }

  private void challenge(HttpExchange exchange, String error, boolean inHeader) throws IOException {
    ResourceInfo resource = ResourceInfo.at(exchange.getRequestURI().toString());
    Challenge challenge =
        challenges.challenge(
            OfferedPrice.of(PRICE), resource, error, "payment_required", Extensions.NONE);
    if (inHeader) {
      exchange.getResponseHeaders().set(PaymentHeaders.PAYMENT_REQUIRED, challenge.header());
    }
    answer(exchange, 402, new String(challenge.body(), StandardCharsets.US_ASCII));
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
