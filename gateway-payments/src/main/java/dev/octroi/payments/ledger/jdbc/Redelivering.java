package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Answers a request whose payment is there already: in which state, and for what (rules 3, 4).
 *
 * <p>One call at a time is at work on the answer to a payment. Which, the row says: its owner and
 * attempt. Whether it still is, its own node knows best, which is why a row of this node that no
 * call of it holds is free whatever stands in it; of another node's the row says so ({@link
 * PaymentRow#answering}) for as long as that node lives, which ends it at its deadline.
 */
record Redelivering(Duration answerRetention, OpenClaims open) {

  /**
   * Each time is an attempt of its own: of any number of requests one gets it, and the call before
   * can no longer report.
   */
  private static final String TAKE =
      """
      UPDATE payment SET attempt = attempt + 1, node = ?, epoch = ?, rerunning = TRUE,
        reruns = LEAST(reruns + ?, 30000)
      WHERE id = ? AND attempt = ? AND (state = 'SETTLED' OR (state = 'SETTLING' AND sent)) AND NOT delivered
      """;

  private static final String ANSWER =
      "SELECT OCTET_LENGTH(sealed) FROM stored_answer WHERE payment_id = ? AND stored_at > ?";

  private static final String EFFECT_UNKNOWN =
      "SELECT 1 FROM effect WHERE payment_id = ? AND outcome = 'UNKNOWN'";

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
      case FAILED ->
          new ClaimResult.Failed(Objects.requireNonNullElse(row.reason(), "settlement_failed"));
      case SETTLED -> paid(connection, request, row, owner, now);
      case CLAIMED, RELEASED -> new ClaimResult.InFlight();
    };
  }

  /**
   * A payment of this very epoch that no other call of this node holds: its call has ended, or it
   * is an earlier try of this work, whose commit was not acknowledged.
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
    boolean ours = isOurs(request, row, owner);
    if (row.answering() && !ours && Membership.lives(connection, row.owner())) {
      return new ClaimResult.InFlight();
    }
    if (row.redelivery() == Redelivery.REREAD) {
      return readAgain(connection, row, owner, ours);
    }
    Optional<Long> answer = stored(connection, row, now);
    if (answer.isPresent()) {
      return take(connection, row, owner, 0)
          ? new ClaimResult.Replay(row.next(), answer.get(), row.transactionOrEmpty())
          : new ClaimResult.InFlight();
    }
    if (!ours && mayBeFirst(connection, row, now)) {
      return new ClaimResult.InFlight();
    }
    return row.redelivery() == Redelivery.RESUMED
        ? runAgain(connection, row, owner, 1)
        : unanswered(connection, row);
  }

  private static ClaimResult readAgain(
      Connection connection, PaymentRow row, Owner owner, boolean ours) throws SQLException {
    // An earlier try of this work is counted already.
    int counted = row.answering() && ours ? 0 : 1;
    return row.reruns() + counted > Redelivery.MAX_RERUNS
        ? new ClaimResult.Used()
        : runAgain(connection, row, owner, counted);
  }

  private static ClaimResult runAgain(
      Connection connection, PaymentRow row, Owner owner, int counted) throws SQLException {
    return take(connection, row, owner, counted)
        ? new ClaimResult.Rerun(row.next(), row.transactionOrEmpty())
        : new ClaimResult.InFlight();
  }

  /**
   * Whether it was settled before its effect by a node of a version before this one, which marks
   * neither the beginning nor the end of a first call: as long as answers are kept it may be at
   * work.
   */
  private boolean mayBeFirst(Connection connection, PaymentRow row, Instant now)
      throws SQLException {
    return !row.answering()
        && row.reruns() == 0
        && row.paidAt().isAfter(now.minus(answerRetention))
        && Membership.lives(connection, row.owner());
  }

  /**
   * Nothing was kept, and nothing is run again. An effect whose end is not known must not look like
   * a payment that is used up (rule 6).
   */
  private static ClaimResult unanswered(Connection connection, PaymentRow row) throws SQLException {
    return Rows.exists(connection, EFFECT_UNKNOWN, effect -> effect.setObject(1, row.id()))
        ? new ClaimResult.InDoubt()
        : new ClaimResult.Used();
  }

  private static boolean take(Connection connection, PaymentRow row, Owner owner, int counted)
      throws SQLException {
    int taken =
        Rows.update(
            connection,
            TAKE,
            statement -> {
              statement.setString(1, owner.node());
              statement.setLong(2, owner.epoch());
              statement.setInt(3, counted);
              statement.setObject(4, row.id());
              statement.setInt(5, row.attempt());
            });
    return taken == 1;
  }

  /** How long its answer is: read here, all answers of a batch would be in memory at once. */
  private Optional<Long> stored(Connection connection, PaymentRow row, Instant now)
      throws SQLException {
    return Rows.first(
        connection,
        ANSWER,
        statement -> {
          statement.setObject(1, row.id());
          statement.setObject(2, Rows.utc(now.minus(answerRetention)));
        },
        answer -> answer.getLong(1));
  }
}
