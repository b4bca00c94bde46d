package dev.octroi.api.phone;

import dev.octroi.api.phone.Lease.LeaseState;
import dev.octroi.api.phone.NumberPurchase.Deed;
import dev.octroi.payments.PaymentUse;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers.Country;
import dev.octroi.services.phone.PhoneNumbers.LeasedNumber;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
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
        .bind("bought", utc(deed.boughtAt()))
        .execute();
  }

  /** False if the lease is not as it was found any more. */
  static boolean replace(Handle handle, Lease found, Lease by) {
    Update update =
        bound(handle.createUpdate(REPLACE), by)
            .bind("found_state", found.state())
            .bind("found_expires", utc(found.expiresAt()));
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
        .bind("expires", utc(lease.expiresAt()));
    bind(update, "renewal", payment(lease));
    bind(update, "request", lease.renewal().map(PaymentUse::request).orElse(null));
    bind(update, "look", lease.lookAt().map(LeaseRows::utc).orElse(null));
    bind(update, "ended", lease.endedAt().map(LeaseRows::utc).orElse(null));
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
            row.getObject("bought_at", OffsetDateTime.class).toInstant());
    return new Lease(
        deed,
        LeaseState.valueOf(row.getString("state")),
        row.getObject("expires_at", OffsetDateTime.class).toInstant(),
        renewal(row),
        instant(row, "look_at"),
        instant(row, "ended_at"));
  }

  private static Optional<PaymentUse> renewal(ResultSet row) throws SQLException {
    UUID payment = row.getObject("renewal_payment", UUID.class);
    return payment == null
        ? Optional.empty()
        : Optional.of(new PaymentUse(payment, row.getString("renewal_request")));
  }

  static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
