package dev.octroi.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.imageio.ImageIO;

/**
 * An upstream of image models: what it draws, and when, is told by words in the prompt. {@code
 * held}: when the test lets it; {@code filtered} and {@code fail}: not at all.
 */
final class ImageVendor implements AutoCloseable {

  private static final String FILTERED =
      "{\"error\":{\"code\":\"content_policy_violation\",\"message\":\"no\"}}";

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch gate = new CountDownLatch(1);
  private final LoopbackServer server = new LoopbackServer(this::serve);

  URI base() {
    return server.base();
  }

  /** The bodies that came, in order. */
  List<String> asked() {
    return asked;
  }

  /** Whether a prompt with these words has come; what has not come cannot be let go on. */
  boolean isAsked(String words) {
    return asked.stream().anyMatch(body -> body.contains(words));
  }

  /** Lets all go on that is held, and holds what comes later. */
  void release() {
    CountDownLatch before = gate;
    gate = new CountDownLatch(1);
    before.countDown();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body =
          new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
      CountDownLatch held = gate;
      asked.add(body);
      if (body.contains("\"stream\":true")) {
        stream(exchange, held);
        return;
      }
      await(body, held);
      int status = body.contains("filtered") ? 400 : body.contains("fail") ? 500 : 200;
      answer(exchange, status, status == 200 ? drawn(body) : status == 400 ? FILTERED : "{}");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(String body, CountDownLatch held) throws InterruptedException {
    if (body.contains("held")) {
      held.await();
    }
  }

  /** One picture of the work in progress at once, the whole one when it is let go. */
  private static void stream(HttpExchange exchange, CountDownLatch held)
      throws IOException, InterruptedException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    String picture = ",\"b64_json\":\"" + picture(8) + "\"}\n\n";
    exchange
        .getResponseBody()
        .write(
            ("data: {\"type\":\"image_generation.partial_image\"" + picture)
                .getBytes(StandardCharsets.UTF_8));
    exchange.getResponseBody().flush();
    held.await();
    exchange
        .getResponseBody()
        .write(
            ("data: {\"type\":\"image_generation.completed\"" + picture)
                .getBytes(StandardCharsets.UTF_8));
  }

  private static String drawn(String body) {
    JsonNode asked = body.startsWith("{") ? Admin.json(body) : Admin.json("{\"n\":1}");
    StringBuilder data = new StringBuilder();
    for (int i = 0; i < asked.path("n").asInt(1); i++) {
      data.append(i == 0 ? "" : ",")
          .append("{\"b64_json\":\"")
          .append(picture(16 + i))
          .append("\"}");
    }
    return "{\"created\":1,\"data\":[" + data + "]}";
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  static String picture(int side) {
    return Base64.getEncoder().encodeToString(png(side, side, false));
  }

  static byte[] png(int width, int height, boolean alpha) {
    int type = alpha ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ImageIO.write(new BufferedImage(width, height, type), "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  @Override
  public void close() {
    release();
    server.close();
  }
}
