package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the operator sees of business: earnings, leases, calls, jobs, upstreams, effects. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OperatorViewsContract {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String OTHER = "/v1/marketplace/prediction/venue-a/events";
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private Admin admin;

  /** A new database with the schema and nothing in it. */
  abstract DataSource emptyDatabase();

  /** Bytes in the database's words. */
  abstract String bytes(String hex);

  @BeforeAll
  void open() {
    admin = new Admin(emptyDatabase());
  }

  @AfterAll
  void close() {
    if (admin != null) {
      admin.close();
    }
  }

  private String sold(String target) {
    String transaction = admin.host().paid(target).receipt().transaction();
    return transaction.substring("sandbox:".length());
  }

  private void change(String sql, Object... values) {
    try {
      admin.host().change(sql.formatted(values));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Tag("spec:operator.books")
  void whatWasEarnedIsSummedUpByTimeAndGroupToTheLastMillionth() {
    for (String step : List.of("hour", "day")) {
      Sum before = sum(step, "cryptodata");
      Sum other = sum(step, "prediction");
      String first = sold(READ);
      sold(READ + "?n=" + step);
      sold(OTHER);
      admin.post(
          "refunds",
          "{\"payment\":\"%s\",\"amount\":\"0.0005\",\"reason\":\"late\"}".formatted(first));
      Sum after = sum(step, "cryptodata");
      assertThat(after.calls() - before.calls()).isEqualTo(2);
      assertThat(after.taken().subtract(before.taken())).isEqualByComparingTo("0.019");
      assertThat(after.givenBack().subtract(before.givenBack())).isEqualByComparingTo("0.0005");
      assertThat(sum(step, "prediction").calls() - other.calls()).isEqualTo(1);
    }
  }

  @Test
  @Tag("spec:operator.books")
  void aTransferForCallsOnAccountIsNotEarnedAgain() {
    String transfer = sold(READ);
    long before = sum("hour", "cryptodata").calls();
    change(
        "INSERT INTO netting (id, amount, calls, begun_at) VALUES ('%s', 1, 1, '%s')",
        transfer, NOON);
    assertThat(sum("hour", "cryptodata").calls()).isEqualTo(before - 1);
  }

  @Test
  @Tag("spec:operator.books")
  void fundingIsNoRowOfTheMargins() {
    admin.key("{\"name\":\"funded\",\"fund\":\"5\"}");
    sold(READ);
    assertThat(admin.get("margin").path("rows").findValuesAsText("path"))
        .contains(READ)
        .doesNotContain("null");
  }

  @Test
  @Tag("spec:operator.books")
  void linesStandInTheHourAndTheDayOfUtc() {
    change(
        "UPDATE journal SET at = '2026-03-01T23:59:59.999Z' WHERE payment_id = '%s'", sold(READ));
    JsonNode hour =
        admin.get("revenue?from=2026-03-01T12:00:00Z&to=2026-03-02T12:00:00Z").path("data").get(0);
    assertThat(hour.path("from").asText()).isEqualTo("2026-03-01T23:00:00Z");
    JsonNode day = admin.get("revenue?step=day&from=2026-02-01T00:00:00Z&to=2026-04-01T00:00:00Z");
    assertThat(day.at("/data/0/from").asText()).isEqualTo("2026-03-01T00:00:00Z");
    assertThat(admin.get("revenue?from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z").path("data"))
        .isEmpty();
  }

  @Test
  @Tag("spec:operator.books")
  void aPeriodThatIsTooLongOrNoneIsRefused() {
    for (String query :
        List.of(
            "step=minute",
            "from=2026-01-01T00:00:00Z&to=2026-02-02T00:00:00Z",
            "step=day&from=2025-01-01T00:00:00Z&to=2026-02-01T00:00:00Z",
            "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")) {
      assertThat(admin.status("GET", "revenue?" + query, null)).as(query).isEqualTo(400);
    }
    for (String time : List.of("-1000000000-01-01T00:00:00Z", "%2B1000000000-12-31T00:00:00Z")) {
      for (String path : List.of("revenue", "margin", "failures", "payments", "actions", "calls")) {
        for (String name : List.of("from", "to", "since", "until")) {
          String query = path + "?" + name + "=" + time;
          assertThat(admin.status("GET", query, null)).as(query).isIn(200, 400);
        }
      }
    }
  }

  @Test
  void callsThatFailAreAddedUpAndTheirReasonsRead() {
    String read = "/v1/marketplace/prediction/venue-a/markets";
    admin.host().vendor().says("/venue-a/markets", 500, "{}");
    for (int time = 1; time <= 2; time++) {
      long before = failed(read);
      assertThat(admin.host().paid(read).status()).isEqualTo(502);
      assertThat(failed(read)).as("time " + time).isGreaterThan(before);
    }
    JsonNode failures = admin.get("failures?step=day&group=prediction");
    assertThat(failures.path("reasons").findValuesAsText("reason")).contains("The upstream failed");
    assertThat(failures.at("/reasons/0/payments").asInt()).isEqualTo(2);
    assertThat(failures.at("/payers/0/payments").asInt()).isEqualTo(2);
    assertThat(failures.at("/steps/0/p95").asLong()).isPositive();
    assertThat(admin.get("payments?state=released&path=venue-a/markets").path("data")).hasSize(2);
    assertThat(admin.get("failures?group=cryptodata").path("reasons")).isEmpty();
  }

  private long failed(String path) {
    for (JsonNode row : admin.get("failures").path("rows")) {
      if (row.path("path").asText().equals(path)) {
        return row.path("calls").path("server_error").asLong();
      }
    }
    return 0;
  }

  @Test
  void operatorsAndTheirActionsAreKept() throws SQLException {
    JsonNode issued = admin.post("operators", "{\"name\":\"anna\",\"role\":\"act\"}");
    String path = "/admin/v1/payments/" + UUID.randomUUID() + "/redrive";
    String token = issued.path("token").asText();
    assertThat(admin.send("POST", path, token, "{}").statusCode()).isEqualTo(404);
    JsonNode action = admin.get("actions?operator=anna&limit=1");
    assertThat(action.at("/data/0/status").asInt()).isEqualTo(404);
    assertThat(
            admin
                .get("actions?operator=admin&path=operators&since=2026-01-01T00:00:00Z")
                .at("/data/0/after/token")
                .asText())
        .isEqualTo("***");
    change("UPDATE operator_action SET at = '2020-01-01T00:00:00Z' WHERE operator = 'anna'");
    admin.post("operators/" + issued.at("/operator/id").asText() + "/revoke", "{}");
    assertThat(admin.send("GET", "/admin/v1/keys", token, null).statusCode()).isEqualTo(401);
    assertThat(admin.get("actions?operator=anna").path("data")).as("too old").isEmpty();
  }

  @Test
  @Tag("spec:operator.work")
  void leasesCallsAndJobsArePagedFromTheLatestToTheOldest() {
    for (int row = 0; row < 5; row++) {
      // Two of the same moment: the id decides.
      insert(NOON.plus(Duration.ofHours(row / 2)), row);
    }
    for (String list : List.of("leases", "calls", "jobs")) {
      List<String> ids = new ArrayList<>();
      String cursor = "";
      do {
        JsonNode page = admin.get(list + "?limit=2" + cursor);
        page.path("data").forEach(row -> ids.add(row.path("id").asText()));
        cursor =
            page.path("nextCursor").isNull() ? "" : "&cursor=" + page.path("nextCursor").asText();
      } while (!cursor.isEmpty());
      assertThat(ids).as(list).hasSize(5).doesNotHaveDuplicates();
    }
    for (String list : List.of("leases?state=active", "calls?state=completed", "jobs?owner=O")) {
      assertThat(admin.get(list).path("data")).as(list).hasSize(5);
      String later = list + "&since=2026-03-01T13:00:00Z&until=2026-03-01T14:00:00Z";
      assertThat(admin.get(later).path("data")).as(later).hasSize(2);
      String other = list.replaceAll("=\\w+", "=expired");
      assertThat(admin.get(other).path("data")).as(other).isEmpty();
    }
    JsonNode lease = admin.get("leases").at("/data/0");
    assertThat(lease.path("state").asText()).isEqualTo("active");
    assertThat(lease.path("phone").asText()).isEqualTo("+14155550104");
    assertThat(lease.path("bought").asText()).isEqualTo("2026-03-01T14:00:00Z");
    JsonNode call = admin.get("calls").at("/data/0");
    assertThat(call.path("status").asText()).isEqualTo("completed");
    assertThat(call.path("minutes").decimalValue()).isEqualByComparingTo("1.5");
    assertThat(call.toString()).doesNotContain("what was said");
    JsonNode job = admin.get("jobs").at("/data/0");
    assertThat(job.path("state").asText()).isEqualTo("completed");
    assertThat(job.path("price").asText()).isEqualTo("0.040000");
  }

  private void insert(Instant at, int row) {
    UUID id = UUID.randomUUID();
    change(
        "INSERT INTO lease (id, phone, country, owner, network, vendor_ref, bought_at, state,"
            + " expires_at) VALUES ('%s', '+1415555010%d', 'US', 'o', 'eip155:8453', 'PN1', '%s',"
            + " 'ACTIVE', '%s')",
        id, row, at, at.plus(Duration.ofDays(30)));
    change(
        "INSERT INTO voice_call (id, owner, effect_id, vendor_ref, caller, callee, max_minutes,"
            + " status, minutes, transcript, placed_at, ends_at) VALUES ('%s', 'o', '%s', 'v', '+1',"
            + " '+2', 5, 'completed', 1.5, 'what was said', '%s', '%s')",
        "c" + id.toString().replace("-", ""), id, at, at);
    change(
        "INSERT INTO image_job (id, owner, place, state, attempt, node, epoch, model, size, pictures,"
            + " price, request, ordered, ordered_for, payment, paid_for, network, created_at,"
            + " expires_at) VALUES ('%s', 'o', NULL, 'COMPLETED', 1, NULL, NULL, 'm', '1024x1024', 1, 40000,"
            + " '', '%s', 'r', '%s', 'r', 'eip155:8453', '%s', '2099-01-01T00:00:00Z')",
        id, id, id, at);
  }

  @Test
  @Tag("spec:operator.work")
  void aCursorThatNoPageGaveIsRefused() {
    for (String list : List.of("leases", "calls", "jobs")) {
      assertThat(admin.status("GET", list + "?cursor=bm9uZQ", null)).isEqualTo(400);
      assertThat(admin.status("GET", list + "?limit=101", null)).isEqualTo(400);
      assertThat(admin.status("POST", list, "{}")).isEqualTo(405);
      assertThat(
              admin.send("GET", "/admin/v1/" + list, "no-token-of-any-operator", null).statusCode())
          .isEqualTo(401);
    }
    // The time of a place, and an id of another form.
    String foreign = "MjAyNi0wMy0wMVQxMjowMDowMFogbm9uZQ";
    assertThat(admin.status("GET", "leases?cursor=" + foreign, null)).isEqualTo(400);
  }

  @Test
  @Tag("spec:operator.work")
  void upstreamsAreToldWithWhatTheBreakerThinksOfThem() {
    sold(READ);
    JsonNode seen = admin.get("upstreams");
    assertThat(seen.path("node").asText()).isNotEmpty();
    JsonNode upstream = seen.at("/data/0");
    assertThat(upstream.path("name").asText()).isEqualTo("cryptodata");
    assertThat(upstream.path("state").asText()).isEqualTo("up");
    assertThat(upstream.path("calls").asInt()).isPositive();
    assertThat(upstream.path("failed").asInt()).isZero();
    assertThat(upstream.path("inUse").asInt()).isZero();
  }

  @Test
  @Tag("spec:operator.effects")
  void effectsOfAPaymentAreFoundWhateverBecameOfThem() {
    UUID payment = UUID.randomUUID();
    change(
        "INSERT INTO effect (id, payment_id, kind, intent, vendor_key, outcome, begun_at)"
            + " VALUES ('%s', '%s', 'call', '{}', 'k', 'DONE', '%s')",
        UUID.randomUUID(), payment, NOON);
    assertThat(admin.get("effects?payment=" + payment).at("/data/0/outcome").asText())
        .isEqualTo("done");
    assertThat(admin.get("effects?payment=" + UUID.randomUUID()).path("data")).isEmpty();
  }

  @Test
  @Tag("spec:operator.books")
  void payersWhoDidNotPayAreToldWithWhatTheyHad() {
    loss("a1".repeat(20), 120_000, "PAYER");
    loss("a2".repeat(20), 3_400_000, "PAYER");
    loss("a3".repeat(20), 0, "PAYER");
    loss("a4".repeat(20), 9_000_000, "LOSS");
    JsonNode credit = admin.get("credit");
    assertThat(credit.path("owed").asText()).isEqualTo("0.000000");
    assertThat(credit.path("most").asText()).isEqualTo("100.000000");
    assertThat(credit.path("losses").findValuesAsText("payer"))
        .containsExactly("0x" + "a2".repeat(20), "0x" + "a1".repeat(20));
    assertThat(credit.at("/losses/0/lost").asText()).isEqualTo("3.400000");
    assertThat(admin.get("credit?limit=1").path("losses")).hasSize(1);
    assertThat(admin.status("GET", "credit?limit=0", null)).isEqualTo(400);
    assertThat(admin.status("POST", "credit", "{}")).isEqualTo(405);
  }

  private void loss(String owner, long lost, String kind) {
    change(
        "INSERT INTO book_account (kind, network, owner, asset, lost) VALUES ('%s', 'eip155:8453',"
            + " %s, 'A', %d)",
        kind, bytes(owner), lost);
  }

  @Test
  @Tag("spec:operator.books")
  void channelsArePagedFromTheLatestUsedToTheOldest() {
    for (int number = 0; number < 5; number++) {
      channel(number);
    }
    List<String> ids = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = admin.get("channels?limit=2" + cursor);
      page.path("data").forEach(row -> ids.add(row.path("id").asText()));
      cursor =
          page.path("nextCursor").isNull() ? "" : "&cursor=" + page.path("nextCursor").asText();
    } while (!cursor.isEmpty());
    // Two of the same moment: the id decides.
    assertThat(ids)
        .containsExactly("0x" + id(4), "0x" + id(3), "0x" + id(2), "0x" + id(1), "0x" + id(0));
    JsonNode latest = admin.get("channels").at("/data/0");
    assertThat(latest.path("payer").asText()).isEqualTo("0x" + "b0".repeat(20));
    assertThat(latest.path("asset").asText()).isEqualTo("A");
    assertThat(latest.path("charged").asText()).isEqualTo("0.000004");
    assertThat(latest.path("signed").asText()).isEqualTo("0.000014");
    assertThat(latest.path("left").asText()).isEqualTo("0.000500");
    assertThat(latest.path("used").asText()).isEqualTo("2026-03-01T14:00:00Z");
    assertThat(admin.get("channels?state=free&owner=x").path("data")).hasSize(4);
    JsonNode used = admin.get("channels?state=in_use");
    assertThat(used.path("data").findValuesAsText("id")).containsExactly("0x" + id(0));
    assertThat(used.at("/data/0/left").isNull()).as("a chain holds it").isTrue();
    JsonNode ofOne = admin.get("channels?payer=0x" + "A3".repeat(20)).path("data");
    assertThat(ofOne.findValuesAsText("id")).containsExactly("0x" + id(3));
    assertThat(admin.status("GET", "channels?payer=0xa3", null)).isEqualTo(400);
    assertThat(admin.get("channels?since=2026-03-01T14:00:00Z").path("data")).hasSize(1);
    assertThat(admin.status("GET", "channels?cursor=bm9uZQ", null)).isEqualTo(400);
    // The time of a place, and an id of another form.
    String foreign = "MjAyNi0wMy0wMVQxMjowMDowMFogbm9uZQ";
    assertThat(admin.status("GET", "channels?cursor=" + foreign, null)).isEqualTo(400);
  }

  private static String id(int number) {
    return ("c" + number).repeat(32);
  }

  /** The first one is in use, and a chain holds its money. */
  private void channel(int number) {
    change(
        "INSERT INTO channel (network, id, asset, payer, terms, charged, signed, payment_id, used_at)"
            + " VALUES ('eip155:8453', %s, 'A', %s, 't', %d, %d, %s, '%s')",
        bytes(id(number)),
        bytes((number == 3 ? "a3" : "b0").repeat(20)),
        number,
        number + 10,
        number == 0 ? "'" + UUID.randomUUID() + "'" : "NULL",
        NOON.plus(Duration.ofHours(number / 2)));
    change(
        "INSERT INTO book_account (kind, network, owner, asset, balance) VALUES ('PAYER',"
            + " 'eip155:8453', %s, 'A', %s)",
        bytes(id(number)), number == 0 ? "NULL" : "500");
  }

  private record Sum(long calls, BigDecimal taken, BigDecimal givenBack) {}

  /** What a group has earned so far. */
  private Sum sum(String step, String group) {
    Sum sum = new Sum(0, BigDecimal.ZERO, BigDecimal.ZERO);
    for (JsonNode row : admin.get("revenue?step=" + step).path("data")) {
      if (row.path("group").asText().equals(group)) {
        sum =
            new Sum(
                sum.calls() + row.path("calls").asLong(),
                sum.taken().add(new BigDecimal(row.path("taken").asText())),
                sum.givenBack().add(new BigDecimal(row.path("givenBack").asText())));
      }
    }
    return sum;
  }
}
