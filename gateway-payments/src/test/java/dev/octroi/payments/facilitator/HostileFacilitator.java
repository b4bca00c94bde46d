package dev.octroi.payments.facilitator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A facilitator over real sockets that does to each verb what a test says. */
public final class HostileFacilitator implements AutoCloseable {

  /** How it answers a request. */
  @FunctionalInterface
  public interface Act {
    void on(Exchange exchange) throws IOException, InterruptedException;
  }

  /** A request as it came. */
  public record Asked(String method, String path, Map<String, String> headers, String body) {}

  /** One connection, after its request. */
  public record Exchange(Socket socket, Asked asked, CountDownLatch closed) {

    void write(String text) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(text.getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }
  }

  private final ServerSocket server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<String, Act> acts = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  /** Supports nothing and verifies anything at first. */
  public HostileFacilitator() {
    this("127.0.0.1", 0);
  }

  /**
   * The same at an address.
   *
   * @param port 0 for any that is free
   */
  public HostileFacilitator(String address, int port) {
    try {
      server = new ServerSocket(port, 50, InetAddress.getByName(address));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    on("supported", json(404, "{}"));
    on("verify", json(200, "{\"isValid\":true}"));
    on("settle", json(500, "{}"));
    threads.execute(this::accept);
  }

  /** Its base address. */
  public URI base() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/x402");
  }

  /** Its port. */
  public int port() {
    return server.getLocalPort();
  }

  /** From now on, {@code verify}, {@code settle} or {@code supported} is answered like this. */
  public HostileFacilitator on(String verb, Act act) {
    acts.put("/x402/" + verb, act);
    return this;
  }

  /** The requests for a verb up to now. */
  public List<Asked> asked(String verb) {
    return asked.stream().filter(request -> request.path().equals("/x402/" + verb)).toList();
  }

  public static Act json(int status, String body) {
    return exchange -> exchange.write(response(status, body));
  }

  /** No answer as long as the server lives. */
  public static Act silence() {
    return exchange -> exchange.closed().await();
  }

  public static Act twice(String body) {
    return exchange -> exchange.write(response(200, body) + response(200, body));
  }

  /** The connection breaks without any answer. */
  public static Act reset() {
    return exchange -> exchange.socket().setSoLinger(true, 0);
  }

  /** An answer that never ends, a byte at a time, each in time for any timeout between bytes. */
  public static Act drip() {
    return exchange -> {
      exchange.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{");
      while (!exchange.closed().await(20, TimeUnit.MILLISECONDS)) {
        exchange.write(" ");
      }
    };
  }

  /** Less than it announces. */
  public static Act cutOff(String body) {
    return exchange ->
        exchange.write(
            "HTTP/1.1 200 OK\r\nContent-Length: " + (body.length() + 1) + "\r\n\r\n" + body);
  }

  public static Act redirect(URI to) {
    return exchange ->
        exchange.write(
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n");
  }

  /** A complete answer of megabytes that begins well. */
  public static Act huge(String body) {
    return json(200, body.substring(0, body.length() - 1) + " ".repeat(4 << 20) + "}");
  }

  private static String response(int status, String body) {
    return """
        HTTP/1.1 %d X\r
        Content-Type: application/json\r
        Connection: close\r
        Content-Length: %d\r
        \r
        %s"""
        .formatted(status, body.length(), body);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        threads.execute(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      Asked request = read(new BufferedInputStream(socket.getInputStream()));
      asked.add(request);
      acts.getOrDefault(request.path(), json(404, "{}")).on(new Exchange(socket, request, closed));
    } catch (IOException e) {
      // The client hung up, as it may.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Asked read(InputStream in) throws IOException {
    String[] start = line(in).split(" ");
    Map<String, String> headers = new ConcurrentHashMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(header.substring(0, colon).toLowerCase(), header.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Asked(start[0], start[1], Map.copyOf(headers), body);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the client hung up");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
