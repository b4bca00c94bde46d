package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may use the operator's interface, and what it tells of the gateway itself. */
class OperatorTest {

  private static final String TOKEN = "the-operators-token-of-this-test";

  private static GatewayHost host;

  @BeforeAll
  static void start() {
    host =
        new GatewayHost(
            Map.of(
                "gateway.admin.token", TOKEN,
                "gateway.http.trusted-proxies", "127.0.0.1",
                "gateway.upstream.cryptodata.credential", "hush-hush"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  private static HttpResponse<String> get(String path, String token, String address) {
    return host.http()
        .send(
            host.http()
                .request(path)
                .header("Authorization", "Bearer " + token)
                .header("X-Forwarded-For", address)
                .build());
  }

  private static HttpResponse<String> get(String path) {
    return get(path, TOKEN, "203.0.113.1");
  }

  @Test
  @Tag("spec:operator.token")
  @Tag("spec:error.shape.flat")
  void withoutTheTokenNothingIsServed() {
    HttpResponse<String> none = host.http().send(host.http().request("/admin/v1/settings").build());
    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.body()).isEqualTo("{\"error\":\"The operator's token is required.\"}");
    assertThat(get("/admin/v1/settings", TOKEN + "x", "203.0.113.2").statusCode()).isEqualTo(401);
    assertThat(get("/admin/v1/settings").statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:operator.token")
  void whereNoTokenIsSetThereIsNoSuchPath() {
    try (GatewayHost closed = new GatewayHost(Map.of())) {
      HttpRequest request =
          closed.http().request("/admin/v1/settings").header("Authorization", "Bearer ").build();
      HttpResponse<String> answer = closed.http().send(request);
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.body()).isEqualTo("{\"error\":\"There is no such path.\"}");
    }
  }

  @Test
  @Tag("spec:operator.token.failures")
  void whoeverGuessesTooOftenWaitsAndTheRightTokenNever() {
    String address = "203.0.113.66";
    for (int attempt = 0; attempt < 10; attempt++) {
      assertThat(get("/admin/v1/settings", "wrong", address).statusCode()).isEqualTo(401);
    }
    HttpResponse<String> over = get("/admin/v1/settings", "wrong", address);
    assertThat(over.statusCode()).isEqualTo(429);
    assertThat(over.headers().firstValue("Retry-After")).isPresent();
    assertThat(over.body()).startsWith("{\"error\":\"");
    assertThat(get("/admin/v1/settings", "wrong", "203.0.113.67").statusCode()).isEqualTo(401);
    assertThat(get("/admin/v1/settings", TOKEN, address).statusCode()).isEqualTo(200);
    assertThat(get("/admin/v1/settings", "wrong", address).statusCode()).isEqualTo(429);
    assertThat(get("/metrics", TOKEN, address).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:error.shape.flat")
  void namesWithControlCharactersAreRefused() {
    for (String name : new String[] {"a\\u0000b", "a\\nb", "a\\u001b[31m"}) {
      HttpResponse<String> answer = post("/admin/v1/keys", "{\"name\":\"" + name + "\"}");

      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body())
          .isEqualTo("{\"error\":\"A text has a control character. Look at 'name'.\"}");
    }
    assertThat(get("/admin/v1/payments?requestId=a%00b").statusCode()).isEqualTo(400);
  }

  private static HttpResponse<String> post(String path, String body) {
    return host.http()
        .send(
            host.http()
                .request(path)
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
  }

  @Test
  @Tag("spec:operator.settings")
  void theSettingsInForceAreToldWithoutSecrets() {
    String settings = get("/admin/v1/settings").body();
    assertThat(settings)
        .contains(
            "\"gateway.admin.token\":\"****\"",
            "\"gateway.upstream.cryptodata.credential\":\"****\"",
            "\"gateway.payments.mode\":\"sandbox\"",
            "\"gateway.payments.max-timeout\":\"300s\"",
            "\"gateway.limits.requests-per-minute.prediction\":\"100\"",
            "\"gateway.database.answer-key\":\"\"")
        .doesNotContain(TOKEN, "hush-hush");
  }

  @Test
  @Tag("spec:operator.prices.explain")
  void thePriceBookIsListedAndExplained() {
    assertThat(get("/admin/v1/prices").body())
        .contains(
            "\"method\":\"GET\",\"path\":\"/v1/marketplace/cryptodata/market/etf\","
                + "\"group\":\"cryptodata\",\"list\":\"0.009500\",\"price\":\"0.009500\","
                + "\"rule\":\"list\"");
    assertThat(
            get("/admin/v1/prices/explain?method=post"
                    + "&path=/v1/marketplace/prediction/venue-a/wallet/identities")
                .body())
        .contains("\"list\":\"0.009500\"", "\"next\":null");
    assertThat(get("/admin/v1/prices/explain?method=GET&path=/v1/nothing").statusCode())
        .isEqualTo(404);
    assertThat(get("/admin/v1/prices/explain?method=GET").body())
        .isEqualTo("{\"error\":\"The parameter 'path' is missing.\"}");
  }
}
