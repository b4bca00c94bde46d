package dev.octroi.payments.evm.chain;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The way to a real node, on which each request is noted; can be cut. */
final class CountedNode implements AutoCloseable {

  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final URI node;
  private volatile boolean cut;

  CountedNode(URI node) {
    this.node = node;
    try {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::pass);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/secret-of-the-node");
  }

  /** The bodies that came since the last {@link #forget}. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  void forget() {
    requests.clear();
  }

  /** From now on the node answers with an error of its server. */
  void cut() {
    cut = true;
  }

  private void pass(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    requests.add(new String(body, StandardCharsets.UTF_8));
    byte[] answer = cut ? new byte[0] : forward(body);
    exchange.sendResponseHeaders(cut ? 503 : 200, answer.length == 0 ? -1 : answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private byte[] forward(byte[] body) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(node)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
