package dev.octroi.testkit;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request before it has an address.
 *
 * @param method HTTP method
 * @param target path and query, percent-encoded, from the root of the host
 * @param headers by name
 * @param body JSON, or null for none
 */
record Call(String method, String target, Map<String, String> headers, @Nullable String body) {

  /** Longer than the longest query of the gateway (specification, SQL execution time). */
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  Call {
    headers = Map.copyOf(headers);
  }

  static Call get(String target) {
    return new Call("GET", target, Map.of(), null);
  }

  static Call post(String target, String json) {
    return new Call("POST", target, Map.of("Content-Type", "application/json"), json);
  }

  Call with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Call(method, target, more, body);
  }

  Call method(String other) {
    return new Call(other, target, headers, body);
  }

  Call target(String other) {
    return new Call(method, other, headers, body);
  }

  Call body(String json) {
    return new Call(method, target, headers, json);
  }

  /** The same call of a deployment at this address, which may have a path of its own. */
  HttpRequest at(URI base) {
    String address = base.toString().replaceAll("/$", "") + target;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address)).timeout(PATIENCE).method(method, publisher());
    headers.forEach(request::header);
    return request.build();
  }

  private HttpRequest.BodyPublisher publisher() {
    return body == null
        ? BodyPublishers.noBody()
        : BodyPublishers.ofString(body, StandardCharsets.UTF_8);
  }
}
