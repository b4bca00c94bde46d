package dev.octroi.reference.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.StreamSupport;

/**
 * An operation of the description, and the calls that can be made of it.
 *
 * @param path its template
 * @param verb in upper case
 */
record DescribedCall(String path, String verb, JsonNode operation) {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String JSON = "application/json";

  HttpRequest request(URI base, Values values) {
    String target = path;
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    HttpRequest.Builder request = HttpRequest.newBuilder().timeout(TIMEOUT);
    for (JsonNode parameter : operation.path("parameters")) {
      String name = parameter.path("name").asText();
      boolean required = parameter.path("required").asBoolean();
      if (parameter.path("in").asText().equals("path")) {
        target = target.replace("{" + name + "}", value(parameter, values));
      } else if (values.chance(required ? 0.95 : 0.15)) {
        if (parameter.path("in").asText().equals("header")) {
          request.header(name, header(parameter));
        } else {
          query.add(name + "=" + value(parameter, values));
        }
      }
    }
    JsonNode body = operation.path("requestBody").path("content").path(JSON);
    if (body.isMissingNode()) {
      request.method(verb, BodyPublishers.noBody());
    } else {
      JsonNode example = body.path("example");
      JsonNode sent =
          !example.isMissingNode() && values.chance(0.4) ? example : values.of(body.path("schema"));
      request.header("Content-Type", JSON).method(verb, BodyPublishers.ofString(sent.toString()));
    }
    return request.uri(URI.create(base.toString().replaceAll("/$", "") + target + query)).build();
  }

  /** Whether the description shows anything of what is sent. */
  boolean hasExample() {
    JsonNode body = operation.path("requestBody").path("content").path(JSON);
    return body.has("example")
        || StreamSupport.stream(operation.path("parameters").spliterator(), false)
            .anyMatch(parameter -> parameter.has("example"));
  }

  /** The call that the description's examples make; empty where one of what is required is none. */
  Optional<HttpRequest> example(URI base) {
    String target = path;
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    HttpRequest.Builder request = HttpRequest.newBuilder().timeout(TIMEOUT);
    for (JsonNode parameter : operation.path("parameters")) {
      String name = parameter.path("name").asText();
      JsonNode example = parameter.path("example");
      if (example.isMissingNode()) {
        if (parameter.path("required").asBoolean()) {
          return Optional.empty();
        }
      } else if (parameter.path("in").asText().equals("path")) {
        target = target.replace("{" + name + "}", encoded(example));
      } else if (parameter.path("in").asText().equals("header")) {
        request.header(name, example.asText());
      } else {
        query.add(name + "=" + encoded(example));
      }
    }
    JsonNode body = operation.path("requestBody").path("content").path(JSON);
    if (body.isMissingNode()) {
      request.method(verb, BodyPublishers.noBody());
    } else if (body.path("example").isMissingNode()) {
      return Optional.empty();
    } else {
      request
          .header("Content-Type", JSON)
          .method(verb, BodyPublishers.ofString(body.path("example").toString()));
    }
    return Optional.of(
        request.uri(URI.create(base.toString().replaceAll("/$", "") + target + query)).build());
  }

  private static String header(JsonNode parameter) {
    String about = parameter.path("description").asText();
    return about.contains("2023-06-01") ? "2023-06-01" : "x";
  }

  private static String value(JsonNode parameter, Values values) {
    JsonNode example = parameter.path("example");
    JsonNode value =
        !example.isMissingNode() && values.chance(0.8)
            ? example
            : values.of(parameter.path("schema"));
    return encoded(value);
  }

  private static String encoded(JsonNode value) {
    StringJoiner elements = new StringJoiner(",");
    if (value.isArray()) {
      value.forEach(element -> elements.add(element.asText()));
    } else {
      elements.add(value.asText());
    }
    return URLEncoder.encode(elements.toString(), StandardCharsets.UTF_8).replace("+", "%20");
  }

  boolean isPaid() {
    return operation.has("x-payment-info");
  }

  @Override
  public String toString() {
    return verb + " " + path;
  }
}
