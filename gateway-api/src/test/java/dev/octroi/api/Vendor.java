package dev.octroi.api;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A vendor of both groups that says what a test tells it to, over HTTP. */
final class Vendor implements AutoCloseable {

  private record Reply(int status, Map<String, String> headers, byte[] body) {

    Reply(int status, String body) {
      this(status, Map.of(), body.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Of both groups: no data, and empty lists. */
  private volatile Reply otherwise =
      new Reply(200, "{\"data\":null,\"events\":[],\"markets\":[],\"cohorts\":[]}");

  private final Map<String, Reply> replies = new ConcurrentHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<Headers> headers = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private final LoopbackServer server = new LoopbackServer(this::serve);

  URI base() {
    return server.base();
  }

  /** From now on says this to requests for a path; everything else has no data. */
  void says(String path, int status, String body) {
    replies.put(path, new Reply(status, body));
  }

  /** From now on says this to all requests for which nothing else was told. */
  void saysToAll(int status, Map<String, String> headers, byte[] body) {
    otherwise = new Reply(status, headers, body);
  }

  /** Holds every answer back until the latch opens. */
  void waitsFor(CountDownLatch latch) {
    gate = latch;
  }

  /** The request targets so far. */
  List<String> asked() {
    return asked;
  }

  /** The request bodies so far. */
  List<String> bodies() {
    return bodies;
  }

  /** The values of a header of the requests so far that had it. */
  List<String> headers(String name) {
    return headers.stream().map(each -> each.getFirst(name)).filter(Objects::nonNull).toList();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.add(exchange.getRequestURI().toString());
      headers.add(exchange.getRequestHeaders());
      bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      gate.await();
      Reply reply = replies.getOrDefault(exchange.getRequestURI().getPath(), otherwise);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      reply.headers().forEach(exchange.getResponseHeaders()::set);
      boolean none = reply.body().length == 0;
      exchange.sendResponseHeaders(reply.status(), none ? -1 : reply.body().length);
      exchange.getResponseBody().write(reply.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    gate.countDown();
    server.close();
  }
}
