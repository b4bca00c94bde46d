package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A node whose answer to each call is played: it sees the call, and gives a member of JSON. */
public final class PlayedNode implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final long chainId;
  private final Function<JsonNode, String> play;

  /**
   * Starts it.
   *
   * @param play an answer such as {@link #result} or {@link #error}
   */
  public PlayedNode(long chainId, Function<JsonNode, String> play) {
    this.chainId = chainId;
    this.play = play;
    try {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /**
   * The way to a real node by which one that is behind is asked now and then: it has nothing of
   * what is asked for by this method, nor the block that is asked for next.
   */
  public static PlayedNode behind(long chainId, URI node, String method) {
    AtomicBoolean isNext = new AtomicBoolean();
    return new PlayedNode(
        chainId,
        call -> {
          String asked = call.path("method").asText();
          boolean lacksBlock = isNext.get() && asked.equals("eth_getBlockByNumber");
          isNext.set(asked.equals(method));
          if (asked.equals(method) || lacksBlock) {
            return asked.equals("eth_getLogs") ? "{\"result\":[]}" : "{\"result\":null}";
          }
          return asked(node, call);
        });
  }

  /** What a real node answers. */
  public static String asked(URI node, JsonNode call) {
    HttpRequest request =
        HttpRequest.newBuilder(node)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(call.toString()))
            .build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The answer that something was done. */
  public static String result(String hex) {
    return "{\"result\":\"" + hex + "\"}";
  }

  /** The answer that nothing was done. */
  public static String error(long code, String words) {
    return "{\"error\":{\"code\":%d,\"message\":\"%s\"}}".formatted(code, words);
  }

  /** What Multicall3 returns where each call succeeds and returns a number. */
  public static String numbers(Long... numbers) {
    int each = 4 * AbiReader.WORD;
    StringBuilder hex = new StringBuilder("0x").append(word(AbiReader.WORD));
    hex.append(word(numbers.length));
    for (int i = 0; i < numbers.length; i++) {
      hex.append(word(numbers.length * (long) AbiReader.WORD + (long) i * each));
    }
    return hex
        + List.of(numbers).stream()
            .map(
                number -> word(1) + word(2L * AbiReader.WORD) + word(AbiReader.WORD) + word(number))
            .collect(Collectors.joining());
  }

  /** A number as contracts return it, in hex without a prefix. */
  public static String word(long number) {
    return "%064x".formatted(number);
  }

  /** Where it listens. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    JsonNode asked = JSON.readTree(exchange.getRequestBody().readAllBytes());
    byte[] answer = JSON.writeValueAsBytes(asked.isArray() ? all(asked) : one(asked));
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private ArrayNode all(JsonNode calls) throws IOException {
    ArrayNode answers = JSON.createArrayNode();
    for (JsonNode call : calls) {
      answers.add(one(call));
    }
    return answers;
  }

  private ObjectNode one(JsonNode call) throws IOException {
    boolean isOfChain = call.path("method").asText().equals("eth_chainId");
    String told = isOfChain ? result(Quantities.hex(chainId)) : play.apply(call);
    ObjectNode answer = (ObjectNode) JSON.readTree(told);
    return answer.put("jsonrpc", "2.0").put("id", call.path("id").asInt());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
