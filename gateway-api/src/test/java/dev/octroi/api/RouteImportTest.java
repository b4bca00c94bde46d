package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.route.Routes;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.client.PaidAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that describes itself is sold by what it says. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RouteImportTest {

  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private static Path folder;

  private RouteTarget target;
  private GatewayHost host;

  @BeforeAll
  void start() throws IOException {
    target = new RouteTarget();
    host = GatewayHost.routing(settings(Map.of()));
  }

  @AfterAll
  void stop() {
    host.close();
    target.close();
  }

  private static String document() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(RouteImportTest.class.getResourceAsStream("weather-openapi.yaml"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private Map<String, String> settings(Map<String, String> more) throws IOException {
    Path file = Files.writeString(folder.resolve("weather.yaml"), document());
    Map<String, String> all = new HashMap<>();
    all.put("gateway.routes.weather.path", "/weather");
    all.put("gateway.routes.weather.target", target.base() + "/api");
    all.put("gateway.routes.weather.price", "0.01");
    all.put("gateway.routes.weather.rules", "POST /cities=0.03,/maps/*=0.006,/alerts=0.007");
    all.put("gateway.routes.weather.free", "/health");
    all.put("gateway.routes.weather.description", "Weather by city");
    all.put("gateway.routes.weather.openapi", file.toString());
    all.put("gateway.routes.weather.header.Authorization", "Bearer of-the-seller");
    all.putAll(more);
    return all;
  }

  /** What would forbid the start. */
  private String problems(Map<String, String> more) throws IOException {
    return String.join("\n", new Routes(read(settings(more)), Clock.systemUTC()).problems());
  }

  private static GatewaySettings read(Map<String, String> settings) {
    return GatewaySettings.read(SettingsSources.none().values("test", settings));
  }

  private Operation operation(String name) {
    return operations()
        .filter(one -> one.name().equals("weather_" + name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(operations().map(Operation::name).toList()));
  }

  private Stream<Operation> operations() {
    return host.gateway().catalogue().operations().stream()
        .filter(one -> one.row().group().word().equals("weather"));
  }

  private List<JsonNode> discovered(String type) throws IOException {
    HttpResponse<String> page =
        host.http().get("/discovery/resources?limit=100&offset=160&type=" + type);
    return JSON.readTree(page.body()).path("items").valueStream().toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "listCities      | GET /cities?country=FR&limit=10 | 0.002 |",
        "addCity         | POST /cities | 0.03 | {\"name\":\"Paris\",\"country\":\"FR\"}",
        "getCity         | GET /cities/7 | 0.003 |",
        "replaceCity     | PUT /cities/7 | 0.02 | {\"name\":\"Paris\",\"country\":\"FR\"}",
        "changeCity      | PATCH /cities/7?dry=true | 0.003 | {\"name\":\"Paris\"}",
        "removeCity      | DELETE /cities/7 | 0.01 |",
        "get_cities_by_city_hours_by_hour | GET /cities/Saint-Malo/hours/9 | 0.01 |",
        "search          | GET /search?limit=10&cursor=c1 | 0.05 |",
        "search_2        | POST /search?q=rain%20%26%20sun | 0.01 | {\"q\":\"snow\"}",
        "points_within   | GET /points?box=1,2&area%5Bnorth%5D=1.5 | 0.004 |",
        "points_add      | POST /points | 0.01 | [{\"lat\":48.85,\"lon\":2.35}]",
        "tree            | GET /trees/8b0d4a3e-1 | 0.01 |",
        "report          | GET /reports/2024?year=2023 | 0.01 |",
        "addLines        | POST /reports/2024/lines/ | 0.01 | a;b",
        "alerts          | GET /alerts?kind=storm&kind=heat | 0.007 |",
        "alertMe         | POST /alerts | 0.007 | {\"mail\":\"me@example.com\"}",
        "mapTile         | GET /maps/3/1/2 | 0.006 |",
        "now             | GET /now | 0.01 |",
        "forecast        | GET /forecast?where=%7B%22a%22%3A1%7D | 0.01 |",
      })
  void eachOperationIsFoundAndPaid(String name, String call, String price, String body)
      throws IOException {
    Operation operation = operation(name);
    String method = call.split(" ")[0];
    String target = call.split(" ")[1];

    String listed = host.http().base() + operation.routeTemplate();
    assertThat(discovered("http"))
        .filteredOn(item -> item.path("resource").asText().equals(listed))
        .filteredOn(item -> item.at("/extensions/bazaar/info/input/method").asText().equals(method))
        .singleElement()
        .satisfies(item -> assertThat(item.path("description").asText()).isNotBlank());
    assertThat(discovered("mcp"))
        .extracting(item -> item.at("/extensions/bazaar/info/input/toolName").asText())
        .contains("weather_" + name);
    assertThat(operation.row().method()).isEqualTo(method);

    HttpRequest request =
        host.http()
            .request("/weather" + target)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    assertThat(host.http().send(request).statusCode()).isEqualTo(402);
    PaidAnswer answer = host.paid(request);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Price-Amount").orElse("nothing"))
        .isEqualTo(price + "0".repeat(8 - price.length()));
    assertThat(this.target.last().line()).isEqualTo(method + " /api" + target + " HTTP/1.1");
    assertThat(this.target.last().body()).isEqualTo(body == null ? "" : body);
    assertThat(this.target.last().header("Authorization")).containsExactly("Bearer of-the-seller");
  }

  @Test
  void examplesSatisfyTheirSchemas() {
    SchemaRegistry schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    assertThat(operations())
        .hasSize(19)
        .allSatisfy(
            one -> {
              assertThat(one.name()).matches("[A-Za-z0-9_]{1,64}");
              if (!one.example().isEmpty()) {
                assertThat(schemas.getSchema(one.input()).validate(one.example())).isEmpty();
              }
            });
    assertThat(operations().filter(one -> one.example().isEmpty()).map(Operation::name))
        .containsExactlyInAnyOrder(
            "weather_addLines", "weather_now", "weather_points_within", "weather_tree");
    assertThat(operation("search_2").example())
        .hasToString("{\"q\":\"rain & sun\",\"body\":{\"q\":\"snow\"}}");
    assertThat(operation("report").row().path()).isEqualTo("/weather/reports/{path_year}");
  }

  @Test
  void whatCostsNothingIsServedAndWhatIsNotNamedIsNot() {
    assertThat(host.http().get("/weather/health").statusCode()).isEqualTo(200);
    assertThat(host.http().get("/weather/version").statusCode()).isEqualTo(200);
    assertThat(host.http().get("/weather/none").statusCode()).isEqualTo(404);
    assertThat(host.http().get("/weather").statusCode()).isEqualTo(404);
    assertThat(host.http().get("/weather/cities/7/none").statusCode()).isEqualTo(404);
    assertThat(host.http().get("/weather/reports/2024/lines/").statusCode()).isEqualTo(405);
    assertThat(target.seen()).noneMatch(seen -> seen.line().contains("none"));
  }

  @Test
  void aLineForNothingHoldsUnlessARuleIsMoreSpecific() throws IOException {
    try (GatewayHost some =
        GatewayHost.routing(
            settings(
                Map.of(
                    "gateway.routes.weather.rules", "/maps/{z}/{x}/{y}=0.006",
                    "gateway.routes.weather.free", "/maps/*,/cities/{id}")))) {
      assertThat(some.http().get("/weather/maps/3/1/2").statusCode()).isEqualTo(402);
      assertThat(some.http().get("/weather/cities/7").statusCode()).isEqualTo(200);
      assertThat(some.http().get("/weather/cities?country=FR").statusCode()).isEqualTo(402);
    }
  }

  @Test
  void whichLineMakesThePriceIsTold() {
    assertThat(operation("listCities").row().described().orElseThrow().listed().rule())
        .isEqualTo("gateway.routes.weather.openapi (test), x-price");
    assertThat(operation("mapTile").row().described().orElseThrow().listed().rule())
        .isEqualTo("gateway.routes.weather.rules (test)");
    assertThat(operation("now").row().described().orElseThrow().listed().rule())
        .isEqualTo("gateway.routes.weather.price (test)");
  }

  @Test
  void methodsThatAreSetAreTheOnlyOnes() throws IOException {
    try (GatewayHost reading =
        GatewayHost.routing(
            settings(
                Map.of(
                    "gateway.routes.weather.methods", "GET",
                    "gateway.routes.weather.rules", "/maps/*=0.006")))) {
      assertThat(reading.http().get("/weather/cities?country=FR").statusCode()).isEqualTo(402);
      assertThat(
              reading
                  .http()
                  .send(
                      reading
                          .http()
                          .request("/weather/cities")
                          .POST(BodyPublishers.noBody())
                          .build())
                  .statusCode())
          .isEqualTo(405);
    }
  }

  @Test
  void theTargetMayHaveTheDocumentItself() throws IOException {
    target.says(
        "/api/openapi.yaml", RouteTarget.answer(200, "Content-Type: text/html\n", document()));
    Map<String, String> settings =
        settings(Map.of("gateway.routes.weather.openapi", target.base() + "/api/openapi.yaml"));

    try (GatewayHost described = GatewayHost.routing(settings)) {
      assertThat(described.http().get("/weather/now").statusCode()).isEqualTo(402);
      assertThat(described.http().get("/weather/none").statusCode()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/api/moved.yaml,the target answers with 302",
    "/api/gone.yaml,the target answers with 404",
    "/api/long.yaml,the target does not answer"
  })
  void aTargetWithoutItsDocumentForbidsTheStart(String path, String problem) throws IOException {
    target.says(
        "/api/moved.yaml", RouteTarget.answer(302, "Location: /api/openapi.yaml\n", "moved"));
    target.says("/api/gone.yaml", RouteTarget.answer(404, "", "gone"));
    target.says("/api/long.yaml", RouteTarget.answer(200, "", "#".repeat((4 << 20) + 1)));

    assertThat(problems(Map.of("gateway.routes.weather.openapi", target.base() + path)))
        .contains("gateway.routes.weather.openapi (test): " + target.base() + path)
        .contains(problem);
  }

  /** A server on this machine that is not the route's own target, and what clouds have inside. */
  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:9/openapi.json,it is not on the public web",
    "http://localhost/openapi.json,it is not on the public web",
    "http://169.254.169.254/latest,it is not on the public web",
    "http://[::1]/openapi.json,it is not on the public web",
    "http://user@127.0.0.1/openapi.json,it is no plain address",
    "http://127.0.0.1:443/openapi.json,it is not on the public web",
    "https://127.0.0.1:80/openapi.json,it is not on the public web",
    "/none/weather.yaml,there is no such file",
    "file:///etc/passwd,there is no such file"
  })
  void otherAddressesOfTheInsideAreNotAsked(String address, String problem) throws IOException {
    assertThat(problems(Map.of("gateway.routes.weather.openapi", address)))
        .contains("gateway.routes.weather.openapi (test): " + address)
        .contains(problem);
  }

  @ParameterizedTest
  @CsvSource({
    "rules,POST /none=0.05,.rules (test): 'POST /none=0.05' is for no operation that the openapi",
    "rules,GET /now=1001,.rules (test): 'GET /now=1001': a price is at most 1000",
    "price,1001,.price (test): a price is at most 1000",
    "free,/none,.free (test): '/none' is for no operation",
    "methods,DELETE,.rules (test): 'POST /cities=0.03' is for no operation",
    "methods,TRACE,.methods (test): TRACE is not one of"
  })
  void linesWithoutEffectForbidTheStart(String setting, String value, String problem)
      throws IOException {
    assertThat(problems(Map.of("gateway.routes.weather." + setting, value)))
        .contains("gateway.routes.weather" + problem);
  }

  @Test
  void aRouteThatIsOffNeedsNoDocument() throws IOException {
    assertThat(
            problems(
                Map.of(
                    "gateway.routes.weather.enabled", "false",
                    "gateway.routes.weather.openapi", "/none/weather.yaml")))
        .isEmpty();
  }

  @Test
  void anOperationWithoutAPriceForbidsTheStart() throws IOException {
    Map<String, String> unpriced = settings(Map.of());
    unpriced.remove("gateway.routes.weather.price");

    assertThatThrownBy(() -> GatewayHost.routing(unpriced))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(
            "gateway.routes.weather.price: it is required: GET /now has no x-price and no rule");
  }
}
