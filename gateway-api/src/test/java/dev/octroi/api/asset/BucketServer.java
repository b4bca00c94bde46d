package dev.octroi.api.asset;

import com.sun.net.httpserver.HttpExchange;
import dev.octroi.api.LoopbackServer;
import dev.octroi.api.asset.S3Assets.S3Bucket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A stand-in for an S3-compatible store: objects in memory, listed page by page. It takes a request
 * only with a signature of the right form over the body that came, and a body only whole.
 */
final class BucketServer implements AutoCloseable {

  private static final String PATH = "/bucket";
  private static final int PAGE = 2;

  /** In place of a status. */
  static final int HANG_UP = 0;

  private record Stored(byte[] bytes, Map<String, String> headers) {}

  private final ConcurrentSkipListMap<String, Stored> objects = new ConcurrentSkipListMap<>();
  private final Queue<Map.Entry<String, Integer>> refusals = new ConcurrentLinkedQueue<>();
  private final LoopbackServer server = new LoopbackServer(this::serve);

  /** What the operator keeps there, as old as can be. */
  void keep(String key) {
    objects.put(key, new Stored(new byte[1], Map.of("x-amz-meta-created", "0")));
  }

  Set<String> keys() {
    return objects.keySet();
  }

  /** Answers the next requests of a method that it is busy, or hangs up on them. */
  void refuse(String method, int... statuses) {
    for (int status : statuses) {
      refusals.add(Map.entry(method, status));
    }
  }

  S3Bucket bucket() {
    return new S3Bucket(server.base(), "eu-central-1", "bucket", "files/", "AKIA", "secret");
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String key = exchange.getRequestURI().getPath().replaceFirst(PATH + "/?", "");
      Map.Entry<String, Integer> refusal = refusals.peek();
      if (refusal != null && refusal.getKey().equals(exchange.getRequestMethod())) {
        refusals.remove();
        if (refusal.getValue() != HANG_UP) {
          answer(exchange, refusal.getValue(), new byte[0]);
        }
      } else if (!isSigned(exchange, body)) {
        answer(exchange, 403, new byte[0]);
      } else if (key.isEmpty()) {
        answer(exchange, 200, list(exchange.getRequestURI().getQuery()));
      } else {
        object(exchange, key, body);
      }
    }
  }

  private void object(HttpExchange exchange, String key, byte[] body) throws IOException {
    Stored stored = objects.get(key);
    switch (exchange.getRequestMethod()) {
      case "PUT" -> {
        objects.put(key, new Stored(body, metadata(exchange)));
        answer(exchange, 200, new byte[0]);
      }
      case "DELETE" -> {
        objects.remove(key);
        answer(exchange, 204, new byte[0]);
      }
      default -> {
        if (stored == null) {
          answer(exchange, 404, new byte[0]);
        } else {
          stored.headers().forEach(exchange.getResponseHeaders()::set);
          answer(exchange, 200, part(exchange, stored.bytes()));
        }
      }
    }
  }

  private static byte[] part(HttpExchange exchange, byte[] whole) {
    String range = exchange.getRequestHeaders().getFirst("Range");
    return range == null
        ? whole
        : Arrays.copyOfRange(
            whole, Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1")), whole.length);
  }

  private byte[] list(String query) {
    String after =
        query.contains("start-after=") ? query.replaceAll(".*start-after=([^&]*).*", "$1") : "";
    String prefix = query.replaceAll(".*&prefix=([^&]*).*", "$1");
    StringBuilder xml =
        new StringBuilder("<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3/\">");
    int listed = 0;
    String last = after;
    for (Map.Entry<String, Stored> entry : objects.tailMap(after, false).entrySet()) {
      if (!entry.getKey().startsWith(prefix)) {
        continue;
      }
      if (listed++ == PAGE) {
        xml.append("<IsTruncated>true</IsTruncated>");
        break;
      }
      last = entry.getKey();
      long created = Long.parseLong(entry.getValue().headers().get("x-amz-meta-created"));
      xml.append("<Contents><Key>" + last + "</Key><LastModified>")
          .append(Instant.ofEpochSecond(created))
          .append("</LastModified></Contents>");
    }
    return xml.append("</ListBucketResult>").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, String> metadata(HttpExchange exchange) {
    Map<String, String> metadata = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (name.toLowerCase(Locale.ROOT).startsWith("x-amz-meta-")) {
                metadata.put(name.toLowerCase(Locale.ROOT), values.get(0));
              }
            });
    return metadata;
  }

  private static boolean isSigned(HttpExchange exchange, byte[] body) {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    String hash = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
    return authorization != null
        && authorization.matches(
            "AWS4-HMAC-SHA256 Credential=AKIA/\\d{8}/eu-central-1/s3/aws4_request, "
                + "SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, Signature=[0-9a-f]{64}")
        && sha256(body).equals(hash);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
      exchange.sendResponseHeaders(status, -1);
    } else {
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
