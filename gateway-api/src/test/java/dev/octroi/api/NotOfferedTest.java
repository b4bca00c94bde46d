package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.PaidAnswer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads that the vendors' public contracts do not have, behind an upstream of which the operator
 * listed one as offered all the same.
 */
class NotOfferedTest {

  private static final String LISTED = "/v1/marketplace/prediction/venue-c/markets";
  private static final String CATEGORIES = "/v1/marketplace/prediction/markets/categories";
  private static final String LONG_SHORT = "/v1/marketplace/prediction/exchange-a/long-short";

  private static GatewayHost host;

  @BeforeAll
  static void start() {
    host = new GatewayHost(Map.of("gateway.prediction.beyond-contract", "/venue-c/markets"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        CATEGORIES,
        LONG_SHORT,
        "/v1/prediction/exchange-a/long-short",
        "/v1/marketplace/prediction/venue-a/comments/0x1",
        "/v1/marketplace/prediction/venue-a/rewards/0x857b06519E91e3A54538791bDbb0E22373e36b66"
      })
  void areRefusedBeforeAPaymentIsAskedFor(String path) {
    HttpResponse<String> unpaid = host.http().get(path);
    PaidAnswer paid = host.paid(path);

    assertThat(unpaid.statusCode()).isEqualTo(501);
    assertThat(unpaid.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    assertThat(Admin.json(unpaid.body()).at("/error/code").asText()).isEqualTo("not_offered");
    assertThat(Admin.json(unpaid.body()).at("/error/message").asText()).contains(": the vendor ");
    assertThat(paid.status()).isEqualTo(501);
    assertThat(paid.receipt()).isNull();
  }

  @Test
  void thatTheOperatorListedAreSold() {
    host.vendor().says("/venue-c/markets", 200, "{\"markets\":[]}");

    assertThat(host.paid(LISTED).status()).isEqualTo(200);
  }

  private static String pointer(String path) {
    return "/" + path.replace("/", "~1") + "/get";
  }

  @Test
  void areMarkedInTheDescriptionAndToldOfNowhereElse() {
    JsonNode paths = Admin.json(host.http().get("/openapi.json").body()).path("paths");
    String tools = host.http().get("/discovery/resources?limit=1000").body();
    String words = host.http().get("/llms.txt").body();

    assertThat(paths.at(pointer(LISTED)).path("responses").has("402")).isTrue();
    assertThat(words).contains("/venue-c/markets");
    for (String path : List.of(CATEGORIES, LONG_SHORT)) {
      assertThat(paths.at(pointer(path)).path("x-not-offered").asBoolean()).as(path).isTrue();
      assertThat(paths.at(pointer(path)).path("description").asText()).contains("the vendor");
      assertThat(paths.at(pointer(path)).path("responses").has("402")).isFalse();
      assertThat(tools).doesNotContain(path + "\"");
      assertThat(words).doesNotContain(path);
    }
  }
}
