package dev.octroi.reference.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.octroi.payments.client.PaidAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a description promises of answers, held against them. Thread-safe. */
final class Promises {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode document;
  private final SchemaRegistry registry =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  Promises(JsonNode document) {
    this.document = document;
  }

  /** Fails where an answer is not one of those that its operation describes. */
  void keep(DescribedCall call, String asked, PaidAnswer answer) throws IOException {
    String told = call + " as " + asked + " -> " + answer.status() + " " + start(answer);
    JsonNode responses = call.operation().path("responses");
    JsonNode exact = responses.path(Integer.toString(answer.status()));
    JsonNode response = resolved(exact.isMissingNode() ? responses.path("default") : exact);
    assertThat(response.isMissingNode()).as(told).isFalse();
    JsonNode content = response.path("content");
    if (content.isMissingNode()) {
      assertThat(answer.body()).as(told).isEmpty();
      return;
    }
    String type = answer.headers().firstValue("Content-Type").orElse("").replaceAll(";.*", "");
    assertThat(content.properties())
        .as(told + " of type " + type)
        .anyMatch(one -> type.matches(one.getKey().replace("*", ".*").replace("+", "\\+")));
    JsonNode schema = content.path(type).path("schema");
    if (!schema.isMissingNode() && type.equals("application/json")) {
      assertThat(compiled(schema).validate(JSON.readTree(answer.body()))).as(told).isEmpty();
    }
    JsonNode price = call.operation().at("/x-payment-info/price");
    if (answer.status() == 200 && price.isTextual()) {
      assertThat(answer.headers().firstValue("X-Price-Amount")).as(told).contains(price.asText());
    }
  }

  private JsonNode resolved(JsonNode node) {
    JsonNode reference = node.path("$ref");
    return reference.isTextual() ? document.at(reference.asText().substring(1)) : node;
  }

  private Schema compiled(JsonNode schema) {
    return schemas.computeIfAbsent(
        schema.toString(),
        absent -> {
          ObjectNode whole = schema.deepCopy();
          whole.set("components", document.path("components"));
          return registry.getSchema(whole);
        });
  }

  private static String start(PaidAnswer answer) {
    String body = new String(answer.body(), StandardCharsets.UTF_8);
    return body.substring(0, Math.min(300, body.length()));
  }
}
