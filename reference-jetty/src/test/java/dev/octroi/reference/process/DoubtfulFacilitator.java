package dev.octroi.reference.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real facilitator seen through a bad line: it settles each payment, and of eight settlements one
 * is told as the failure that published facilitators tell when they time out after sending, and one
 * is not answered at all.
 */
final class DoubtfulFacilitator implements AutoCloseable {

  private static final int EVERY = 8;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final byte[] TIMED_OUT =
      """
      {"success":false,"errorReason":"invalid_exact_evm_transaction_failed",\
      "transaction":"","network":"eip155:8453"}"""
          .getBytes(StandardCharsets.UTF_8);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final URI honest;
  private final AtomicInteger settlements = new AtomicInteger();
  private final AtomicInteger doubts = new AtomicInteger();

  private DoubtfulFacilitator(HttpServer server, URI honest) {
    this.server = server;
    this.honest = honest;
  }

  /** Starts to serve on a free port before the facilitator at this base address. */
  static DoubtfulFacilitator before(URI honest) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    DoubtfulFacilitator doubtful = new DoubtfulFacilitator(server, honest);
    server.setExecutor(doubtful.threads);
    server.createContext("/", doubtful::answer);
    server.start();
    return doubtful;
  }

  /** The base address. */
  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/facilitator";
  }

  /** How many settlements were told wrongly, or not at all. */
  int doubts() {
    return doubts.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      HttpResponse<byte[]> answer = passOn(exchange);
      int turn = isSettlement(exchange) ? settlements.getAndIncrement() % EVERY : -1;
      if (turn == 0 || turn == EVERY / 2) {
        doubts.incrementAndGet();
      }
      if (turn == 0) {
        send(exchange, 200, TIMED_OUT);
      } else if (turn != EVERY / 2) {
        send(exchange, answer.statusCode(), answer.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isSettlement(HttpExchange exchange) {
    return exchange.getRequestURI().getPath().endsWith("/settle");
  }

  private HttpResponse<byte[]> passOn(HttpExchange exchange)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(honest.resolve(exchange.getRequestURI())).timeout(TIMEOUT);
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (name.equalsIgnoreCase("Content-Type")
                  || name.equalsIgnoreCase("Idempotency-Key")) {
                request.header(name, values.get(0));
              }
            });
    byte[] body = exchange.getRequestBody().readAllBytes();
    request.method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    return Offer.HTTP.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
