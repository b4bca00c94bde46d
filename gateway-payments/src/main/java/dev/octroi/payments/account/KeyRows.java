package dev.octroi.payments.account;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.KeySearch;
import dev.octroi.payments.account.Accounts.KeyState;
import dev.octroi.payments.account.Accounts.Spent;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * The rows of keys, their secrets and their budgets. What inserts may be run again: it finds what
 * an earlier try has written.
 */
final class KeyRows {

  private static final String SELECT =
      """
      SELECT k.*, b.granted_daily, b.own_daily, b.granted_monthly, b.own_monthly
      FROM api_key k JOIN key_budget b ON b.key_id = k.id
      """;

  private static final String BY_SECRET =
      """
      SELECT k.*, b.granted_daily, b.own_daily, b.granted_monthly, b.own_monthly, s.hash
      FROM key_secret s JOIN api_key k ON k.id = s.key_id JOIN key_budget b ON b.key_id = k.id
      WHERE s.hash = :hash AND (s.ends_at IS NULL OR s.ends_at > :now)
      """;

  private static final String INSERT =
      """
      INSERT INTO api_key (id, account_id, name, prefix, permitted, rate, granted_call, created_at,
        expires_at)
      VALUES (:id, :account, :name, :prefix, :permitted, :rate, :call, :now, :expires)
      """;

  private static final String INSERT_BUDGET =
      """
      INSERT INTO key_budget (key_id, granted_daily, granted_monthly, on_day, in_month)
      VALUES (:id, :daily, :monthly, :day, :month)
      """;

  private static final String INSERT_SECRET =
      "INSERT INTO key_secret (hash, key_id, created_at) VALUES (:hash, :key, :now)";

  private static final String END_SECRETS =
      """
      UPDATE key_secret SET ends_at = :end
      WHERE key_id = :key AND hash <> :hash AND (ends_at IS NULL OR ends_at > :end)
      """;

  private static final String AFTER =
      """
      EXISTS (SELECT 1 FROM api_key a WHERE a.id = :after
        AND (k.created_at > a.created_at OR (k.created_at = a.created_at AND k.id > a.id)))
      """;

  private KeyRows() {}

  static void insert(
      Handle handle, UUID id, UUID account, KeyTerms terms, KeySecret secret, Instant now) {
    if (find(handle, id).isPresent()) {
      return;
    }
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    handle
        .createUpdate(INSERT)
        .bind("id", id)
        .bind("account", account)
        .bind("name", terms.name())
        .bind("prefix", secret.shown())
        .bind("permitted", String.join(",", new TreeSet<>(terms.groups())))
        .bind("rate", boxed(terms.requestsPerMinute()))
        .bind("call", micros(terms.limits().perCall()))
        .bind("now", now)
        .bind("expires", terms.expires().orElse(null))
        .execute();
    handle
        .createUpdate(INSERT_BUDGET)
        .bind("id", id)
        .bind("daily", micros(terms.limits().daily()))
        .bind("monthly", micros(terms.limits().monthly()))
        .bind("day", today)
        .bind("month", today.withDayOfMonth(1))
        .execute();
    insertSecret(handle, id, secret, now);
  }

  private static void insertSecret(Handle handle, UUID key, KeySecret secret, Instant now) {
    handle
        .createUpdate(INSERT_SECRET)
        .bind("hash", secret.hash())
        .bind("key", key)
        .bind("now", now)
        .execute();
  }

  static Optional<ApiKey> find(Handle handle, UUID id) {
    return handle
        .createQuery(SELECT + "WHERE k.id = :id")
        .bind("id", id)
        .map((row, context) -> key(row))
        .findOne();
  }

  static Optional<ApiKey> find(Handle handle, KeySecret secret, Instant now) {
    byte[] hash = secret.hash();
    return handle
        .createQuery(BY_SECRET)
        .bind("hash", hash)
        .bind("now", now)
        .map(
            (row, context) ->
                MessageDigest.isEqual(hash, row.getBytes("hash"))
                    ? Optional.of(key(row))
                    : Optional.<ApiKey>empty())
        .findOne()
        .flatMap(found -> found);
  }

  static List<ApiKey> page(
      Handle handle, KeySearch search, Optional<UUID> after, int most, Instant now) {
    StringBuilder where = new StringBuilder("WHERE 1 = 1");
    search.account().ifPresent(id -> where.append(" AND k.account_id = :account"));
    search.name().ifPresent(part -> where.append(" AND POSITION(:name IN LOWER(k.name)) > 0"));
    search.state().ifPresent(state -> where.append(" AND ").append(condition(state)));
    search.since().ifPresent(time -> where.append(" AND k.created_at >= :since"));
    search.until().ifPresent(time -> where.append(" AND k.created_at < :until"));
    after.ifPresent(id -> where.append(" AND ").append(AFTER));
    Query query =
        handle
            .createQuery(SELECT + where + " ORDER BY k.created_at, k.id LIMIT :most")
            .bind("most", most);
    search.account().ifPresent(id -> query.bind("account", id));
    search.name().ifPresent(part -> query.bind("name", part.toLowerCase(Locale.ROOT)));
    search
        .state()
        .filter(state -> state != KeyState.REVOKED)
        .ifPresent(state -> query.bind("now", now));
    search.since().ifPresent(time -> query.bind("since", time));
    search.until().ifPresent(time -> query.bind("until", time));
    after.ifPresent(id -> query.bind("after", id));
    return query.map((row, context) -> key(row)).list();
  }

  private static String condition(KeyState state) {
    return switch (state) {
      case ACTIVE -> "k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now)";
      case EXPIRED -> "k.revoked_at IS NULL AND k.expires_at <= :now";
      case REVOKED -> "k.revoked_at IS NOT NULL";
    };
  }

  static Optional<ApiKey> revoke(Handle handle, UUID id, Instant now) {
    handle
        .createUpdate("UPDATE api_key SET revoked_at = coalesce(revoked_at, :now) WHERE id = :id")
        .bind("now", now)
        .bind("id", id)
        .execute();
    return find(handle, id);
  }

  static Optional<ApiKey> rotate(
      Handle handle, UUID id, KeySecret secret, Instant now, Instant end) {
    Optional<ApiKey> key = forChange(handle, id).filter(it -> it.revoked().isEmpty());
    if (key.isEmpty()) {
      return key;
    }
    handle
        .createUpdate(END_SECRETS)
        .bind("end", end)
        .bind("key", id)
        .bind("hash", secret.hash())
        .execute();
    if (find(handle, secret, now).isEmpty()) {
      insertSecret(handle, id, secret, now);
    }
    handle
        .createUpdate("UPDATE api_key SET prefix = :prefix WHERE id = :id")
        .bind("prefix", secret.shown())
        .bind("id", id)
        .execute();
    return find(handle, id);
  }

  /** A key whose limits and secrets no other transaction changes before this one ends. */
  static Optional<ApiKey> forChange(Handle handle, UUID id) {
    handle
        .createQuery("SELECT key_id FROM key_budget WHERE key_id = :id FOR UPDATE")
        .bind("id", id)
        .mapTo(UUID.class)
        .findOne();
    return find(handle, id);
  }

  /**
   * @param whose {@code granted} or {@code own}
   */
  static ApiKey limit(Handle handle, UUID id, String whose, KeyLimits limits) {
    handle
        .createUpdate("UPDATE api_key SET " + whose + "_call = :call WHERE id = :id")
        .bind("call", micros(limits.perCall()))
        .bind("id", id)
        .execute();
    handle
        .createUpdate(
            "UPDATE key_budget SET %1$s_daily = :daily, %1$s_monthly = :monthly WHERE key_id = :id"
                .formatted(whose))
        .bind("daily", micros(limits.daily()))
        .bind("monthly", micros(limits.monthly()))
        .bind("id", id)
        .execute();
    return find(handle, id).orElseThrow();
  }

  static Optional<Spent> spent(Handle handle, UUID id, Instant now) {
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    return handle
        .createQuery(
            "SELECT on_day, day_spent, in_month, month_spent FROM key_budget WHERE key_id = :id")
        .bind("id", id)
        .map(
            (row, context) ->
                new Spent(
                    since(row, "on_day", "day_spent", today),
                    since(row, "in_month", "month_spent", today.withDayOfMonth(1))))
        .findOne();
  }

  /** What was spent in a time that is over is spent no more. */
  private static Usd since(ResultSet row, String date, String amount, LocalDate current)
      throws SQLException {
    return row.getObject(date, LocalDate.class).isBefore(current)
        ? Usd.ZERO
        : new Usd(row.getLong(amount));
  }

  private static ApiKey key(ResultSet row) throws SQLException {
    int rate = row.getInt("rate");
    OptionalInt own = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(rate);
    String permitted = row.getString("permitted");
    return new ApiKey(
        row.getObject("id", UUID.class),
        row.getObject("account_id", UUID.class),
        row.getString("name"),
        row.getString("prefix"),
        permitted.isEmpty() ? Set.of() : Set.of(permitted.split(",", -1)),
        own,
        new KeyLimits(
            usd(row, "granted_call"), usd(row, "granted_daily"), usd(row, "granted_monthly")),
        new KeyLimits(usd(row, "own_call"), usd(row, "own_daily"), usd(row, "own_monthly")),
        NamedStatements.instant(row, "created_at").orElseThrow(),
        NamedStatements.instant(row, "expires_at"),
        NamedStatements.instant(row, "revoked_at"));
  }

  private static Optional<Usd> usd(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(new Usd(value));
  }

  private static @Nullable Long micros(Optional<Usd> limit) {
    return limit.map(Usd::micros).orElse(null);
  }

  private static @Nullable Integer boxed(OptionalInt number) {
    return number.isPresent() ? Integer.valueOf(number.getAsInt()) : null;
  }
}
