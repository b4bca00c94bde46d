package dev.octroi.payments.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What one transaction does: transitions first, then claims, so that what a batch releases it can
 * claim again.
 *
 * <p>Accounts are locked before payments, and each kind in one order, so that two transactions
 * never wait for each other.
 */
final class Batch {

  private final Dialect dialect;
  private final Membership membership;
  private final Books books;
  private final Claims claims;
  private final Deliveries deliveries;
  private final Clock clock;

  Batch(
      Dialect dialect,
      Membership membership,
      Books books,
      Claims claims,
      Deliveries deliveries,
      Clock clock) {
    this.dialect = dialect;
    this.membership = membership;
    this.books = books;
    this.claims = claims;
    this.deliveries = deliveries;
    this.clock = clock;
  }

  /** Runs and commits; each work has its proposal afterwards. */
  void commit(Connection connection, List<Work<?>> works) throws SQLException {
    List<Deliveries.Note> notes = deliveries.take();
    try {
      run(connection, works, notes);
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      deliveries.putBack(notes);
      throw e;
    }
  }

  private void run(Connection connection, List<Work<?>> works, List<Deliveries.Note> notes)
      throws SQLException {
    List<MoveWork> moves = only(works, MoveWork.class);
    List<ClaimWork> asked = only(works, ClaimWork.class);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Owner owner = asked.isEmpty() ? null : membership.hold(connection);
    Map<AccountKey, Account> accounts = lock(connection, payers(moves, asked));
    Deliveries.write(connection, notes);
    move(connection, moves, accounts, now);
    if (owner != null) {
      // Transitions have changed what is reserved, under the locks that are still held.
      Map<AccountKey, Account> current =
          moves.isEmpty() ? accounts : lock(connection, payers(List.of(), asked));
      claims.run(connection, asked, current, owner, now);
    }
    for (Work<?> work : works) {
      if (work instanceof CallWork<?> call) {
        call.run(connection);
      }
    }
  }

  private Map<AccountKey, Account> lock(Connection connection, Set<Payer> payers)
      throws SQLException {
    return payers.isEmpty() ? Map.of() : Account.byKey(dialect.lockPayers(connection, payers));
  }

  private static <W> List<W> only(List<Work<?>> works, Class<W> kind) {
    return works.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static Set<Payer> payers(List<MoveWork> moves, List<ClaimWork> asked) {
    Set<Payer> payers = new TreeSet<>(Payer.LOCK_ORDER);
    moves.stream()
        .filter(MoveWork::movesMoney)
        .forEach(move -> payers.add(Payer.of(move.claim().key())));
    asked.forEach(claim -> payers.add(Payer.of(claim.request().key())));
    return payers;
  }

  private void move(
      Connection connection, List<MoveWork> moves, Map<AccountKey, Account> payers, Instant now)
      throws SQLException {
    if (moves.isEmpty()) {
      return;
    }
    List<MoveWork> sorted =
        moves.stream().sorted(Comparator.comparing(move -> move.step().id())).toList();
    List<Step> steps = sorted.stream().map(MoveWork::step).toList();
    Map<UUID, Moved> moved =
        dialect.move(connection, steps, now).stream()
            .collect(Collectors.toMap(Moved::id, Function.identity()));
    books.write(connection, steps, moved, payers, now);
    storeAnswers(connection, sorted, moved, now);
    for (MoveWork move : sorted) {
      boolean done =
          moved.containsKey(move.step().id()) || (move.isRetry() && wasDone(connection, move));
      move.propose(done);
    }
  }

  private void storeAnswers(
      Connection connection, List<MoveWork> moves, Map<UUID, Moved> moved, Instant now)
      throws SQLException {
    List<MoveWork> storing = new ArrayList<>();
    for (MoveWork move : moves) {
      if (move.sealed() != null && moved.containsKey(move.step().id())) {
        storing.add(move);
      }
    }
    books.storeAnswers(connection, storing, now);
  }

  /** Whether an earlier try was committed after all: read back by attempt. */
  private boolean wasDone(Connection connection, MoveWork move) throws SQLException {
    return dialect.find(connection, List.of(move.claim().key())).stream()
        .anyMatch(
            row ->
                row.state() == move.step().target()
                    && row.attempt() == move.step().attempt()
                    && row.owner().equals(move.step().owner()));
  }
}
