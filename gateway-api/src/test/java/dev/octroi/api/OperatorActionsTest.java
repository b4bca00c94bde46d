package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.Wallet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written down of operators' actions. */
class OperatorActionsTest {

  private static Admin admin;

  @BeforeAll
  static void start() {
    admin = new Admin(Map.of());
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  private static JsonNode latest() {
    return admin.get("actions?limit=1").path("data").path(0);
  }

  @Test
  void aChangeIsKeptWithWhoDidItAndHowItStoodBeforeAndAfter() {
    String id = admin.key("{\"name\":\"shop\",\"daily\":\"5\"}").at("/key/key/id").asText();
    admin.put("keys/" + id + "/limits", "{\"daily\":\"7\"}");

    JsonNode action = latest();

    assertThat(action.path("operator").asText()).isEqualTo("admin");
    assertThat(action.path("address").asText()).isEqualTo("127.0.0.1");
    assertThat(action.path("method").asText()).isEqualTo("PUT");
    assertThat(action.path("path").asText()).isEqualTo("keys/" + id + "/limits");
    assertThat(action.path("status").asInt()).isEqualTo(200);
    assertThat(action.path("asked").path("daily").asText()).isEqualTo("7");
    assertThat(action.path("before").path("key").path("granted").path("daily").asText())
        .isEqualTo("5.000000");
    assertThat(action.path("after").findValuesAsText("daily")).contains("7.000000");
    assertThat(admin.get("actions?path=" + id).path("data")).hasSize(1);
    assertThat(admin.get("actions?operator=nobody").path("data")).isEmpty();
  }

  @Test
  @Tag("spec:money.6")
  void whatCannotBeWrittenDownIsNotDone() throws SQLException {
    String payment = settled();
    String refund = "{\"payment\":\"" + payment + "\",\"reason\":\"late\"}";
    admin.host().change("ALTER TABLE operator_action RENAME TO kept_elsewhere");
    try {
      assertThat(admin.status("POST", "refunds", refund)).isEqualTo(503);
    } finally {
      admin.host().change("ALTER TABLE kept_elsewhere RENAME TO operator_action");
    }
    assertThat(admin.get("refunds?payment=" + payment).path("data")).isEmpty();
    assertThat(admin.status("POST", "refunds", refund)).isEqualTo(200);
  }

  @Test
  @Tag("spec:money.6")
  void anActionWhoseEndWasNotWrittenDownSaysWhoBeganIt() throws SQLException {
    String payment = settled();
    admin
        .host()
        .change(
            "ALTER TABLE operator_action ADD CONSTRAINT ends_now CHECK (after_state IS NULL) NOCHECK");
    try {
      admin.post("refunds", "{\"payment\":\"" + payment + "\",\"reason\":\"late\"}");
    } finally {
      admin.host().change("ALTER TABLE operator_action DROP CONSTRAINT ends_now");
    }
    JsonNode action = latest();
    assertThat(action.path("operator").asText()).isEqualTo("admin");
    assertThat(action.at("/asked/payment").asText()).isEqualTo(payment);
    assertThat(action.path("status").isNull()).isTrue();
    assertThat(action.path("after").isNull()).isTrue();
  }

  private static String settled() {
    Wallet payer = Wallet.generate();
    admin
        .host()
        .paid(admin.host().http().request("/v1/marketplace/cryptodata/market/etf").build(), payer);
    return admin.get("payments?payer=" + payer.address()).at("/data/0/id").asText();
  }

  @Test
  void noSecretIsWrittenDown() throws SQLException {
    JsonNode issued = admin.key("{\"name\":\"sk-hidden-in-a-name-0123456789\"}");
    String secret = issued.path("secret").asText();
    assertThat(secret).startsWith("sk-");
    JsonNode action = latest();
    assertThat(action.path("after").path("secret").asText()).isEqualTo("***");
    assertThat(action.toString()).doesNotContain(secret, "hidden-in-a-name");
    assertThat(
            admin
                .host()
                .count(
                    "SELECT count(*) FROM operator_action WHERE POSITION('"
                        + secret
                        + "' IN after_state) > 0"))
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gateway.keys.master-key",
        "gateway.chain.relayer-keys",
        "gateway.books.treasury-key",
        "gateway.chain.rpc-url",
        "gateway.routes.weather.headers.Authorization",
        "gateway.routes.weather.target",
        "gateway.routes.weather.request-headers",
        "gateway.routes.weather.settle",
        "gateway.routes.Weather.header.Authorization",
        "gatewy.routes.weather.header.Authorization",
        "group.nothing"
      })
  void whatIsRefusedAsAChangeMayBeASecretAndIsNotWrittenDown(String key) {
    for (String address : List.of("changes", "changes/preview")) {
      String change = "{\"lines\":{\"" + key + "\":\"https://u:s3cr3t@h\"}}";
      assertThat(admin.status("POST", address, change)).isEqualTo(400);
      assertThat(latest().toString()).contains(key).doesNotContain("s3cr3t");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"lines\":[\"gateway.routes.weather.header.Authorization=s3cr3t\"]}",
        "{\"lines\":\"gateway.routes.weather.header.Authorization=s3cr3t\"}",
        "{\"lines\":{\"gateway.routes.weather\":{\"header\":[\"s3cr3t\"]}}}",
        "{\"line\":{\"gatewy.routes.weather.target\":\"https://u:s3cr3t@h\"}}",
        "[\"s3cr3t\"]",
        "\"s3cr3t\""
      })
  void aChangeOfAnotherShapeIsNotWrittenDownEither(String change) {
    assertThat(admin.status("POST", "changes", change)).isEqualTo(400);
    assertThat(latest().path("path").asText()).isEqualTo("changes");
    assertThat(latest().toString()).doesNotContain("s3cr3t");
  }

  @Test
  @Tag("spec:money.6")
  void aPartOfAPaymentIsGivenBackOnceThoughItIsAskedTwice() {
    String payment = settled();
    String part = "{\"payment\":\"" + payment + "\",\"amount\":\"0.001\",\"reason\":\"late\"}";

    String first = admin.post("refunds", part).path("id").asText();

    assertThat(admin.post("refunds", part).path("id").asText()).isEqualTo(first);
    assertThat(admin.get("refunds?payment=" + payment).path("data")).hasSize(1);
    assertThat(admin.post("refunds", part.replace("late", "later")).path("id").asText())
        .isNotEqualTo(first);
  }

  @Test
  @Tag("spec:money.6")
  void oneRequestKeyIsForOneAmount() {
    String asked =
        "{\"payment\":\""
            + settled()
            + "\",\"amount\":\"0.001\",\"reason\":\"late\",\"requestKey\":\"k\"}";
    admin.post("refunds", asked);

    String other = asked.replace("0.001", "0.002");
    assertThat(admin.status("POST", "refunds", other)).isEqualTo(409);
    assertThat(admin.status("POST", "refunds", asked)).isEqualTo(200);
  }

  @Test
  void whatWasRefusedIsKeptTooAndWhatOnlyReadsIsNot() {
    String payment = UUID.randomUUID().toString();
    assertThat(admin.status("POST", "payments/" + payment + "/write-off", "{\"reason\":\"x\"}"))
        .isEqualTo(404);
    JsonNode action = latest();
    assertThat(action.path("path").asText()).isEqualTo("payments/" + payment + "/write-off");
    assertThat(action.path("status").asInt()).isEqualTo(404);
    assertThat(action.path("before").isNull()).isTrue();
    String id = action.path("id").asText();
    admin.get("keys");
    admin.get("payments");
    assertThat(latest().path("id").asText()).isEqualTo(id);
    int refused =
        admin
            .send("POST", "/admin/v1/keys", "no-token-of-this-gateway", "{\"name\":\"x\"}")
            .statusCode();
    assertThat(refused).isEqualTo(401);
    assertThat(latest().path("id").asText()).isEqualTo(id);
  }

  @Test
  void aBodyThatIsNoJsonIsRefusedAndNotKept() {
    assertThat(admin.status("POST", "keys", "sk-not-json-at-all-0123456789")).isEqualTo(400);
    assertThat(latest().path("asked").isNull()).isTrue();
    assertThat(latest().path("status").asInt()).isEqualTo(400);
  }

  @Test
  void aDrainedNodeIsSeenBeforeAndAfter() {
    admin.post("node/drain", "{}");
    assertThat(latest().path("before").path("draining").asBoolean()).isFalse();
    assertThat(latest().path("after").path("draining").asBoolean()).isTrue();
    admin.post("node/resume", "{}");
  }

  @Test
  void actionsArePagedFromTheLatestToTheOldest() {
    for (int key = 0; key < 5; key++) {
      admin.key("{\"name\":\"paged-" + key + "\"}");
    }
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = admin.get("actions?limit=2&path=keys" + cursor);
      page.path("data").forEach(one -> seen.add(one.path("id").asText()));
      cursor =
          page.path("nextCursor").isNull() ? "" : "&cursor=" + page.path("nextCursor").asText();
    } while (!cursor.isEmpty());
    assertThat(seen).hasSizeGreaterThanOrEqualTo(5).doesNotHaveDuplicates();
  }

  @Test
  void paymentsAreFoundByStateGroupAndPath() {
    Wallet payer = Wallet.generate();
    String read = "/v1/marketplace/cryptodata/market/etf";
    admin.host().paid(admin.host().http().request(read).build(), payer);
    String mine = "payments?payer=" + payer.address();
    assertThat(admin.get(mine + "&state=settled&group=cryptodata&path=market/e").path("data"))
        .hasSize(1);
    assertThat(admin.get(mine + "&state=released").path("data")).isEmpty();
    assertThat(admin.get(mine + "&group=prediction").path("data")).isEmpty();
    assertThat(admin.get(mine + "&path=market/%25").path("data")).isEmpty();
    assertThat(admin.status("GET", "payments?state=lost", null)).isEqualTo(400);
  }

  @Test
  void aRefundedPaymentSaysSo() {
    Wallet payer = Wallet.generate();
    admin
        .host()
        .paid(admin.host().http().request("/v1/marketplace/cryptodata/market/etf").build(), payer);
    String mine = "payments?payer=" + payer.address();
    String id = admin.get(mine).path("data").path(0).path("id").asText();
    assertThat(admin.get(mine).path("data").path(0).path("refunded").isNull()).isTrue();

    admin.post("refunds", "{\"payment\":\"" + id + "\",\"amount\":\"0.0005\",\"reason\":\"late\"}");
    assertThat(admin.get(mine).path("data").path(0).path("refunded").asText())
        .isEqualTo("0.000500");
    admin.post("refunds", "{\"payment\":\"" + id + "\",\"reason\":\"late\"}");

    JsonNode payment = admin.get("payments/" + id);
    assertThat(payment.path("refunded").asText()).isEqualTo(payment.path("amount").asText());
    assertThat(payment.path("refundOwed").asBoolean()).isFalse();
  }
}
