package dev.octroi.payments.ledger;

import dev.octroi.payments.Redelivery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Answers a request whose payment is there already: in which state, and for what (rules 3, 4). */
final class Redelivering {

  /** Each redelivery is an attempt of its own, so that an earlier one can no longer report. */
  private static final String REPLAY =
      """
      UPDATE payment SET attempt = attempt + 1, node = ?, epoch = ?
      WHERE id = ? AND attempt = ? AND (state = 3 OR (state = 2 AND sent)) AND NOT delivered
      """;

  /** Counts and marks in one statement: at most one run at a time, and no more than the limit. */
  private static final String RERUN =
      """
      UPDATE payment SET attempt = attempt + 1, node = ?, epoch = ?, rerunning = TRUE, reruns = reruns + 1
      WHERE id = ? AND attempt = ? AND (state = 3 OR (state = 2 AND sent)) AND NOT delivered
        AND reruns < ?
        AND (NOT rerunning OR NOT EXISTS (
          SELECT 1 FROM node n
          WHERE n.name = payment.node AND n.epoch = payment.epoch AND n.expires_at > CURRENT_TIMESTAMP))
      """;

  /**
   * Nobody is at work on it: the run before gave its turn back, its node is dead, or it was the
   * first one and cannot last any more. Counted, but as often as asked.
   */
  private static final String RESUME =
      """
      UPDATE payment SET attempt = attempt + 1, node = ?, epoch = ?, rerunning = TRUE,
        reruns = LEAST(reruns + 1, 30000)
      WHERE id = ? AND attempt = ? AND (state = 3 OR (state = 2 AND sent)) AND NOT delivered
        AND ((reruns > 0 AND NOT rerunning)
          OR (reruns = 0 AND COALESCE(settled_at, claimed_at) < ?)
          OR NOT EXISTS (
            SELECT 1 FROM node n
            WHERE n.name = payment.node AND n.epoch = payment.epoch AND n.expires_at > CURRENT_TIMESTAMP))
      """;

  private static final String ANSWER =
      "SELECT sealed FROM stored_answer WHERE payment_id = ? AND stored_at > ?";

  private static final String RUNS =
      """
      SELECT 1 FROM payment p JOIN node n ON n.name = p.node AND n.epoch = p.epoch
      WHERE p.id = ? AND p.rerunning AND n.expires_at > CURRENT_TIMESTAMP
      """;

  private static final String EFFECT_UNKNOWN =
      "SELECT 1 FROM effect WHERE payment_id = ? AND outcome = 3";

  private static final String LIVES =
      "SELECT 1 FROM node WHERE name = ? AND epoch = ? AND expires_at > CURRENT_TIMESTAMP";

  private final AnswerVault vault;
  private final Duration answerRetention;
  private final OpenClaims open;

  Redelivering(AnswerVault vault, Duration answerRetention, OpenClaims open) {
    this.vault = vault;
    this.answerRetention = answerRetention;
    this.open = open;
  }

  ClaimResult answer(
      Connection connection, ClaimRequest request, PaymentRow row, Owner owner, Instant now)
      throws SQLException {
    if (row.state() == PaymentState.CLAIMED) {
      return isOurs(request, row, owner) && row.isFor(request)
          ? new ClaimResult.Claimed(row.claim())
          : new ClaimResult.InFlight();
    }
    if (!row.isFor(request)) {
      return new ClaimResult.Used();
    }
    return switch (row.state()) {
      case SETTLING ->
          row.sent() ? paid(connection, request, row, owner, now) : new ClaimResult.InFlight();
      case IN_DOUBT -> new ClaimResult.InDoubt();
      case FAILED -> new ClaimResult.Failed(row.reasonOr("settlement_failed"));
      case SETTLED -> paid(connection, request, row, owner, now);
      case CLAIMED, RELEASED -> new ClaimResult.InFlight();
    };
  }

  /**
   * A claim of this very epoch that no caller of this node holds was made by an earlier try of this
   * work, whose commit was not acknowledged.
   */
  private boolean isOurs(ClaimRequest request, PaymentRow row, Owner owner) {
    return row.owner().equals(owner) && !open.isHeld(request.key());
  }

  /** Settled, or on a transaction that is on its way: the answer is owed until it was delivered. */
  private ClaimResult paid(
      Connection connection, ClaimRequest request, PaymentRow row, Owner owner, Instant now)
      throws SQLException {
    if (row.delivered()) {
      return new ClaimResult.Used();
    }
    if (row.redelivery() == Redelivery.REREAD) {
      return rerun(connection, request, row, owner);
    }
    Optional<StoredAnswer> answer = stored(connection, row, now);
    if (answer.isEmpty()) {
      return row.redelivery() == Redelivery.RESUMED
          ? resumed(connection, request, row, owner, now)
          : unanswered(connection, row, now);
    }
    if (!take(connection, row, owner)) {
      return new ClaimResult.Used();
    }
    return new ClaimResult.Replay(row.next(), answer.get(), row.transactionOrEmpty());
  }

  /**
   * An effect that nobody knows the end of must not look like a payment that is used up (rule 6).
   */
  private ClaimResult unanswered(Connection connection, PaymentRow row, Instant now)
      throws SQLException {
    if (isBeingAnswered(connection, row, now)) {
      return new ClaimResult.InFlight();
    }
    return isAny(connection, EFFECT_UNKNOWN, row)
        ? new ClaimResult.InDoubt()
        : new ClaimResult.Used();
  }

  private ClaimResult rerun(
      Connection connection, ClaimRequest request, PaymentRow row, Owner owner)
      throws SQLException {
    if (row.rerunning() && isOurs(request, row, owner)) {
      return new ClaimResult.Rerun(row.claim(), row.transactionOrEmpty());
    }
    try (PreparedStatement statement = connection.prepareStatement(RERUN)) {
      bind(statement, row, owner);
      statement.setInt(5, Redelivery.MAX_RERUNS);
      if (statement.executeUpdate() == 1) {
        return new ClaimResult.Rerun(row.next(), row.transactionOrEmpty());
      }
    }
    return isRunning(connection, row) ? new ClaimResult.InFlight() : new ClaimResult.Used();
  }

  /** Its effect is a row of its own, which the method finds; what became of it is its to tell. */
  private ClaimResult resumed(
      Connection connection, ClaimRequest request, PaymentRow row, Owner owner, Instant now)
      throws SQLException {
    if (row.rerunning() && isOurs(request, row, owner)) {
      return new ClaimResult.Rerun(row.claim(), row.transactionOrEmpty());
    }
    try (PreparedStatement statement = connection.prepareStatement(RESUME)) {
      bind(statement, row, owner);
      statement.setObject(5, Rows.utc(now.minus(answerRetention)));
      return statement.executeUpdate() == 1
          ? new ClaimResult.Rerun(row.next(), row.transactionOrEmpty())
          : new ClaimResult.InFlight();
    }
  }

  private static boolean isRunning(Connection connection, PaymentRow row) throws SQLException {
    return isAny(connection, RUNS, row);
  }

  private static boolean isAny(Connection connection, String sql, PaymentRow row)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, row.id());
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  /** What was settled before its effect has no answer yet, as long as its node is at work on it. */
  private boolean isBeingAnswered(Connection connection, PaymentRow row, Instant now)
      throws SQLException {
    Instant settledAt = row.settledAt();
    if (settledAt == null || settledAt.isBefore(now.minus(answerRetention))) {
      return false;
    }
    try (PreparedStatement statement = connection.prepareStatement(LIVES)) {
      statement.setString(1, row.owner().node());
      statement.setLong(2, row.owner().epoch());
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  private static boolean take(Connection connection, PaymentRow row, Owner owner)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(REPLAY)) {
      bind(statement, row, owner);
      return statement.executeUpdate() == 1;
    }
  }

  private static void bind(PreparedStatement statement, PaymentRow row, Owner owner)
      throws SQLException {
    statement.setString(1, owner.node());
    statement.setLong(2, owner.epoch());
    statement.setObject(3, row.id());
    statement.setInt(4, row.attempt());
  }

  private Optional<StoredAnswer> stored(Connection connection, PaymentRow row, Instant now)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ANSWER)) {
      statement.setObject(1, row.id());
      statement.setObject(2, Rows.utc(now.minus(answerRetention)));
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(vault.open(row.id(), rows.getBytes(1))) : Optional.empty();
      }
    }
  }
}
