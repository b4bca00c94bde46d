package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Who operates a gateway process, with the token that it has written into its data folder.
 *
 * @param base where it serves
 * @param data its folder
 */
record Operator(URI base, Path data) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  JsonNode get(String path) throws IOException, InterruptedException {
    return send(to(path).GET());
  }

  JsonNode post(String path, String body) throws IOException, InterruptedException {
    return send(to(path).POST(BodyPublishers.ofString(body)));
  }

  /** What {@code books verify} asks for: payments, journal, balances and chain. */
  JsonNode assertBooksAgree() throws IOException, InterruptedException {
    JsonNode report = post("books/verify", "{}");
    assertThat(report.path("clean").booleanValue()).as("books of %s: %s", data, report).isTrue();
    return report;
  }

  private HttpRequest.Builder to(String path) throws IOException {
    String token = Files.readString(data.resolve("admin-token")).strip();
    return HttpRequest.newBuilder(base.resolve("/admin/v1/" + path))
        .timeout(TIMEOUT)
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + token);
  }

  private static JsonNode send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = Offer.HTTP.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    return JSON.readTree(answer.body());
  }
}
