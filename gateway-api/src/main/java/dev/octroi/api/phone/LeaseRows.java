package dev.octroi.api.phone;

import dev.octroi.api.phone.Lease.LeaseState;
import dev.octroi.api.phone.NumberPurchase.Deed;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.PaymentUse;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers.Country;
import dev.octroi.services.phone.PhoneNumbers.LeasedNumber;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** The rows of leases. */
final class LeaseRows {

  private static final String INSERT =
      """
      INSERT INTO lease (id, phone, country, owner, network, vendor_ref, bought_at, state, expires_at,
        renewal_payment, renewal_request, look_at, ended_at)
      VALUES (:id, :phone, :country, :owner, :network, :reference, :bought, :state, :expires,
        :renewal, :request, :look, :ended)
      """;

  /** What a change may differ in, and what it must still find. */
  private static final String REPLACE =
      """
      UPDATE lease SET state = :state, expires_at = :expires, renewal_payment = :renewal,
        renewal_request = :request, look_at = :look, ended_at = :ended
      WHERE id = :id AND state = :found_state AND expires_at = :found_expires
        AND renewal_payment IS NOT DISTINCT FROM :found_renewal
      """;

  private LeaseRows() {}

  static void insert(Handle handle, Lease lease) {
    Deed deed = lease.deed();
    bound(handle.createUpdate(INSERT), lease)
        .bind("phone", deed.leased().number().e164())
        .bind("country", deed.country().name())
        .bind("owner", deed.owner())
        .bind("network", deed.network())
        .bind("reference", deed.leased().reference())
        .bind("bought", deed.boughtAt())
        .execute();
  }

  /** False if the lease is not as it was found any more. */
  static boolean replace(Handle handle, Lease found, Lease by) {
    Update update =
        bound(handle.createUpdate(REPLACE), by)
            .bind("found_state", found.state())
            .bind("found_expires", found.expiresAt());
    bind(update, "found_renewal", payment(found));
    return update.execute() == 1;
  }

  /** One lease, its row locked until the transaction ends. */
  static Optional<Lease> locked(Handle handle, UUID id) {
    return handle
        .createQuery("SELECT * FROM lease WHERE id = :id FOR UPDATE")
        .bind("id", id)
        .map((row, context) -> lease(row))
        .findOne();
  }

  private static Update bound(Update update, Lease lease) {
    update
        .bind("id", lease.deed().id())
        .bind("state", lease.state())
        .bind("expires", lease.expiresAt());
    bind(update, "renewal", payment(lease));
    bind(update, "request", lease.renewal().map(PaymentUse::request).orElse(null));
    bind(update, "look", lease.lookAt().orElse(null));
    bind(update, "ended", lease.endedAt().orElse(null));
    return update;
  }

  /** A null has no type of its own, or PostgreSQL would take it for a text. */
  static void bind(Update update, String name, @Nullable Object value) {
    if (value == null) {
      update.bindNull(name, Types.NULL);
    } else {
      update.bind(name, value);
    }
  }

  private static @Nullable UUID payment(Lease lease) {
    return lease.renewal().map(PaymentUse::payment).orElse(null);
  }

  static Lease lease(ResultSet row) throws SQLException {
    LeasedNumber leased =
        new LeasedNumber(row.getString("vendor_ref"), new PhoneNumber(row.getString("phone")));
    Deed deed =
        new Deed(
            row.getObject("id", UUID.class),
            leased,
            Country.valueOf(row.getString("country")),
            row.getString("owner"),
            row.getString("network"),
            NamedStatements.instant(row, "bought_at").orElseThrow());
    return new Lease(
        deed,
        LeaseState.valueOf(row.getString("state")),
        NamedStatements.instant(row, "expires_at").orElseThrow(),
        renewal(row),
        NamedStatements.instant(row, "look_at"),
        NamedStatements.instant(row, "ended_at"));
  }

  private static Optional<PaymentUse> renewal(ResultSet row) throws SQLException {
    UUID payment = row.getObject("renewal_payment", UUID.class);
    return payment == null
        ? Optional.empty()
        : Optional.of(new PaymentUse(payment, row.getString("renewal_request")));
  }
}
