package dev.octroi.api;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * An upstream of language models that says what a test tells it to, at the moment it is told. Its
 * mounts are upstreams of their own: {@code /first/messages}, {@code /second/chat/completions}.
 */
final class ModelVendor implements AutoCloseable {

  /** One request. */
  record Asked(String path, String body, Headers headers) {}

  private record Reply(int status, String body) {}

  private final Map<String, Reply> replies = new ConcurrentHashMap<>();
  private final Map<String, Talk> talks = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final LoopbackServer server = new LoopbackServer(this::serve);

  URI base(String mount) {
    return server.base().resolve("/" + mount);
  }

  /** From now on answers requests for a path so. */
  void says(String path, int status, String body) {
    talks.remove(path);
    replies.put(path, new Reply(status, body));
  }

  /** From now on answers requests for a path by this stream. */
  Talk talks(String path) {
    Talk talk = new Talk();
    talks.put(path, talk);
    return talk;
  }

  void forget() {
    replies.clear();
    talks.clear();
    asked.clear();
  }

  /** What was asked so far, in order. */
  List<Asked> asked() {
    return asked;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      asked.add(new Asked(path, body, exchange.getRequestHeaders()));
      Talk talk = talks.get(path);
      if (talk != null) {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        talk.hold(exchange);
        return;
      }
      Reply reply = replies.getOrDefault(path, new Reply(500, "{}"));
      byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(reply.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.close();
  }

  /** A stream that says each piece when it is told to. */
  static final class Talk {

    private static final String END = "";
    private final BlockingQueue<String> pieces = new LinkedBlockingQueue<>();
    private volatile long written;
    private volatile boolean left;

    Talk say(String piece) {
      pieces.add(piece);
      return this;
    }

    void end() {
      pieces.add(END);
    }

    /** How many bytes have left by now. */
    long written() {
      return written;
    }

    /** Whether the reader hung up while it was being told something. */
    boolean left() {
      return left;
    }

    private void hold(HttpExchange exchange) {
      try {
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        out.flush();
        for (String piece = pieces.take(); !piece.equals(END); piece = pieces.take()) {
          byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
          out.write(bytes);
          out.flush();
          written += bytes.length;
        }
      } catch (IOException gone) {
        left = true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
