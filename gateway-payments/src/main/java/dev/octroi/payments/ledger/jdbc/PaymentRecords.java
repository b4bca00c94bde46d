package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.PaymentState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Payments and their journal lines to look at; changes nothing, and runs beside the ledger's own
 * statements. Thread-safe; throws {@link LedgerUnavailable} after ten seconds at most.
 */
public final class PaymentRecords {

  private static final String SELECT =
      """
      SELECT p.id, p.network, p.payer, p.nonce, p.state, p.attempt, p.method, p.path, p.amount,
        p.charged, p.asset, p.pay_to, p.key_id, p.scope, p.request_id, COALESCE(p.tx, d.tx) AS tx,
        COALESCE(d.reason, p.reason) AS reason, d.since, p.delivered, p.claimed_at, p.settling_at,
        p.settled_at, p.delivered_at, p.closed_at, p.valid_before, p.answer_status, p.upstream,
        (SELECT SUM(r.amount) FROM refund r WHERE r.payment_id = p.id) AS refunded,
        (SELECT COUNT(*) FROM refund r WHERE r.payment_id = p.id AND r.state <> 'PAID') AS refunds_open
      FROM payment p LEFT JOIN doubt d ON d.payment_id = p.id
      """;

  private static final String ORDER = " ORDER BY p.claimed_at DESC, p.id DESC LIMIT :most";

  private static final String JOURNAL =
      """
      SELECT j.at, j.amount, d.network, d.owner AS debit, c.owner AS credit
      FROM journal j JOIN book_account d ON d.id = j.debit JOIN book_account c ON c.id = j.credit
      WHERE j.payment_id = :id AND j.at >= :since ORDER BY j.at, j.id LIMIT 100
      """;

  private static final String CALLS =
      """
      SELECT p.method, p.path, COUNT(*) AS calls, SUM(COALESCE(p.charged, p.amount)) AS paid
      FROM payment p
      WHERE p.claimed_at >= :since AND p.claimed_at < :until AND p.state = 'SETTLED'
      GROUP BY p.method, p.path ORDER BY calls DESC LIMIT :most
      """;

  private final LedgerReads database;

  public PaymentRecords(DataSource database) {
    this.database = new LedgerReads(database);
  }

  /** How often what was paid for in a period, the busiest first. */
  public List<Calls> calls(Instant since, Instant until, int most) {
    return database.read(
        handle ->
            handle
                .createQuery(CALLS)
                .bind("since", since)
                .bind("until", until)
                .bind("most", most)
                .map(
                    (row, context) ->
                        new Calls(
                            row.getString("method"),
                            row.getString("path"),
                            row.getInt("calls"),
                            new Usd(row.getLong("paid"))))
                .list());
  }

  /**
   * Paid calls of a path.
   *
   * @param paid what they paid in all
   */
  public record Calls(String method, String path, int calls, Usd paid) {

    /** These and others, of whichever path. */
    public Calls plus(Calls other) {
      return new Calls(method, path, calls + other.calls(), paid.plus(other.paid()));
    }
  }

  /**
   * Those that fit, the latest first.
   *
   * @param after the last one of the page before
   */
  public List<PaymentRecord> find(PaymentSearch search, Optional<PaymentRecord> after, int most) {
    Map<String, Object> values = new TreeMap<>();
    List<String> conditions = new ArrayList<>();
    conditions.add("p.claimed_at >= :since AND p.claimed_at < :until");
    values.put("since", search.since());
    values.put("until", search.until());
    search.payer().ifPresent(text -> bytes("payer", text, conditions, values));
    search.nonce().ifPresent(text -> bytes("nonce", text, conditions, values));
    search.transaction().ifPresent(text -> equal("tx", text, conditions, values));
    search.requestId().ifPresent(text -> equal("request_id", text, conditions, values));
    search.apiKey().ifPresent(id -> equal("key_id", id, conditions, values));
    search.state().ifPresent(state -> equal("state", state.name(), conditions, values));
    search.group().ifPresent(word -> equal("scope", word, conditions, values));
    search
        .path()
        .ifPresent(
            part -> {
              conditions.add("POSITION(:path IN p.path) > 0");
              values.put("path", part);
            });
    after.ifPresent(
        last -> {
          conditions.add("(p.claimed_at < :lastAt OR (p.claimed_at = :lastAt AND p.id < :lastId))");
          values.put("lastAt", last.times().claimed());
          values.put("lastId", last.id());
        });
    String sql = SELECT + " WHERE " + String.join(" AND ", conditions) + ORDER;
    return database.read(
        handle -> list(handle.createQuery(sql).bindMap(values).bind("most", most)));
  }

  /** The database's time, which all nodes share. */
  public Instant now() {
    return database.read(
        handle -> handle.createQuery("SELECT CURRENT_TIMESTAMP").mapTo(Instant.class).one());
  }

  /** One payment. */
  public Optional<PaymentRecord> payment(UUID id) {
    return database.read(
        handle ->
            list(handle.createQuery(SELECT + " WHERE p.id = :id").bind("id", id)).stream()
                .findFirst());
  }

  /** The journal's lines of a payment, in their order. */
  public List<JournalLine> journal(PaymentRecord payment) {
    return database.read(
        handle ->
            handle
                .createQuery(JOURNAL)
                .bind("id", payment.id())
                .bind("since", payment.times().claimed())
                .map((row, context) -> line(row))
                .list());
  }

  /** A payer or nonce as it lies in the database, by the form that the caller wrote it in. */
  private static void bytes(
      String column, String text, List<String> conditions, Map<String, Object> values) {
    conditions.add("p." + column + " = :" + column);
    values.put(column, ChainFamily.ofKey(text).bytes(text));
  }

  private static void equal(
      String column, Object value, List<String> conditions, Map<String, Object> values) {
    conditions.add("p." + column + " = :" + column);
    values.put(column, value);
  }

  private static List<PaymentRecord> list(Query query) {
    return query.map((row, context) -> record(row)).list();
  }

  private static PaymentRecord record(ResultSet row) throws SQLException {
    long charged = row.getLong("charged");
    boolean less = !row.wasNull();
    long refunded = row.getLong("refunded");
    boolean isRefunded = !row.wasNull();
    return new PaymentRecord(
        row.getObject("id", UUID.class),
        Rows.key(row),
        PaymentState.valueOf(row.getString("state")).name(),
        row.getInt("attempt"),
        row.getString("method"),
        row.getString("path"),
        row.getLong("amount"),
        less ? charged : null,
        row.getString("asset"),
        row.getString("pay_to"),
        row.getObject("key_id", UUID.class),
        row.getString("scope"),
        row.getString("request_id"),
        row.getString("tx"),
        row.getString("reason"),
        row.getObject("answer_status", Integer.class),
        row.getString("upstream"),
        NamedStatements.instant(row, "since").orElse(null),
        isRefunded ? refunded : null,
        row.getLong("refunds_open") > 0,
        row.getBoolean("delivered"),
        new PaymentRecord.Times(
            NamedStatements.instant(row, "claimed_at").orElseThrow(),
            NamedStatements.instant(row, "settling_at").orElse(null),
            NamedStatements.instant(row, "settled_at").orElse(null),
            NamedStatements.instant(row, "delivered_at").orElse(null),
            NamedStatements.instant(row, "closed_at").orElse(null),
            NamedStatements.instant(row, "valid_before").orElseThrow()));
  }

  private static JournalLine line(ResultSet row) throws SQLException {
    return new JournalLine(
        NamedStatements.instant(row, "at").orElseThrow(),
        KeyBytes.text(row, "debit"),
        KeyBytes.text(row, "credit"),
        row.getLong("amount"));
  }

  /**
   * A movement of money, for people to look at.
   *
   * @param at when it was written
   * @param debit owner of the account that it left
   * @param credit owner of the account at which it arrived
   * @param amount atomic units
   */
  public record JournalLine(Instant at, String debit, String credit, long amount) {}

  /**
   * Which payments to look for, among those claimed in a window of time: whatever is given must
   * fit.
   *
   * @param payer address
   * @param nonce of the authorization
   * @param transaction hash
   * @param requestId of the answer
   * @param apiKey the key that paid
   * @param state in which they are
   * @param group of endpoints
   * @param path a part of the path
   * @param since the window's begin; there is no index on most of these, so that a search reads it
   *     all
   * @param until its end, not included
   */
  public record PaymentSearch(
      Optional<String> payer,
      Optional<String> nonce,
      Optional<String> transaction,
      Optional<String> requestId,
      Optional<UUID> apiKey,
      Optional<PaymentState> state,
      Optional<String> group,
      Optional<String> path,
      Instant since,
      Instant until) {}

  /**
   * A payment as it stands, for people to look at; times are null as long as nothing happened.
   *
   * @param id the payment's id
   * @param key what it is unique by
   * @param state in upper case, as in the money rules
   * @param attempt how often it was claimed
   * @param method of the request that it paid for
   * @param path of that request
   * @param amount atomic units that it is for
   * @param charged what an API key was charged if that is less; null if not
   * @param asset the token's address
   * @param payTo the recipient
   * @param apiKey who signed by key; null for one who signed himself
   * @param group the group of endpoints; null where the host names none
   * @param requestId of the answer that was paid for
   * @param transaction the hash, as far as it is known
   * @param reason why it failed, was not charged, or is in doubt
   * @param status HTTP status of the answer that was not charged; null if there was none
   * @param upstream the upstream that was asked last for that answer; null if none was
   * @param doubtSince since when it has been listed as unresolved; null if it is not
   * @param refunded the sum of its refunds, paid or not; null without one
   * @param refundOwed whether one of them is not paid yet
   * @param delivered whether its answer has left
   * @param times when what happened
   */
  public record PaymentRecord(
      UUID id,
      PaymentKey key,
      String state,
      int attempt,
      String method,
      String path,
      long amount,
      @Nullable Long charged,
      String asset,
      String payTo,
      @Nullable UUID apiKey,
      @Nullable String group,
      @Nullable String requestId,
      @Nullable String transaction,
      @Nullable String reason,
      @Nullable Integer status,
      @Nullable String upstream,
      @Nullable Instant doubtSince,
      @Nullable Long refunded,
      boolean refundOwed,
      boolean delivered,
      Times times) {

    /**
     * When what happened to a payment.
     *
     * @param claimed its last attempt began
     * @param settling its answer was about to be charged
     * @param settled the money had moved
     * @param delivered the answer had left
     * @param closed it was released or had failed
     * @param validBefore the authorization expires
     */
    public record Times(
        Instant claimed,
        @Nullable Instant settling,
        @Nullable Instant settled,
        @Nullable Instant delivered,
        @Nullable Instant closed,
        Instant validBefore) {}
  }
}
