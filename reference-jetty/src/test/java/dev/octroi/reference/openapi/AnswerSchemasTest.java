package dev.octroi.reference.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.reference.DataDirectory;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.ServeOptions;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The schemas of answers that only a vendor's answers show, {@code answers.json}, are what the
 * answers to the examples have. {@code -Doctroi.write} writes them anew.
 */
@Tag("slow")
class AnswerSchemasTest {

  private static final Path FILE =
      Path.of("../gateway-api/src/main/resources/dev/octroi/api/openapi/answers.json");

  /** The description itself, a listing of schemas, and rows that the question decides. */
  private static final Set<String> OTHER =
      Set.of("/openapi.json", "/discovery/resources", "/v1/marketplace/cryptodata/onchain/query");

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void theyAreWhatTheAnswersToTheExamplesHave(@TempDir Path folder) throws Exception {
    SettingsSources sources =
        SettingsSources.none()
            .values(
                "answers",
                Map.of("gateway.http.port", "0", "gateway.limits.unpaid-per-minute", "1000000"));
    Map<String, JsonNode> seen = new TreeMap<>();
    try (ReferenceGateway gateway =
        ReferenceGateway.start(new ServeOptions(new DataDirectory(folder), sources))) {
      HttpRequest ask = HttpRequest.newBuilder(gateway.baseUrl().resolve("/openapi.json")).build();
      JsonNode document = JSON.readTree(HTTP.send(ask, BodyHandlers.ofByteArray()).body());
      for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
        for (Map.Entry<String, JsonNode> one : path.getValue().properties()) {
          String verb = one.getKey().toUpperCase(Locale.ROOT);
          DescribedCall call = new DescribedCall(path.getKey(), verb, one.getValue());
          if (isOpen(one.getValue())) {
            answer(call, call.example(gateway.baseUrl()))
                .ifPresent(body -> seen.put(one.getValue().path("operationId").asText(), body));
          }
        }
      }
    }
    ObjectNode inferred = JSON.createObjectNode();
    seen.forEach(
        (id, body) -> {
          ObjectNode schema = Inferred.of(body).schema(false);
          if (body.at("/price/currency").isTextual()) {
            schema.withObject("/properties/price").removeAll();
            schema.withObject("/properties/price").put("$ref", "#/components/schemas/Price");
          }
          inferred.set(id, schema);
        });
    if (Boolean.getBoolean("octroi.write")) {
      String lines =
          inferred.properties().stream()
              .map(one -> "\"" + one.getKey() + "\": " + one.getValue())
              .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
      Files.writeString(FILE, lines);
    }
    JsonNode written = JSON.readTree(FILE.toFile());
    assertThat(inferred.size()).isGreaterThan(170);
    assertThat(written.properties().stream().map(Map.Entry::getKey))
        .containsExactlyElementsOf(inferred.properties().stream().map(Map.Entry::getKey).toList());
    List<String> unwritten = new ArrayList<>();
    compare("", written, inferred, unwritten);
    assertThat(unwritten).isEmpty();
  }

  /** What answers of now have and the file has not; what a moment's answers lack is no fault. */
  private static void compare(
      String place, JsonNode written, JsonNode now, List<String> unwritten) {
    if (now.isObject()) {
      now.properties()
          .forEach(
              member -> {
                String there = place + "/" + member.getKey();
                if (written.isEmpty() && written.isObject()) {
                  return;
                }
                if (written.has(member.getKey())) {
                  compare(there, written.get(member.getKey()), member.getValue(), unwritten);
                } else if (!written.has("additionalProperties")) {
                  unwritten.add(there);
                }
              });
    } else if (!(written.isArray() ? text(written).containsAll(text(now)) : written.equals(now))) {
      unwritten.add(place + ": " + now);
    }
  }

  private static List<String> text(JsonNode types) {
    return types.isArray()
        ? types.valueStream().map(JsonNode::asText).toList()
        : List.of(types.asText());
  }

  /** Whether nothing but the sandbox's answers says what it answers. */
  private static boolean isOpen(JsonNode operation) {
    JsonNode schema = operation.at("/responses/200/content/application~1json/schema");
    String reference = schema.path("$ref").asText();
    return (schema.isEmpty() && schema.isObject())
        || reference.endsWith("/UpstreamAnswer")
        || reference.endsWith("_answer");
  }

  private static Optional<JsonNode> answer(DescribedCall call, Optional<HttpRequest> request)
      throws Exception {
    boolean free = !call.isPaid() && !call.verb().equals("GET");
    if (request.isEmpty() || free) {
      return Optional.empty();
    }
    PaymentSigner signer = new PaymentSigner(Wallet.generate(), Clock.systemUTC());
    PaidAnswer answer =
        new PayingClient(HTTP, signer, SpendingLimit.of(Usd.parse("100"))).send(request.get());
    JsonNode body = answer.status() == 200 ? JSON.readTree(answer.body()) : JSON.nullNode();
    return body.isObject() && !OTHER.contains(call.path()) ? Optional.of(body) : Optional.empty();
  }

  /** What the values of one place have in common. */
  private static final class Inferred {

    /** An object with more members than a record has is a map. */
    private static final int MOST_MEMBERS = 60;

    private final Set<String> types = new TreeSet<>();
    private final Map<String, Inferred> members = new TreeMap<>();
    private Optional<Inferred> items = Optional.empty();

    static Inferred of(JsonNode value) {
      Inferred inferred = new Inferred();
      inferred.add(value);
      return inferred;
    }

    private void add(JsonNode value) {
      if (value.isObject()) {
        types.add("object");
        value
            .properties()
            .forEach(
                member ->
                    members
                        .computeIfAbsent(member.getKey(), name -> new Inferred())
                        .add(member.getValue()));
      } else if (value.isArray()) {
        types.add("array");
        value.forEach(
            item -> {
              items = Optional.of(items.orElseGet(Inferred::new));
              items.get().add(item);
            });
      } else if (value.isTextual()) {
        types.add("string");
      } else if (value.isNumber()) {
        types.add("number");
      } else if (value.isBoolean()) {
        types.add("boolean");
      }
    }

    private boolean isMap() {
      return members.size() > MOST_MEMBERS
          || members.keySet().stream().anyMatch(name -> !name.matches("[A-Za-z_][A-Za-z0-9_]*"));
    }

    /**
     * @param nullable whether a vendor may say null instead
     */
    ObjectNode schema(boolean nullable) {
      ObjectNode schema = JSON.createObjectNode();
      if (types.isEmpty()) {
        return schema;
      }
      if (!nullable && types.size() == 1) {
        schema.put("type", types.iterator().next());
      } else {
        ArrayNode all = schema.putArray("type");
        types.forEach(all::add);
        if (nullable) {
          all.add("null");
        }
      }
      if (types.contains("object") && isMap()) {
        Inferred any = new Inferred();
        members.values().forEach(any::merge);
        schema.set("additionalProperties", any.schema(true));
      } else if (types.contains("object")) {
        ObjectNode properties = schema.putObject("properties");
        members.forEach((name, member) -> properties.set(name, member.schema(true)));
      }
      if (types.contains("array")) {
        schema.set("items", items.map(one -> one.schema(false)).orElseGet(JSON::createObjectNode));
      }
      return schema;
    }

    private void merge(Inferred other) {
      types.addAll(other.types);
      other.members.forEach(
          (name, member) -> members.computeIfAbsent(name, absent -> new Inferred()).merge(member));
      other.items.ifPresent(
          one -> {
            items = Optional.of(items.orElseGet(Inferred::new));
            items.get().merge(one);
          });
    }
  }
}
