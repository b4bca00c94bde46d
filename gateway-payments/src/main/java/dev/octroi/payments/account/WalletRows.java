package dev.octroi.payments.account;

import dev.octroi.payments.account.ManagedWallet.WalletAddress;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The rows of managed wallets. */
final class WalletRows {

  private static final String INSERT =
      """
      INSERT INTO wallet (id, account_id, kind, address, sealed_under, sealed, created_at)
      VALUES (:id, :account, :kind, :address, :under, :sealed, :now)
      """;

  /** EVM first: the kinds' names are in the order in which they are tried. */
  private static final String OF_ACCOUNT =
      "SELECT * FROM wallet WHERE account_id = :account ORDER BY kind";

  private static final String STALE =
      """
      SELECT * FROM wallet WHERE sealed_under <> :current AND id > :after ORDER BY id LIMIT :most
      """;

  private static final String RESEAL =
      """
      UPDATE wallet SET sealed = :sealed, sealed_under = :under
      WHERE id = :id AND sealed_under = :before
      """;

  private static final UUID FIRST = new UUID(0, 0);

  /** A wallet with its sealed private key. */
  record Row(WalletAddress address, byte[] sealed) {}

  private WalletRows() {}

  static void insert(Handle handle, Row wallet, Instant now) {
    WalletAddress address = wallet.address();
    handle
        .createUpdate(INSERT)
        .bind("id", address.id())
        .bind("account", address.account())
        .bind("kind", address.kind())
        .bind("address", address.address())
        .bind("under", address.sealedUnder())
        .bind("sealed", wallet.sealed())
        .bind("now", now)
        .execute();
  }

  static List<Row> of(Handle handle, UUID account) {
    return handle
        .createQuery(OF_ACCOUNT)
        .bind("account", account)
        .map((row, context) -> wallet(row))
        .list();
  }

  /** Wallets that another key than the current one has sealed. */
  static List<Row> stale(Handle handle, String current, Optional<UUID> after, int most) {
    return handle
        .createQuery(STALE)
        .bind("current", current)
        .bind("after", after.orElse(FIRST))
        .bind("most", most)
        .map((row, context) -> wallet(row))
        .list();
  }

  static int reseal(Handle handle, Row wallet, MasterKeys.Sealed sealed) {
    return handle
        .createUpdate(RESEAL)
        .bind("sealed", sealed.bytes())
        .bind("under", sealed.keyId())
        .bind("id", wallet.address().id())
        .bind("before", wallet.address().sealedUnder())
        .execute();
  }

  private static Row wallet(ResultSet row) throws SQLException {
    return new Row(
        new WalletAddress(
            row.getObject("id", UUID.class),
            row.getObject("account_id", UUID.class),
            row.getString("kind"),
            row.getString("address"),
            row.getString("sealed_under")),
        row.getBytes("sealed"));
  }
}
