package dev.octroi.api.wallet;

import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.UsageLine;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;

/**
 * What payers' own wallets have bought, by day and group; read beside the ledger's statements and
 * for ten seconds at most, for it looks at all payments of a wallet. Thread-safe.
 */
public final class WalletUsage {

  /** Stands for the key of what no key has paid for. */
  static final UUID NO_KEY = new UUID(0, 0);

  private static final String BOUGHT =
      """
      SELECT CAST(settled_at AT TIME ZONE 'UTC' AS DATE) AS on_day, COALESCE(scope, '') AS scope,
        COUNT(*) AS calls,
        SUM(COALESCE(charged, amount) - COALESCE(
          (SELECT SUM(r.amount) FROM refund r WHERE r.payment_id = payment.id), 0)) AS spend
      FROM payment
      WHERE network IN (<networks>) AND payer = :payer AND key_id IS NULL AND state = 'SETTLED'
        AND settled_at >= :from AND settled_at < :until
      GROUP BY CAST(settled_at AT TIME ZONE 'UTC' AS DATE), COALESCE(scope, '')
      """;

  private static final Comparator<UsageLine> ORDER =
      Comparator.comparing(UsageLine::day).reversed().thenComparing(UsageLine::group);

  private final LedgerReads database;

  public WalletUsage(DataSource database) {
    this.database = new LedgerReads(database);
  }

  /**
   * A page, the latest day first.
   *
   * @param after the last line of the page before
   */
  List<UsageLine> of(
      SignedInWallet wallet, LocalDate from, LocalDate to, Optional<UsageLine> after, int most) {
    Predicate<UsageLine> isLater = line -> after.isEmpty() || ORDER.compare(line, after.get()) > 0;
    return database.read(handle -> bought(handle, wallet, from, to)).stream()
        .sorted(ORDER)
        .filter(isLater)
        .limit(most)
        .toList();
  }

  /** The networks of a wallet are of one family, in which its address has one form. */
  private static List<UsageLine> bought(
      Handle handle, SignedInWallet wallet, LocalDate from, LocalDate to) {
    return handle
        .createQuery(BOUGHT)
        .bindList("networks", wallet.networks())
        .bind("payer", KeyBytes.of(wallet.networks().get(0), wallet.payer()))
        .bind("from", from.atStartOfDay().atOffset(ZoneOffset.UTC))
        .bind("until", to.plusDays(1).atStartOfDay().atOffset(ZoneOffset.UTC))
        .map(
            (row, context) ->
                new UsageLine(
                    row.getObject("on_day", LocalDate.class),
                    NO_KEY,
                    row.getString("scope"),
                    row.getLong("calls"),
                    new Usd(row.getLong("spend"))))
        .list();
  }
}
