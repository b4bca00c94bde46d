package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.Owner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's life in the ledger: one row, renewed by a heartbeat (money rule 2).
 *
 * <p>Others judge it by the database's clock, this node by its own, from the moment before it
 * asked: so it always stops settling before others may take over. Its own clock is two, of which
 * the first to be over counts: the wall's, which may stand still or be put back, and the machine's,
 * which may not run while the machine sleeps. Where the wall's differs from the database's, what
 * this node would take for over is not over for others, so it claims, settles and deletes nothing
 * until they agree. Thread-safe.
 */
final class Membership {

  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

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
      WHERE name = :node AND epoch = :epoch AND expires_at > CURRENT_TIMESTAMP
      """;

  private static final String LIVES =
      "SELECT 1 FROM node WHERE name = ? AND epoch = ? AND expires_at > CURRENT_TIMESTAMP";

  private static final String LIVING =
      "SELECT count(*) FROM node WHERE expires_at > CURRENT_TIMESTAMP";

  /** A claim is entered here a moment before its row is written; no batch takes that long. */
  private static final Duration MARGIN = Duration.ofMinutes(2);

  private static final String NOW = "SELECT CURRENT_TIMESTAMP";

  /**
   * A life as this node knows it.
   *
   * @param until when it is over by the clock
   * @param asked {@link System#nanoTime} before it was renewed
   */
  private record Life(Owner owner, Instant until, long asked) {}

  private final Jdbi database;
  private final LedgerSettings settings;
  private final OpenClaims open;
  private final Clock clock;
  private final ClaimTime claimTime;
  private volatile @Nullable Life life;
  private volatile boolean clockDiffers;
  private long lastEpoch;

  Membership(
      Jdbi database, LedgerSettings settings, OpenClaims open, Clock clock, ClaimTime claimTime) {
    this.claimTime = claimTime;
    this.database = database;
    this.settings = settings;
    this.open = open;
    this.clock = clock;
  }

  /** Begins a new epoch; whatever an earlier one of this name left open is there to be closed. */
  void begin() {
    Instant asked = clock.instant();
    long nanos = System.nanoTime();
    open.forget();
    long epoch =
        database.inTransaction(
            handle -> {
              handle.createUpdate(END_EARLIER).bind("name", settings.node()).execute();
              return insert(handle, asked);
            });
    lastEpoch = epoch;
    life = new Life(new Owner(settings.node(), epoch), asked.plus(settings.expiry()), nanos);
  }

  private long insert(Handle handle, Instant asked) {
    long epoch =
        handle
            .createQuery(NEXT_EPOCH)
            // A clock that stands still, or was put back, must not begin an epoch a second time.
            .bind("millis", Math.max(asked.toEpochMilli(), lastEpoch + 1))
            .bind("name", settings.node())
            .mapTo(Long.class)
            .one();
    handle
        .createUpdate(BEGIN)
        .bind("name", settings.node())
        .bind("epoch", epoch)
        .bind("seconds", settings.expiry().toSeconds())
        .bind("since", openSince())
        .execute();
    return epoch;
  }

  /** Renews this life; an expired one never revives, a new epoch begins in its place. */
  void beat() {
    Life current = life;
    Instant asked = clock.instant();
    long nanos = System.nanoTime();
    compareClocks(asked);
    if (current == null || !renewed(current.owner())) {
      life = null;
      begin();
    } else {
      life = new Life(current.owner(), asked.plus(settings.expiry()), nanos);
    }
  }

  private void compareClocks(Instant before) {
    Instant theirs =
        database.withHandle(handle -> handle.createQuery(NOW).mapTo(Instant.class).one());
    boolean differs =
        Duration.between(theirs, before).compareTo(settings.clockDifference()) > 0
            || Duration.between(clock.instant(), theirs).compareTo(settings.clockDifference()) > 0;
    if (differs && !clockDiffers) {
      LOG.error(
          "This node's clock says {}, the database's {}: this node reserves and settles nothing until"
              + " they agree. Let both machines keep their time by NTP",
          before,
          theirs);
    } else if (!differs && clockDiffers) {
      LOG.info("This node's clock agrees with the database's again");
    }
    clockDiffers = differs;
  }

  private boolean renewed(Owner owner) {
    return database.withHandle(
            handle ->
                handle
                    .createUpdate(BEAT)
                    .bind("since", openSince())
                    .bind("seconds", settings.expiry().toSeconds())
                    .bindMethods(owner)
                    .execute())
        == 1;
  }

  private Instant openSince() {
    return open.oldest(claimTime.now()).minus(MARGIN);
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
    return current != null
        && !clockDiffers
        && clock.instant().isBefore(current.until())
        && System.nanoTime() - current.asked() < settings.expiry().toNanos();
  }

  /** The owner that this node's claims have now; of an epoch that never was where it has none. */
  Owner owner() {
    Life current = life;
    return current == null ? new Owner(settings.node(), 0) : current.owner();
  }

  /** Whose claims a transaction makes, as far as this node knows; the database proves it. */
  Owner claiming() throws SQLException {
    Owner owner = owner();
    if (!isAlive()) {
      throw expired();
    }
    return owner;
  }

  static SQLException expired() {
    return new SQLException("this node missed its heartbeat and claims nothing");
  }

  /** Whether this epoch of a node has not ended, by the database's clock. */
  static boolean lives(Connection connection, Owner owner) throws SQLException {
    return Rows.exists(
        connection,
        LIVES,
        node -> {
          node.setString(1, owner.node());
          node.setLong(2, owner.epoch());
        });
  }

  /** How many nodes live, this one included. */
  int living() {
    return database.withHandle(handle -> handle.createQuery(LIVING).mapTo(Integer.class).one());
  }

  /**
   * The times of this node's claims: its clock, except that they never go back. A sweep looks for a
   * dead node's claims from a time on that the node stated before. A claim with an earlier time,
   * made after the clock was put back, would be found by no sweep and stay open for ever.
   * Thread-safe.
   */
  static final class ClaimTime {

    private final Clock clock;
    private Instant last = Instant.MIN;

    ClaimTime(Clock clock) {
      this.clock = clock;
    }

    /** Now, in microseconds as the databases keep it; not before any time that was told before. */
    synchronized Instant now() {
      Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
      if (now.isAfter(last)) {
        last = now;
      }
      return last;
    }
  }
}
