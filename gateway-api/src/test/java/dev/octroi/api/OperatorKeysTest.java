package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
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

/** Keys as the operator makes them, and as their owners see them. */
class OperatorKeysTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  private static Admin admin;

  @BeforeAll
  static void start() {
    admin = new Admin(Map.of());
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  @Test
  @Tag("spec:operator.keys")
  @Tag("spec:limit.managed_spend")
  void aNewKeyHasWalletsMoneyAndLimitsAndItsSecretIsToldOnce() {
    JsonNode issued = admin.key("{\"name\":\"shop\",\"fund\":\"25.5\",\"daily\":7}");
    assertThat(issued.path("secret").asText()).matches("sk-[A-Za-z0-9_-]{43}");
    JsonNode key = issued.path("key").path("key");
    assertThat(key.path("state").asText()).isEqualTo("active");
    assertThat(key.path("limits").toString())
        .isEqualTo("{\"perCall\":\"100.000000\",\"daily\":\"7.000000\",\"monthly\":null}");
    assertThat(issued.path("key").path("wallets").path(0).path("balance").asText())
        .isEqualTo("1025.500000");
    String shown = admin.get("keys/" + key.path("id").asText()).toString();
    assertThat(shown).doesNotContain(issued.path("secret").asText()).contains("\"name\":\"shop\"");
    assertThat(admin.get("keys").toString())
        .doesNotContain(issued.path("secret").asText())
        .contains(key.path("id").asText());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "{\"name\":\"\"}",
        "{\"name\":\"x\",\"nam\":1}",
        "{\"name\":\"x\",\"groups\":[\"nothing\"]}",
        "{\"name\":\"x\",\"daily\":\"-1\"}",
        "{\"name\":\"x\",\"daily\":\"0.0000001\"}",
        "{\"name\":\"x\",\"daily\":{}}",
        "{\"name\":\"refused\",\"fund\":0}",
        "{\"name\":\"x\",\"expires\":\"2020-01-01T00:00:00Z\"}",
        "{\"name\":\"x\",\"expires\":\"tomorrow\"}",
        "{\"name\":\"x\",\"requestsPerMinute\":0}"
      })
  @Tag("spec:operator.keys")
  void aKeyThatCannotBeIsRefusedFlatly(String body) {
    HttpResponse<String> answer = admin.send("POST", "/admin/v1/keys", Admin.TOKEN, body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(Admin.json(answer.body()).path("error").isTextual()).isTrue();
    assertThat(admin.get("keys?limit=100").toString()).doesNotContain("refused");
  }

  @Test
  @Tag("spec:operator.keys")
  void noKeyIsMadeWhoseMoneyNoWalletCanTake() throws SQLException {
    JsonNode key = admin.key("{\"name\":\"bare\"}").at("/key/key");
    String account = key.path("account").asText();
    admin.host().change("DELETE FROM wallet WHERE account_id = '" + account + "'");

    String body = "{\"name\":\"unfunded\",\"account\":\"" + account + "\",\"fund\":\"1\"}";
    assertThat(admin.status("POST", "keys", body)).isEqualTo(409);
    assertThat(admin.get("keys?account=" + account).path("data")).hasSize(1);
    assertThat(admin.status("POST", "keys", body.replace(account, UUID.randomUUID().toString())))
        .isEqualTo(404);
  }

  @Test
  @Tag("spec:operator.keys")
  void keysAndAccountsArePagedAndNoneIsMissedOrTwice() {
    JsonNode first = admin.key("{\"name\":\"pages\"}").path("key").path("key");
    String account = first.path("account").asText();
    List<String> made = new ArrayList<>(List.of(first.path("id").asText()));
    for (int more = 0; more < 4; more++) {
      JsonNode key = admin.key("{\"name\":\"pages\",\"account\":\"" + account + "\"}");
      made.add(key.path("key").path("key").path("id").asText());
    }
    List<String> listed = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = admin.get("keys?limit=2&account=" + account + cursor);
      page.path("data").forEach(key -> listed.add(key.path("id").asText()));
      cursor =
          page.path("nextCursor").isNull() ? "" : "&cursor=" + page.path("nextCursor").asText();
    } while (!cursor.isEmpty());
    assertThat(listed).containsExactlyElementsOf(made);
    assertThat(admin.get("accounts?limit=1").path("data")).hasSize(1);
    assertThat(admin.status("GET", "keys?limit=101", null)).isEqualTo(400);
    assertThat(admin.status("GET", "keys?limit=0", null)).isEqualTo(400);
    assertThat(admin.status("GET", "keys?cursor=!!", null)).isEqualTo(400);
    assertThat(admin.status("GET", "keys/" + UUID.randomUUID(), null)).isEqualTo(404);
    assertThat(admin.status("GET", "keys/nothing", null)).isEqualTo(404);
  }

  @Test
  @Tag("spec:operator.wallets")
  void walletsAreListedWithTheirBalancesFundedAndSealedAnew() {
    JsonNode issued = admin.key("{\"name\":\"purse\"}").path("key");
    String account = issued.path("key").path("account").asText();
    String address = issued.path("wallets").path(0).path("address").asText();
    admin.post("accounts/" + account + "/fund", "{\"amount\":\"3\"}");
    assertThat(admin.get("accounts/" + account).toString())
        .contains(address, "\"balance\":\"1003.000000\"");
    assertThat(admin.status("POST", "accounts/" + account + "/fund", "{}")).isEqualTo(400);
    assertThat(admin.get("wallets?limit=100").toString())
        .contains(address, "\"kind\":\"eip155\"", "\"kind\":\"solana\"", "\"sealedUnder\"");
    assertThat(admin.post("wallets/reseal", "{}").path("resealed").isInt()).isTrue();
  }

  @Test
  @Tag("spec:operator.keys")
  void aRotatedKeyHasTwoSecretsUntilTheOverlapEndsAndARevokedOneNone() {
    JsonNode issued = admin.key("{\"name\":\"turning\"}");
    String id = issued.path("key").path("key").path("id").asText();
    String old = issued.path("secret").asText();
    String fresh =
        admin.post("keys/" + id + "/rotate", "{\"overlapSeconds\":3600}").path("secret").asText();
    assertThat(fresh).isNotEqualTo(old);
    assertThat(admin.send("GET", "/v1/wallet", old, null).statusCode()).isEqualTo(200);
    assertThat(admin.send("GET", "/v1/wallet", fresh, null).statusCode()).isEqualTo(200);
    assertThat(admin.status("POST", "keys/" + id + "/rotate", "{\"overlapSeconds\":-1}"))
        .isEqualTo(400);
    assertThat(admin.post("keys/" + id + "/revoke", "{}").path("state").asText())
        .isEqualTo("revoked");
    assertThat(admin.send("GET", "/v1/wallet", fresh, null).statusCode()).isEqualTo(401);
    assertThat(admin.status("POST", "keys/" + id + "/rotate", "{}")).isEqualTo(404);
  }

  @Test
  @Tag("spec:wallet.credentials")
  @Tag("spec:error.status.401")
  void anOwnersEndpointsNeedAGoodKeyAndOneOnly() {
    for (String path : List.of("/v1/wallet", "/v1/wallet/limits", "/v1/usage")) {
      HttpResponse<String> none = admin.host().http().get(path);
      assertThat(none.statusCode()).isEqualTo(401);
      assertThat(none.body()).isEqualTo("{\"error\":\"A good API key is required.\"}");
      assertThat(admin.send("GET", path, "sk-nothing", null).statusCode()).isEqualTo(401);
      assertThat(admin.send("GET", path, Admin.TOKEN, null).statusCode()).isEqualTo(401);
    }
    String secret = admin.key("{\"name\":\"both\"}").path("secret").asText();
    HttpResponse<String> two =
        admin
            .host()
            .http()
            .send(
                admin
                    .host()
                    .http()
                    .request("/v1/wallet")
                    .header("Authorization", "Bearer " + secret)
                    .header("x-api-key", "sk-another")
                    .build());
    assertThat(two.statusCode()).isEqualTo(400);
    assertThat(
            admin
                .host()
                .http()
                .send(admin.host().http().request("/v1/wallet").header("x-api-key", secret).build())
                .statusCode())
        .isEqualTo(200);
  }

  /** Absent is the setting, or what was granted before; null is no limit. */
  @Test
  @Tag("spec:operator.keys")
  void aLimitThatIsNotNamedStaysAndNullIsNone() {
    JsonNode key = admin.key("{\"name\":\"open\",\"perCall\":null}").path("key").path("key");
    assertThat(key.path("granted").toString())
        .isEqualTo("{\"perCall\":null,\"daily\":\"1000.000000\",\"monthly\":null}");
    String limits = "keys/" + key.path("id").asText() + "/limits";

    admin.put(limits, "{\"daily\":\"5\",\"monthly\":\"50\"}");
    assertThat(
            admin.put(limits, "{\"monthly\":null,\"perCall\":\"0.1\"}").path("granted").toString())
        .isEqualTo("{\"perCall\":\"0.100000\",\"daily\":\"5.000000\",\"monthly\":null}");
    assertThat(admin.put(limits, "{}").path("granted").path("daily").asText())
        .isEqualTo("5.000000");
  }

  @Test
  @Tag("spec:wallet.limits")
  void anOwnerLowersAndRestoresHisLimitsWithinWhatWasGranted() {
    String secret = admin.key("{\"name\":\"lower\",\"daily\":\"5\"}").path("secret").asText();
    JsonNode lowered = limits(secret, "{\"daily\":\"2\",\"monthly\":\"9\"}");
    assertThat(lowered.path("limits").toString())
        .isEqualTo("{\"perCall\":\"100.000000\",\"daily\":\"2.000000\",\"monthly\":\"9.000000\"}");
    JsonNode raised = limits(secret, "{\"daily\":\"1000\",\"perCall\":\"100000\"}");
    assertThat(raised.path("limits").toString())
        .isEqualTo("{\"perCall\":\"100.000000\",\"daily\":\"5.000000\",\"monthly\":\"9.000000\"}");
    assertThat(limits(secret, "{\"monthly\":null}").path("limits").path("monthly").isNull())
        .isTrue();
    raised = Admin.ok(admin.send("GET", "/v1/wallet/limits", secret, null));
    assertThat(raised.path("own").toString())
        .isEqualTo("{\"perCall\":\"100000.000000\",\"daily\":\"1000.000000\",\"monthly\":null}");
    assertThat(Admin.ok(admin.send("GET", "/v1/wallet/limits", secret, null))).isEqualTo(raised);
    assertThat(raised.path("spent").toString())
        .isEqualTo("{\"today\":\"0.000000\",\"thisMonth\":\"0.000000\"}");
    for (String bad : List.of("", "[]", "{\"daily\":\"much\"}", "{\"dayly\":\"1\"}", "null")) {
      assertThat(admin.send("PUT", "/v1/wallet/limits", secret, bad).statusCode())
          .as(bad)
          .isEqualTo(400);
    }
  }

  private static JsonNode limits(String secret, String body) {
    return Admin.ok(admin.send("PUT", "/v1/wallet/limits", secret, body));
  }

  @Test
  @Tag("spec:wallet.usage")
  @Tag("spec:wallet.own_data")
  @Tag("spec:operator.payments")
  void whatAKeyBoughtIsInItsUsageAndInNobodyElses() {
    String secret = admin.key("{\"name\":\"buyer\"}").path("secret").asText();
    String other = admin.key("{\"name\":\"other\"}").path("secret").asText();
    assertThat(admin.send("GET", READ, secret, null).statusCode()).isEqualTo(200);
    assertThat(admin.send("GET", READ, secret, null).statusCode()).isEqualTo(200);
    JsonNode usage = Admin.ok(admin.send("GET", "/v1/usage", secret, null));
    assertThat(usage.path("data")).hasSize(1);
    assertThat(usage.path("data").path(0).path("group").asText()).isEqualTo("cryptodata");
    assertThat(usage.path("data").path(0).path("calls").asInt()).isEqualTo(2);
    assertThat(usage.path("data").path(0).path("spend").asText()).isEqualTo("0.019000");
    assertThat(Admin.ok(admin.send("GET", "/v1/usage", other, null)).path("data")).isEmpty();
    String key = usage.path("data").path(0).path("key").asText();
    assertThat(Admin.ok(admin.send("GET", "/v1/usage?key=" + key, other, null)).path("data"))
        .isEmpty();
    assertThat(admin.get("payments?key=" + key).path("data")).hasSize(2);
    assertThat(
            Admin.ok(admin.send("GET", "/v1/wallet", secret, null))
                .path("wallets")
                .path(0)
                .path("balance")
                .asText())
        .isEqualTo("999.981000");
    for (String bad :
        List.of("from=x", "limit=101", "cursor=eA", "from=2026-02-01&to=2026-01-01")) {
      assertThat(admin.send("GET", "/v1/usage?" + bad, secret, null).statusCode()).isEqualTo(400);
    }
  }

  @Test
  @Tag("spec:operator.keys")
  void withoutAMasterKeyNoKeyIsMade() {
    try (Admin bare = new Admin(Map.of("gateway.keys.master-key", ""))) {
      HttpResponse<String> answer =
          bare.send("POST", "/admin/v1/keys", Admin.TOKEN, "{\"name\":\"x\"}");
      assertThat(answer.statusCode()).isEqualTo(409);
      assertThat(answer.body()).contains("gateway.keys.master-key");
    }
  }
}
