package dev.octroi.sandbox.cryptodata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.SandboxServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The vendor on a real server at a fixed time, with a caller. */
final class VendorServer implements AutoCloseable {

  static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  private static final ObjectMapper JSON = new ObjectMapper();

  final CryptoDataVendor vendor;
  private final SandboxServer server;
  private final HttpClient caller = HttpClient.newHttpClient();

  VendorServer() {
    this(Duration.ofSeconds(30));
  }

  VendorServer(Duration queryLimit) {
    vendor = new CryptoDataVendor(Clock.fixed(NOW, ZoneOffset.UTC), queryLimit);
    server = SandboxServer.start(0, List.of(vendor));
  }

  /** What came back. */
  record Reply(int status, JsonNode json) {

    JsonNode data() {
      return json.path("data");
    }

    String code() {
      return json.path("error").path("code").asText();
    }
  }

  Reply get(String pathAndQuery) throws IOException, InterruptedException {
    return reply(caller.send(request(pathAndQuery).build(), HttpResponse.BodyHandlers.ofString()));
  }

  Reply post(String path, String body) throws IOException, InterruptedException {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return reply(caller.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  Reply sql(String statement) throws IOException, InterruptedException {
    return post("/onchain/sql", JSON.createObjectNode().put("sql", statement).toString());
  }

  /** A query on a connection that can be hung up. */
  CompletableFuture<HttpResponse<String>> sqlPending(String statement) {
    String body = JSON.createObjectNode().put("sql", statement).toString();
    return HttpClient.newHttpClient()
        .sendAsync(
            request("/onchain/sql")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String pathAndQuery) {
    return HttpRequest.newBuilder(
            URI.create(server.baseAddress("cryptodata") + Wire.word(pathAndQuery)))
        .header("Authorization", "Bearer sandbox");
  }

  private static Reply reply(HttpResponse<String> answer) throws IOException {
    return new Reply(answer.statusCode(), JSON.readTree(answer.body()));
  }

  @Override
  public void close() {
    server.close();
  }
}
