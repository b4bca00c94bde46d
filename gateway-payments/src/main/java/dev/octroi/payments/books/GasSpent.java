package dev.octroi.payments.books;

import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import java.math.BigInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Says what the gateway's own transactions have cost in gas, and for which calls, as their receipts
 * say it. Thread-safe; throws {@link LedgerUnavailable} after ten seconds at most.
 */
public final class GasSpent {

  /** The payments of a transaction share its fee evenly; what is left over is the first one's. */
  private static final String SUMS =
      """
      SELECT t.network, p.scope, p.method, p.path, SUM(CASE WHEN t.parts = 0 THEN t.fee
          ELSE (t.fee - MOD(t.fee, t.parts)) / t.parts + CASE WHEN t.position = 0 THEN MOD(t.fee, t.parts) ELSE 0 END
        END) AS fee
      FROM (
        SELECT x.network, x.fee, c.position, c.payer, c.nonce, COUNT(c.hash) OVER (PARTITION BY x.hash) AS parts
        FROM chain_tx x LEFT JOIN chain_tx_payment c ON c.hash = x.hash
        WHERE x.created_at >= :from AND x.created_at < :to AND x.fee IS NOT NULL) t
      LEFT JOIN payment p ON p.network = t.network AND p.payer = t.payer AND p.nonce = t.nonce
      GROUP BY t.network, p.scope, p.method, p.path
      """;

  private final LedgerReads database;

  public GasSpent(DataSource database) {
    this.database = new LedgerReads(database);
  }

  /**
   * Tells what transactions that were made in a period, and have ended, have cost, path by path.
   * Those that paid for no call, such as refunds, have no path.
   */
  public void byPath(Period period, Consumer<GasAt> reader) {
    database.each(
        handle -> handle.createQuery(SUMS).bind("from", period.from()).bind("to", period.to()),
        (row, context) ->
            new GasAt(
                row.getString("network"),
                row.getString("scope"),
                row.getString("method"),
                row.getString("path"),
                row.getBigDecimal("fee").toBigIntegerExact()),
        reader);
  }

  /**
   * What gas was paid for the calls of a path.
   *
   * @param group the group of endpoints; null where there is none
   * @param method null where it was paid for no call
   * @param path null where it was paid for no call
   * @param fee in the smallest unit of the network's own coin
   */
  public record GasAt(
      String network,
      @Nullable String group,
      @Nullable String method,
      @Nullable String path,
      BigInteger fee) {}
}
