package dev.octroi.api.voice;

import dev.octroi.services.voice.CallStatus;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Reads calls from their table. */
final class CallRows {

  private static final String SELECT = "SELECT * FROM voice_call ";

  private CallRows() {}

  /** The call that has a value in a column of unique values. */
  static Optional<PlacedCall> find(Handle handle, String column, Object value) {
    return handle
        .createQuery(SELECT + "WHERE " + column + " = :value")
        .bind("value", value)
        .map((row, context) -> call(row))
        .findFirst();
  }

  static List<PlacedCall> due(Handle handle, Instant now, int most) {
    return handle
        .createQuery(SELECT + "WHERE look_at <= :now ORDER BY look_at LIMIT :most")
        .bind("now", now.atOffset(ZoneOffset.UTC))
        .bind("most", most)
        .map((row, context) -> call(row))
        .list();
  }

  private static PlacedCall call(ResultSet row) throws SQLException {
    return new PlacedCall(
        row.getString("id"),
        row.getString("owner"),
        row.getObject("effect_id", UUID.class),
        row.getString("vendor_ref"),
        row.getString("caller"),
        row.getString("callee"),
        row.getInt("max_minutes"),
        CallStatus.of(row.getString("status")),
        new PlacedCall.Said(
            Optional.ofNullable(row.getBigDecimal("minutes")).map(CallRows::plain),
            Optional.ofNullable(row.getString("answered_by")),
            Optional.ofNullable(row.getString("transcript")),
            Optional.ofNullable(row.getString("recording"))),
        time(row, "placed_at").orElseThrow(),
        time(row, "ends_at").orElseThrow(),
        time(row, "ended_at"),
        time(row, "look_at"));
  }

  /** Without the zeros that the column's scale adds. */
  static BigDecimal plain(BigDecimal minutes) {
    BigDecimal stripped = minutes.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
