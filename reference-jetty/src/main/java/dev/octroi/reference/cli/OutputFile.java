package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaidAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Keeps an answer in a file: its pictures or its track where it has some, its bytes where it has
 * none.
 *
 * @param file of the first one; the others are numbered before the dot of its name
 */
record OutputFile(HttpClient http, Path file) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int OK = 200;

  /** Writes what there is, and returns the files. */
  List<Path> keep(URI asked, PaidAnswer answer) throws IOException, InterruptedException {
    List<Path> written = new ArrayList<>();
    for (JsonNode one : things(answer)) {
      Path target = numbered(written.size());
      if (one.path("b64_json").isTextual()) {
        Files.write(target, Base64.getDecoder().decode(one.path("b64_json").asText()));
        written.add(target);
      } else if (one.path("url").isTextual()) {
        fetch(asked.resolve(one.path("url").asText()), target);
        written.add(target);
      }
    }
    if (written.isEmpty()) {
      Files.write(file, answer.body());
      written.add(file);
    }
    return written;
  }

  private static JsonNode things(PaidAnswer answer) throws IOException {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    return type.startsWith("application/json")
        ? JSON.readTree(answer.body()).path("data")
        : JSON.createArrayNode();
  }

  private Path numbered(int index) {
    if (index == 0) {
      return file;
    }
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length();
    return file.resolveSibling(name.substring(0, dot) + "-" + (index + 1) + name.substring(dot));
  }

  private void fetch(URI url, Path target) throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        http.send(
            HttpRequest.newBuilder(url).timeout(TIMEOUT).build(), BodyHandlers.ofInputStream());
    try (InputStream in = answer.body()) {
      if (answer.statusCode() != OK) {
        throw new IOException(url + " answers " + answer.statusCode());
      }
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
