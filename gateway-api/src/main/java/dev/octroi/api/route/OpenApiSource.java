package dev.octroi.api.route;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.RouteSettings;
import dev.octroi.payments.http.BoundedBody;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.PageFetcher.FetchLimits;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.PageFetcher.Wanted;
import dev.octroi.services.web.WebAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Finds the document that a route's setting names: a file, or an address. */
final class OpenApiSource {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int REDIRECTS = 3;

  private final String named;
  private final RouteSettings settings;

  private OpenApiSource(String named, RouteSettings settings) {
    this.named = named;
    this.settings = settings;
  }

  /**
   * Reads the document.
   *
   * @param named a file or an address
   * @param settings those of its route
   * @throws InvalidSettings with what is to be changed, if it cannot be read
   */
  static byte[] read(String named, RouteSettings settings) {
    return new OpenApiSource(named, settings).bytes();
  }

  /** Whether a document is named by an address. */
  static boolean isAddress(String named) {
    return named.toLowerCase(Locale.ROOT).matches("https?://.*");
  }

  private byte[] bytes() {
    if (!isAddress(named)) {
      return file();
    }
    URI address =
        WebAddress.of(named).orElseThrow(() -> unreadable("it is no plain address")).uri();
    return origin(address).equals(origin(settings.target())) ? ofTarget(address) : ofWeb(address);
  }

  private byte[] file() {
    try {
      Path file = Path.of(named);
      if (Files.isRegularFile(file)) {
        try (InputStream in = Files.newInputStream(file)) {
          return in.readNBytes(OpenApiDocument.LONGEST + 1);
        }
      }
      throw unreadable("there is no such file");
    } catch (IOException | InvalidPathException e) {
      throw unreadable("the file cannot be read; name one that the gateway may read");
    }
  }

  /** The server that calls are passed on to is asked like in a call, with the same headers. */
  private byte[] ofTarget(URI address) {
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(address);
      settings.header().forEach((name, value) -> request.setHeader(name, value.value()));
      HttpResponse<byte[]> answer =
          BoundedBody.answer(http, request.build(), OpenApiDocument.LONGEST, PATIENCE);
      if (answer.statusCode() != 200) {
        throw unreadable("the target answers with " + answer.statusCode());
      }
      return answer.body();
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable("the target does not answer, too slowly, or with more than 4 MiB");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreadable("the gateway is stopping");
    }
  }

  /** All else is asked for like any page of the web: no address of the inside is. */
  private byte[] ofWeb(URI address) {
    FetchLimits limits = new FetchLimits(PATIENCE, OpenApiDocument.LONGEST, REDIRECTS, 1);
    int other = address.getScheme().equals("https") ? 80 : 443;
    Set<Integer> ports = new HashSet<>(List.of(port(address), other));
    try (PageFetcher web =
        new PageFetcher(limits, ports, Wanted.DOCUMENT, HostThreads.OF_THE_JVM)) {
      Fetched fetched = web.fetch(new WebAddress(address), Deadline.in(PATIENCE));
      if (fetched instanceof Fetched.Refused refused) {
        throw unreadable(
            refused.reason().text() + "; save it as a file, or let the target have it");
      }
      return ((Fetched.Page) fetched).body();
    } catch (Failure e) {
      throw unreadable("it cannot be fetched now");
    }
  }

  private static List<Object> origin(URI address) {
    return List.of(
        String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT),
        String.valueOf(address.getHost()).toLowerCase(Locale.ROOT),
        port(address));
  }

  private static int port(URI address) {
    return Optional.of(address.getPort())
        .filter(port -> port != -1)
        .orElseGet(() -> "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80);
  }

  private InvalidSettings unreadable(String why) {
    return new InvalidSettings(List.of(named + ": " + why));
  }
}
