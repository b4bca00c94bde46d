package dev.octroi.payments.chain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.http.BoundedBody;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node of a chain, asked by JSON-RPC 2.0, with a deadline over all of an exchange and a limit
 * on its answer. Thread-safe.
 *
 * <p>The node's address may hold a key: it stands in no message.
 */
public final class RpcConnection {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int OK = 200;

  private final HttpClient http;
  private final URI url;
  private final int longest;

  /**
   * Connects to nothing yet.
   *
   * @param url http or https
   * @param longest the largest answer in bytes
   * @throws IllegalArgumentException if the address cannot be used
   */
  public RpcConnection(HttpClient http, URI url, int longest) {
    if (url.getHost() == null || !List.of("http", "https").contains(url.getScheme())) {
      throw new IllegalArgumentException("a node's address begins with http:// or https://");
    }
    if (url.getUserInfo() != null) {
      throw new IllegalArgumentException("a node's address holds no user and password");
    }
    this.http = http;
    this.url = url;
    this.longest = longest;
  }

  /**
   * Asks in one request: one call as an object, several as an array.
   *
   * @return the answers in the order of the calls
   * @throws IOException if no usable answer came in time; the calls may have reached the node
   */
  public List<RpcAnswer> exchange(List<RpcCall> calls, Duration time) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(written(calls)))
            .build();
    HttpResponse<byte[]> response = await(request, time);
    if (response.statusCode() != OK) {
      throw new IOException("it answered with status " + response.statusCode());
    }
    return read(response.body(), calls.size());
  }

  private HttpResponse<byte[]> await(HttpRequest request, Duration time) throws IOException {
    try {
      return BoundedBody.answer(http, request, longest, time.isNegative() ? Duration.ZERO : time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the wait was interrupted");
    } catch (IOException e) {
      // Its words may hold the address.
      throw new IOException(
          e instanceof HttpTimeoutException && !(e instanceof HttpConnectTimeoutException)
              ? "it took too long"
              : "the connection failed: " + e.getClass().getSimpleName());
    }
  }

  private static byte[] written(List<RpcCall> calls) {
    ArrayNode batch = JSON.createArrayNode();
    for (int i = 0; i < calls.size(); i++) {
      RpcCall call = calls.get(i);
      ObjectNode message =
          batch.addObject().put("jsonrpc", "2.0").put("id", i).put("method", call.method());
      message.set("params", JSON.valueToTree(call.parameters()));
    }
    try {
      return JSON.writeValueAsBytes(calls.size() == 1 ? batch.get(0) : batch);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The answers in the order of their ids: a node may give them in any. */
  private static List<RpcAnswer> read(byte[] body, int count) throws IOException {
    JsonNode message;
    try {
      message = JSON.readTree(body);
    } catch (IOException e) {
      throw new IOException("it answered with what is no JSON");
    }
    if (count == 1 && message.isObject()) {
      return List.of(answer(message));
    }
    @Nullable RpcAnswer[] answers = new RpcAnswer[count];
    for (JsonNode one : message) {
      int id = one.path("id").asInt(-1);
      if (id >= 0 && id < count) {
        answers[id] = answer(one);
      }
    }
    if (!message.isArray() || Arrays.asList(answers).contains(null)) {
      throw new IOException("it did not answer each call");
    }
    return List.of(answers);
  }

  private static RpcAnswer answer(JsonNode message) throws IOException {
    JsonNode error = message.path("error");
    if (error.isObject()) {
      return new RpcAnswer.Refused(
          error.path("code").asLong(), error.path("message").asText(""), error.path("data"));
    }
    if (!message.has("result")) {
      throw new IOException("it answered with what is no JSON-RPC");
    }
    return new RpcAnswer.Result(message.path("result"));
  }

  /**
   * A JSON-RPC call.
   *
   * @param method such as {@code eth_call}
   * @param parameters its positional parameters, as Jackson writes them
   */
  public record RpcCall(String method, List<?> parameters) {

    public RpcCall {
      parameters = List.copyOf(parameters);
    }

    /** A call by its method and parameters. */
    public static RpcCall of(String method, Object... parameters) {
      return new RpcCall(method, List.of(parameters));
    }
  }

  /** What a node says to one call. */
  public sealed interface RpcAnswer {

    /** Its result; a JSON null where there is none. */
    record Result(JsonNode value) implements RpcAnswer {}

    /**
     * The node understood and refused, such as a transaction that it knows already.
     *
     * @param code JSON-RPC's error code
     * @param message the node's own words, not for payers
     * @param data what the error carries besides; missing if nothing
     */
    record Refused(long code, String message, JsonNode data) implements RpcAnswer {}
  }
}
