package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import dev.octroi.payments.ledger.jdbc.Transition.AppliedTransition;
import dev.octroi.payments.ledger.jdbc.Transition.SettlementMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rows of channels. Each changes under the lock of its channel's account, so that what was read
 * under that lock holds until the transaction ends.
 */
final class ChannelRows {

  private static final String FIND =
      """
      SELECT c.charged, c.claimed, c.payment_id, c.payer, c.asset, c.deposit, c.nonce, r.balance - r.withdrawing AS held
      FROM channel c LEFT JOIN channel_reading r ON r.network = c.network AND r.id = c.id
      WHERE c.network = ? AND c.id = ?
      """;

  private static final String TAKEN =
      "SELECT 1 FROM channel_deposit WHERE network = ? AND channel = ? AND nonce = ?";

  private static final String HOLD =
      """
      UPDATE channel SET payment_id = ?, promised = ?, promise = ?, deposit = ?, nonce = ?, used_at = ?
      WHERE network = ? AND id = ? AND charged = ? AND payment_id IS NULL
      """;

  private static final String OPEN =
      """
      INSERT INTO channel (payment_id, promised, promise, deposit, nonce, used_at, network, id, charged, asset, payer, terms, claimed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String CHARGE =
      """
      UPDATE channel SET charged = charged + ?, signed = GREATEST(signed, promised),
        signature = CASE WHEN promised > signed THEN promise ELSE signature END,
        unclaimed_since = COALESCE(unclaimed_since, ?),
        payment_id = NULL, promised = NULL, promise = NULL, deposit = 0, nonce = NULL
      WHERE network = ? AND id = ? AND payment_id = ?
      """;

  /** Of a payment that no longer held its channel when the chain proved it. */
  private static final String CHARGE_LATE =
      """
      UPDATE channel SET charged = charged + ?, unclaimed_since = COALESCE(unclaimed_since, ?)
      WHERE network = ? AND id = ?
      """;

  /** What has begun to settle may yet be proven, and is claimed by its voucher then. */
  private static final String FREE_KEEPING =
      """
      UPDATE channel SET signed = GREATEST(signed, promised),
        signature = CASE WHEN promised > signed THEN promise ELSE signature END,
        payment_id = NULL, promised = NULL, promise = NULL, deposit = 0, nonce = NULL
      WHERE network = ? AND id = ? AND payment_id = ?
      """;

  private static final String FREE =
      """
      UPDATE channel SET payment_id = NULL, promised = NULL, promise = NULL, deposit = 0, nonce = NULL
      WHERE network = ? AND id = ? AND payment_id = ?
      """;

  private static final String TAKE =
      "INSERT INTO channel_deposit (network, channel, nonce, amount, at) VALUES (?, ?, ?, ?, ?)";

  private ChannelRows() {}

  /**
   * What stands of a channel.
   *
   * @param charged by all calls so far
   * @param claimed what of it was claimed on a chain
   * @param payer whose money it holds
   * @param deposit what the payment that holds it puts into it
   * @param nonce of that deposit; null if there is none
   * @param isHeld whether a payment holds it
   * @param held what may be spent of it in all by the contract's last word; empty where there is
   *     none
   */
  record Row(
      long charged,
      long claimed,
      AccountKey payer,
      long deposit,
      byte @Nullable [] nonce,
      boolean isHeld,
      OptionalLong held) {}

  /** What stands of the channels of these requests, those that are new left out. */
  static Map<String, Row> read(Connection connection, Collection<ClaimRequest> requests)
      throws SQLException {
    Map<String, Row> rows = new HashMap<>();
    for (ClaimRequest request : requests) {
      if (request.channel().isPresent()) {
        String network = request.key().network();
        String id = request.key().payer();
        find(connection, network, id).ifPresent(row -> rows.put(network + id, row));
      }
    }
    return rows;
  }

  static Optional<Row> find(Connection connection, String network, String id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      bind(statement, 1, network, id);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        String payer = KeyBytes.text(network, row.getBytes("payer"));
        return Optional.of(
            new Row(
                row.getLong("charged"),
                row.getLong("claimed"),
                new AccountKey(network, payer, row.getString("asset")),
                row.getLong("deposit"),
                row.getBytes("nonce"),
                row.getObject("payment_id") != null,
                Rows.number(row, "held")));
      }
    }
  }

  /** Whether a deposit was taken before. */
  static boolean isTaken(Connection connection, ClaimRequest request, ChannelUse.Deposit deposit)
      throws SQLException {
    String network = request.key().network();
    try (PreparedStatement statement = connection.prepareStatement(TAKEN)) {
      int next = bind(statement, 1, network, request.key().payer());
      statement.setBytes(next, KeyBytes.of(network, deposit.nonce()));
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  /** The payers of these channels, whose accounts change with theirs. */
  static List<Payer> payers(Connection connection, Collection<Payer> owners) throws SQLException {
    List<Payer> payers = new ArrayList<>();
    for (Payer owner : owners) {
      if (ChannelUse.isChannel(owner.network(), owner.address())) {
        find(connection, owner.network(), owner.address())
            .filter(row -> row.deposit() > 0)
            .ifPresent(row -> payers.add(new Payer(owner.network(), row.payer().owner())));
      }
    }
    return payers;
  }

  /** Has a claim hold its channel, which is free and counts as its payer does. */
  static void hold(Connection connection, Claim claim, ClaimRequest request, Instant now)
      throws SQLException {
    ChannelUse use = request.channel().orElseThrow();
    try (PreparedStatement hold = connection.prepareStatement(HOLD)) {
      bind(hold, claim, request, use, now);
      if (hold.executeUpdate() == 1) {
        return;
      }
    }
    try (PreparedStatement open = connection.prepareStatement(OPEN)) {
      bind(open, claim, request, use, now);
      open.setString(10, request.asset());
      open.setBytes(11, KeyBytes.of(request.key().network(), payer(request).owner()));
      open.setString(12, use.terms());
      open.setLong(13, use.claimed().orElse(0));
      open.executeUpdate();
    }
  }

  private static void bind(
      PreparedStatement statement, Claim claim, ClaimRequest request, ChannelUse use, Instant now)
      throws SQLException {
    String network = request.key().network();
    statement.setObject(1, claim.id());
    statement.setLong(2, Math.addExact(use.before(), request.amount()));
    statement.setBytes(3, use.signature());
    statement.setLong(4, use.deposit().map(ChannelUse.Deposit::amount).orElse(0L));
    statement.setBytes(5, use.deposit().map(it -> KeyBytes.of(network, it.nonce())).orElse(null));
    statement.setObject(6, Rows.utc(now));
    statement.setLong(bind(statement, 7, network, request.key().payer()), use.before());
  }

  /** The account of a channel's payer. */
  static AccountKey payer(ClaimRequest request) {
    ChannelUse use = request.channel().orElseThrow();
    return new AccountKey(
        request.key().network(), PaymentKey.spelling(use.payer()), request.asset());
  }

  /** Frees the channel of a payment that has ended, charged or not. */
  static void end(
      Connection connection,
      Transition transition,
      AppliedTransition payment,
      Map<AccountKey, Account> payers,
      Changes changes,
      Journal journal,
      Instant now)
      throws SQLException {
    String network = payment.payer().network();
    String id = payment.payer().owner();
    boolean charged = transition.target() == PaymentState.SETTLED;
    Row row = find(connection, network, id).orElse(null);
    if (!free(connection, transition, payment, now)) {
      if (charged && transition.firstSource().gaveBack()) {
        charge(connection, CHARGE_LATE, transition, payment, now);
      }
      return;
    }
    if (row == null || row.deposit() == 0) {
      return;
    }
    // Where a chain holds the money the accounts have no balance that could change.
    changes.add(row.payer(), -row.deposit(), charged ? -row.deposit() : 0);
    if (charged) {
      changes.add(payment.payer(), 0, row.deposit());
      journal.move(
          connection, payment.id(), payers, row.payer(), payment.payer(), row.deposit(), now);
      try (PreparedStatement take = connection.prepareStatement(TAKE)) {
        int next = bind(take, 1, network, id);
        take.setBytes(next, row.nonce());
        take.setLong(next + 1, row.deposit());
        take.setObject(next + 2, Rows.utc(now));
        take.executeUpdate();
      }
    }
  }

  /** True if the payment held its channel. */
  private static boolean free(
      Connection connection, Transition transition, AppliedTransition payment, Instant now)
      throws SQLException {
    if (transition.target() == PaymentState.SETTLED) {
      return charge(connection, CHARGE, transition, payment, now);
    }
    String sql = transition.firstSource().hasBegunToSettle() ? FREE_KEEPING : FREE;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int next = bind(statement, 1, payment.payer().network(), payment.payer().owner());
      statement.setObject(next, payment.id());
      return statement.executeUpdate() == 1;
    }
  }

  /** What the ledger's own database holds is claimed with its charge. */
  private static boolean charge(
      Connection connection,
      String sql,
      Transition transition,
      AppliedTransition payment,
      Instant now)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, payment.charged());
      if (transition.mode() == SettlementMode.HERE) {
        statement.setNull(2, Types.TIMESTAMP_WITH_TIMEZONE);
      } else {
        statement.setObject(2, Rows.utc(now));
      }
      int next = bind(statement, 3, payment.payer().network(), payment.payer().owner());
      if (sql.equals(CHARGE)) {
        statement.setObject(next, payment.id());
      }
      return statement.executeUpdate() == 1;
    }
  }

  private static int bind(PreparedStatement statement, int from, String network, String id)
      throws SQLException {
    statement.setString(from, network);
    statement.setBytes(from + 1, KeyBytes.of(network, id));
    return from + 2;
  }
}
