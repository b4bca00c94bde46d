package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A route is told of wherever the built-in groups are, and is called as a tool like them. */
class RouteListingTest {

  private static final JsonMapper JSON = new JsonMapper();

  private RouteTarget target;
  private GatewayHost host;

  @BeforeEach
  void start() {
    target = new RouteTarget();
    host =
        GatewayHost.routing(
            Map.of(
                "gateway.groups", "",
                "gateway.routes.weather.path", "/weather",
                "gateway.routes.weather.target", target.base() + "/api",
                "gateway.routes.weather.price", "0.01",
                "gateway.routes.weather.rules", "POST /search=0.05,GET /cities/{id}=0.002",
                "gateway.routes.weather.free", "/health",
                "gateway.routes.weather.description", "Weather by city"));
  }

  @AfterEach
  void stop() {
    host.close();
    target.close();
  }

  private JsonNode read(String path) throws IOException {
    return JSON.readTree(host.http().get(path).body());
  }

  /** The result of a tool's call that pays as its challenge asks. */
  private JsonNode called(String tool, String arguments) throws IOException {
    JsonNode unpaid = called(tool, arguments, "{}");
    assertThat(unpaid.path("isError").booleanValue()).as(unpaid.toString()).isTrue();
    String path = unpaid.at("/structuredContent/resource/url").textValue();
    return JSON.createObjectNode().put("address", path);
  }

  private JsonNode called(String tool, String arguments, String meta) throws IOException {
    return new ToolCaller(host.http()).called(tool, arguments, meta);
  }

  private String payment(String path) {
    return ToolCaller.paying(host.payment(path));
  }

  @Test
  void theDescriptionHasEachRowWithItsPlacesAndItsPrice() throws IOException {
    JsonNode paths = read("/openapi.json").path("paths");

    JsonNode city = paths.path("/weather/cities/{id}").path("get");
    assertThat(city.at("/x-payment-info/price").textValue()).isEqualTo("0.002000");
    assertThat(city.at("/parameters/0/in").textValue()).isEqualTo("path");
    assertThat(city.at("/tags/0").textValue()).isEqualTo("Weather");
    assertThat(city.at("/responses/402").isObject()).isTrue();
    JsonNode search = paths.path("/weather/search").path("post");
    assertThat(search.at("/requestBody/content/application~1json/schema/$ref").textValue())
        .isEqualTo("#/components/schemas/weather_post_search_request");
    JsonNode rest = paths.path("/weather/{path}").path("get");
    assertThat(rest.at("/parameters/0/name").textValue()).isEqualTo("path");
    assertThat(paths.has("/weather/health")).isFalse();
  }

  @Test
  void discoveryAndTheTextForModelsHaveThem() throws IOException {
    JsonNode listed = read("/discovery/resources?type=http");
    assertThat(listed.findValuesAsText("resource"))
        .contains(
            host.http().base().resolve("/weather/cities/:id").toString(),
            host.http().base().resolve("/weather/search").toString());
    assertThat(host.http().get("/llms.txt").body())
        .contains("## Weather")
        .contains("GET /weather/cities/{id}", "Weather by city: POST /search.");
  }

  @Test
  void aToolCallsARouteWithEachArgumentInItsPlace() throws IOException {
    assertThat(called("weather_get_cities_by_id", "{\"id\":\"paris\",\"days\":2}"))
        .hasToString(
            "{\"address\":\""
                + host.http().base().resolve("/weather/cities/paris?days=2").toString()
                + "\"}");

    JsonNode city =
        called(
            "weather_get_cities_by_id",
            "{\"id\":\"paris\",\"days\":2}",
            payment("/weather/cities/paris?days=2"));
    assertThat(city.path("isError").booleanValue()).as(city.toString()).isFalse();
    assertThat(target.last().line()).isEqualTo("GET /api/cities/paris?days=2 HTTP/1.1");
    assertThat(target.last().head()).doesNotContainIgnoringCase("x-octroi");

    called("weather_get", "{\"path\":\"a b/c\",\"q\":[1,2]}", payment("/weather/a%20b/c?q=1&q=2"));
    assertThat(target.last().line()).isEqualTo("GET /api/a%20b/c?q=1&q=2 HTTP/1.1");
    called("weather_get", "{}", payment("/weather"));
    assertThat(target.last().line()).isEqualTo("GET /api HTTP/1.1");
  }

  @Test
  void aToolsPictureComesAsAPicture() throws IOException {
    target.says("/api/map", RouteTarget.answer(200, "Content-Type: image/png\n", "PNG"));

    JsonNode result = called("weather_get", "{\"path\":\"map\"}", payment("/weather/map"));

    assertThat(result.at("/content/0/type").textValue()).isEqualTo("image");
    assertThat(result.at("/content/0/mimeType").textValue()).isEqualTo("image/png");
    assertThat(Base64.getDecoder().decode(result.at("/content/0/data").textValue()))
        .asString()
        .isEqualTo("PNG");
  }
}
