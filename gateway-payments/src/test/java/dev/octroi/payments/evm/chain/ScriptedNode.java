package dev.octroi.payments.evm.chain;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers every call of a node the same way, but tells its chain first. */
final class ScriptedNode implements AutoCloseable {

  static final String BASE = "0x2105";

  final AtomicInteger asked = new AtomicInteger();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final HttpServer server;
  private volatile String chain;
  private final int status;
  private final String answer;
  private final boolean hanging;

  private ScriptedNode(String chain, int status, String answer, boolean hanging) {
    this.chain = chain;
    this.status = status;
    this.answer = answer;
    this.hanging = hanging;
    try {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  static ScriptedNode answering(String answer) {
    return new ScriptedNode(BASE, 200, answer, false);
  }

  static ScriptedNode failing(int status) {
    return new ScriptedNode(BASE, status, "", false);
  }

  static ScriptedNode ofChain(String chain) {
    return new ScriptedNode(chain, 200, result("\"0x1\""), false);
  }

  /** Sends the head of an answer and one byte, and no more. */
  static ScriptedNode hanging() {
    return new ScriptedNode(BASE, 200, "", true);
  }

  static String result(String json) {
    return "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":" + json + "}";
  }

  /** Where it listens. */
  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v2/secret-key");
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    boolean introduction = body.startsWith("{") && body.contains("eth_chainId");
    if (!introduction) {
      asked.incrementAndGet();
    }
    if (hanging && !introduction) {
      hang(exchange);
      return;
    }
    byte[] bytes =
        (introduction ? result('"' + chain + '"') : told(body)).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(
        introduction ? 200 : status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** The answer with the chain behind it, which is asked for last; what is no JSON stays alone. */
  private String told(String body) {
    if (body.startsWith("{")) {
      return answer;
    }
    int last = body.split("\"method\"", -1).length - 2;
    String chainTold = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":\"%s\"}".formatted(last, chain);
    if (answer.startsWith("[{")) {
      return answer.substring(0, answer.length() - 1) + "," + chainTold + "]";
    }
    return answer.startsWith("{\"jsonrpc") ? "[" + answer + "," + chainTold + "]" : answer;
  }

  /** From now on its address leads to a node of another chain. */
  void becomesOfChain(String other) {
    chain = other;
  }

  private void hang(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 1_000);
    exchange.getResponseBody().write('{');
    exchange.getResponseBody().flush();
    try {
      closing.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
