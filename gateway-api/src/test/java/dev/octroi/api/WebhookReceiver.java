package dev.octroi.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Where webhooks are received: an endpoint at each path, which takes all unless told otherwise. */
final class WebhookReceiver implements AutoCloseable {

  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final Map<String, HttpHandler> answers = new ConcurrentHashMap<>();
  private final LoopbackServer server = new LoopbackServer(this::receive);

  /** A request as it came. */
  record Received(
      String path, @Nullable String query, Map<String, List<String>> headers, String body) {

    String id() {
      return headers.get("Webhook-id").get(0);
    }

    /** The published library for receivers finds it good. */
    void isSignedWith(String secret) {
      assertThatCode(() -> new Webhook(secret).verify(body, headers)).doesNotThrowAnyException();
    }
  }

  private void receive(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    received.add(
        new Received(
            path,
            exchange.getRequestURI().getQuery(),
            Map.copyOf(exchange.getRequestHeaders()),
            body));
    answers.getOrDefault(path, status(204)).handle(exchange);
  }

  /** Answers so from now on. */
  void answers(String path, HttpHandler answer) {
    answers.put(path, answer);
  }

  /** A status, and no body. */
  static HttpHandler status(int status) {
    return exchange -> {
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    };
  }

  /** A status, a header and a body. */
  static HttpHandler answer(int status, String name, String value, String body) {
    return exchange -> {
      exchange.getResponseHeaders().set(name, value);
      exchange.sendResponseHeaders(status, body.getBytes(UTF_8).length);
      exchange.getResponseBody().write(body.getBytes(UTF_8));
      exchange.close();
    };
  }

  List<Received> at(String path) {
    return received.stream().filter(one -> one.path().equals(path)).toList();
  }

  String url(String path) {
    return server.base() + path;
  }

  int port() {
    return server.base().getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
