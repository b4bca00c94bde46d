package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON-RPC 2.0 as it goes over the wire: one call as an object, several as an array. */
final class RpcMessages {

  private static final ObjectMapper JSON = new ObjectMapper();

  private RpcMessages() {}

  static byte[] write(List<RpcCall> calls) {
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
  static List<RpcAnswer> read(byte[] body, int count) throws RpcFailure {
    JsonNode message;
    try {
      message = JSON.readTree(body);
    } catch (IOException e) {
      throw new RpcFailure("it answered with what is no JSON");
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
      throw new RpcFailure("it did not answer each call");
    }
    return List.of(answers);
  }

  private static RpcAnswer answer(JsonNode message) throws RpcFailure {
    JsonNode error = message.path("error");
    if (error.isObject()) {
      return new RpcAnswer.Refused(error.path("code").asLong(), error.path("message").asText(""));
    }
    if (!message.has("result")) {
      throw new RpcFailure("it answered with what is no JSON-RPC");
    }
    return new RpcAnswer.Result(message.path("result"));
  }
}
