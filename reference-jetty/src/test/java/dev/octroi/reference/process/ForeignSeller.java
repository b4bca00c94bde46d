package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A seller who is no gateway: it asks for a payment, takes any, and answers each path as told. None
 * of its answers has a label that tells a sandbox.
 */
final class ForeignSeller implements AutoCloseable {

  /** Of the protocol's shape, with what {@code extensions} holds. */
  private static final String CHALLENGE =
      """
      {"x402Version":2,"error":"Payment required","resource":{"url":"%s"},"accepts":[{\
      "scheme":"exact","network":"eip155:8453","amount":"1000",\
      "asset":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",\
      "payTo":"0x0000000000000000000000000000000000008402","maxTimeoutSeconds":300,\
      "extra":{"name":"USD Coin","version":"2"}}],"extensions":%s}""";

  private static final String SANDBOX =
      "{\"sandbox\":{\"info\":{\"networks\":[\"eip155:8453\"]},\"schema\":{}}}";

  /**
   * What a paid call gets.
   *
   * @param receipt the JSON of {@code PAYMENT-RESPONSE}; empty where there is none
   * @param isReleased whether the answer says that nothing was charged
   */
  record Answer(int status, String receipt, String body, boolean isReleased) {
    Answer(int status, String receipt, String body) {
      this(status, receipt, body, false);
    }
  }

  private final HttpServer server;
  private final AtomicInteger payments = new AtomicInteger();

  ForeignSeller(boolean sandbox, Map<String, Answer> answers) throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    answers.forEach(
        (path, answer) -> server.createContext(path, call -> serve(call, sandbox, answer)));
    server.start();
  }

  String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  /** How often a payment was sent. */
  int payments() {
    return payments.get();
  }

  private void serve(HttpExchange call, boolean sandbox, Answer answer) throws IOException {
    URI asked = call.getRequestURI();
    if (call.getRequestHeaders().containsKey("PAYMENT-SIGNATURE")) {
      payments.incrementAndGet();
      if (!answer.receipt().isEmpty()) {
        call.getResponseHeaders().set("PAYMENT-RESPONSE", base64(answer.receipt()));
      }
      if (answer.isReleased()) {
        call.getResponseHeaders().set("X-Payment-State", "not-charged");
      }
      send(call, answer.status(), answer.body());
    } else {
      String challenge = CHALLENGE.formatted(url(asked.getPath()), sandbox ? SANDBOX : "{}");
      call.getResponseHeaders().set("PAYMENT-REQUIRED", base64(challenge));
      send(call, 402, challenge);
    }
  }

  private static void send(HttpExchange call, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    call.getResponseHeaders().set("Content-Type", "application/json");
    call.getResponseHeaders().set("Retry-After", "0");
    call.sendResponseHeaders(status, bytes.length);
    call.getResponseBody().write(bytes);
    call.close();
  }

  private static String base64(String json) {
    return Base64.getEncoder().encodeToString(json.getBytes(UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
