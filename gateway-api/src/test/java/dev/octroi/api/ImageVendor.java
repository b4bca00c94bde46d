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
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.imageio.ImageIO;

/**
 * An upstream of image models: what it draws, and when, is told by words in the prompt. {@code
 * held}: when the test lets it; {@code filtered} and {@code fail}: not at all; {@code large}: more
 * than answers of other groups may have; {@code linked}: only an address, where nothing is.
 */
final class ImageVendor implements AutoCloseable {

  private static final String FILTERED =
      "{\"error\":{\"code\":\"content_policy_violation\",\"message\":\"no\"}}";

  /** In base64; what is drawn at random cannot be made any smaller. */
  static final String LARGE = Base64.getEncoder().encodeToString(noise(1_600));

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
      if (body.contains("\"stream\":true") || body.contains("name=\"stream\"")) {
        stream(exchange, body, held);
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

  /**
   * One picture of the work in progress at once, the whole one when it is let go; {@code breaks}:
   * nothing more, {@code refusedlate}: an error in its place, {@code refusedsoon}: at once.
   */
  private static void stream(HttpExchange exchange, String body, CountDownLatch held)
      throws IOException, InterruptedException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    String kind = body.startsWith("{") ? "image_generation" : "image_edit";
    if (!body.contains("refusedsoon")) {
      write(exchange, event(kind + ".partial_image"));
      held.await();
    }
    if (body.contains("refused")) {
      write(exchange, "data: {\"type\":\"error\",\"error\":{\"code\":\"moderation_blocked\"}}\n\n");
    } else if (!body.contains("breaks")) {
      write(exchange, event(kind + ".completed"));
    }
  }

  private static String event(String type) {
    return "event: %s\ndata: {\"type\":\"%s\",\"usage\":{\"total_tokens\":7},\"b64_json\":\"%s\"}\n\n"
        .formatted(type, type, picture(8));
  }

  private static void write(HttpExchange exchange, String events) throws IOException {
    exchange.getResponseBody().write(events.getBytes(StandardCharsets.UTF_8));
    exchange.getResponseBody().flush();
  }

  private static String drawn(String body) {
    JsonNode asked = body.startsWith("{") ? Admin.json(body) : Admin.json("{\"n\":1}");
    if (body.contains("linked")) {
      return "{\"created\":1,\"data\":[{\"url\":\"https://gone.invalid/a.png\"}]}";
    }
    StringBuilder data = new StringBuilder();
    for (int i = 0; i < asked.path("n").asInt(1); i++) {
      data.append(i == 0 ? "" : ",")
          .append("{\"b64_json\":\"")
          .append(body.contains("large") ? LARGE : picture(16 + i))
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
    return png(new BufferedImage(width, height, type));
  }

  private static byte[] noise(int side) {
    BufferedImage picture = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
    Random random = new Random(1);
    picture.setRGB(0, 0, side, side, random.ints((long) side * side).toArray(), 0, side);
    return png(picture);
  }

  private static byte[] png(BufferedImage picture) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ImageIO.write(picture, "png", out);
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
