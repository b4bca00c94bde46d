package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.octroi.api.cryptodata.CryptoDataGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.prediction.PredictionGroup;
import dev.octroi.api.setup.BuiltInGroups;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.read.Read;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.glassfish.jersey.server.model.Resource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The description says what is served: all of it, and nothing else. */
class OpenApiTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PATH = "/openapi.json";

  private static GatewayHost host;

  /** What it takes for every group to be sold as a whole. */
  private static final Map<String, String> EVERYTHING =
      Map.ofEntries(
          Map.entry("gateway.upstream.lookup.base-address", "http://127.0.0.1:9"),
          Map.entry("gateway.upstream.lookup.credential", "account:secret"),
          Map.entry("gateway.upstream.phone.base-address", "http://127.0.0.1:9"),
          Map.entry("gateway.upstream.phone.credential", "account:secret"),
          Map.entry("gateway.phone.sms", "true"),
          Map.entry("gateway.upstream.voice.base-address", "http://127.0.0.1:9"),
          Map.entry("gateway.voice.encrypted-key", "k"),
          Map.entry("gateway.websearch.find-similar", "true"),
          Map.entry("gateway.language.upstreams.messages", "http://127.0.0.1:9"),
          Map.entry("gateway.images.upstreams.provider-a", "http://127.0.0.1:9"),
          Map.entry("gateway.music.base-address", "http://127.0.0.1:9"));

  private static JsonNode document;

  @BeforeAll
  static void start() throws Exception {
    host = new GatewayHost(EVERYTHING);
    document = JSON.readTree(host.http().get(PATH).body());
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @Test
  void itConformsToTheOfficialSchema() throws Exception {
    try (InputStream schema = OpenApiTest.class.getResourceAsStream("/openapi-3.1/schema.json")) {
      assertThat(
              SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                  .getSchema(JSON.readTree(schema))
                  .validate(document))
          .isEmpty();
    }
    assertThat(document.path("openapi").asText()).startsWith("3.1.");
  }

  @Test
  void everyReferenceInItLeadsSomewhere() {
    List<JsonNode> references = document.findValues("$ref");
    assertThat(references)
        .isNotEmpty()
        .allSatisfy(
            reference ->
                assertThat(document.at(reference.asText().substring(1)).isMissingNode())
                    .as(reference.asText())
                    .isFalse());
  }

  /** An operation that describes its answer itself needs no schema from a vendor's answers. */
  @Test
  void everyAnswerThatIsKnownIsReferredTo() throws Exception {
    try (InputStream known = OpenApiTest.class.getResourceAsStream("openapi/answers.json")) {
      List<String> schemas = new ArrayList<>();
      JSON.readTree(known).fieldNames().forEachRemaining(id -> schemas.add(id + "_answer"));
      assertThat(document.at("/components/schemas").properties().stream().map(Map.Entry::getKey))
          .containsAll(schemas);
    }
  }

  @Test
  void itsOperationsAreTheRowsAndTheMethodsThatAreRouted() {
    Set<String> routed = new TreeSet<>();
    for (Class<?> type : GatewayApplication.resources(BuiltInGroups.ALL)) {
      routed.addAll(methods("", Resource.from(type)));
    }
    assertThat(routed.removeIf(one -> one.endsWith("/{read}"))).isTrue();
    rows(new CryptoDataGroup(), CryptoDataRead.values()).forEach(routed::add);
    rows(new PredictionGroup(), PredictionRead.values()).forEach(routed::add);

    assertThat(described()).containsExactlyInAnyOrderElementsOf(routed);
  }

  @Test
  void everyOperationIdIsUnique() {
    List<String> ids = document.findValuesAsText("operationId");

    assertThat(ids).hasSameSizeAs(described()).doesNotHaveDuplicates();
  }

  @Test
  void everyParameterOfARowIsThereWithItsBounds() {
    for (CryptoDataRead row : CryptoDataRead.values()) {
      JsonNode parameters =
          document.at(
              "/paths/"
                  + (new CryptoDataGroup().base() + row.path()).replace("/", "~1")
                  + "/get/parameters");
      assertThat(parameters.findValuesAsText("name"))
          .containsExactlyElementsOf(row.parameters().stream().map(one -> one.name()).toList());
    }
    JsonNode limit =
        document.at("/paths/~1v1~1marketplace~1cryptodata~1exchange~1klines/get/parameters/2");
    assertThat(limit.at("/schema/default").asInt()).isEqualTo(100);
    assertThat(limit.at("/schema/maximum").asInt()).isEqualTo(1000);
    assertThat(limit.at("/schema/minimum").asInt()).isEqualTo(1);
  }

  @Test
  void everyParameterIsDescribed() {
    List<String> silent = new ArrayList<>();
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .forEach(
                        operation ->
                            operation
                                .path("parameters")
                                .forEach(
                                    parameter -> {
                                      String text = parameter.path("description").asText();
                                      if (text.length() < 5) {
                                        silent.add(path.getKey() + " " + parameter);
                                      }
                                    })));
    assertThat(silent).isEmpty();
    assertThat(
            document
                .at("/paths/~1v1~1marketplace~1cryptodata~1exchange~1klines/get/parameters/2")
                .path("description")
                .asText())
        .isEqualTo("How many rows an answer has at most.");
  }

  @Test
  void itsServerIsTheAddressThatTheCallerKnows() throws Exception {
    assertThat(document.at("/servers/0/url").asText() + "/")
        .isEqualTo(host.http().base().resolve("/").toString());
    HttpResponse<String> elsewhere =
        host.http()
            .send(
                host.http().request(PATH).header("X-Forwarded-Host", "elsewhere.example").build());
    assertThat(JSON.readTree(elsewhere.body()).at("/servers/0"))
        .isEqualTo(document.at("/servers/0"));
  }

  /** Generators make a type without members of an object of which nothing is said. */
  @Test
  void noObjectIsBare() {
    List<JsonNode> bare = new ArrayList<>();
    document
        .findParents("type")
        .forEach(
            node -> {
              if (node.path("type").asText().equals("object")
                  && node.size() <= (node.has("description") ? 2 : 1)) {
                bare.add(node);
              }
            });
    assertThat(bare).isEmpty();
  }

  @Test
  void everyPriceIsThePriceBooks() {
    host.gateway()
        .prices()
        .rows()
        .forEach(
            row -> {
              JsonNode info =
                  document
                      .path("paths")
                      .path(row.row().path())
                      .path(row.row().method().toLowerCase(Locale.ROOT))
                      .path("x-payment-info");
              assertThat(info.path("protocols").path(0).asText())
                  .as(row.row().path())
                  .isEqualTo("x402");
              assertThat(info.path("price").asText())
                  .isEqualTo(row.now().price().map(price -> price.dollars()).orElse(""));
            });
  }

  @Test
  void whatIsPaidForHasAChallengeAndWaysToPay() {
    JsonNode search = document.at("/paths/~1v1~1marketplace~1websearch~1search/post");

    assertThat(search.at("/responses/402/$ref").asText()).endsWith("payment-required");
    assertThat(search.path("security").findValues("x402")).hasSize(1);
    assertThat(search.path("security")).hasSize(3);
    String reference = search.at("/requestBody/content/application~1json/schema/$ref").asText();
    JsonNode body = document.at(reference.substring(1));
    assertThat(body.at("/required/0").asText()).isEqualTo("query");
    assertThat(body.at("/properties/query/maxLength").asInt()).isEqualTo(10_000);
    assertThat(body.at("/properties/numResults/maximum").asInt()).isEqualTo(100);
    assertThat(body.at("/properties/category/enum")).hasSize(7);
  }

  @Test
  void whatANodeSaysThatIsNotReadyIsDescribedAsNoError() {
    for (String state : List.of("live", "ready")) {
      JsonNode answers = document.path("paths").path("/health/" + state).at("/get/responses");
      for (String status : List.of("200", "503")) {
        assertThat(answers.path(status).at("/content/application~1json/schema/$ref").asText())
            .isEqualTo("#/components/schemas/Health");
      }
    }
  }

  @Test
  void whoHasItAlreadyIsToldSo() {
    HttpResponse<String> first = host.http().get(PATH);
    String tag = first.headers().firstValue("ETag").orElseThrow();
    HttpRequest again = host.http().request(PATH).header("If-None-Match", tag).build();

    assertThat(host.http().send(again).statusCode()).isEqualTo(304);
    assertThat(first.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/json");
  }

  @Test
  void itIsNotThereWhereDocumentationIsSwitchedOff() {
    try (GatewayHost quiet = new GatewayHost(Map.of("gateway.docs.enabled", "false"))) {
      assertThat(quiet.http().get(PATH).statusCode()).isEqualTo(404);
      assertThat(quiet.http().get("/docs").statusCode()).isEqualTo(404);
    }
  }

  private static Set<String> described() {
    Set<String> all = new TreeSet<>();
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        verb -> all.add(verb.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    return all;
  }

  private static Stream<String> rows(Group group, Read... rows) {
    return Stream.of(rows)
        .map(row -> "GET " + group.base() + row.path().replaceAll(":(\\w+)", "{$1}"));
  }

  /** As the container sees them: its own model of the class. */
  private static List<String> methods(String base, Resource resource) {
    List<String> all = new ArrayList<>();
    String path = joined(base, resource.getPath());
    resource
        .getResourceMethods()
        .forEach(method -> all.add(method.getHttpMethod() + " " + (path.isEmpty() ? "/" : path)));
    resource.getChildResources().forEach(child -> all.addAll(methods(path, child)));
    return all;
  }

  private static String joined(String base, String below) {
    String plain = below.replaceAll("\\{\\s*(\\w+)\\s*:.*}$", "{$1}");
    String path = ("/" + base + "/" + plain).replaceAll("/{2,}", "/");
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
