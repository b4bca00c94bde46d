package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/** An operator and keys' owners at a gateway of their own. */
final class Admin implements AutoCloseable {

  static final String TOKEN = "the-operators-token-of-this-test";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final GatewayHost host;

  Admin(Map<String, String> settings) {
    this(new GatewayHost(all(settings)));
  }

  /** On a database of the test's. */
  Admin(DataSource database) {
    this(Map.of(), database);
  }

  /** The same with settings. */
  Admin(Map<String, String> settings, DataSource database) {
    this(new GatewayHost(all(settings), database));
  }

  /** The same operator at another node of the same database, which is closed before this one. */
  Admin beside(Map<String, String> settings) {
    return new Admin(host.beside(all(settings)));
  }

  /** In a servlet container, on a database of the test's. */
  static Admin routing(Map<String, String> settings, DataSource database) {
    return new Admin(GatewayHost.routing(new GatewayUnderTest(all(settings), database)));
  }

  private Admin(GatewayHost host) {
    this.host = host;
  }

  private static Map<String, String> all(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("gateway.admin.token", TOKEN);
    all.put("gateway.keys.master-key", Base64.getEncoder().encodeToString(new byte[32]));
    all.putAll(settings);
    return all;
  }

  GatewayHost host() {
    return host;
  }

  /** What the operator gets. */
  JsonNode get(String path) {
    return ok(send("GET", "/admin/v1/" + path, TOKEN, null));
  }

  JsonNode post(String path, String body) {
    return ok(send("POST", "/admin/v1/" + path, TOKEN, body));
  }

  JsonNode put(String path, String body) {
    return ok(send("PUT", "/admin/v1/" + path, TOKEN, body));
  }

  int status(String method, String path, String body) {
    return send(method, "/admin/v1/" + path, TOKEN, body).statusCode();
  }

  /** A new key; its secret is {@code secret}. */
  JsonNode key(String body) {
    return post("keys", body);
  }

  /** Anything, by a token or a key's secret. */
  HttpResponse<String> send(String method, String path, String bearer, String body) {
    HttpRequest.Builder request =
        host.http().request(path).header("Authorization", "Bearer " + bearer);
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    return host.http()
        .send(
            request
                .method(
                    method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
  }

  static JsonNode ok(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return json(answer.body());
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    host.close();
  }
}
