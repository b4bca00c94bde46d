package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what expired epochs left open: CLAIMED is RELEASED, SETTLING is IN_DOUBT and nothing else
 * (money rules 2 and 5). Claims of living nodes are never touched, nor is what was sent: it is
 * listed as such, and belongs to the follower of its transaction.
 */
final class Sweep {

  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private static final String EXPIRED =
      "SELECT name, epoch FROM node WHERE expires_at <= CURRENT_TIMESTAMP ORDER BY name, epoch";

  /** What the database's clock has written of a time that is to come, and was put back since. */
  private static final String AHEAD =
      "SELECT name, epoch, beat_at FROM node WHERE beat_at > CURRENT_TIMESTAMP";

  private static final String END =
      """
      UPDATE node SET expires_at = CURRENT_TIMESTAMP
      WHERE name = :node AND epoch = :epoch AND beat_at = :beat AND beat_at > CURRENT_TIMESTAMP
      """;

  /** Waits for transactions that hold the epoch; one that comes later finds it expired. */
  private static final String LOCK =
      """
      SELECT open_since FROM node
      WHERE name = :node AND epoch = :epoch AND expires_at <= CURRENT_TIMESTAMP FOR UPDATE
      """;

  private static final String OPEN =
      """
      SELECT id, attempt, network, payer, nonce, amount, state, key_id FROM payment
      WHERE claimed_at >= :since AND node = :node AND epoch = :epoch AND state IN ('CLAIMED', 'SETTLING') AND NOT sent
      """;

  /**
   * Its call is over, and a node that wakes up with the old epoch has no business with it any more.
   */
  private static final String TAKE_OVER =
      """
      UPDATE payment SET node = :node, epoch = :epoch,
        reruns = CASE WHEN redelivery = 'REREAD' THEN reruns ELSE GREATEST(reruns, 1) END
      WHERE id = :id AND state = 'IN_DOUBT'
      """;

  private static final String FORGET = "DELETE FROM node WHERE name = :node AND epoch = :epoch";

  private record Found(Claim claim, PaymentState state, Optional<UUID> key) {}

  private final Jdbi database;
  private final Dialect dialect;
  private final Locks locks;
  private final Books books;
  private final Membership membership;
  private final Clock clock;
  private Map<Owner, Instant> ahead = Map.of();

  Sweep(Jdbi database, Dialect dialect, Books books, Membership membership, Clock clock) {
    this.database = database;
    this.dialect = dialect;
    this.locks = new Locks(dialect);
    this.books = books;
    this.membership = membership;
    this.clock = clock;
  }

  /**
   * Closes every expired epoch, each in a transaction of its own. One that cannot be closed keeps
   * no other open, and is tried again. Rounds are as far apart as a node lives.
   */
  void run() {
    endAhead();
    List<Owner> expired =
        database.withHandle(
            handle ->
                handle
                    .createQuery(EXPIRED)
                    .map((row, context) -> new Owner(row.getString(1), row.getLong(2)))
                    .list());
    for (Owner dead : expired) {
      try {
        int closed = database.inTransaction(handle -> close(handle, dead));
        LOG.info("Closed {} claims of node {}, epoch {}", closed, dead.node(), dead.epoch());
      } catch (SQLException | RuntimeException e) {
        LOG.error("The claims of node {}, epoch {} stay open", dead.node(), dead.epoch(), e);
      }
    }
  }

  /** A node that lives has beaten again since the last round, in a time that is not to come. */
  private void endAhead() {
    Map<Owner, Instant> before = ahead;
    ahead =
        database.withHandle(
            handle ->
                handle
                    .createQuery(AHEAD)
                    .map(
                        (row, context) ->
                            Map.entry(
                                new Owner(row.getString("name"), row.getLong("epoch")),
                                NamedStatements.instant(row, "beat_at").orElseThrow()))
                    .stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    ahead.forEach(
        (node, beat) -> {
          if (beat.equals(before.get(node))) {
            database.useHandle(
                handle -> handle.createUpdate(END).bindMethods(node).bind("beat", beat).execute());
          }
        });
  }

  private int close(Handle handle, Owner dead) throws SQLException {
    List<Instant> since = handle.createQuery(LOCK).bindMethods(dead).mapTo(Instant.class).list();
    if (since.isEmpty()) {
      return 0;
    }
    List<Found> open = open(handle, dead, since.get(0));
    Connection connection = handle.getConnection();
    Set<Payer> payers = new TreeSet<>(Payer.LOCK_ORDER);
    open.forEach(found -> payers.add(Payer.of(found.claim().key())));
    Stream<UUID> keys = open.stream().flatMap(found -> found.key().stream());
    Locks.Locked locked = locks.take(connection, payers, keys);
    move(handle, locked, open.stream().map(found -> transition(found, dead)).toList());
    handle.createUpdate(FORGET).bindMethods(dead).execute();
    return open.size();
  }

  private void move(Handle handle, Locks.Locked locked, List<Transition> transitions)
      throws SQLException {
    if (transitions.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    Connection connection = handle.getConnection();
    Map<UUID, AppliedTransition> applied =
        dialect.move(connection, transitions, now).stream()
            .collect(Collectors.toMap(AppliedTransition::id, Function.identity()));
    Changes changes = new Changes();
    books.write(connection, transitions, applied, locked, changes, now);
    books.change(connection, changes, now);
    Owner heir = membership.owner();
    for (Transition transition : transitions) {
      if (transition.target() == PaymentState.IN_DOUBT) {
        handle.createUpdate(TAKE_OVER).bindMethods(heir).bind("id", transition.id()).execute();
      }
    }
  }

  private static List<Found> open(Handle handle, Owner dead, Instant since) {
    return handle
        .createQuery(OPEN)
        .bind("since", since)
        .bindMethods(dead)
        .map(
            (row, context) ->
                new Found(
                    Rows.claim(row),
                    PaymentState.valueOf(row.getString("state")),
                    Optional.ofNullable(row.getObject("key_id", UUID.class))))
        .list();
  }

  private static Transition transition(Found found, Owner dead) {
    PaymentState target =
        found.state() == PaymentState.CLAIMED ? PaymentState.RELEASED : PaymentState.IN_DOUBT;
    return Transition.of(
        found.claim(),
        dead,
        found.state(),
        found.state(),
        target,
        null,
        ReleaseReason.of("node_lost"));
  }
}
