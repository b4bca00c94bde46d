package dev.octroi.reference.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.http.BoundedBody;
import dev.octroi.services.Deadline;
import dev.octroi.services.upstream.BodyQueue;
import dev.octroi.services.upstream.BodyStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Speaks with a gateway's operator interface. */
final class AdminClient {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final Duration SILENT = Duration.ofMinutes(5);
  private static final Duration WHOLE = Duration.ofDays(1);
  private static final int MOST_BYTES = 64 << 20;
  private static final int PAGE = 100;
  private static final int FIRST_ERROR = 400;
  private static final int UNAUTHORIZED = 401;

  private final HttpClient http = QuickClient.make();
  private final URI gateway;
  private final String base;
  private final String token;
  private final Duration patience;

  AdminClient(URI gateway, String token) {
    this(gateway, token, TIMEOUT);
  }

  /**
   * @param patience how long an answer may take that is not long
   */
  AdminClient(URI gateway, String token, Duration patience) {
    if (ControlCharacters.areIn(token)) {
      // The client's own error quotes it.
      throw new IllegalArgumentException("The operator's token has a line break, or the like");
    }
    this.patience = patience;
    this.gateway = gateway;
    this.base = gateway.toString().replaceAll("/+$", "") + "/admin/v1/";
    this.token = token;
  }

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** A path to which parameters are added. */
  static Query query(String path) {
    return new Query(path);
  }

  /** A path with the parameters that have a value, URL-encoded. */
  record Query(String text) {

    Query with(String name, @Nullable Object value) {
      String sign = text.contains("?") ? "&" : "?";
      return value == null
          ? this
          : new Query(text + sign + name + "=" + URLEncoder.encode(value.toString(), UTF_8));
    }
  }

  JsonNode get(String path) throws IOException {
    return send(request(path).GET());
  }

  JsonNode post(String path, ObjectNode body) throws IOException {
    return send(request("POST", path, body));
  }

  /** For what reads all there is. */
  JsonNode postSlowly(String path, ObjectNode body) throws IOException {
    return send(request("POST", path, body).timeout(LONG));
  }

  /** Copies an answer as it comes, however long it is. */
  void copy(String path, OutputStream out) throws IOException {
    HttpResponse<InputStream> answer =
        exchange(() -> http.send(request(path).timeout(LONG).GET().build(), info -> body()));
    try (InputStream body = answer.body()) {
      if (answer.statusCode() >= FIRST_ERROR) {
        throw refused(answer.statusCode(), read(new String(body.readAllBytes(), UTF_8)));
      }
      body.transferTo(out);
      out.flush();
    }
  }

  JsonNode put(String path, ObjectNode body) throws IOException {
    return send(request("PUT", path, body));
  }

  /**
   * The rows of all pages, up to a number of them.
   *
   * @param path with a query or without
   */
  ArrayNode all(String path, int most) throws IOException {
    ArrayNode rows = JSON.createArrayNode();
    @Nullable String cursor = null;
    do {
      int limit = Math.min(PAGE, most - rows.size());
      JsonNode page = get(query(path).with("limit", limit).with("cursor", cursor).text());
      page.path("data").forEach(rows::add);
      cursor = page.path("nextCursor").textValue();
    } while (cursor != null && rows.size() < most);
    return rows;
  }

  private HttpRequest.Builder request(String method, String path, ObjectNode body) {
    return request(path)
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body.toString()));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .timeout(patience)
        .header("Authorization", "Bearer " + token);
  }

  private JsonNode send(HttpRequest.Builder builder) throws IOException {
    HttpRequest request = builder.build();
    Duration within = request.timeout().orElse(patience);
    HttpResponse<byte[]> answer =
        exchange(() -> BoundedBody.answer(http, request, MOST_BYTES, within));
    JsonNode body = read(new String(answer.body(), UTF_8));
    if (answer.statusCode() >= FIRST_ERROR) {
      throw refused(answer.statusCode(), body);
    }
    return body;
  }

  /** The client's own timeout ends with the headers. */
  private BodySubscriber<InputStream> body() {
    return BodySubscribers.mapping(
        new BodyQueue(() -> {}),
        come -> new BodyStream(come, SILENT, Deadline.in(WHOLE), silent -> {}));
  }

  /** A request and its answer. */
  @FunctionalInterface
  private interface Exchange<T> {
    HttpResponse<T> run() throws IOException, InterruptedException;
  }

  private <T> HttpResponse<T> exchange(Exchange<T> exchange) throws IOException {
    try {
      return exchange.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (IOException e) {
      throw new NoGateway(gateway, e);
    }
  }

  private JsonNode read(String body) throws IOException {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "What answers at " + gateway + " is no gateway of Octroi; correct the address", e);
    }
  }

  private AdminRefused refused(int status, JsonNode body) {
    return status == UNAUTHORIZED
        ? new AdminRefused(
            "The gateway at "
                + gateway
                + " refuses this operator's token. Give the token of that gateway with"
                + " --admin-token-file, or, on this machine, its data folder with --data.")
        : new AdminRefused(
            "Refused ("
                + status
                + "): "
                + body.path("error").asText("The gateway gave no reason."));
  }

  /** The gateway does not do what the operator asked for. */
  static final class AdminRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AdminRefused(String sentence) {
      super(sentence);
    }
  }

  /** No gateway answered at an address. Every command says so in the same words. */
  static final class NoGateway extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * What is told of it.
     *
     * @param asked the address; its path is not told
     */
    NoGateway(URI asked, IOException cause) {
      super(sentences(asked.getScheme() + "://" + asked.getRawAuthority(), cause), cause);
    }

    private static String sentences(String place, IOException thrown) {
      if (thrown instanceof SSLHandshakeException) {
        return "This machine does not trust the certificate at "
            + place
            + ". Name a file with it: java -Djavax.net.ssl.trustStore=FILE -jar octroi.jar.";
      }
      return "No gateway answers at "
          + place
          + reason(thrown)
          + ". Start it with java -jar octroi.jar, or correct the address.";
    }

    private static String reason(IOException thrown) {
      if (thrown instanceof HttpTimeoutException) {
        return " in time";
      }
      for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
        if (cause instanceof UnresolvedAddressException) {
          return ": the host is unknown";
        }
      }
      return thrown instanceof ConnectException || thrown.getMessage() == null
          ? ""
          : ": " + thrown.getMessage();
    }
  }
}
