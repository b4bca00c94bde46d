package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A model that speaks chat completions, and goes on and on until its reader hangs up, which it
 * counts.
 */
final class EndlessModel implements AutoCloseable {

  private static final byte[] PIECE =
      ("data: {\"id\":\"endless\",\"object\":\"chat.completion.chunk\",\"created\":1,"
              + "\"model\":\"endless\",\"choices\":[{\"index\":0,\"finish_reason\":null,"
              + "\"delta\":{\"role\":\"assistant\",\"content\":\" on\"}}]}\n\n")
          .getBytes(UTF_8);
  private static final int PAUSE_MILLIS = 10;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final AtomicInteger hangUps = new AtomicInteger();
  private final HttpServer server;

  EndlessModel() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(threads);
    server.createContext("/v1/chat/completions", this::goOn);
    server.start();
  }

  /** Its base address, as the gateway's settings want it. */
  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1");
  }

  /** How many readers have hung up on it. */
  int hangUps() {
    return hangUps.get();
  }

  private void goOn(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    try {
      while (!closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        out.write(PIECE);
        out.flush();
      }
    } catch (IOException gone) {
      hangUps.incrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close();
    }
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
