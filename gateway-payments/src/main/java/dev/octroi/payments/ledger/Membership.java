package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * This node's life in the ledger: one row, renewed by a heartbeat (money rule 2).
 *
 * <p>Others judge it by the database's clock, this node by its own, from the moment before it
 * asked: so it always stops settling before others may take over. Thread-safe.
 */
final class Membership {

  private static final String END_EARLIER =
      """
      UPDATE node SET expires_at = CURRENT_TIMESTAMP
      WHERE name = :name AND expires_at > CURRENT_TIMESTAMP
      """;

  /** Epochs only grow, also when the rows of earlier ones are gone. */
  private static final String NEXT_EPOCH =
      "SELECT GREATEST(COALESCE(MAX(epoch), 0) + 1, CAST(:millis AS BIGINT)) FROM node WHERE name = :name";

  private static final String BEGIN =
      """
      INSERT INTO node (name, epoch, beat_at, expires_at, open_since)
      VALUES (:name, :epoch, CURRENT_TIMESTAMP,
        CURRENT_TIMESTAMP + CAST(:seconds AS BIGINT) * INTERVAL '1' SECOND, :since)
      """;

  private static final String BEAT =
      """
      UPDATE node SET beat_at = CURRENT_TIMESTAMP, open_since = :since,
        expires_at = CURRENT_TIMESTAMP + CAST(:seconds AS BIGINT) * INTERVAL '1' SECOND
      WHERE name = :name AND epoch = :epoch AND expires_at > CURRENT_TIMESTAMP
      """;

  private static final String LIVING =
      "SELECT count(*) FROM node WHERE expires_at > CURRENT_TIMESTAMP";

  /** A claim is entered here a moment before its row is written; no batch takes that long. */
  private static final Duration MARGIN = Duration.ofMinutes(2);

  private record Life(Owner owner, Instant until) {}

  private final Jdbi database;
  private final Dialect dialect;
  private final LedgerSettings settings;
  private final OpenClaims open;
  private final Clock clock;
  private volatile @Nullable Life life;

  Membership(
      Jdbi database, Dialect dialect, LedgerSettings settings, OpenClaims open, Clock clock) {
    this.database = database;
    this.dialect = dialect;
    this.settings = settings;
    this.open = open;
    this.clock = clock;
  }

  /** Begins a new epoch; whatever an earlier one of this name left open is there to be closed. */
  void begin() {
    Instant asked = clock.instant();
    open.forget();
    long epoch =
        database.inTransaction(
            handle -> {
              handle.createUpdate(END_EARLIER).bind("name", settings.node()).execute();
              return insert(handle, asked);
            });
    life = new Life(new Owner(settings.node(), epoch), asked.plus(settings.expiry()));
  }

  private long insert(Handle handle, Instant asked) {
    long epoch =
        handle
            .createQuery(NEXT_EPOCH)
            .bind("millis", asked.toEpochMilli())
            .bind("name", settings.node())
            .mapTo(Long.class)
            .one();
    handle
        .createUpdate(BEGIN)
        .bind("name", settings.node())
        .bind("epoch", epoch)
        .bind("seconds", settings.expiry().toSeconds())
        .bind("since", Rows.utc(openSince(asked)))
        .execute();
    return epoch;
  }

  /** Renews this life; an expired one never revives, a new epoch begins in its place. */
  void beat() {
    Life current = life;
    Instant asked = clock.instant();
    if (current == null || !renewed(current.owner(), asked)) {
      life = null;
      begin();
    } else {
      life = new Life(current.owner(), asked.plus(settings.expiry()));
    }
  }

  private boolean renewed(Owner owner, Instant asked) {
    return database.withHandle(
            handle ->
                handle
                    .createUpdate(BEAT)
                    .bind("since", Rows.utc(openSince(asked)))
                    .bind("seconds", settings.expiry().toSeconds())
                    .bind("name", owner.node())
                    .bind("epoch", owner.epoch())
                    .execute())
        == 1;
  }

  private Instant openSince(Instant now) {
    return open.oldest(now).minus(MARGIN);
  }

  /** Ends this life at once, so that a clean stop leaves nothing to wait for. */
  void end() {
    database.useHandle(
        handle -> handle.createUpdate(END_EARLIER).bind("name", settings.node()).execute());
    life = null;
  }

  /** Whether this node may begin to settle: it has proven in time that it lives. */
  boolean isAlive() {
    Life current = life;
    return current != null && clock.instant().isBefore(current.until());
  }

  /** The owner that this node's claims have now; of an epoch that never was where it has none. */
  Owner owner() {
    Life current = life;
    return current == null ? new Owner(settings.node(), 0) : current.owner();
  }

  /** Proves inside a transaction that this node lives, for as long as the transaction does. */
  Owner hold(Connection connection) throws SQLException {
    Owner owner = owner();
    if (!isAlive() || !dialect.hold(connection, owner)) {
      throw new SQLException("this node missed its heartbeat and claims nothing");
    }
    return owner;
  }

  /** How many nodes live, this one included. */
  int living() {
    return database.withHandle(handle -> handle.createQuery(LIVING).mapTo(Integer.class).one());
  }
}
