package dev.octroi.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
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
  private static final Duration TIMEOUT = Duration.ofSeconds(45);

  private static final String TYPE = "Content-Type";
  private static final String FORM = "multipart/form-data";

  Call {
    headers = Map.copyOf(headers);
  }

  static Call get(String target) {
    return new Call("GET", target, Map.of(), null);
  }

  static Call post(String target, String json) {
    return new Call("POST", target, Map.of(TYPE, "application/json"), json);
  }

  /**
   * A form.
   *
   * @param body a character for each byte
   */
  static Call form(String target, String boundary, String body) {
    String type = FORM + "; boundary=" + boundary;
    return new Call("POST", target, Map.of(TYPE, type), body);
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
        HttpRequest.newBuilder(URI.create(address)).timeout(TIMEOUT).method(method, publisher());
    headers.forEach(request::header);
    return request.build();
  }

  private boolean isForm() {
    return headers.getOrDefault(TYPE, "").startsWith(FORM);
  }

  private HttpRequest.BodyPublisher publisher() {
    return body == null
        ? BodyPublishers.noBody()
        : BodyPublishers.ofString(body, isForm() ? ISO_8859_1 : UTF_8);
  }
}
