package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaidAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Opens what the demo's answers link to: pictures and tracks. */
record DemoLinks(HttpClient http) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /**
   * A file that an answer linked to.
   *
   * @param found what came of opening it, for people to read
   */
  record Opened(String url, String found, boolean good) {}

  /** Opens the files of an answer; empty if it links to none. */
  List<Opened> of(PaidAnswer answer) throws IOException, InterruptedException {
    List<Opened> opened = new ArrayList<>();
    String type = answer.headers().firstValue("Content-Type").orElse("");
    if (type.startsWith("application/json")) {
      for (JsonNode file : JSON.readTree(answer.body()).path("data")) {
        String url = file.path("url").asText();
        if (file.path("url").isTextual() && url.contains("/v1/assets/")) {
          opened.add(open(url));
        }
      }
    }
    return opened;
  }

  private Opened open(String url) throws IOException, InterruptedException {
    HttpResponse<InputStream> file =
        http.send(
            HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build(),
            BodyHandlers.ofInputStream());
    try (InputStream in = file.body()) {
      long bytes = in.transferTo(OutputStream.nullOutputStream());
      String type = file.headers().firstValue("Content-Type").orElse("-");
      return new Opened(url, type + ", " + bytes + " bytes", file.statusCode() == 200 && bytes > 0);
    }
  }
}
