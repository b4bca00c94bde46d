package dev.octroi.testchain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** JSON-RPC to the test's own node. Thread-safe. */
final class NodeCalls {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI url;

  NodeCalls(URI url) {
    this.url = url;
  }

  URI url() {
    return url;
  }

  JsonNode call(String method, Object... parameters) {
    try {
      byte[] body =
          JSON.writeValueAsBytes(
              Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", List.of(parameters)));
      HttpRequest request =
          HttpRequest.newBuilder(url)
              .timeout(DEADLINE)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      JsonNode answer =
          JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
      if (answer.hasNonNull("error")) {
        throw new NodeRefused(method, answer.path("error").toString());
      }
      return answer.path("result");
    } catch (IOException e) {
      throw new IllegalStateException(method, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(method, e);
    }
  }

  String send(String from, String to, String data) {
    return submit("eth_sendTransaction", from, to, data).textValue();
  }

  /** The receipt, which the node gives once the transaction is mined. */
  JsonNode sendAndWait(String from, String to, String data) {
    return submit("eth_sendTransactionSync", from, to, data);
  }

  private JsonNode submit(String method, String from, String to, String data) {
    Map<String, String> transaction = new HashMap<>(Map.of("from", from, "data", data));
    if (!to.isEmpty()) {
      transaction.put("to", to);
    }
    call("anvil_impersonateAccount", from);
    return call(method, transaction);
  }

  String ask(String contract, String data) {
    return call("eth_call", Map.of("to", contract, "data", data), "latest").textValue();
  }

  static BigInteger number(JsonNode hex) {
    return new BigInteger(hex.textValue().substring(2), 16);
  }

  static String hex(BigInteger number) {
    return "0x" + number.toString(16);
  }
}
