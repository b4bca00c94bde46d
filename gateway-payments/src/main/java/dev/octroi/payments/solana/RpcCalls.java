package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.http.BoundedBody;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * JSON-RPC to one node, with a deadline over all of a call and a limit on its answer. Thread-safe.
 *
 * <p>The node's address may hold a key: it stands in no message and in no log.
 */
final class RpcCalls {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_ANSWER_BYTES = 1 << 20;
  private static final int OK = 200;

  private final HttpClient http;
  private final URI url;
  private final Duration deadline;

  /** Throws {@link IllegalArgumentException} if the address is not http or https. */
  RpcCalls(HttpClient http, URI url, Duration deadline) {
    if (url.getHost() == null || !List.of("http", "https").contains(url.getScheme())) {
      throw new IllegalArgumentException("a node's address begins with http:// or https://");
    }
    this.http = http;
    this.url = url;
    this.deadline = deadline;
  }

  /** Throws {@link IOException} if no usable answer came; the call may have reached the node. */
  RpcReply ask(String method, Object... parameters) throws IOException {
    byte[] body =
        JSON.writeValueAsBytes(
            Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", List.of(parameters)));
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    HttpResponse<byte[]> response = await(request, method);
    JsonNode answer = JSON.readTree(response.body());
    if (answer != null && answer.path("error").isObject()) {
      JsonNode error = answer.path("error");
      return new RpcReply.Refused(error.path("code").asInt(), error.path("data"));
    }
    if (response.statusCode() != OK || answer == null || !answer.has("result")) {
      throw new IOException(method + " was answered with status " + response.statusCode());
    }
    return new RpcReply.Result(answer.path("result"));
  }

  /** The result; a refusal is no usable answer. */
  JsonNode read(String method, Object... parameters) throws IOException {
    RpcReply reply = ask(method, parameters);
    if (reply instanceof RpcReply.Result result) {
      return result.value();
    }
    throw new IOException(method + " was refused with " + ((RpcReply.Refused) reply).code());
  }

  /** A client's own timeout ends with the headers; this one covers the body. */
  private HttpResponse<byte[]> await(HttpRequest request, String method) throws IOException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, info -> new BoundedBody(MAX_ANSWER_BYTES));
    try {
      return answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException(method + " was not answered in " + deadline);
    } catch (ExecutionException e) {
      // Without its text, which may name the address.
      throw new IOException(method + " failed with " + kind(e));
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(method + " was interrupted");
    }
  }

  private static String kind(ExecutionException e) {
    return Objects.requireNonNullElse(e.getCause(), e).getClass().getSimpleName();
  }

  /** What a node says to one call. */
  sealed interface RpcReply {

    /** Its result; a JSON null where there is none. */
    record Result(JsonNode value) implements RpcReply {}

    /**
     * The node understood and refused.
     *
     * @param code JSON-RPC's error code
     * @param data what the error carries besides
     */
    record Refused(int code, JsonNode data) implements RpcReply {}
  }
}
