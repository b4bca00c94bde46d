package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that describes itself is sold by one command: a person finds each of its twenty
 * operations on the documentation page, and pays for it there.
 */
@Tag("slow")
class SoldDocumentIT {

  private static final JsonMapper JSON = new JsonMapper();

  private final Set<String> served = new ConcurrentSkipListSet<>();

  /** Ten things: each is read by its name, and ordered. */
  private static ObjectNode document() {
    ObjectNode document = JSON.createObjectNode().put("openapi", "3.0.3");
    document.putObject("info").put("title", "Things").put("version", "1");
    ObjectNode paths = document.putObject("paths");
    for (int i = 0; i < 10; i++) {
      ObjectNode get = paths.putObject("/things" + i + "/{name}").putObject("get");
      get.put("operationId", "readThing" + i).put("summary", "Reads thing " + i);
      get.withArray("parameters")
          .addObject()
          .put("name", "name")
          .put("in", "path")
          .put("required", true)
          .put("example", "red" + i)
          .putObject("schema")
          .put("type", "string");
      get.putObject("responses").putObject("200").put("description", "It.");
      ObjectNode post = paths.putObject("/orders" + i).putObject("post");
      post.put("operationId", "orderThing" + i).put("summary", "Orders thing " + i);
      post.put("x-price", "0.05");
      ObjectNode schema =
          post.putObject("requestBody")
              .putObject("content")
              .putObject("application/json")
              .putObject("schema");
      schema.put("type", "object").putObject("properties").putObject("size").put("type", "integer");
      schema.withObject("/properties/size").put("example", i);
      post.putObject("responses").putObject("200").put("description", "Done.");
    }
    return document;
  }

  @Test
  void eachOperationIsFoundAndPaidOnTheDocumentationPage(@TempDir Path data) throws Exception {
    Browser.install();
    byte[] written = JSON.writeValueAsBytes(document());
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          byte[] body = exchange.getRequestBody().readAllBytes();
          byte[] answer = path.equals("/openapi.json") ? written : "{\"ok\":true}".getBytes(UTF_8);
          if (!path.equals("/openapi.json")) {
            served.add(exchange.getRequestMethod() + " " + path + " " + new String(body, UTF_8));
          }
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    String target = "http://127.0.0.1:" + server.getAddress().getPort();
    try (Running gateway =
        BuiltJar.quickIn(data, "sell", "--price", "0.01", "--port", "0", "--data", data.toString())
            .and("--path", "/shop", "--openapi", target + "/openapi.json", target)
            .start()) {
      URI base = gateway.awaitReady();

      JsonNode seen = Browser.run("routes.mjs", base.toString(), "Api");

      assertThat(seen.path("tried")).hasSize(20);
      assertThat(seen.path("tried"))
          .allSatisfy(
              one -> {
                assertThat(one.path("status").asText()).as(one.toString()).isEqualTo("200");
                assertThat(one.path("told").asText())
                    .as(one.toString())
                    .contains(
                        one.path("call").asText().startsWith("/shop/orders")
                            ? "Paid 0.050000"
                            : "Paid 0.010000");
              });
      assertThat(seen.at("/seen/problems")).as(seen.toString()).isEmpty();
    } finally {
      server.stop(0);
    }
    assertThat(served).hasSize(20).contains("GET /things3/red3 ");
    assertThat(served).anyMatch(one -> one.startsWith("POST /orders3 {"));
  }
}
