package dev.octroi.sandbox.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.SandboxServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** The vendor on a sandbox server of its own at a fixed time, and the calls that tests make. */
final class VendorUnderTest implements AutoCloseable {

  static final Instant NOW = Instant.parse("2026-06-17T15:42:10Z");
  static final long SECOND = NOW.getEpochSecond();

  /** Not known to the vendor. */
  static final String UNKNOWN = "0x" + "0".repeat(37) + "404";

  /** Its cluster is still being computed. */
  static final String PENDING = "0x" + "0".repeat(37) + "202";

  /** Its condition has been removed with all data of its trading. */
  static final String ARCHIVED = "0x" + "0".repeat(60) + "0410";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final SandboxServer server;

  VendorUnderTest() {
    this(Clock.fixed(NOW, ZoneOffset.UTC));
  }

  VendorUnderTest(Clock clock) {
    this.server = SandboxServer.start(0, List.of(new PredictionVendor(clock)));
  }

  HttpResponse<String> send(String path) {
    return send(request(path).GET());
  }

  HttpResponse<String> post(String path, String body) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private HttpRequest.Builder request(String path) {
    URI uri = URI.create(server.baseAddress("prediction") + "/v2" + path);
    return HttpRequest.newBuilder(uri).header("x-api-key", "sandbox");
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError("The sandbox did not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  /** The body of an answer that must be 200. */
  JsonNode get(String path) {
    HttpResponse<String> answer = send(path);
    if (answer.statusCode() != 200) {
      throw new AssertionError(path + " answered " + answer.statusCode() + ": " + answer.body());
    }
    return json(answer.body());
  }

  /** All rows of a list that is paged by key. */
  List<JsonNode> all(String path, String name) {
    List<JsonNode> rows = new ArrayList<>();
    String key = "";
    boolean more = true;
    for (int page = 0; more && page < 2_000; page++) {
      JsonNode body = get(path + (path.contains("?") ? "&" : "?") + "pagination_key=" + key);
      body.path(name).forEach(rows::add);
      more = body.path("pagination").path("has_more").asBoolean();
      key = body.path("pagination").path("pagination_key").asText();
    }
    if (more) {
      throw new AssertionError(path + " does not end");
    }
    return rows;
  }

  static JsonNode json(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new AssertionError("Not JSON: " + body, e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
