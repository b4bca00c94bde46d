package dev.octroi.api;

import static dev.octroi.api.WebhookReceiver.answer;
import static dev.octroi.api.WebhookReceiver.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.WebhookReceiver.Received;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events reach the endpoints that want them, whatever those do, and what came of it is seen. */
abstract class WebhooksContract {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String SECRET = secret("n");
  private static final String FORMER = secret("o");
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final WebhookReceiver receiver = new WebhookReceiver();
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Admin> admins = new ArrayList<>();
  private DataSource database;

  /** A new database with the schema and nothing in it. */
  abstract DataSource emptyDatabase();

  @AfterEach
  void close() {
    over.countDown();
    for (int last = admins.size() - 1; last >= 0; last--) {
      admins.get(last).close();
    }
    receiver.close();
  }

  private static String secret(String letter) {
    return "whsec_" + Base64.getEncoder().encodeToString(letter.repeat(32).getBytes());
  }

  private Map<String, String> hook(String word, String... more) {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "gateway.reconciler.start-after",
                "0s",
                "gateway.reconciler.polling",
                "100ms",
                "gateway.webhooks." + word + ".url",
                receiver.url("/" + word),
                "gateway.webhooks." + word + ".secret",
                SECRET,
                "gateway.webhooks." + word + ".private-network",
                "true"));
    for (int at = 0; at < more.length; at += 2) {
      settings.put("gateway.webhooks." + word + "." + more[at], more[at + 1]);
    }
    return settings;
  }

  private Admin start(Map<String, String> settings) {
    if (database == null) {
      database = emptyDatabase();
    }
    admins.add(new Admin(settings, database));
    return admins.get(0);
  }

  private static String sold(Admin admin) {
    return admin.host().paid(READ).receipt().transaction().substring("sandbox:".length());
  }

  private List<Received> received(String path, int least) {
    await().atMost(PATIENCE).until(() -> receiver.at(path).size() >= least);
    return receiver.at(path);
  }

  private static JsonNode delivery(Admin admin, String state, String query) {
    String path = "webhooks/deliveries?state=" + state + query;
    await().atMost(PATIENCE).until(() -> admin.get(path).path("data").size() > 0);
    return admin.get(path).at("/data/0");
  }

  @Test
  void aSettledPaymentIsToldOnceAndAPublishedVerifierFindsItGood() {
    String url = receiver.url("/shop") + "?code=" + FORMER.substring(6, 20);
    Admin admin = start(hook("shop", "url", url, "secret", SECRET + "," + FORMER));
    String payment = sold(admin);
    Received told = received("/shop", 1).get(0);
    assertThat(told.query()).isEqualTo("code=" + FORMER.substring(6, 20));
    told.isSignedWith(SECRET);
    told.isSignedWith(FORMER);
    assertThat(told.id()).isEqualTo("payment_settled_" + payment + "_1");
    JsonNode body = Admin.json(told.body());
    assertThat(body.path("type").asText()).isEqualTo("payment.settled");
    assertThat(Instant.parse(body.path("timestamp").asText()))
        .isBefore(Instant.now().plusSeconds(5));
    assertThat(body.at("/data/payment").asText()).isEqualTo(payment);
    assertThat(body.at("/data/amount").asText()).isEqualTo("0.009500");
    assertThat(body.at("/data/path").asText()).isEqualTo(READ);
    assertThat(body.at("/data/group").asText()).isEqualTo("cryptodata");
    JsonNode kept = delivery(admin, "delivered", "");
    assertThat(kept.path("event").asText()).isEqualTo(told.id());
    assertThat(kept.path("status").asInt()).isEqualTo(204);
    assertThat(kept.path("attempts").asInt()).isEqualTo(1);
    JsonNode endpoint = admin.get("webhooks").at("/data/0");
    assertThat(endpoint.path("endpoint").asText()).isEqualTo("shop");
    assertThat(endpoint.path("delivered").asInt()).isEqualTo(1);
    assertThat(endpoint.path("waiting").asInt()).isZero();
    assertThat(endpoint.path("retrying").asInt()).isZero();
    assertThat(endpoint.path("url").asText()).isEqualTo(receiver.url("/****"));
    assertThat(admin.get("webhooks").toString() + admin.get("settings"))
        .doesNotContain(SECRET)
        .doesNotContain(FORMER.substring(6, 20));
    assertThat(receiver.at("/shop")).hasSize(1);
  }

  @Test
  void anEndpointGetsTheTypesThatItWantsAndARefundIsOne() throws Exception {
    Map<String, String> settings = hook("back", "events", "payment.refunded");
    settings.putAll(hook("none", "events", "job.done"));
    Admin admin = start(settings);
    String payment = sold(admin);
    JsonNode refund =
        admin.post(
            "refunds",
            "{\"payment\":\"%s\",\"amount\":\"0.0005\",\"reason\":\"late\"}".formatted(payment));
    JsonNode body = Admin.json(received("/back", 1).get(0).body());
    assertThat(body.path("type").asText()).isEqualTo("payment.refunded");
    assertThat(body.at("/data/refund").asText()).isEqualTo(refund.path("id").asText());
    assertThat(body.at("/data/payment").asText()).isEqualTo(payment);
    assertThat(body.at("/data/amount").asText()).isEqualTo("0.000500");
    assertThat(receiver.at("/none")).isEmpty();
    assertThat(admin.host().count("SELECT COUNT(*) FROM webhook_event")).isEqualTo(1);
  }

  @Test
  void aDoubtAndItsEndAreToldWithTheirReasonAndATransferForCallsOnAccountIsNot() throws Exception {
    Map<String, String> settings = hook("shop", "events", "payment.in_doubt");
    settings.putAll(hook("end", "events", "payment.failed"));
    Admin admin = start(settings);
    String doubtful = sold(admin);
    String transfer = sold(admin);
    admin.host().change("UPDATE payment SET reason = 'timeout' WHERE id = '" + doubtful + "'");
    admin
        .host()
        .change(
            "INSERT INTO netting (id, amount, calls, begun_at) VALUES ('%s', 1, 1, '2026-01-01')"
                .formatted(transfer));
    for (String payment : List.of(transfer, doubtful)) {
      admin
          .host()
          .change(
              "INSERT INTO webhook_event (id, type, subject, at) VALUES ('d_%1$s', 'payment.in_doubt', '%1$s', '2026-01-01')"
                  .formatted(payment));
    }
    admin
        .host()
        .change(
            "INSERT INTO webhook_event (id, type, subject, at) VALUES ('e', 'payment.failed', '%s', '2026-01-01')"
                .formatted(doubtful));
    for (String path : List.of("/shop", "/end")) {
      JsonNode body = Admin.json(received(path, 1).get(0).body());
      assertThat(body.at("/data/payment").asText()).isEqualTo(doubtful);
      assertThat(body.at("/data/reason").asText()).isEqualTo("timeout");
    }
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                admin.host().count("SELECT COUNT(*) FROM webhook_event WHERE relayed_at IS NULL")
                    == 0);
    assertThat(admin.host().count("SELECT COUNT(*) FROM webhook_delivery")).isEqualTo(2);
  }

  @Test
  void leasesThatEndAndBudgetsThatAreNearlyUsedAreToldOnce() throws Exception {
    database = emptyDatabase();
    UUID lease = UUID.randomUUID();
    UUID key = UUID.randomUUID();
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    Instant end = Instant.now().plus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.MILLIS);
    change(
        "INSERT INTO lease (id, phone, country, owner, network, vendor_ref, bought_at, state, expires_at)"
            + " VALUES ('%s', '+14155550100', 'US', 'o', 'eip155:8453', 'PN1', '2026-01-01', 'ACTIVE', '%s')",
        lease, end);
    change(
        "INSERT INTO lease (id, phone, country, owner, network, vendor_ref, bought_at, state, expires_at)"
            + " VALUES ('%s', '+14155550101', 'US', 'o', 'eip155:8453', 'PN2', '2026-01-01', 'ACTIVE', '%s')",
        UUID.randomUUID(), end.plus(10, ChronoUnit.DAYS));
    change("INSERT INTO account (id, name, created_at) VALUES ('%1$s', 'a', '2026-01-01')", key);
    for (UUID one : List.of(key, UUID.randomUUID())) {
      change(
          "INSERT INTO api_key (id, account_id, name, prefix, permitted, created_at)"
              + " VALUES ('%s', '%s', 'shop', 'sk-', '', '2026-01-01')",
          one, key);
      change(
          "INSERT INTO key_budget (key_id, granted_daily, own_daily, granted_monthly, on_day, day_spent, in_month,"
              + " month_spent) VALUES ('%s', 9000000, 1000000, 100000000, '%s', %d, '%s', 900000)",
          one, today, one.equals(key) ? 800_000 : 799_999, today.withDayOfMonth(1));
    }
    Admin admin = start(hook("shop"));
    received("/shop", 2);
    Map<String, JsonNode> told = new HashMap<>();
    for (Received one : receiver.at("/shop")) {
      JsonNode body = Admin.json(one.body());
      told.put(body.path("type").asText(), body.path("data"));
    }
    assertThat(told.get("lease.expiring").path("lease").asText()).isEqualTo(lease.toString());
    assertThat(Instant.parse(told.get("lease.expiring").path("expires").asText())).isEqualTo(end);
    JsonNode budget = told.get("budget.nearly_used");
    assertThat(budget.path("key").asText()).isEqualTo(key.toString());
    assertThat(budget.path("period").asText()).isEqualTo(today.toString());
    assertThat(budget.path("limit").asText()).isEqualTo("1.000000");
    assertThat(budget.path("spent").asText()).isEqualTo("0.800000");
    // Found again, and told no second time.
    admin
        .host()
        .change(
            "UPDATE scheduled_tasks SET execution_time = '2026-01-01' WHERE task_name = 'find-webhook-events' AND NOT picked");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                admin
                        .host()
                        .count(
                            "SELECT COUNT(*) FROM scheduled_tasks WHERE task_name ="
                                + " 'find-webhook-events' AND version > 2 AND NOT picked")
                    == 1);
    assertThat(admin.host().count("SELECT COUNT(*) FROM webhook_event")).isEqualTo(2);
  }

  private void change(String sql, Object... values) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql.formatted(values));
    }
  }

  @Test
  @Tag("slow")
  void whoRefusesIsAskedAgainLaterAndLaterAndGivenUpInTheEnd() throws Exception {
    receiver.answers("/shop", answer(500, "X-A", "b", "out\u0007 of\norder " + "x".repeat(900)));
    Admin admin = start(hook("shop"));
    sold(admin);
    Duration before = Duration.ZERO;
    for (int attempt = 1; attempt < 10; attempt++) {
      int now = attempt;
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                JsonNode row = delivery(admin, "waiting", "");
                return row.path("attempts").asInt() == now && row.path("status").asInt() == 500;
              });
      JsonNode row = delivery(admin, "waiting", "");
      Duration pause =
          Duration.between(
              Instant.parse(row.path("tried").asText()), Instant.parse(row.path("due").asText()));
      assertThat(pause).isGreaterThan(before);
      before = pause;
      assertThat(row.path("answer").asText()).startsWith("out\uFFFD of order x").hasSize(200);
      admin.host().change("UPDATE webhook_delivery SET due_at = '2026-01-01', status = 0");
    }
    assertThat(before).isBetween(Duration.ofHours(24), Duration.ofHours(29));
    JsonNode failed = delivery(admin, "failed", "&endpoint=shop&type=payment.settled");
    assertThat(failed.path("attempts").asInt()).isEqualTo(10);
    assertThat(failed.path("due").isNull()).isTrue();
    Set<String> ids = new HashSet<>();
    for (Received one : receiver.at("/shop")) {
      ids.add(one.id());
      one.isSignedWith(SECRET);
    }
    assertThat(ids).hasSize(1);
    receiver.answers("/shop", status(200));
    admin.post("webhooks/deliveries/" + failed.path("id").asText() + "/resend", "{}");
    assertThat(delivery(admin, "delivered", "").path("attempts").asInt()).isEqualTo(1);
    assertThat(admin.get("actions?path=webhooks").at("/data/0/before/state").asText())
        .isEqualTo("failed");
  }

  @Test
  void anAnswerOf410DisablesTheEndpointUntilATestIsTaken() {
    receiver.answers("/shop", status(410));
    Admin admin = start(hook("shop"));
    sold(admin);
    assertThat(delivery(admin, "failed", "").path("status").asInt()).isEqualTo(410);
    await()
        .atMost(PATIENCE)
        .until(() -> admin.get("webhooks").at("/data/0/state").asText().equals("disabled"));
    assertThat(admin.post("webhooks/shop/test", "{}").path("delivered").asBoolean()).isFalse();
    assertThat(admin.get("webhooks").at("/data/0/state").asText()).isEqualTo("disabled");
    receiver.answers("/shop", answer(202, "X-A", "b", "thank you"));
    JsonNode tested = admin.post("webhooks/shop/test", "{}");
    assertThat(tested.path("status").asInt()).isEqualTo(202);
    assertThat(tested.path("answer").asText()).isEqualTo("thank you");
    Received last = receiver.at("/shop").get(receiver.at("/shop").size() - 1);
    last.isSignedWith(SECRET);
    assertThat(Admin.json(last.body()).path("type").asText()).isEqualTo("octroi.test");
    assertThat(admin.get("webhooks").at("/data/0/state").asText()).isEqualTo("active");
    String payment = sold(admin);
    assertThat(delivery(admin, "delivered", "").path("event").asText()).contains(payment);
    assertThat(admin.status("POST", "webhooks/other/test", "{}")).isEqualTo(404);
  }

  @Test
  void retryAfterIsHonouredUpToADay() {
    receiver.answers("/shop", answer(503, "Retry-After", "7200", ""));
    String tomorrow =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.now().plus(9, ChronoUnit.DAYS).atOffset(ZoneOffset.UTC));
    receiver.answers("/late", answer(429, "Retry-After", tomorrow, ""));
    Map<String, String> settings = hook("shop");
    settings.putAll(hook("late"));
    Admin admin = start(settings);
    sold(admin);
    for (String word : List.of("shop", "late")) {
      await()
          .atMost(PATIENCE)
          .until(() -> !delivery(admin, "waiting", "&endpoint=" + word).path("status").isNull());
      JsonNode row = delivery(admin, "waiting", "&endpoint=" + word);
      assertThat(
              Duration.between(
                  Instant.parse(row.path("tried").asText()),
                  Instant.parse(row.path("due").asText())))
          .isEqualTo(Duration.ofHours(word.equals("shop") ? 2 : 24));
    }
    assertThat(admin.get("webhooks").path("data"))
        .hasSize(2)
        .allSatisfy(one -> assertThat(one.path("retrying").asInt()).isEqualTo(1));
  }

  @Test
  @Tag("slow")
  void noHostileReceiverIsFollowedOrHoldsUpAnother() {
    receiver.answers("/silent", exchange -> awaitEnd());
    receiver.answers(
        "/endless",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          for (byte[] some = new byte[4096]; over.getCount() > 0; ) {
            exchange.getResponseBody().write(some);
          }
        });
    receiver.answers(
        "/moved", answer(302, "Location", "http://169.254.169.254/latest/meta-data", ""));
    receiver.answers("/here", answer(307, "Location", receiver.url("/target"), ""));
    Map<String, String> settings = hook("good");
    for (String word : List.of("silent", "endless", "moved", "here")) {
      settings.putAll(hook(word));
    }
    // A name whose address is this machine's.
    settings.putAll(
        hook(
            "inside",
            "url",
            "http://localhost:" + receiver.port() + "/inside",
            "private-network",
            "false"));
    settings.putAll(hook("number", "url", "http://2130706433:" + receiver.port() + "/number"));
    Admin admin = start(settings);
    int payments = 12;
    for (int payment = 0; payment < payments; payment++) {
      sold(admin);
    }
    received("/good", payments);
    delivery(admin, "delivered", "&endpoint=endless");
    for (String word : List.of("moved", "here", "inside", "number", "silent")) {
      await()
          .atMost(PATIENCE)
          .until(() -> !delivery(admin, "waiting", "&endpoint=" + word).path("tried").isNull());
    }
    assertThat(delivery(admin, "waiting", "&endpoint=moved").path("status").asInt()).isEqualTo(302);
    assertThat(delivery(admin, "waiting", "&endpoint=inside").path("answer").asText())
        .isEqualTo("The address is not on the public web.");
    for (String path : List.of("/target", "/inside", "/number")) {
      assertThat(receiver.at(path)).as(path).isEmpty();
    }
    assertThat(receiver.at("/good")).hasSize(payments);
    String figures = admin.send("GET", "/metrics", Admin.TOKEN, null).body();
    assertThat(figures)
        .contains("octroi_webhooks_delivered_total{endpoint=\"good\"} " + payments + ".0")
        .contains("octroi_webhooks_failed_total{endpoint=\"good\"} 0.0")
        .contains("octroi_webhooks_waiting{endpoint=\"silent\"}")
        .contains("octroi_webhooks_oldest_seconds{endpoint=\"silent\"}");
  }

  private void awaitEnd() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void twoNodesDeliverEachEventOnceAndWhatADyingOneHadIsSentByTheOther() throws Exception {
    Admin one = start(hook("shop"));
    Map<String, String> other = hook("shop");
    other.put("gateway.database.node", "other");
    Admin two = one.beside(other);
    admins.add(two);
    int payments = 30;
    Set<String> sold = new HashSet<>();
    for (int payment = 0; payment < payments; payment++) {
      sold.add("payment_settled_" + sold(payment % 2 == 0 ? one : two) + "_1");
    }
    received("/shop", payments);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                one.host().count("SELECT COUNT(*) FROM webhook_delivery WHERE state = 'DELIVERED'")
                    == payments);
    assertThat(receiver.at("/shop").stream().map(Received::id).toList())
        .containsExactlyInAnyOrderElementsOf(sold);
    // As a node leaves it that dies while it sends.
    one.host()
        .change(
            "UPDATE webhook_delivery SET state = 'WAITING', due_at = '%s' WHERE event = '%s'"
                .formatted(Instant.now().plusSeconds(2), sold.iterator().next()));
    assertThat(received("/shop", payments + 1).get(payments).id())
        .isEqualTo(sold.iterator().next());
  }

  @Test
  void deliveriesArePagedAndBadQuestionsRefused() throws Exception {
    Admin admin = start(hook("shop"));
    for (int payment = 0; payment < 5; payment++) {
      sold(admin);
    }
    received("/shop", 5);
    await()
        .atMost(PATIENCE)
        .until(() -> admin.get("webhooks/deliveries?state=delivered").path("data").size() == 5);
    Set<String> ids = new HashSet<>();
    String cursor = "";
    do {
      JsonNode page = admin.get("webhooks/deliveries?limit=2" + cursor);
      page.path("data").forEach(row -> assertThat(ids.add(row.path("id").asText())).isTrue());
      cursor =
          page.path("nextCursor").isNull() ? "" : "&cursor=" + page.path("nextCursor").asText();
    } while (!cursor.isEmpty());
    assertThat(ids).hasSize(5);
    for (String none : List.of("endpoint=other", "type=job.done", "state=failed")) {
      assertThat(admin.get("webhooks/deliveries?" + none).path("data")).as(none).isEmpty();
    }
    assertThat(admin.status("GET", "webhooks/deliveries?owner=0x12", null)).isEqualTo(200);
    assertThat(admin.status("GET", "webhooks/deliveries?limit=101", null)).isEqualTo(400);
    assertThat(admin.status("GET", "webhooks/deliveries?cursor=bm9uZQ", null)).isEqualTo(400);
    String unknown = "webhooks/deliveries/" + UUID.randomUUID() + "/resend";
    assertThat(admin.status("POST", unknown, "{}")).isEqualTo(404);
    String reader =
        admin.post("operators", "{\"name\":\"reader\",\"role\":\"read\"}").path("token").asText();
    assertThat(admin.send("POST", "/admin/v1/webhooks/shop/test", reader, "{}").statusCode())
        .isEqualTo(403);
    String acting =
        admin.post("operators", "{\"name\":\"acting\",\"role\":\"act\"}").path("token").asText();
    assertThat(admin.send("POST", "/admin/v1/webhooks/shop/test", acting, "{}").statusCode())
        .isEqualTo(200);
    admin.host().change("UPDATE webhook_delivery SET created_at = '2020-01-01'");
    admin.host().change("UPDATE webhook_event SET at = '2020-01-01', relayed_at = '2020-01-01'");
    admin
        .host()
        .change(
            "UPDATE scheduled_tasks SET execution_time = '2026-01-01' WHERE task_name = 'find-webhook-events'");
    await()
        .atMost(PATIENCE)
        .until(() -> admin.host().count("SELECT COUNT(*) FROM webhook_event") == 0);
    assertThat(admin.get("webhooks/deliveries").path("data")).isEmpty();
  }

  @Test
  void withoutAnEndpointNothingIsWritten() throws Exception {
    Admin admin = start(Map.of());
    sold(admin);
    assertThat(admin.host().count("SELECT COUNT(*) FROM webhook_event")).isZero();
    assertThat(admin.get("webhooks").path("data")).isEmpty();
  }
}
