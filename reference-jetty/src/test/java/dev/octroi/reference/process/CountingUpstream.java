package dev.octroi.reference.process;

import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.octroi.sandbox.Sandbox;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The sandbox's upstreams outside of the process under test, behind a door where calls count. */
final class CountingUpstream implements AutoCloseable {

  private static final List<String> VENDORS = List.of("cryptodata", "prediction");
  private static final List<String> PASSED = List.of("authorization", "x-api-key", "content-type");

  private final Sandbox sandbox = Sandbox.start();
  private final Map<String, String> settings = new HashMap<>(sandbox.settings());
  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicReference<@Nullable CountDownLatch> held = new AtomicReference<>();
  private final HttpServer server;
  private volatile @Nullable CountDownLatch holding;

  CountingUpstream() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(threads);
    for (String vendor : VENDORS) {
      String key = "gateway.upstream." + vendor + ".base-address";
      URI real = URI.create(settings.get(key));
      server.createContext(real.getPath(), exchange -> pass(exchange, real));
      settings.put(key, "http://127.0.0.1:" + server.getAddress().getPort() + real.getPath());
    }
    server.start();
  }

  /** What makes a gateway use it. */
  Map<String, String> settings() {
    return Map.copyOf(settings);
  }

  /** The next call waits for its answer until {@link #letGo}. */
  void holdNext() {
    held.set(new CountDownLatch(1));
  }

  void letGo() {
    CountDownLatch latch = holding;
    if (latch != null) {
      latch.countDown();
    }
  }

  int calls() {
    return calls.get();
  }

  private void pass(HttpExchange exchange, URI real) throws IOException {
    calls.incrementAndGet();
    waitIfHeld();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(real.resolve(exchange.getRequestURI().toString()))
            .method(
                exchange.getRequestMethod(),
                BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (String name : PASSED) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    try (OutputStream out = exchange.getResponseBody()) {
      HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
      out.write(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void waitIfHeld() {
    CountDownLatch latch = held.getAndSet(null);
    if (latch != null) {
      holding = latch;
      await().atMost(Running.TIMEOUT.multipliedBy(2)).until(() -> latch.getCount() == 0);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    sandbox.close();
  }
}
