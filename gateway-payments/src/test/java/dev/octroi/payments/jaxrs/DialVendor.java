package dev.octroi.payments.jaxrs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.octroi.payments.jaxrs.Dialler.Step;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Dials for the {@link Dialler}, and lets its call hang where a test wants to kill it. */
final class DialVendor implements AutoCloseable {

  /** Where a call is to end. */
  private record Stop(Step step, CountDownLatch reached, CountDownLatch over) {}

  private interface Conversation {
    String answer(String asked) throws InterruptedException;
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> dialled = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Stop> stop = new AtomicReference<>();
  private final HttpServer server;

  DialVendor() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(threads);
    server.createContext("/dial", exchange -> answer(exchange, this::dial));
    server.createContext("/ask", exchange -> answer(exchange, this::known));
    server.createContext("/step", exchange -> answer(exchange, this::pass));
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** The idempotency keys of all calls that were dialled. */
  List<String> dialled() {
    return dialled;
  }

  /** The next call that comes so far hangs there. */
  void stopAt(Step step) {
    stop.set(new Stop(step, new CountDownLatch(1), new CountDownLatch(1)));
  }

  boolean isReached(long seconds) throws InterruptedException {
    Stop armed = stop.get();
    return armed != null && armed.reached().await(seconds, TimeUnit.SECONDS);
  }

  /** The process that hung is dead; no other is to hang. */
  void letGo() {
    Stop armed = stop.getAndSet(null);
    if (armed != null) {
      armed.over().countDown();
    }
  }

  private String dial(String vendorKey) {
    dialled.add(vendorKey);
    return "CA" + dialled.size();
  }

  /** What it was dialled as; empty if it never was. */
  private String known(String vendorKey) {
    int place = dialled.indexOf(vendorKey);
    return place < 0 ? "" : "CA" + (place + 1);
  }

  private String pass(String step) throws InterruptedException {
    Stop armed = stop.get();
    if (armed != null && armed.step().name().equals(step)) {
      armed.reached().countDown();
      armed.over().await();
    }
    return "on";
  }

  private static void answer(HttpExchange exchange, Conversation how) throws IOException {
    String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    try (OutputStream out = exchange.getResponseBody()) {
      byte[] answer = how.answer(asked).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
      out.write(answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    letGo();
    server.stop(0);
    threads.shutdownNow();
  }
}
