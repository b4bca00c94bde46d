package dev.octroi.reference.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The request that {@code pay} makes, with the option letters of curl. */
final class CallOptions {

  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  @Option(
      names = {"-X", "--request"},
      paramLabel = "METHOD",
      description = "HTTP method. Default: GET, or POST with -d.")
  private @Nullable String method;

  @Option(
      names = {"-d", "--data-body"},
      paramLabel = "BODY|@file",
      description = "Request body, or @file to read it from a file. JSON unless -H says otherwise.")
  private @Nullable String body;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "'Name: value'",
      description = "Request header; may be repeated.")
  private List<String> headers = List.of();

  @Parameters(index = "0", paramLabel = "URL", description = "What to call.")
  private @Nullable URI url;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  HttpRequest request() {
    byte[] content = body == null ? new byte[0] : content(body);
    String verb = method != null ? method : body == null ? "GET" : "POST";
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(url)
              .timeout(TIMEOUT)
              .method(
                  verb,
                  body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(content));
      if (body != null) {
        request.setHeader("Content-Type", "application/json");
      }
      headers.forEach(header -> set(request, header));
      return request.build();
    } catch (IllegalArgumentException e) {
      throw wrong("This URL, method or header cannot be sent: " + e.getMessage());
    }
  }

  private void set(HttpRequest.Builder request, String header) {
    int colon = header.indexOf(':');
    if (colon < 1) {
      throw wrong("'" + header + "' is not a header. Write it 'Name: value'");
    }
    request.setHeader(header.substring(0, colon).strip(), header.substring(colon + 1).strip());
  }

  private static byte[] content(String body) {
    if (!body.startsWith("@")) {
      return body.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
    try {
      return Files.readAllBytes(Path.of(body.substring(1)));
    } catch (IOException e) {
      throw new UncheckedIOException("The body file " + body.substring(1) + " cannot be read", e);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(java.util.Objects.requireNonNull(spec).commandLine(), message);
  }
}
