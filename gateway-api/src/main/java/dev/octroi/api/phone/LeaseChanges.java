package dev.octroi.api.phone;

import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Changes that payments have bought, each made once, or never once a call has asked for it in vain:
 * the row of a change is written in the transaction that makes it. Thread-safe.
 */
record LeaseChanges(Statements statements, Leases leases, Clock clock) {

  /** What an owner can do to a lease. */
  enum Change {
    RENEWAL,
    RELEASE
  }

  private static final String FIND =
      "SELECT lease_id, expires_at, reason FROM lease_change WHERE effect_id = :effect";

  private static final String INSERT =
      """
      INSERT INTO lease_change (effect_id, lease_id, expires_at, reason, changed_at)
      VALUES (:effect, :lease, :expires, :reason, :now)
      """;

  private static final String GONE = "the number is not yours any more";
  private static final String BUSY = "a renewal of the number is under way";
  private static final String NEVER = "it was not done in time";

  /** Makes a change, or finds what became of it. */
  Attempt make(UUID effect, UUID lease, Change change) {
    return statements.run(
        handle -> found(handle, effect).orElseGet(() -> make(handle, effect, lease, change)));
  }

  /** Finds what became of a change; one that was not made will never be. */
  Attempt madeOrNever(UUID effect, UUID lease) {
    return statements.run(
        handle -> found(handle, effect).orElseGet(() -> refused(handle, effect, lease, NEVER)));
  }

  private Attempt make(Handle handle, UUID effect, UUID lease, Change change) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Optional<Lease> found = LeaseRows.locked(handle, lease).filter(one -> one.isHeld(now));
    if (found.isEmpty()) {
      return refused(handle, effect, lease, GONE);
    }
    if (change == Change.RELEASE && !leases.isFree(handle, found.get())) {
      return refused(handle, effect, lease, BUSY);
    }
    Lease changed = change == Change.RENEWAL ? found.get().renewed() : found.get().released(now);
    if (!LeaseRows.replace(handle, found.get(), changed)) {
      throw new IllegalStateException("a lease has changed although its row is locked");
    }
    write(handle, effect, lease, changed.expiresAt(), null);
    return done(lease, changed.expiresAt());
  }

  private Attempt refused(Handle handle, UUID effect, UUID lease, String reason) {
    write(handle, effect, lease, null, reason);
    return new Attempt.NotDone(reason);
  }

  private static Attempt done(UUID lease, Instant expires) {
    return new Attempt.Done(lease.toString(), expires.toString());
  }

  private static Optional<Attempt> found(Handle handle, UUID effect) {
    return handle
        .createQuery(FIND)
        .bind("effect", effect)
        .<Attempt>map(
            (row, context) -> {
              UUID lease = row.getObject("lease_id", UUID.class);
              Optional<Instant> expires = NamedStatements.instant(row, "expires_at");
              return expires.isPresent()
                  ? done(lease, expires.get())
                  : new Attempt.NotDone(row.getString("reason"));
            })
        .findOne();
  }

  private void write(
      Handle handle, UUID effect, UUID lease, @Nullable Instant expires, @Nullable String reason) {
    Update update =
        handle
            .createUpdate(INSERT)
            .bind("effect", effect)
            .bind("lease", lease)
            .bind("now", clock.instant());
    LeaseRows.bind(update, "expires", expires);
    LeaseRows.bind(update, "reason", ControlCharacters.replacedIn(reason));
    update.execute();
  }
}
