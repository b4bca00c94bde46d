package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.jdbc.Membership.ClaimTime;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What one transaction does: transitions first, then claims, so that what a batch releases it can
 * claim again.
 *
 * <p>Accounts are locked first, then the budgets of keys, then payments, and each kind in one
 * order, so that two transactions never wait for each other.
 */
final class Batch {

  private final Dialect dialect;
  private final Membership membership;
  private final Books books;
  private final Claims claims;
  private final Deliveries deliveries;
  private final Locks locks;
  private final Clock clock;
  private final ClaimTime claimTime;

  Batch(
      Dialect dialect,
      Membership membership,
      Books books,
      Claims claims,
      Deliveries deliveries,
      Clock clock,
      ClaimTime claimTime) {
    this.dialect = dialect;
    this.membership = membership;
    this.books = books;
    this.claims = claims;
    this.deliveries = deliveries;
    this.locks = new Locks(dialect);
    this.clock = clock;
    this.claimTime = claimTime;
  }

  /** Runs and commits; each work has its proposal afterwards. */
  void commit(Connection connection, List<Work<?>> works) throws SQLException {
    List<Deliveries.Note> notes = deliveries.take();
    try {
      Changes changes = run(connection, works, notes);
      // If the line is cut now, a claim may be there that no call holds.
      works.stream().filter(ClaimWork.class::isInstance).forEach(Work::askForItsEnd);
      connection.commit();
      books.remember(changes);
      deliveries.written(notes);
    } catch (SQLException | RuntimeException | Error e) {
      deliveries.putBack(notes);
      throw e;
    }
  }

  private Changes run(Connection connection, List<Work<?>> works, List<Deliveries.Note> notes)
      throws SQLException {
    List<TransitionWork> transitions = only(works, TransitionWork.class);
    List<ClaimWork> asked = only(works, ClaimWork.class);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Owner owner = asked.isEmpty() ? null : membership.claiming();
    Locks.Locked locked = locks.take(connection, transitions, asked, owner);
    Map<Boolean, List<Deliveries.Note>> ended =
        notes.stream().collect(Collectors.partitioningBy(Deliveries.Note::arrived));
    Deliveries.giveBack(connection, ended.getOrDefault(false, List.of()));
    Changes changes = new Changes();
    move(connection, transitions, locked, changes, now);
    if (owner != null) {
      // Transitions have changed what is reserved and spent, under the locks that are still held.
      Locks.Locked current =
          new Locks.Locked(
              changes.in(locked.accounts()),
              transitions.isEmpty() ? locked.budgets() : locks.budgets(connection, asked),
              locked.channels());
      claims.run(connection, asked, current, changes, owner, now, claimTime.now());
    }
    books.change(connection, changes, ended.getOrDefault(true, List.of()), now);
    for (Work<?> work : works) {
      if (work instanceof CallWork<?> call) {
        call.run(connection);
      }
    }
    return changes;
  }

  private static <W> List<W> only(List<Work<?>> works, Class<W> kind) {
    return works.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /**
   * Two who end the same payment, its call and the follower of its transaction, may meet in one
   * batch: the second is asked after the first is done, or both would count as having done it.
   */
  private void move(
      Connection connection,
      List<TransitionWork> transitions,
      Locks.Locked locked,
      Changes changes,
      Instant now)
      throws SQLException {
    List<TransitionWork> left = transitions;
    while (!left.isEmpty()) {
      Set<UUID> first = new HashSet<>();
      Map<Boolean, List<TransitionWork>> rounds =
          left.stream()
              .collect(Collectors.partitioningBy(work -> first.add(work.transition().id())));
      moveEach(connection, rounds.getOrDefault(true, List.of()), locked, changes, now);
      left = rounds.getOrDefault(false, List.of());
    }
  }

  /** Moves payments of which each is there once. */
  private void moveEach(
      Connection connection,
      List<TransitionWork> asked,
      Locks.Locked locked,
      Changes changes,
      Instant now)
      throws SQLException {
    List<TransitionWork> sorted =
        asked.stream().sorted(Comparator.comparing(work -> work.transition().id())).toList();
    List<Transition> transitions = sorted.stream().map(TransitionWork::transition).toList();
    Map<UUID, AppliedTransition> applied =
        dialect.move(connection, transitions, now).stream()
            .collect(Collectors.toMap(AppliedTransition::id, Function.identity()));
    books.write(connection, transitions, applied, locked, changes, now);
    storeAnswers(connection, sorted, applied, now);
    for (TransitionWork work : sorted) {
      boolean done =
          applied.containsKey(work.transition().id())
              || (work.isRetry() && wasDone(connection, work));
      work.propose(done);
    }
  }

  private void storeAnswers(
      Connection connection,
      List<TransitionWork> transitions,
      Map<UUID, AppliedTransition> applied,
      Instant now)
      throws SQLException {
    List<TransitionWork> storing = new ArrayList<>();
    for (TransitionWork work : transitions) {
      if (work.sealed() != null && applied.containsKey(work.transition().id())) {
        storing.add(work);
      }
    }
    books.storeAnswers(connection, storing, now);
  }

  /** Whether an earlier try was committed after all: read back by attempt. */
  private boolean wasDone(Connection connection, TransitionWork work) throws SQLException {
    return dialect.find(connection, List.of(work.claim().key())).stream()
        .anyMatch(
            row ->
                row.state() == work.transition().target()
                    && row.attempt() == work.transition().attempt()
                    && row.owner().equals(work.transition().owner()));
  }
}
