package dev.octroi.api.phone;

import dev.octroi.api.phone.PhoneGroup.OwnedNumbers;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import dev.octroi.payments.ledger.jdbc.Statements;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers.LeasedNumber;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Leases in the ledger's database. Each change is one compare-and-set, so that any number of nodes
 * may look after the same lease. Thread-safe; throws {@link
 * dev.octroi.payments.ledger.LedgerUnavailable} when the database does not answer in time.
 */
record Leases(Statements statements, PaymentStatuses paymentStatuses) implements OwnedNumbers {

  /** The most that a list shows, the newest first. */
  static final int MAX_LISTED = 1_000;

  private static final String HELD =
      """
      SELECT * FROM lease WHERE owner = :owner AND state IN ('ACTIVE', 'RENEWAL_DUE') AND expires_at > :ended
      ORDER BY bought_at DESC, id LIMIT :most
      """;

  private static final String OF_NUMBER =
      """
      SELECT * FROM lease WHERE owner = :owner AND phone = :phone
      ORDER BY bought_at DESC, id LIMIT 1
      """;

  /** Two nodes that look at once whose a number is would both find that it is no lease's. */
  private static final String TURN = "SELECT id FROM lease_turn WHERE id = 1 FOR UPDATE";

  /** Of a number that is another lease's, or that the vendor still has to get back from it. */
  private static final String ANOTHER =
      """
      SELECT count(*) FROM lease WHERE id <> :id AND
        ((phone = :phone AND state IN ('ACTIVE', 'RENEWAL_DUE')) OR (vendor_ref = :reference AND look_at IS NOT NULL))
      """;

  private static final String DUE =
      "SELECT * FROM lease WHERE look_at <= :now ORDER BY look_at LIMIT :most";

  private static final String FORGET =
      "DELETE FROM lease WHERE ended_at < :before AND look_at IS NULL";

  private static final String FORGET_CHANGES =
      "DELETE FROM lease_change WHERE changed_at < :before";

  /**
   * Writes a lease down, once, in the caller's transaction.
   *
   * @throws IllegalStateException if its number is another's: whose purchase that is asks again
   */
  static void open(Handle handle, Lease lease) {
    if (LeaseRows.locked(handle, lease.deed().id()).isPresent()) {
      return;
    }
    handle.createQuery(TURN).mapTo(Integer.class).one();
    if (isAnothers(handle, lease.deed().id(), lease.deed().leased())) {
      throw new IllegalStateException(
          "the vendor has sold " + lease.deed().leased().reference() + " twice");
    }
    LeaseRows.insert(handle, lease);
  }

  /** Whether a number that the vendor says it has sold is another lease's than that one's. */
  boolean isAnothers(UUID id, LeasedNumber number) {
    return statements.run(handle -> isAnothers(handle, id, number));
  }

  private static boolean isAnothers(Handle handle, UUID id, LeasedNumber number) {
    return handle
            .createQuery(ANOTHER)
            .bind("id", id)
            .bind("phone", number.number().e164())
            .bind("reference", number.reference())
            .mapTo(Long.class)
            .one()
        > 0;
  }

  Optional<Lease> find(UUID id) {
    return statements.run(handle -> LeaseRows.locked(handle, id));
  }

  /** What an owner has, the newest first. */
  List<Lease> held(String owner, Instant now) {
    return statements.run(
        handle ->
            handle
                .createQuery(HELD)
                .bind("owner", owner)
                .bind("ended", now.minus(Lease.GRACE))
                .bind("most", MAX_LISTED)
                .map((row, context) -> LeaseRows.lease(row))
                .list());
  }

  /** An owner's latest lease of a number, however it ended. */
  Optional<Lease> latest(String owner, PhoneNumber number) {
    return statements.run(
        handle ->
            handle
                .createQuery(OF_NUMBER)
                .bind("owner", owner)
                .bind("phone", number.e164())
                .map((row, context) -> LeaseRows.lease(row))
                .findOne());
  }

  @Override
  public boolean isOwned(String owner, PhoneNumber number, Instant now) {
    return latest(owner, number).filter(lease -> lease.isHeld(now)).isPresent();
  }

  /** Leases at which something is to be done, what waits longest first. */
  List<Lease> toLookAt(Instant now, int most) {
    return statements.run(
        handle ->
            handle
                .createQuery(DUE)
                .bind("now", now)
                .bind("most", most)
                .map((row, context) -> LeaseRows.lease(row))
                .list());
  }

  /** Writes a change down; false if the lease is not as it was found any more. */
  boolean replace(Lease found, Lease by) {
    return statements.run(handle -> LeaseRows.replace(handle, found, by));
  }

  /**
   * Lets a payment pay for the term after the one that was found: only if that still is the last
   * one, and no other payment may still pay for it.
   */
  boolean payBy(Lease found, PaymentUse use) {
    return statements.run(
        handle ->
            LeaseRows.locked(handle, found.deed().id())
                .filter(now -> now.state().isHeld() && now.expiresAt().equals(found.expiresAt()))
                // An earlier try may have been committed without our knowing.
                .filter(now -> now.renewal().equals(Optional.of(use)) || isFree(handle, now))
                .filter(now -> LeaseRows.replace(handle, now, now.paidForBy(Optional.of(use))))
                .isPresent());
  }

  /** Whether no payment pays, or may still pay, for the next term of a lease. */
  boolean isFree(Handle handle, Lease lease) {
    return lease
        .renewal()
        .map(use -> paymentStatuses.of(handle, use) == PaymentStatus.DEAD)
        .orElse(true);
  }

  /** Deletes what ended before, of what nothing is left to be done. */
  int forget(Instant before) {
    return statements.run(
        handle -> {
          handle.createUpdate(FORGET_CHANGES).bind("before", before).execute();
          return handle.createUpdate(FORGET).bind("before", before).execute();
        });
  }
}
