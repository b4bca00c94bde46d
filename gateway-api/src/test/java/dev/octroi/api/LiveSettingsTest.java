package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.x402.PaymentRequired;
import java.math.BigDecimal;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes and prices change on all nodes at the same moment, without a restart. */
class LiveSettingsTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final Duration TWO_POLLS = Duration.ofSeconds(3);
  private static final String GRACE = "6s";

  private final TickingClock clock = new TickingClock(Clock.systemUTC().instant());
  private RouteTarget target;
  private GatewayUnderTest first;
  private GatewayHost one;
  private GatewayHost other;

  @BeforeEach
  void start() {
    target = new RouteTarget();
    first = new GatewayUnderTest(settings("one"), clock);
    one = GatewayHost.routing(first);
    other = GatewayHost.routing(first.beside(settings("other"), clock));
  }

  private Map<String, String> settings(String node) {
    Map<String, String> all = new HashMap<>();
    all.put("gateway.database.node", node);
    all.put("gateway.admin.token", Admin.TOKEN);
    all.put("gateway.keys.master-key", Base64.getEncoder().encodeToString(new byte[32]));
    all.put("gateway.changes.poll", "1s");
    all.put("gateway.changes.targets", target.base().getAuthority());
    all.put("gateway.prices.grace", GRACE);
    all.put("gateway.routes.weather.path", "/weather");
    all.put("gateway.routes.weather.target", target.base().toString());
    all.put("gateway.routes.weather.price", "0.01");
    return all;
  }

  @AfterEach
  void stop() {
    other.close();
    one.close();
    target.close();
  }

  private HttpResponse<String> send(GatewayHost host, String path, String body) {
    return host.http()
        .send(
            host.http()
                .request("/admin/v1/" + path)
                .header("Authorization", "Bearer " + Admin.TOKEN)
                .header("Content-Type", "application/json")
                .method(
                    body.isEmpty() ? "GET" : "POST",
                    body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
  }

  private JsonNode change(String lines) throws Exception {
    HttpResponse<String> answer = send(one, "changes", "{\"lines\":" + lines + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return JSON.readTree(answer.body());
  }

  private String refused(String lines) {
    HttpResponse<String> answer = send(one, "changes", "{\"lines\":" + lines + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    return answer.body();
  }

  /** Both nodes know it, and it holds. */
  private void holds(JsonNode change) {
    String number = change.get("number").asText();
    await().until(() -> send(other, "changes", "").body().contains("\"latest\":" + number));
    clock.advance(TWO_POLLS);
  }

  private static String price(GatewayHost host, String path) {
    return host.http()
        .send(host.http().request(path).build())
        .headers()
        .firstValue("PAYMENT-REQUIRED")
        .map(PaymentRequired::read)
        .map(challenge -> dollars(challenge.accepts().get(0).amount()))
        .orElse("none");
  }

  private static String dollars(String millionths) {
    return new BigDecimal(millionths).movePointLeft(6).stripTrailingZeros().toPlainString();
  }

  private static int status(GatewayHost host, String path) {
    return host.http().send(host.http().request(path).build()).statusCode();
  }

  @ParameterizedTest
  @CsvSource({
    "/weather/paris, gateway.routes.weather.price",
    READ + ", row.GET" + READ,
    READ + ", group.cryptodata"
  })
  void aPriceHoldsOnAllNodesAtOneMomentAndTheFormerIsHonouredInItsGrace(String path, String line)
      throws Exception {
    String former = price(one, path);
    String signed = one.payment(path);
    String late = one.payment(path);

    JsonNode change = change("{\"" + line + "\":\"0.02\"}");

    assertThat(Instant.parse(change.get("from").asText()))
        .isAfterOrEqualTo(clock.instant().plusSeconds(2));
    await().until(() -> send(other, "changes", "").body().contains("\"latest\":1"));
    assertThat(price(one, path)).isEqualTo(former);
    assertThat(price(other, path)).isEqualTo(former);
    clock.advance(TWO_POLLS);
    assertThat(price(one, path)).isEqualTo("0.02");
    assertThat(price(other, path)).isEqualTo("0.02");
    HttpResponse<String> answer = paid(other, path, signed);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(new BigDecimal(answer.headers().firstValue("X-Price-Amount").orElseThrow()))
        .isEqualByComparingTo(former);
    clock.advance(Duration.ofSeconds(6));
    assertThat(paid(other, path, late).statusCode()).isEqualTo(402);
  }

  private static HttpResponse<String> paid(GatewayHost host, String path, String payment) {
    return host.http().send(host.http().request(path).header("PAYMENT-SIGNATURE", payment).build());
  }

  @Test
  void aRouteComesAndIsSoldAndToldOfEverywhereAndGoes() throws Exception {
    String lines =
        "{\"gateway.routes.maps.path\":\"/maps\",\"gateway.routes.maps.target\":\"%s/tiles\","
            + "\"gateway.routes.maps.price\":\"0.003\",\"gateway.routes.maps.description\":\"Maps\","
            + "\"gateway.routes.maps.header.X-Key\":\"of-the-seller\"}";
    assertThat(status(other, "/maps/7")).isEqualTo(404);

    holds(change(lines.formatted(target.base())));

    for (GatewayHost host : new GatewayHost[] {one, other}) {
      PaidAnswer answer = host.paid("/maps/7");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(target.last().line()).startsWith("GET /tiles/7 ");
      assertThat(target.last().one("X-Key")).contains("of-the-seller");
      for (String page : new String[] {"/openapi.json", "/.well-known/x402", "/llms.txt"}) {
        assertThat(host.http().send(host.http().request(page).build()).body())
            .as(page)
            .contains("/maps");
      }
      assertThat(send(host, "prices", "").body()).contains("gateway.routes.maps.price (change 1)");
      assertThat(send(host, "routes", "").body()).contains("\"word\":\"maps\"");
    }

    holds(change("{\"gateway.routes.maps.enabled\":\"false\"}"));

    assertThat(status(one, "/maps/7")).isEqualTo(404);
    assertThat(status(other, "/maps/7")).isEqualTo(404);
    assertThat(other.http().send(other.http().request("/openapi.json").build()).body())
        .doesNotContain("/maps");

    holds(change("{\"gateway.routes.maps\":null}"));

    assertThat(send(other, "routes", "").body()).doesNotContain("maps");
  }

  @Test
  void aRouteOfTheFileIsChangedAndGivenBackToTheFile() throws Exception {
    holds(change("{\"gateway.routes.weather.price\":\"0.04\"}"));
    assertThat(price(other, "/weather/paris")).isEqualTo("0.04");
    assertThat(send(one, "routes", "").body())
        .contains("{\"value\":\"0.04\",\"place\":\"change 1\"}", "\"place\":\"test\"");

    holds(change("{\"gateway.routes.weather.price\":null}"));
    assertThat(price(other, "/weather/paris")).isEqualTo("0.01");
  }

  @Test
  void theFormerPriceIsKnownToANodeThatStartsInTheGrace() throws Exception {
    String signed = one.payment("/weather/paris");
    holds(change("{\"gateway.routes.weather.price\":\"0.02\"}"));

    try (GatewayHost third = GatewayHost.routing(first.beside(settings("third"), clock))) {
      assertThat(price(third, "/weather/paris")).isEqualTo("0.02");
      assertThat(paid(third, "/weather/paris", signed).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aCredentialIsSealedInTheDatabaseAndNeverShown() throws Exception {
    String secret = "Bearer of-the-seller-alone";
    holds(change("{\"gateway.routes.weather.header.Authorization\":\"" + secret + "\"}"));

    one.paid("/weather/paris");
    assertThat(target.last().one("Authorization")).contains(secret);
    assertThat(first.text("SELECT lines FROM settings_change")).doesNotContain("of-the-seller");
    assertThat(first.text("SELECT asked FROM operator_action")).contains("header.Authorization");
    for (String view : new String[] {"changes", "routes", "prices", "settings", "actions"}) {
      assertThat(send(one, view, "").body()).as(view).doesNotContain("of-the-seller");
    }
  }

  @Test
  void aCredentialOpensUnderANewMasterKeyOnceTheOldOneIsGone() throws Exception {
    holds(change("{\"gateway.routes.weather.header.Authorization\":\"Bearer kept\"}"));
    String older = Base64.getEncoder().encodeToString(new byte[32]);
    byte[] key = new byte[32];
    key[0] = 1;
    String newer = Base64.getEncoder().encodeToString(key);

    try (GatewayHost changing = beside("changing", newer + "," + older)) {
      assertThat(send(changing, "wallets/reseal", "{}").body()).contains("\"resealed\":1");
      assertThat(send(changing, "wallets/reseal", "{}").body()).contains("\"resealed\":0");
    }
    try (GatewayHost changed = beside("changed", newer)) {
      changed.paid("/weather/paris");
      assertThat(target.last().one("Authorization")).contains("Bearer kept");
    }
  }

  private GatewayHost beside(String node, String masterKeys) {
    Map<String, String> all = settings(node);
    all.put("gateway.keys.master-key", masterKeys);
    return GatewayHost.routing(first.beside(all, clock));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gateway.routes.weather.target|http://169.254.169.254/|gateway.changes.targets",
        "gateway.routes.weather.target|http://127.0.0.1:1/|gateway.changes.targets",
        "gateway.routes.weather.target|http://x@{target}/|target",
        "gateway.routes.weather.openapi|/etc/passwd|names an address",
        "gateway.routes.weather.path|/health|the gateway serves itself",
        "gateway.routes.weather.pryce|1|did you mean gateway.routes.weather.price",
        "gateway.routes.weather.price|-1|price",
        "gateway.routes.weather.price|1001|at most 1000",
        "gateway.routes.weather.header.X-Key|a\\u0000b|control character",
        "gateway.routes.Weather.price|1|lower-case",
        "gateway.routes.phone.price|1|target",
        "gateway.admin.token|123456789012345678901234567890|set in the file",
        "row.GET/v1/nothing|1|no such row",
        "group.nothing|1|no such group",
        "version.x.from|2030-01-01T00:00:00Z|set in the file",
      })
  void whatCannotBeChangedIsRefusedWithASentenceAndNothingIsWritten(
      String key, String value, String told) throws Exception {
    String given = value.replace("{target}", target.base().getAuthority());
    assertThat(refused("{\"" + key + "\":\"" + given + "\"}")).contains(told);
    assertThat(first.count("SELECT COUNT(*) FROM settings_change")).isZero();
  }

  @Test
  void noRouteTakesTheWordOrThePathOfAnother() throws Exception {
    String lines =
        "{\"gateway.routes.%s.path\":\"%s\",\"gateway.routes.%s.target\":\"%s\","
            + "\"gateway.routes.%s.price\":\"1\"}";
    assertThat(refused(lines.formatted("phone", "/p", "phone", target.base(), "phone")))
        .contains("there is a group phone");
    assertThat(refused(lines.formatted("zwo", "/weather", "zwo", target.base(), "zwo")))
        .contains("are the same");
    assertThat(first.count("SELECT COUNT(*) FROM settings_change")).isZero();
  }

  @Test
  void aChangeThatDoesNotKnowTheLatestIsRefused() throws Exception {
    change("{\"gateway.routes.weather.price\":\"0.02\"}");

    HttpResponse<String> blind =
        send(
            other,
            "changes",
            "{\"after\":0,\"lines\":{\"gateway.routes.weather.price\":\"0.03\"}}");

    assertThat(blind.statusCode()).isEqualTo(409);
    assertThat(blind.body()).contains("change 1 was written meanwhile");
    HttpResponse<String> early =
        send(
            other,
            "changes",
            "{\"from\":\"%s\",\"lines\":{\"gateway.routes.weather.price\":\"0.03\"}}"
                .formatted(clock.instant()));
    assertThat(early.statusCode()).isEqualTo(400);
    assertThat(early.body()).contains("at the earliest");
  }

  @Test
  void aPreviewTellsWhatTheCallsOfTheLastDayWouldHavePaid() throws Exception {
    one.paid("/weather/paris");
    one.paid("/weather/rome");

    HttpResponse<String> preview =
        send(one, "changes/preview", "{\"lines\":{\"gateway.routes.weather.price\":\"0.02\"}}");

    assertThat(preview.statusCode()).as(preview.body()).isEqualTo(200);
    assertThat(preview.body())
        .contains(
            "\"row\":\"GET/weather/{path}\",\"before\":\"0.010000\",\"after\":\"0.020000\","
                + "\"calls\":2,\"paid\":\"0.020000\",\"would\":\"0.040000\"",
            "\"all\":{\"calls\":2,\"paid\":\"0.020000\",\"would\":\"0.040000\"}");
    assertThat(first.count("SELECT COUNT(*) FROM settings_change")).isZero();
  }

  private static final String DOCUMENT =
      """
      {"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{"/stars/{id}":{"get":{
      "summary":"A star","parameters":[{"name":"id","in":"path","required":true,
      "schema":{"type":"string"}}],"responses":{"200":{"description":"x"}}}}}}
      """;

  private JsonNode changeWithDocument() throws Exception {
    return change(
        ("{\"gateway.routes.sky.path\":\"/sky\",\"gateway.routes.sky.target\":\"%s\","
                + "\"gateway.routes.sky.price\":\"0.003\","
                + "\"gateway.routes.sky.openapi\":\"%s/spec.json\"}")
            .formatted(target.base(), target.base()));
  }

  /** The other nodes look for it every second. */
  @Test
  void aChangeWhoseDocumentComesSlowlyHoldsNotBeforeAllNodesKnowIt() throws Exception {
    String answer = RouteTarget.answer(200, "Content-Type: application/json\n", DOCUMENT);
    target.says(
        "/spec.json",
        wire -> {
          clock.advance(Duration.ofSeconds(8));
          wire.write(answer.getBytes(StandardCharsets.UTF_8));
        });

    JsonNode change = changeWithDocument();

    assertThat(Instant.parse(change.get("from").asText()))
        .isAfterOrEqualTo(clock.instant().plusSeconds(2));
  }

  @Test
  void aDocumentIsFetchedOnceForAllNodes() throws Exception {
    target.says(
        "/spec.json", RouteTarget.answer(200, "Content-Type: application/json\n", DOCUMENT));
    holds(changeWithDocument());

    target.says("/spec.json", RouteTarget.answer(500, "", "gone"));
    long asked = target.seen().stream().filter(seen -> seen.line().contains("/spec.json")).count();
    try (GatewayHost third = GatewayHost.routing(first.beside(settings("third"), clock))) {
      assertThat(price(third, "/sky/stars/7")).isEqualTo("0.003");
    }
    assertThat(price(other, "/sky/stars/7")).isEqualTo("0.003");
    assertThat(status(other, "/sky/planets/7")).isEqualTo(404);
    assertThat(asked).isEqualTo(1);
    assertThat(target.seen().stream().filter(seen -> seen.line().contains("/spec.json")).count())
        .isEqualTo(1);
  }
}
