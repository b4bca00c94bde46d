package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.client.PaidAnswer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that is sold by configuration alone. */
class RoutesTest {

  private RouteTarget target;
  private GatewayHost host;

  @BeforeEach
  void start() {
    target = new RouteTarget();
    host = GatewayHost.routing(settings(Map.of()));
  }

  @AfterEach
  void stop() {
    host.close();
    target.close();
  }

  private Map<String, String> settings(Map<String, String> more) {
    Map<String, String> all = new HashMap<>();
    all.put("gateway.routes.weather.path", "/weather");
    all.put("gateway.routes.weather.target", target.base() + "/api");
    all.put("gateway.routes.weather.price", "0.01");
    all.put("gateway.routes.weather.rules", "POST /search=0.05,GET /cities/{id}=0.002");
    all.put("gateway.routes.weather.free", "/health,/public/*");
    all.put("gateway.routes.weather.description", "Weather by city");
    all.put("gateway.routes.weather.header.Authorization", "Bearer of-the-seller");
    all.putAll(more);
    return all;
  }

  private HttpRequest post(String path, String body) {
    return host.http().request(path).POST(BodyPublishers.ofString(body)).build();
  }

  private static String charged(PaidAnswer answer) {
    return answer.headers().firstValue("X-Price-Amount").orElse("nothing");
  }

  @ParameterizedTest
  @CsvSource({"free,/health", "rules,POST /mcp=0.05", "rules,/docs/*=0.05"})
  void aLineForAPathOfTheGatewaysOwnForbidsTheStart(String setting, String value) {
    Map<String, String> root = new HashMap<>(settings(Map.of()));
    root.remove("gateway.routes.weather.free");
    root.put("gateway.routes.weather.path", "/");
    root.put("gateway.routes.weather." + setting, value);

    assertThatThrownBy(() -> GatewayHost.routing(root).close())
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(
            "gateway.routes.weather."
                + setting
                + " has "
                + value
                + ", which the gateway serves itself");
  }

  @Test
  void anOperationOfADocumentAtAPathOfTheGatewaysOwnForbidsTheStart(@TempDir Path folder)
      throws IOException {
    String operation = "{\"responses\":{\"200\":{\"description\":\"it\"}}}";
    Path document =
        Files.writeString(
            folder.resolve("api.json"),
            "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"it\",\"version\":\"1\"},\"paths\":{"
                + "\"/mcp\":{\"post\":%1$s},\"/cities\":{\"get\":%1$s}}}".formatted(operation));
    Map<String, String> root = new HashMap<>(settings(Map.of()));
    root.remove("gateway.routes.weather.free");
    root.remove("gateway.routes.weather.rules");
    root.put("gateway.routes.weather.openapi", document.toString());
    GatewayHost.routing(root).close();
    root.put("gateway.routes.weather.path", "/");

    assertThatThrownBy(() -> GatewayHost.routing(root).close())
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(
            "gateway.routes.weather.openapi names POST /mcp, which the gateway serves itself")
        .hasMessageNotContaining("/cities");
    root.put("gateway.http.own-prefix", "/octroi");
    GatewayHost.routing(root).close();
  }

  @Test
  void aBrowserGetsAPageWhereARouteSellsNothing() {
    HttpRequest.Builder browser =
        host.http()
            .request("/weather/search")
            .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    HttpResponse<String> page = host.http().send(browser.DELETE().build());

    assertThat(page.statusCode()).isEqualTo(405);
    assertThat(page.body()).contains("This address takes another method");
    assertThat(page.headers().firstValue("content-security-policy")).isPresent();
    assertThat(host.http().send(host.http().request("/weather/search").DELETE().build()).body())
        .startsWith("{\"error\":");
  }

  @Test
  void aCallIsPaidForAndPassedOn() {
    target.says(
        "/api/paris?d=1",
        RouteTarget.answer(
            200,
            "Content-Type: text/plain\nX-Station: 7\nSet-Cookie: a=1\nSet-Cookie: b=2\n",
            "21 degrees"));

    HttpResponse<String> unpaid = host.http().get("/weather/paris?d=1");
    assertThat(unpaid.statusCode()).isEqualTo(402);
    assertThat(unpaid.headers().firstValue("PAYMENT-REQUIRED")).isPresent();
    assertThat(target.seen()).isEmpty();

    PaidAnswer answer = host.paid("/weather/paris?d=1");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(GatewayHost.text(answer)).isEqualTo("21 degrees");
    assertThat(charged(answer)).isEqualTo("0.010000");
    assertThat(answer.headers().firstValue("X-Station")).contains("7");
    assertThat(answer.headers().allValues("Set-Cookie")).containsExactly("a=1", "b=2");
    assertThat(target.seen()).hasSize(1);
    assertThat(target.last().line()).isEqualTo("GET /api/paris?d=1 HTTP/1.1");
    assertThat(target.last().header("Authorization")).containsExactly("Bearer of-the-seller");
    assertThat(target.last().header("Host")).containsExactly(target.base().getRawAuthority());
    assertThat(target.last().one("X-Price")).contains("0.010000");
    assertThat(target.last().one("X-Payer")).get().asString().startsWith("0x");
    assertThat(target.last().one("X-Payment-Id"))
        .isEqualTo(answer.headers().firstValue("X-Payment-Id"));
    assertThat(target.last().one("X-Forwarded-Prefix")).contains("/weather");
  }

  @Test
  void theMostSpecificRuleMakesThePrice() {
    assertThat(charged(host.paid(post("/weather/search", "{\"q\":1}")))).isEqualTo("0.050000");
    assertThat(target.last().body()).isEqualTo("{\"q\":1}");
    assertThat(charged(host.paid("/weather/search"))).isEqualTo("0.010000");
    assertThat(charged(host.paid("/weather/cities/7"))).isEqualTo("0.002000");
    assertThat(charged(host.paid("/weather/cities/7/hours"))).isEqualTo("0.010000");
    assertThat(charged(host.paid("/weather"))).isEqualTo("0.010000");
    assertThat(target.last().line()).isEqualTo("GET /api HTTP/1.1");
  }

  @Test
  void whatIsFreeIsServedForNothing() {
    HttpResponse<String> answer = host.http().get("/weather/health");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"ok\":true}");
    assertThat(target.last().header("X-Payer")).isEmpty();
    assertThat(target.last().header("Authorization")).containsExactly("Bearer of-the-seller");
    assertThat(host.http().get("/weather/public/a/b").statusCode()).isEqualTo(200);
    assertThat(host.http().get("/weather/publicity").statusCode()).isEqualTo(402);
  }

  @Test
  void aFailureIsPassedOnAndNotCharged() {
    target.says("/api/none", RouteTarget.answer(404, "Content-Type: text/plain\n", "no such city"));
    target.says("/api/broken", RouteTarget.answer(500, "Retry-After: 7\n", "oh"));

    PaidAnswer missing = host.paid("/weather/none");
    PaidAnswer broken = host.paid("/weather/broken");

    assertThat(missing.status()).isEqualTo(404);
    assertThat(GatewayHost.text(missing)).isEqualTo("no such city");
    assertThat(charged(missing)).isEqualTo("nothing");
    assertThat(broken.status()).isEqualTo(500);
    assertThat(broken.headers().firstValue("Retry-After")).contains("7");
    assertThat(charged(broken)).isEqualTo("nothing");
  }

  @Test
  void otherPathsAreTheGatewaysAsBefore() {
    assertThat(host.http().get("/weatherman").statusCode()).isEqualTo(404);
    assertThat(host.http().get("/health/live").statusCode()).isEqualTo(200);
    assertThat(host.http().get("/v1/marketplace/prediction/venue-a/markets?limit=1").statusCode())
        .isEqualTo(402);
  }
}
