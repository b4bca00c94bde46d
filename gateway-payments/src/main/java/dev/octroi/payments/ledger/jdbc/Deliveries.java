package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Owner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes of calls that were paid for and have ended: the answer has left, or it did not and may be
 * had again. Written along with the next batch: until then this node remembers, and others take the
 * call for one that is still at work; a loss only repeats an answer. Thread-safe.
 */
final class Deliveries {

  private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

  /**
   * What is not read again is marked, so that it is told from a payment of a version before this
   * one, which has no note of its first call's end.
   */
  private static final String GIVEN_BACK =
      """
      UPDATE payment SET rerunning = FALSE,
        reruns = CASE WHEN redelivery = 'REREAD' THEN reruns ELSE GREATEST(reruns, 1) END
      WHERE id = ? AND attempt = ? AND node = ? AND epoch = ? AND state IN ('SETTLING', 'SETTLED', 'IN_DOUBT')
      """;

  private static final int MOST = 1024;

  /**
   * How a delivery ended.
   *
   * @param arrived false for a call that gives its turn back
   */
  record Note(Claim claim, Owner owner, boolean arrived) {

    void bind(PreparedStatement statement, int from) throws SQLException {
      statement.setObject(from, claim.id());
      statement.setInt(from + 1, claim.attempt());
      statement.setString(from + 2, owner.node());
      statement.setLong(from + 3, owner.epoch());
    }
  }

  private final Queue<Note> notes = new ConcurrentLinkedQueue<>();
  private final OpenClaims open;
  private final Duration answerRetention;
  private final Clock clock;

  Deliveries(OpenClaims open, Duration answerRetention, Clock clock) {
    this.open = open;
    this.answerRetention = answerRetention;
    this.clock = clock;
  }

  void arrived(Claim claim, Owner owner) {
    notes.add(new Note(claim, owner, true));
  }

  void givenBack(Claim claim, Owner owner) {
    notes.add(new Note(claim, owner, false));
  }

  /** Writes at once that a turn is free, or with the next batch if the database does not answer. */
  void giveBack(Claim claim, Owner owner, Statements statements) {
    List<Note> note = List.of(new Note(claim, owner, false));
    try {
      statements.run(
          handle -> {
            giveBack(handle.getConnection(), note);
            return true;
          });
    } catch (LedgerUnavailable e) {
      putBack(note);
    }
  }

  /**
   * Ends what no caller has ended, for whatever reason, once its answer is kept no longer: no call
   * lasts that long, and a payment must not seem to be in use for ever.
   */
  void endForgotten() {
    for (Claim claim : open.owedSince(clock.instant().minus(answerRetention))) {
      LOG.warn("Payment {} was noted neither as delivered nor as not delivered", claim.id());
      open.of(claim).map(OpenClaims.Entry::owner).ifPresent(owner -> givenBack(claim, owner));
      open.leave(claim);
    }
  }

  boolean isPending() {
    return !notes.isEmpty();
  }

  /** Takes the oldest notes, to be written in one transaction. */
  List<Note> take() {
    List<Note> taken = new ArrayList<>();
    while (taken.size() < MOST) {
      Note note = notes.poll();
      if (note == null) {
        break;
      }
      taken.add(note);
    }
    taken.sort(Comparator.comparing(note -> note.claim().id()));
    return taken;
  }

  /** The notes are durable: from here on the database knows what this node had to remember. */
  void written(List<Note> taken) {
    taken.forEach(note -> open.leave(note.claim()));
  }

  /** Keeps notes whose transaction was rolled back for the next one. */
  void putBack(List<Note> taken) {
    notes.addAll(taken);
  }

  /** Writes the notes of calls that give their turns back. */
  static void giveBack(Connection connection, List<Note> notes) throws SQLException {
    Rows.batch(connection, GIVEN_BACK, notes, (statement, note) -> note.bind(statement, 1));
  }
}
