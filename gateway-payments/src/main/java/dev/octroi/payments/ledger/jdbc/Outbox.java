package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.PaymentState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The outbox of events, the table {@code webhook_event}: each is written in the commit of the
 * change that it tells, so that there is none of what was rolled back, and none is lost.
 *
 * @param types the types that are sent to anybody; others are not written
 */
public record Outbox(Set<String> types) {

  /** A payment was settled. */
  public static final String SETTLED = "payment.settled";

  /** A refund was paid. */
  public static final String REFUNDED = "payment.refunded";

  /** It is not known whether a payment was settled. */
  public static final String IN_DOUBT = "payment.in_doubt";

  /** A payment whose end was not known has ended, and was not paid. */
  public static final String FAILED = "payment.failed";

  /** Nothing is sent to anybody. */
  static final Outbox NONE = new Outbox(Set.of());

  private static final String INSERT =
      """
      INSERT INTO webhook_event (id, type, subject, at, data)
      SELECT CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS UUID), CAST(? AS TIMESTAMP WITH TIME ZONE),
        CAST(? AS VARCHAR)
      WHERE NOT EXISTS (SELECT 1 FROM webhook_event WHERE id = ?)
      """;

  public Outbox {
    types = Set.copyOf(types);
  }

  /**
   * Something that has happened.
   *
   * @param key tells it from all others of its type: an event is written once, however often it is
   *     found; without full stops
   * @param subject what it happened to
   * @param data what is told of it, a JSON object; null where what sends it reads that
   */
  public record OutboxEvent(
      String type, String key, UUID subject, Instant at, @Nullable String data) {

    String id() {
      return type.replace('.', '_') + "_" + key;
    }
  }

  /** Writes an event in the caller's transaction, if it is of a type that is sent. */
  public void write(Handle handle, OutboxEvent event) throws SQLException {
    write(handle.getConnection(), event);
  }

  void write(Connection connection, OutboxEvent event) throws SQLException {
    if (!types.contains(event.type())) {
      return;
    }
    Rows.update(
        connection,
        INSERT,
        statement -> {
          statement.setString(1, event.id());
          statement.setString(2, event.type());
          statement.setObject(3, event.subject());
          statement.setObject(4, Rows.utc(event.at()));
          statement.setString(5, event.data());
          statement.setString(6, event.id());
        });
  }

  /**
   * The types of the events that payments are sent with, by the state that they come to; {@link
   * #FAILED} only of those that were listed as unresolved.
   */
  Map<PaymentState, String> ofPayments() {
    Map<PaymentState, String> told =
        new EnumMap<>(
            Map.of(
                PaymentState.SETTLED, SETTLED,
                PaymentState.IN_DOUBT, IN_DOUBT,
                PaymentState.FAILED, FAILED,
                PaymentState.RELEASED, FAILED));
    told.values().retainAll(types);
    return told;
  }
}
