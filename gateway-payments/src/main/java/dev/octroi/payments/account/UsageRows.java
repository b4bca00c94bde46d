package dev.octroi.payments.account;

import dev.octroi.payments.Usd;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Pages of usage, the latest day first, read by keyset. */
final class UsageRows {

  private static final String SELECT =
      """
      SELECT u.key_id, u.on_day, u.scope, u.calls, u.spend
      FROM key_usage u JOIN api_key k ON k.id = u.key_id
      WHERE k.account_id = :account AND u.on_day BETWEEN :from AND :to
      """;

  private static final String OF_KEY = " AND u.key_id = :key";

  private static final String AFTER =
      """
       AND (u.on_day < :day OR (u.on_day = :day AND
        (u.key_id > :after OR (u.key_id = :after AND u.scope > :scope))))
      """;

  private static final String ORDER = " ORDER BY u.on_day DESC, u.key_id, u.scope LIMIT :most";

  private UsageRows() {}

  static List<UsageLine> page(
      Handle handle, UsageQuery query, Optional<UsageLine> after, int most) {
    String sql =
        SELECT + (query.key().isPresent() ? OF_KEY : "") + (after.isPresent() ? AFTER : "") + ORDER;
    var lines =
        handle
            .createQuery(sql)
            .bind("account", query.account())
            .bind("from", query.from())
            .bind("to", query.to())
            .bind("most", most);
    query.key().ifPresent(key -> lines.bind("key", key));
    after.ifPresent(
        line ->
            lines.bind("day", line.day()).bind("after", line.key()).bind("scope", line.group()));
    return lines
        .map(
            (row, context) ->
                new UsageLine(
                    row.getObject("on_day", LocalDate.class),
                    row.getObject("key_id", UUID.class),
                    row.getString("scope"),
                    row.getLong("calls"),
                    new Usd(row.getLong("spend"))))
        .list();
  }
}
