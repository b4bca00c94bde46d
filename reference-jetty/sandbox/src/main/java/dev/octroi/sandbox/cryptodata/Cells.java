package dev.octroi.sandbox.cryptodata;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** How a cell of the database stands in JSON. */
final class Cells {

  private Cells() {}

  /**
   * Writes a cell: numbers, text and booleans as they are, times as ISO 8601. A type that is not
   * named here is refused, as those whose values would be made objects again are.
   */
  static void write(JsonGenerator json, ResultSet rows, int at) throws SQLException, IOException {
    switch (rows.getMetaData().getColumnType(at)) {
      case Types.NULL -> json.writeNull();
      case Types.BOOLEAN -> truth(json, rows.getBoolean(at), rows);
      case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT ->
          number(json, rows.getLong(at), rows);
      case Types.REAL, Types.FLOAT, Types.DOUBLE -> real(json, rows.getDouble(at), rows);
      case Types.NUMERIC, Types.DECIMAL -> exact(json, rows.getBigDecimal(at));
      case Types.TIMESTAMP -> {
        LocalDateTime time = rows.getObject(at, LocalDateTime.class);
        text(json, time == null ? null : time.toInstant(ZoneOffset.UTC).toString());
      }
      case Types.TIMESTAMP_WITH_TIMEZONE -> {
        OffsetDateTime time = rows.getObject(at, OffsetDateTime.class);
        text(json, time == null ? null : time.toInstant().toString());
      }
      case Types.CHAR, Types.VARCHAR, Types.DATE, Types.TIME, Types.TIME_WITH_TIMEZONE ->
          text(json, rows.getString(at));
      default -> {
        if (!rows.getMetaData().getColumnTypeName(at).startsWith("INTERVAL")) {
          throw SelectOnly.refused("A column has a type that is not answered");
        }
        text(json, rows.getString(at));
      }
    }
  }

  private static void truth(JsonGenerator json, boolean value, ResultSet rows)
      throws SQLException, IOException {
    if (rows.wasNull()) {
      json.writeNull();
    } else {
      json.writeBoolean(value);
    }
  }

  private static void number(JsonGenerator json, long value, ResultSet rows)
      throws SQLException, IOException {
    if (rows.wasNull()) {
      json.writeNull();
    } else {
      json.writeNumber(value);
    }
  }

  private static void real(JsonGenerator json, double value, ResultSet rows)
      throws SQLException, IOException {
    if (rows.wasNull() || !Double.isFinite(value)) {
      json.writeNull();
    } else {
      json.writeNumber(value);
    }
  }

  private static void exact(JsonGenerator json, @Nullable BigDecimal value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else {
      json.writeNumber(value);
    }
  }

  private static void text(JsonGenerator json, @Nullable String value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value);
    }
  }
}
