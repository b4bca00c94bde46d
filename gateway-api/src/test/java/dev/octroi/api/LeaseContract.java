package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.NumberVendor.Mood;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.Wallet;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every row of the states of a lease (specification, phone number lease). Time passes for what the
 * database knows of leases and purchases: the ledger's own clock must not leap, or it would lose
 * its claims.
 */
abstract class LeaseContract {

  private static final Duration TERM = Duration.ofDays(30);
  private static final Duration GRACE = Duration.ofDays(3);
  private static final long RENEWAL = 5_000_000;
  private static final String US = "{\"country\":\"US\",\"areaCode\":\"415\"}";

  private final NumberVendor vendor = new NumberVendor();
  private Duration passed = Duration.ZERO;
  private DataSource database;
  private PhoneHost host;

  /** A new database with the schema and nothing in it. */
  abstract DataSource emptyDatabase();

  @BeforeEach
  void open() {
    database = emptyDatabase();
    host = node("a");
  }

  @AfterEach
  void close() {
    if (host != null) {
      host.close();
    }
    vendor.close();
    if (database instanceof HikariDataSource pool) {
      pool.close();
    }
  }

  private PhoneHost node(String name) {
    return new PhoneHost(
        database,
        vendor,
        Map.of("gateway.database.node", name, "gateway.sandbox.starting-balance", "20"));
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(text, e);
    }
  }

  private JsonNode ok(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer.body());
  }

  private JsonNode ok(PaidAnswer answer) {
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(200);
    return json(GatewayHost.text(answer));
  }

  private static String number(JsonNode lease) {
    return "{\"phoneNumber\":\"" + lease.path("phone_number").asText() + "\"}";
  }

  private static Instant end(JsonNode lease) {
    return Instant.parse(lease.path("expires_at").asText());
  }

  private JsonNode listed(IssuedKey key) {
    return ok(host.byKey(key, "numbers/list", "{}")).path("numbers");
  }

  private long count(String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void change(String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lets time pass: everything lies further back. */
  private void pass(Duration time) {
    passed = passed.plus(time);
    String before = " - INTERVAL '" + time.toMinutes() + "' MINUTE";
    change(
        "UPDATE lease SET bought_at = bought_at%s, expires_at = expires_at%s,"
                .formatted(before, before)
            + " look_at = look_at%s, ended_at = ended_at%s".formatted(before, before));
    change("UPDATE lease_change SET changed_at = changed_at" + before);
    change("UPDATE effect SET begun_at = begun_at" + before);
  }

  /** When a lease ends that was to end then, and so many terms later. */
  private Instant end(JsonNode lease, int terms) {
    return end(lease).plus(TERM.multipliedBy(terms)).minus(passed);
  }

  /** How often a lease was renewed from a wallet without a call. */
  private long renewals() {
    return count(
        "SELECT count(*) FROM payment WHERE amount = " + RENEWAL + " AND state = 'SETTLED'");
  }

  @Test
  @Tag("spec:state.lease.bought")
  @Tag("spec:limit.lease_term")
  void aNumberIsLeasedForThirtyDays() {
    IssuedKey key = host.key();
    final Instant now = Instant.now();
    JsonNode lease = ok(host.byKey(key, "numbers/buy", US));
    assertThat(end(lease)).isBetween(now.plus(TERM).minusSeconds(1), Instant.now().plus(TERM));
    assertThat(listed(key)).hasSize(1);
    pass(TERM.minusHours(1));
    host.doChores();
    assertThat(listed(key).get(0).path("active").asBoolean()).isTrue();
    assertThat(vendor.owned()).containsValue(lease.path("phone_number").asText());
  }

  @Test
  @Tag("spec:state.lease.renewed")
  void itsOwnersRenewalExtendsItFromTheOldEnd() {
    IssuedKey key = host.key();
    JsonNode lease = ok(host.byKey(key, "numbers/buy", US));
    pass(Duration.ofDays(10));
    JsonNode renewed = ok(host.byKey(key, "numbers/renew", number(lease)));
    assertThat(end(renewed)).isEqualTo(end(lease, 1));
    pass(TERM);
    host.doChores();
    assertThat(listed(key).get(0).path("active").asBoolean()).isTrue();
    assertThat(renewals()).as("nothing was due").isEqualTo(1);
  }

  @Test
  @Tag("spec:state.lease.released")
  @Tag("spec:error.phone.number_not_owned")
  void aReleasedNumberGoesBackToTheVendorOnceAndIsNobodysAnyMore() {
    IssuedKey key = host.key();
    JsonNode lease = ok(host.byKey(key, "numbers/buy", US));
    assertThat(ok(host.byKey(key, "numbers/release", number(lease))).path("released").asBoolean())
        .isTrue();
    assertThat(listed(key)).isEmpty();
    assertThat(host.byKey(key, "numbers/renew", number(lease)).statusCode()).isEqualTo(404);
    vendor.mood(Mood.DOWN);
    host.doChores();
    assertThat(vendor.owned()).hasSize(1);
    vendor.mood(Mood.GOOD);
    pass(Duration.ofMinutes(2));
    host.doChores();
    host.doChores();
    assertThat(vendor.owned()).isEmpty();
    assertThat(vendor.deletions()).hasSize(1);
  }

  @Test
  @Tag("spec:state.lease.automatic_renewal")
  void anAccountsLeaseRenewsItselfOnceATerm() {
    IssuedKey key = host.key();
    JsonNode lease = ok(host.byKey(key, "numbers/buy", US));
    for (int term = 1; term <= 2; term++) {
      pass(TERM);
      host.doChores();
      host.doChores();
      assertThat(renewals()).isEqualTo(term);
      assertThat(end(listed(key).get(0))).isEqualTo(end(lease, term));
      assertThat(listed(key).get(0).path("active").asBoolean()).isTrue();
    }
  }

  @Test
  @Tag("spec:state.lease.renewal_due")
  @Tag("spec:state.lease.automatic_renewal")
  void anAccountShortOfFundsHasTheDaysOfGraceToFindThem() {
    IssuedKey key = host.key();
    JsonNode lease = ok(host.byKey(key, "numbers/buy", US));
    change("UPDATE book_account SET balance = 1000000 WHERE kind = 'PAYER'");
    pass(TERM);
    host.doChores();
    assertThat(listed(key).get(0).path("active").asBoolean()).isFalse();
    assertThat(renewals()).isZero();
    change("UPDATE book_account SET balance = 9000000 WHERE kind = 'PAYER'");
    pass(Duration.ofHours(1));
    host.doChores();
    assertThat(renewals()).isEqualTo(1);
    assertThat(end(listed(key).get(0))).isEqualTo(end(lease, 1));
  }

  @Test
  @Tag("spec:state.lease.expired")
  void aBudgetThatForbidsTheRenewalEndsTheLeaseAfterTheGrace() {
    IssuedKey key = host.key();
    ok(host.byKey(key, "numbers/buy", US));
    change("UPDATE key_budget SET own_daily = 5500000");
    pass(TERM);
    host.doChores();
    assertThat(listed(key)).hasSize(1);
    pass(GRACE);
    host.doChores();
    host.doChores();
    assertThat(listed(key)).isEmpty();
    assertThat(renewals()).isZero();
    assertThat(vendor.owned()).isEmpty();
  }

  @Test
  @Tag("spec:state.lease.renewal_due")
  @Tag("spec:state.lease.renewed")
  void whoSignsForItselfRenewsWithinTheGraceFromTheOldEnd() {
    Wallet payer = Wallet.generate();
    JsonNode lease = ok(host.paid(payer, "numbers/buy", US));
    pass(TERM.plusDays(2));
    host.doChores();
    JsonNode due = ok(host.paid(payer, "numbers/list", "{}")).path("numbers");
    assertThat(due.get(0).path("active").asBoolean()).isFalse();
    assertThat(end(due.get(0))).isEqualTo(end(lease, 0));
    JsonNode renewed = ok(host.paid(payer, "numbers/renew", number(lease)));
    assertThat(end(renewed)).isEqualTo(end(lease, 1));
    host.doChores();
    assertThat(ok(host.paid(payer, "numbers/list", "{}")).at("/numbers/0/active").asBoolean())
        .isTrue();
  }

  @Test
  @Tag("spec:state.lease.expired")
  void aLeaseWhoseGraceIsOverIsNobodysAndItsNumberGoesBack() {
    Wallet payer = Wallet.generate();
    JsonNode lease = ok(host.paid(payer, "numbers/buy", US));
    pass(TERM.plus(GRACE));
    assertThat(host.paid(payer, "numbers/renew", number(lease)).status())
        .as("whatever the chores have come to")
        .isEqualTo(404);
    for (int run = 0; run < 3; run++) {
      host.doChores();
    }
    assertThat(ok(host.paid(payer, "numbers/list", "{}")).path("count").asInt()).isZero();
    assertThat(vendor.owned()).isEmpty();
  }

  @Test
  @Tag("spec:decision.owner")
  void nobodyElseCanTouchALease() {
    JsonNode lease = ok(host.byKey(host.key(), "numbers/buy", US));
    IssuedKey stranger = host.key();
    for (String method : List.of("numbers/renew", "numbers/release")) {
      HttpResponse<String> refused = host.byKey(stranger, method, number(lease));
      assertThat(refused.statusCode()).isEqualTo(404);
      assertThat(json(refused.body()).at("/error/code").asText()).isEqualTo("number_not_owned");
    }
    assertThat(listed(stranger)).isEmpty();
    assertThat(host.paid(Wallet.generate(), "numbers/release", number(lease)).status())
        .isEqualTo(404);
  }

  @Test
  @Tag("spec:state.lease.automatic_renewal")
  void twoNodesAtOncePayForATermOnce() {
    IssuedKey key = host.key();
    JsonNode lease = ok(host.byKey(key, "numbers/buy", US));
    pass(TERM);
    try (PhoneHost other = node("b")) {
      CompletableFuture<?>[] runs =
          IntStream.range(0, 6)
              .mapToObj(run -> CompletableFuture.runAsync((run % 2 == 0 ? host : other)::doChores))
              .toArray(CompletableFuture[]::new);
      CompletableFuture.allOf(runs).join();
    }
    assertThat(renewals()).isEqualTo(1);
    assertThat(end(listed(key).get(0))).isEqualTo(end(lease, 1));
  }

  @Test
  @Tag("spec:state.lease.automatic_renewal")
  void aRenewalThatSettledBeforeItsNodeDiedIsWrittenDownByTheNext() {
    IssuedKey key = host.key();
    JsonNode lease = ok(host.byKey(key, "numbers/buy", US));
    pass(TERM);
    change("ALTER TABLE lease ADD CONSTRAINT dead CHECK (expires_at <= '" + end(lease, 0) + "')");
    host.doChores();
    assertThat(renewals()).as("settled, not written").isEqualTo(1);
    assertThat(end(listed(key).get(0))).isEqualTo(end(lease, 0));
    assertThat(host.byKey(key, "numbers/release", number(lease)).statusCode()).isEqualTo(503);
    change("ALTER TABLE lease DROP CONSTRAINT dead");
    pass(Duration.ofMinutes(2));
    try (PhoneHost other = node("b")) {
      other.doChores();
    }
    assertThat(renewals()).isEqualTo(1);
    assertThat(end(listed(key).get(0))).isEqualTo(end(lease, 1));
  }

  @Test
  @Tag("spec:money.6")
  void aPurchaseThatItsNodeCouldNotRecordIsFoundAtTheVendor() {
    Wallet payer = Wallet.generate();
    String payment = host.payment(payer, "numbers/buy");
    change("ALTER TABLE lease ADD CONSTRAINT dead CHECK (state <> 'ACTIVE')");
    assertThat(host.send(payment, "numbers/buy", US).statusCode()).isEqualTo(503);
    change("ALTER TABLE lease DROP CONSTRAINT dead");
    JsonNode lease = ok(host.send(payment, "numbers/buy", US));
    assertThat(vendor.owned()).containsOnlyKeys("PN1");
    assertThat(vendor.owned()).containsValue(lease.path("phone_number").asText());
    assertThat(count("SELECT count(*) FROM lease")).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.6")
  void aPurchaseThatNobodyAsksForAgainIsRecordedByAChore() {
    Wallet payer = Wallet.generate();
    change("ALTER TABLE lease ADD CONSTRAINT dead CHECK (state <> 'ACTIVE')");
    String payment = host.payment(payer, "numbers/buy");
    assertThat(host.send(payment, "numbers/buy", US).statusCode()).isEqualTo(503);
    change("ALTER TABLE lease DROP CONSTRAINT dead");
    pass(Duration.ofMinutes(20));
    host.doChores();
    assertThat(count("SELECT count(*) FROM lease WHERE state = 'ACTIVE'")).isEqualTo(1);
    assertThat(vendor.owned()).hasSize(1);
  }

  @Test
  void leasesThatEndedLongAgoAreForgotten() {
    IssuedKey key = host.key();
    JsonNode lease = ok(host.byKey(key, "numbers/buy", US));
    ok(host.byKey(key, "numbers/release", number(lease)));
    host.doChores();
    pass(Duration.ofDays(399));
    host.doChores();
    assertThat(count("SELECT count(*) FROM lease")).isEqualTo(1);
    pass(Duration.ofDays(2));
    host.doChores();
    assertThat(count("SELECT count(*) FROM lease")).isZero();
    assertThat(count("SELECT count(*) FROM lease_change")).isZero();
  }
}
