package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.evm.chain.JsonRpc.RpcAnswer;
import dev.octroi.payments.evm.chain.JsonRpc.RpcCall;
import dev.octroi.payments.http.BoundedBody;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One node, which must be of the chain that it is configured for: it tells its chain with every
 * answer, for an address may lead to another node tomorrow, and what is not to be found on another
 * chain must not count as never paid. Thread-safe.
 */
final class RpcNode {

  /** Hundreds of receipts, far above what is asked for here. */
  private static final int MAX_ANSWER_BYTES = 8 << 20;

  private static final long FAILED_NANOS = Duration.ofSeconds(20).toNanos();
  private static final RpcCall CHAIN_ID = RpcCall.of("eth_chainId");
  private static final int OK = 200;

  private final HttpClient http;
  private final URI url;
  private final int number;
  private final long chainId;
  private volatile boolean known;
  private volatile long failedAt = System.nanoTime() - FAILED_NANOS;

  RpcNode(HttpClient http, URI url, int number, long chainId) {
    if (url.getHost() == null || !List.of("http", "https").contains(url.getScheme())) {
      throw new IllegalArgumentException("a node's address begins with http:// or https://");
    }
    if (url.getUserInfo() != null) {
      throw new IllegalArgumentException("a node's address holds no user and password");
    }
    this.http = http;
    this.url = url;
    this.number = number;
    this.chainId = chainId;
  }

  boolean failedLately() {
    return System.nanoTime() - failedAt < FAILED_NANOS;
  }

  /** The answers in the order of the calls. */
  List<RpcAnswer> exchange(List<RpcCall> calls, Duration time) throws RpcFailure {
    try {
      return known ? told(calls, time) : introduced(calls, time);
    } catch (RpcFailure e) {
      failedAt = System.nanoTime();
      throw e;
    }
  }

  /** Asked before a call with an effect could reach the wrong chain, so on its own. */
  private List<RpcAnswer> introduced(List<RpcCall> calls, Duration time) throws RpcFailure {
    long start = System.nanoTime();
    requireChain(send(List.of(CHAIN_ID), time).get(0));
    known = true;
    return told(calls, time.minusNanos(System.nanoTime() - start));
  }

  /** One request goes to one node: who answers the calls has told its chain in the same answer. */
  private List<RpcAnswer> told(List<RpcCall> calls, Duration time) throws RpcFailure {
    List<RpcCall> batch = new ArrayList<>(calls);
    batch.add(CHAIN_ID);
    List<RpcAnswer> answers = send(batch, time);
    requireChain(answers.get(calls.size()));
    return answers.subList(0, calls.size());
  }

  private void requireChain(RpcAnswer answer) throws RpcFailure {
    if (!(answer instanceof RpcAnswer.Result result)
        || !result.value().asText().equals(Quantities.hex(chainId))) {
      known = false;
      throw new RpcFailure("it is not a node of chain " + chainId);
    }
  }

  private List<RpcAnswer> send(List<RpcCall> calls, Duration time) throws RpcFailure {
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(RpcMessages.write(calls)))
            .build();
    HttpResponse<byte[]> response = await(request, time);
    if (response.statusCode() != OK) {
      throw new RpcFailure("it answered with status " + response.statusCode());
    }
    return RpcMessages.read(response.body(), calls.size());
  }

  /** The client's own timeout ends with the headers; this one covers the body. */
  private HttpResponse<byte[]> await(HttpRequest request, Duration time) throws RpcFailure {
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, info -> new BoundedBody(MAX_ANSWER_BYTES));
    try {
      return answer.get(Math.max(time.toNanos(), 1), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new RpcFailure("it took too long");
    } catch (ExecutionException e) {
      // Its words may hold the address.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new RpcFailure("the connection failed: " + cause.getClass().getSimpleName());
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new RpcFailure("the wait was interrupted");
    }
  }

  @Override
  public String toString() {
    return "node " + number + " of chain " + chainId;
  }

  /** JSON-RPC 2.0 as it goes over the wire: one call as an object, several as an array. */
  private static final class RpcMessages {

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

  /** One node gave no usable answer; its message names no address. */
  static final class RpcFailure extends Exception {

    private static final long serialVersionUID = 1L;

    RpcFailure(String message) {
      super(message);
    }
  }
}
