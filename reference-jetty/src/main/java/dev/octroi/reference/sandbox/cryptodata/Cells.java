package dev.octroi.reference.sandbox.cryptodata;

import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** How a value of the database stands in JSON. */
final class Cells {

  private Cells() {}

  /** Numbers, text and booleans as they are; times as ISO 8601; anything else as its text. */
  static @Nullable Object json(@Nullable Object cell) {
    if (cell == null || cell instanceof Boolean || cell instanceof String) {
      return cell;
    }
    if (cell instanceof Double number) {
      return number.isNaN() || number.isInfinite() ? null : number;
    }
    if (cell instanceof Number) {
      return cell;
    }
    if (cell instanceof OffsetDateTime time) {
      return time.toInstant().toString();
    }
    if (cell instanceof Timestamp time) {
      return time.toLocalDateTime().toInstant(ZoneOffset.UTC).toString();
    }
    return cell instanceof Instant instant ? instant.toString() : String.valueOf(cell);
  }
}
