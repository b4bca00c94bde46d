package dev.octroi.services.websearch;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;

/** A bound of a search in time: an ISO 8601 date, or a date and time; UTC where no zone is told. */
public record PublishedDate(Instant instant) {

  private static final int LONGEST = 40;

  /**
   * Reads a date.
   *
   * @param name the parameter, for the message
   * @throws Failure 400 {@code invalid_params} naming the parameter
   */
  public static PublishedDate parse(String name, String text) {
    if (text.length() <= LONGEST) {
      try {
        return new PublishedDate(instant(text));
      } catch (DateTimeException unreadable) {
        // told below
      }
    }
    throw new Failure(ErrorCode.INVALID_PARAMS, name + " is an ISO 8601 date");
  }

  private static Instant instant(String text) {
    TemporalAccessor read =
        DateTimeFormatter.ISO_DATE_TIME.parseBest(
            text.contains("T") ? text : LocalDate.parse(text) + "T00:00:00",
            OffsetDateTime::from,
            LocalDateTime::from);
    return read instanceof OffsetDateTime zoned
        ? zoned.toInstant()
        : ((LocalDateTime) read).toInstant(ZoneOffset.UTC);
  }
}
