package dev.octroi.api.asset;

import jakarta.ws.rs.core.HttpHeaders;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a request makes its answer depend on (RFC 9110, section 13). Judged here, because JAX-RS's
 * own judgement differs by implementation.
 */
record Conditions(HttpHeaders headers, Asset asset) {

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final String IF_RANGE = "If-Range";
  private static final String WEAK = "W/";

  /** A time in the form of HTTP's headers (RFC 9110, section 5.6.7). */
  static String date(Instant time) {
    return IMF_FIXDATE.format(time);
  }

  /** The strong tag: what an id stands for never changes. */
  static String tag(Asset asset) {
    return '"' + asset.id() + '"';
  }

  /** Whether the caller wants another version than there is. */
  boolean fail() {
    Optional<String> tags = header(HttpHeaders.IF_MATCH);
    return tags.isPresent()
        ? !lists(tags.get(), false)
        : date(HttpHeaders.IF_UNMODIFIED_SINCE).filter(asset.created()::isAfter).isPresent();
  }

  /** Whether the caller has it already. */
  boolean isKnown() {
    Optional<String> tags = header(HttpHeaders.IF_NONE_MATCH);
    return tags.isPresent()
        ? lists(tags.get(), true)
        : date(HttpHeaders.IF_MODIFIED_SINCE)
            .filter(since -> !asset.created().isAfter(since))
            .isPresent();
  }

  /** The part that is asked for, if the caller's other parts are of this version. */
  Optional<ByteRange> range() {
    boolean same =
        header(IF_RANGE)
            .map(
                version ->
                    version.equals(tag(asset))
                        || date(IF_RANGE).filter(asset.created()::equals).isPresent())
            .orElse(true);
    return same ? ByteRange.of(headers.getHeaderString("Range"), asset.length()) : Optional.empty();
  }

  private boolean lists(String tags, boolean weakly) {
    return Arrays.stream(tags.split(",", -1))
        .map(String::strip)
        .map(tag -> weakly && tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag)
        .anyMatch(tag -> tag.equals("*") || tag.equals(tag(asset)));
  }

  private Optional<String> header(String name) {
    return Optional.ofNullable(headers.getHeaderString(name)).map(String::strip);
  }

  private Optional<Instant> date(String name) {
    return header(name).flatMap(Conditions::instant);
  }

  private static Optional<Instant> instant(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      // What is no date is no condition.
      return Optional.empty();
    }
  }
}
