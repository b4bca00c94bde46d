package dev.octroi.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A voice vendor over HTTP that places calls, and may lose orders or the answers to them. */
final class VoiceLine implements AutoCloseable {

  /** What goes wrong. */
  enum Mood {
    WELL,
    /** The call is placed, and its answer is cut off. */
    ANSWER_LOST,
    /** Nothing is placed, and nothing is answered. */
    ORDER_LOST
  }

  /** What is said instead of doing what is asked. */
  private record Refusal(int status, String body) {}

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, String> keys = new ConcurrentSkipListMap<>();
  private volatile Mood mood = Mood.WELL;
  private volatile @Nullable Refusal refusal;
  private volatile String stage = "\"queue_status\":\"queued\"";
  private final LoopbackServer server = new LoopbackServer(this::serve);

  String base() {
    return server.base().toString();
  }

  void mood(Mood next) {
    mood = next;
  }

  /** From now on nothing is done. */
  void refuses(int status, String body) {
    refusal = new Refusal(status, body);
  }

  /** From now on every call is in progress. */
  void answers() {
    stage = "\"queue_status\":\"started\",\"answered_by\":\"human\"";
  }

  /** From now on no call is known that was placed before. */
  void forget() {
    keys.clear();
  }

  int placed() {
    return keys.size();
  }

  /** The vendor's id of the only call. */
  String call() {
    return keys.keySet().iterator().next();
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (!exchange.getRequestMethod().equals("POST")) {
      answer(exchange, path.equals("/v1/calls") ? list() : details(path.substring(10)));
      return;
    }
    if (mood == Mood.ORDER_LOST) {
      exchange.close();
      return;
    }
    Refusal no = refusal;
    if (no != null) {
      answer(exchange, no.status(), no.body());
      return;
    }
    boolean start = path.equals("/v1/calls");
    if (start && !"carrier-key".equals(exchange.getRequestHeaders().getFirst("encrypted_key"))) {
      answer(exchange, 400, "{\"status\":\"error\",\"errors\":[\"Invalid encrypted_key\"]}");
      return;
    }
    JsonNode order = JSON.readTree(body);
    String id = "v-" + (keys.size() + 1);
    keys.put(id, order.at("/metadata/gateway_key").asText());
    if (mood == Mood.ANSWER_LOST) {
      exchange.close();
      return;
    }
    answer(exchange, "{\"status\":\"success\",\"call_id\":\"" + id + "\"}");
  }

  private String list() {
    StringBuilder calls = new StringBuilder();
    for (String id : keys.keySet()) {
      calls.append(calls.isEmpty() ? "" : ",").append("{\"call_id\":\"" + id + "\"}");
    }
    return "{\"calls\":[" + calls + "]}";
  }

  private String details(String id) {
    return keys.containsKey(id)
        ? "{\"call_id\":\""
            + id
            + "\","
            + stage
            + ",\"metadata\":{\"gateway_key\":\""
            + keys.get(id)
            + "\"}}"
        : "{\"status\":\"error\",\"message\":\"not found\"}";
  }

  private static void answer(HttpExchange exchange, String json) throws IOException {
    answer(exchange, 200, json);
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.close();
  }
}
