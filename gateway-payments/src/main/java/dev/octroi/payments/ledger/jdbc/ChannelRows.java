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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of channels. Each changes under the lock of its channel's account, so that what was read
 * under that lock holds until the transaction ends.
 */
final class ChannelRows {

  /** Of channels whose networks and ids a {@link Dialect} names. */
  static final String FIND =
      """
      SELECT c.network, c.id, c.charged, c.claimed, c.payment_id, c.payer, c.asset, c.deposit, c.nonce,
        r.balance - r.withdrawing AS held
      FROM channel c LEFT JOIN channel_reading r ON r.network = c.network AND r.id = c.id
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
   * @param channel as the owner of an account
   * @param charged by all calls so far
   * @param claimed what of it was claimed on a chain
   * @param payer whose money it holds
   * @param deposit what the payment that holds it puts into it
   * @param nonce of that deposit; null if there is none
   * @param holder the payment or refund that holds it; null if none does
   * @param held what may be spent of it in all by the contract's last word; empty where there is
   *     none
   */
  record Row(
      Payer channel,
      long charged,
      long claimed,
      AccountKey payer,
      long deposit,
      byte @Nullable [] nonce,
      @Nullable UUID holder,
      OptionalLong held) {

    boolean isHeld() {
      return holder != null;
    }
  }

  static Row row(ResultSet row) throws SQLException {
    return new Row(
        new Payer(row.getString("network"), KeyBytes.text(row, "id")),
        row.getLong("charged"),
        row.getLong("claimed"),
        Rows.account(row, "payer"),
        row.getLong("deposit"),
        row.getBytes("nonce"),
        row.getObject("payment_id", UUID.class),
        Rows.number(row, "held"));
  }

  /** What stands of those of these owners that are channels; new ones are missing. */
  static Map<Payer, Row> read(Connection connection, Dialect dialect, Collection<Payer> owners)
      throws SQLException {
    List<Payer> channels =
        owners.stream()
            .filter(owner -> ChannelUse.isChannel(owner.network(), owner.address()))
            .distinct()
            .toList();
    return channels.isEmpty()
        ? Map.of()
        : dialect.channels(connection, channels).stream()
            .collect(Collectors.toMap(Row::channel, Function.identity()));
  }

  /** Whether a deposit was taken before. */
  static boolean isTaken(Connection connection, ClaimRequest request, ChannelUse.Deposit deposit)
      throws SQLException {
    String network = request.key().network();
    return Rows.exists(
        connection,
        TAKEN,
        statement -> {
          int next = bind(statement, 1, network, request.key().payer());
          statement.setBytes(next, KeyBytes.of(network, deposit.nonce()));
        });
  }

  /** Has claims hold their channels, which are free and count as their payers do. */
  static void hold(Connection connection, Map<Claim, ClaimRequest> claims, Instant now)
      throws SQLException {
    List<Map.Entry<Claim, ClaimRequest>> held = List.copyOf(claims.entrySet());
    List<Map.Entry<Claim, ClaimRequest>> opened = new ArrayList<>();
    int[] rows =
        Rows.batch(
            connection,
            HOLD,
            held,
            (hold, claim) -> bind(hold, claim.getKey(), claim.getValue(), now));
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] == 0) {
        opened.add(held.get(i));
      }
    }
    Rows.batch(
        connection,
        OPEN,
        opened,
        (open, claim) -> {
          ClaimRequest request = claim.getValue();
          ChannelUse use = bind(open, claim.getKey(), request, now);
          open.setString(10, request.asset());
          open.setBytes(11, KeyBytes.of(request.key().network(), payer(request).owner()));
          open.setString(12, use.terms());
          open.setLong(13, use.claimed().orElse(0));
        });
  }

  private static ChannelUse bind(
      PreparedStatement statement, Claim claim, ClaimRequest request, Instant now)
      throws SQLException {
    ChannelUse use = request.channel().orElseThrow();
    String network = request.key().network();
    statement.setObject(1, claim.id());
    statement.setLong(2, Math.addExact(use.before(), request.amount()));
    statement.setBytes(3, use.signature());
    statement.setLong(4, use.deposit().map(ChannelUse.Deposit::amount).orElse(0L));
    statement.setBytes(5, use.deposit().map(it -> KeyBytes.of(network, it.nonce())).orElse(null));
    statement.setObject(6, Rows.utc(now));
    statement.setLong(bind(statement, 7, network, request.key().payer()), use.before());
    return use;
  }

  /** The account of a channel's payer. */
  static AccountKey payer(ClaimRequest request) {
    ChannelUse use = request.channel().orElseThrow();
    return new AccountKey(
        request.key().network(), PaymentKey.spelling(use.payer()), request.asset());
  }

  /** A payment out of a channel that has ended, charged or not. */
  record Ended(Transition transition, AppliedTransition payment) {

    boolean isCharged() {
      return transition.target() == PaymentState.SETTLED;
    }

    Payer channel() {
      return new Payer(payment.payer().network(), payment.payer().owner());
    }

    /** What frees the channel if this payment holds it. */
    private String statement() {
      if (isCharged()) {
        return CHARGE;
      }
      return transition.firstSource().hasBegunToSettle() ? FREE_KEEPING : FREE;
    }

    /** Whether it holds its channel no longer, and the chain proved it all the same. */
    private boolean isProvenLate() {
      return isCharged() && transition.firstSource().gaveBack();
    }
  }

  /**
   * Frees the channels of payments that have ended.
   *
   * @param rows of all these channels, as they stood when the payments held them
   * @return those that held their channel and put something into it, with what stood of it
   */
  static Map<Ended, Row> end(
      Connection connection, Map<Payer, Row> rows, List<Ended> payments, Instant now)
      throws SQLException {
    Map<Ended, Row> deposits = new LinkedHashMap<>();
    Map<String, List<Ended>> byStatement =
        payments.stream()
            .collect(Collectors.groupingBy(Ended::statement, TreeMap::new, Collectors.toList()));
    List<Ended> late = new ArrayList<>();
    for (Map.Entry<String, List<Ended>> ended : byStatement.entrySet()) {
      int[] freed = update(connection, ended.getKey(), ended.getValue(), now);
      for (int i = 0; i < freed.length; i++) {
        Ended payment = ended.getValue().get(i);
        Row row = rows.get(payment.channel());
        if (freed[i] == 0) {
          late.add(payment);
        } else if (row != null && row.deposit() > 0) {
          deposits.put(payment, row);
        }
      }
    }
    var unused =
        update(connection, CHARGE_LATE, late.stream().filter(Ended::isProvenLate).toList(), now);
    return deposits;
  }

  /** How many rows each changed. What the ledger's own database holds is claimed when charged. */
  private static int[] update(Connection connection, String sql, List<Ended> payments, Instant now)
      throws SQLException {
    return Rows.batch(
        connection,
        sql,
        payments,
        (statement, ended) -> {
          int next = 1;
          if (ended.isCharged()) {
            statement.setLong(1, ended.payment().charged());
            boolean here = ended.transition().mode() == SettlementMode.HERE;
            statement.setObject(2, here ? null : Rows.utc(now), Types.TIMESTAMP_WITH_TIMEZONE);
            next = 3;
          }
          next = bind(statement, next, ended.channel().network(), ended.channel().address());
          if (!sql.equals(CHARGE_LATE)) {
            statement.setObject(next, ended.payment().id());
          }
        });
  }

  /** Takes what a payment has put into its channel, once. */
  static void take(Connection connection, Ended payment, Row row, Instant now) throws SQLException {
    Rows.update(
        connection,
        TAKE,
        take -> {
          int next = bind(take, 1, row.channel().network(), row.channel().address());
          take.setBytes(next, row.nonce());
          take.setLong(next + 1, row.deposit());
          take.setObject(next + 2, Rows.utc(now));
        });
  }

  private static int bind(PreparedStatement statement, int from, String network, String id)
      throws SQLException {
    statement.setString(from, network);
    statement.setBytes(from + 1, KeyBytes.of(network, id));
    return from + 2;
  }
}
