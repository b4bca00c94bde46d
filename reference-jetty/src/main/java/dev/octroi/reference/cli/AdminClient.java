package dev.octroi.reference.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Speaks with a gateway's operator interface. */
final class AdminClient {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final int PAGE = 100;

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final String base;
  private final String token;

  AdminClient(URI gateway, String token) {
    this.base = gateway.toString().replaceAll("/+$", "") + "/admin/v1/";
    this.token = token;
  }

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  JsonNode get(String path) throws IOException {
    return send(request(path).GET());
  }

  JsonNode post(String path, ObjectNode body) throws IOException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString())));
  }

  /** For what reads all there is. */
  JsonNode postSlowly(String path, ObjectNode body) throws IOException {
    return send(
        request(path)
            .timeout(LONG)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString())));
  }

  /** Copies an answer as it comes, however long it is. */
  void copy(String path, OutputStream out) throws IOException {
    try {
      HttpResponse<InputStream> answer =
          http.send(request(path).timeout(LONG).GET().build(), BodyHandlers.ofInputStream());
      try (InputStream body = answer.body()) {
        if (answer.statusCode() >= 400) {
          throw new AdminRefused(
              answer.statusCode(),
              JSON.readTree(body).path("error").asText("The gateway refused it."));
        }
        body.transferTo(out);
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  JsonNode put(String path, ObjectNode body) throws IOException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body.toString())));
  }

  /**
   * The rows of all pages, up to a number of them.
   *
   * @param path with a query or without
   */
  ArrayNode all(String path, int most) throws IOException {
    ArrayNode rows = JSON.createArrayNode();
    String cursor = "";
    do {
      int limit = Math.min(PAGE, most - rows.size());
      String query = (path.contains("?") ? "&" : "?") + "limit=" + limit + cursor;
      JsonNode page = get(path + query);
      page.path("data").forEach(rows::add);
      String next = page.path("nextCursor").textValue();
      cursor = next == null ? "" : "&cursor=" + encoded(next);
    } while (!cursor.isEmpty() && rows.size() < most);
    return rows;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .timeout(TIMEOUT)
        .header("Authorization", "Bearer " + token);
  }

  private JsonNode send(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      JsonNode body = JSON.readTree(answer.body());
      if (answer.statusCode() >= 400) {
        throw new AdminRefused(
            answer.statusCode(), body.path("error").asText("The gateway refused it."));
      }
      return body;
    } catch (JsonProcessingException e) {
      throw new IOException("the answer is not a gateway's: " + base, e);
    } catch (java.net.ConnectException e) {
      throw new IOException("no gateway answers at " + base, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** The gateway does not do what the operator asked for. */
  static final class AdminRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AdminRefused(int status, String sentence) {
      super("refused (" + status + "): " + sentence);
    }
  }
}
