package dev.octroi.api.webhook;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.settings.WebhookSettings.EventType;
import dev.octroi.api.webhook.WebhookStore.Relayed;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import dev.octroi.payments.ledger.jdbc.Outbox;
import dev.octroi.payments.ledger.jdbc.Outbox.OutboxEvent;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is told of events: of payments and refunds as they stand in the ledger, of leases that end
 * within three days, and of budgets of which four fifths are spent. Thread-safe.
 */
record OutboxEvents(LedgerReads reading) {

  private static final Duration AHEAD = Duration.ofDays(3);
  private static final int LONGEST_PATH = 1_000;
  private static final int AT_ONCE = 500;

  /** A transfer for calls on account is no sale: its calls were told when they were made. */
  private static final String OPEN =
      """
      SELECT e.id AS event, e.type, e.data, p.id AS payment, p.network, p.payer, p.asset, p.pay_to, p.tx,
        p.reason, p.scope, p.method, p.path, p.key_id, p.request_id, COALESCE(p.charged, p.amount) AS amount,
        r.id AS refund, r.amount AS refunded, r.tx AS refund_tx, r.reason AS refund_reason,
        n.id IS NOT NULL AS netted
      FROM webhook_event e
      LEFT JOIN refund r ON e.type = 'payment.refunded' AND r.id = e.subject
      LEFT JOIN payment p ON p.id = COALESCE(r.payment_id, e.subject)
      LEFT JOIN netting n ON n.id = p.id
      WHERE e.relayed_at IS NULL ORDER BY e.at, e.id LIMIT :most
      """;

  private static final String LEASES =
      """
      SELECT l.id, l.phone, l.country, l.owner, l.expires_at FROM lease l
      WHERE l.state = 'ACTIVE' AND l.expires_at > :now AND l.expires_at <= :end AND NOT EXISTS (
        SELECT 1 FROM webhook_event e WHERE e.id = CONCAT('lease_expiring_', CAST(l.id AS VARCHAR(36)), '_',
          CAST(CAST(FLOOR(EXTRACT(EPOCH FROM l.expires_at)) AS BIGINT) AS VARCHAR(20))))
      LIMIT :most
      """;

  /** The stricter of what was granted to the key and what its owner has set. */
  private static final String BUDGETS =
      """
      SELECT k.id, k.name, k.account_id, b.allowed, b.spent FROM (
        SELECT key_id, %1$s AS since, %2$s_spent AS spent,
          LEAST(COALESCE(granted_%3$s, own_%3$s), COALESCE(own_%3$s, granted_%3$s)) AS allowed
        FROM key_budget) b
      JOIN api_key k ON k.id = b.key_id
      WHERE b.since = :since AND b.spent > 0 AND b.allowed - b.spent <= b.allowed / 5
        AND k.revoked_at IS NULL AND NOT EXISTS (
          SELECT 1 FROM webhook_event e
          WHERE e.id = CONCAT('budget_nearly_used_', CAST(k.id AS VARCHAR(36)), '_', CAST(:period AS VARCHAR(10))))
      LIMIT :most
      """;

  private static final String BY_DAY = BUDGETS.formatted("on_day", "day", "daily");
  private static final String BY_MONTH = BUDGETS.formatted("in_month", "month", "monthly");

  /**
   * A payment.
   *
   * @param payment its id
   * @param amount what was charged
   * @param transaction that settled it
   * @param group the group of endpoints that it bought from
   * @param key the API key that it was paid by
   * @param reason why it is in doubt, or was not paid
   */
  private record OfPayment(
      UUID payment,
      String network,
      String payer,
      Usd amount,
      String asset,
      String payTo,
      @Nullable String transaction,
      @Nullable String group,
      String method,
      String path,
      @Nullable UUID key,
      @Nullable String requestId,
      @Nullable String reason) {}

  private record OfRefund(
      UUID refund,
      UUID payment,
      String network,
      String payer,
      Usd amount,
      String asset,
      @Nullable String transaction,
      String reason) {}

  private record OfLease(UUID lease, String phone, String country, String owner, Instant expires) {}

  /**
   * A budget.
   *
   * @param period the day or the month that it is for
   */
  private record OfBudget(
      UUID key, String name, UUID account, String period, Usd limit, Usd spent) {}

  /**
   * Events of which no deliveries were made yet, the oldest first.
   *
   * @param endpoints the words of those that want a type
   */
  List<Relayed> open(int most, Function<String, List<String>> endpoints) {
    return reading.read(
        handle ->
            handle
                .createQuery(OPEN)
                .bind("most", most)
                .map((row, context) -> relayed(row, endpoints))
                .list());
  }

  private static Relayed relayed(ResultSet row, Function<String, List<String>> endpoints)
      throws SQLException {
    String type = row.getString("type");
    String told = row.getString("data");
    if (told == null && row.getObject("payment") != null && !row.getBoolean("netted")) {
      told = json(type.equals(Outbox.REFUNDED) ? refund(row) : payment(row));
    }
    return new Relayed(
        row.getString("event"), type, told, told == null ? List.of() : endpoints.apply(type));
  }

  private static OfPayment payment(ResultSet row) throws SQLException {
    String path = row.getString("path");
    return new OfPayment(
        row.getObject("payment", UUID.class),
        row.getString("network"),
        KeyBytes.text(row.getString("network"), row.getBytes("payer")),
        new Usd(row.getLong("amount")),
        row.getString("asset"),
        row.getString("pay_to"),
        row.getString("tx"),
        row.getString("scope"),
        row.getString("method"),
        path.substring(0, Math.min(path.length(), LONGEST_PATH)),
        row.getObject("key_id", UUID.class),
        row.getString("request_id"),
        row.getString("type").equals(Outbox.SETTLED) ? null : row.getString("reason"));
  }

  private static OfRefund refund(ResultSet row) throws SQLException {
    return new OfRefund(
        row.getObject("refund", UUID.class),
        row.getObject("payment", UUID.class),
        row.getString("network"),
        KeyBytes.text(row.getString("network"), row.getBytes("payer")),
        new Usd(row.getLong("refunded")),
        row.getString("asset"),
        row.getString("refund_tx"),
        row.getString("refund_reason"));
  }

  /** Leases that end soon, and were not told yet. */
  List<OutboxEvent> leases(Instant now) {
    return reading.read(
        handle ->
            handle
                .createQuery(LEASES)
                .bind("now", now)
                .bind("end", now.plus(AHEAD))
                .bind("most", AT_ONCE)
                .map((row, context) -> lease(row, now))
                .list());
  }

  private static OutboxEvent lease(ResultSet row, Instant now) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    Instant expires = NamedStatements.instant(row, "expires_at").orElseThrow();
    OfLease told =
        new OfLease(
            id, row.getString("phone"), row.getString("country"), row.getString("owner"), expires);
    String key = id + "_" + expires.getEpochSecond();
    return new OutboxEvent(EventType.LEASE_EXPIRING.word(), key, id, now, json(told));
  }

  /** Budgets that are nearly used, and were not told yet for their day or month. */
  List<OutboxEvent> budgets(Instant now) {
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    LocalDate month = today.withDayOfMonth(1);
    List<OutboxEvent> found = new ArrayList<>(budgets(BY_DAY, today, today.toString(), now));
    found.addAll(budgets(BY_MONTH, month, month.toString().substring(0, "2026-01".length()), now));
    return found;
  }

  private List<OutboxEvent> budgets(String sql, LocalDate since, String period, Instant now) {
    return reading.read(
        handle ->
            handle
                .createQuery(sql)
                .bind("since", since)
                .bind("period", period)
                .bind("most", AT_ONCE)
                .map((row, context) -> budget(row, period, now))
                .list());
  }

  private static OutboxEvent budget(ResultSet row, String period, Instant now) throws SQLException {
    UUID key = row.getObject("id", UUID.class);
    OfBudget told =
        new OfBudget(
            key,
            row.getString("name"),
            row.getObject("account_id", UUID.class),
            period,
            new Usd(row.getLong("allowed")),
            new Usd(row.getLong("spent")));
    return new OutboxEvent(
        EventType.BUDGET_NEARLY_USED.word(), key + "_" + period, key, now, json(told));
  }

  private static String json(Object told) {
    return new String(HouseJson.of(told), StandardCharsets.UTF_8);
  }
}
