package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was imported is told of and called like what is built in. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RouteImportToldTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  @TempDir private static Path folder;

  private RouteTarget target;
  private GatewayHost host;

  @BeforeAll
  void start() throws Exception {
    target = new RouteTarget();
    Path file = folder.resolve("weather.yaml");
    try (InputStream in = getClass().getResourceAsStream("weather-openapi.yaml")) {
      Files.copy(in, file);
    }
    host =
        GatewayHost.routing(
            Map.of(
                "gateway.groups", "",
                "gateway.routes.weather.path", "/weather",
                "gateway.routes.weather.target", target.base() + "/api",
                "gateway.routes.weather.price", "0.01",
                "gateway.routes.weather.openapi", file.toString()));
  }

  @AfterAll
  void stop() {
    host.close();
    target.close();
  }

  private JsonNode read(String path) throws Exception {
    return JSON.readTree(host.http().get(path).body());
  }

  @Test
  void theDescriptionIsGood() throws Exception {
    JsonNode document = read("/openapi.json");
    try (InputStream schema = OpenApiTest.class.getResourceAsStream("/openapi-3.1/schema.json")) {
      assertThat(SCHEMAS.getSchema(JSON.readTree(schema)).validate(document)).isEmpty();
    }
    assertThat(document.findValues("$ref"))
        .allSatisfy(
            reference ->
                assertThat(document.at(reference.asText().substring(1)).isMissingNode())
                    .as(reference.asText())
                    .isFalse());
    assertThat(document.findValuesAsText("operationId")).doesNotHaveDuplicates();
    List<String> told = new ArrayList<>();
    document
        .path("paths")
        .properties()
        .forEach(
            path -> {
              if (path.getKey().startsWith("/weather")) {
                path.getValue().fieldNames().forEachRemaining(method -> told.add(method + path));
              }
            });
    assertThat(told).hasSize(20);
  }

  @Test
  void bazaarListingsAreGood() throws Exception {
    for (JsonNode item : read("/discovery/resources?limit=100").path("items")) {
      JsonNode bazaar = item.at("/extensions/bazaar");
      boolean empty =
          bazaar.at("/info/input/type").asText().equals("http")
              && host.gateway().catalogue().operations().stream()
                  .anyMatch(
                      one ->
                          one.example().isEmpty()
                              && item.path("resource").asText().endsWith(one.routeTemplate()));
      if (!empty) {
        assertThat(SCHEMAS.getSchema(bazaar.path("schema")).validate(bazaar.path("info")))
            .as(item.toString())
            .isEmpty();
      }
    }
  }

  private JsonNode called(String tool, JsonNode arguments, String meta) throws Exception {
    return new ToolCaller(host.http()).called(tool, arguments.toString(), meta);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "listCities      | | GET /cities?country=FR&limit=10 | ",
        "addCity         | | POST /cities | {\"name\":\"Paris\",\"country\":\"FR\"}",
        "getCity         | | GET /cities/7 | ",
        "replaceCity     | | PUT /cities/7 | {\"name\":\"Paris\",\"country\":\"FR\"}",
        "changeCity      | | PATCH /cities/7?dry=true | {\"name\":\"Paris\"}",
        "removeCity      | | DELETE /cities/7 | ",
        "get_cities_by_city_hours_by_hour | | GET /cities/Saint-Malo/hours/9 | ",
        "search          | | GET /search?limit=10&cursor=c1 | ",
        "search_2        | | POST /search?q=rain%20%26%20sun | {\"q\":\"snow\"}",
        "points_within   | {\"box\":\"1,2\",\"area[north]\":1.5} | GET /points?box=1%2C2&area%5Bnorth%5D=1.5 | ",
        "points_add      | | POST /points | [{\"lat\":48.85,\"lon\":2.35}]",
        "tree            | {\"id\":\"8b0d\"} | GET /trees/8b0d | ",
        "report          | | GET /reports/2024?year=2023 | ",
        "addLines        | {\"year\":2024,\"body\":\"a;b\"} | POST /reports/2024/lines/ | a;b",
        "alerts          | | GET /alerts?kind=storm&kind=heat | ",
        "alertMe         | | POST /alerts | {\"mail\":\"me@example.com\"}",
        "mapTile         | | GET /maps/3/1/2 | ",
        "now             | | GET /now | ",
        "forecast        | | GET /forecast?where=%7B%22a%22%3A1%7D | ",
      })
  void eachOperationIsCalledAsATool(String name, String given, String call, String body)
      throws Exception {
    JsonNode arguments =
        given != null
            ? JSON.readTree(given)
            : host.gateway().catalogue().operations().stream()
                .filter(one -> one.name().equals("weather_" + name))
                .findFirst()
                .orElseThrow()
                .example();
    assertThat(called("weather_" + name, arguments, "{}").path("isError").booleanValue()).isTrue();
    String path = "/weather" + call.split(" ")[1];
    HttpRequest request =
        host.http()
            .request(path)
            .method(
                call.split(" ")[0],
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    String payment = ToolCaller.paying(host.payment(request));

    JsonNode result = called("weather_" + name, arguments, payment);

    assertThat(result.path("isError").booleanValue()).as(result.toString()).isFalse();
    assertThat(target.last().line())
        .isEqualTo(call.split(" ")[0] + " /api" + call.split(" ")[1] + " HTTP/1.1");
    assertThat(target.last().body()).isEqualTo(body == null ? "" : body);
  }
}
