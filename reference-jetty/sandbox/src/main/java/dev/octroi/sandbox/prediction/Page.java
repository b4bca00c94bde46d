package dev.octroi.sandbox.prediction;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The vendor's two ways of paging: by offset and by key. */
final class Page {

  private static final Pattern KEY =
      Pattern.compile("\\{\"offset\":(\\d{1,9}),\"at\":(\\d{1,12})}");

  private Page() {}

  /** A page of {@code limit} rows from {@code offset}, added to what stands before the list. */
  static Row byOffset(Ask ask, Row before, String name, List<Row> rows, int limit, int max) {
    int size = ask.limit(limit, max);
    int offset = (int) ask.integer("offset", 0, 0, Integer.MAX_VALUE);
    int from = Math.min(offset, rows.size());
    int to = (int) Math.min((long) from + size, rows.size());
    Row paging =
        Row.of("limit", size, "offset", offset, "total", rows.size(), "has_more", to < rows.size());
    return before.with(name, rows.subList(from, to)).with("pagination", paging);
  }

  /** A page of rows from where the key of the page before points to, or from an offset. */
  static Row byKey(Ask ask, Row before, String name, List<Row> rows, int limit, int max) {
    return byKey(ask, before, name, rows.size(), rows::get, limit, max);
  }

  static Row byKey(
      Ask ask, Row before, String name, int total, IntFunction<Row> row, int limit, int max) {
    int size = ask.limit(limit, max);
    Position first =
        new Position(
            (int) ask.integer("offset", 0, 0, Integer.MAX_VALUE), ask.now().getEpochSecond());
    Position position = position(ask.text("pagination_key"), first);
    int from = Math.min(position.offset(), total);
    int to = (int) Math.min((long) from + size, total);
    List<Row> rows = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      rows.add(row.apply(i));
    }
    boolean more = to < total;
    String key = more ? new Position(to, ask.now().getEpochSecond()).encoded() : null;
    Row paging =
        Row.of("limit", size, "count", rows.size(), "pagination_key", key, "has_more", more);
    return before.with(name, rows).with("pagination", paging);
  }

  /**
   * The time that a page is answered for: that of its first page, so that what happens between two
   * pages moves nothing.
   */
  static Instant time(@Nullable String key, Instant now) {
    long at = position(key, new Position(0, now.getEpochSecond())).at();
    return at >= now.getEpochSecond() ? now : Instant.ofEpochSecond(at);
  }

  private static Position position(@Nullable String key, Position absent) {
    if (key == null || key.isBlank()) {
      return absent;
    }
    try {
      String text = new String(Base64.getUrlDecoder().decode(key.trim()), StandardCharsets.UTF_8);
      Matcher matcher = KEY.matcher(text);
      if (matcher.matches()) {
        return new Position(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
      }
    } catch (IllegalArgumentException e) {
      throw VendorRefusal.badRequest("Invalid pagination key", "The key is not base64");
    }
    throw VendorRefusal.badRequest("Invalid pagination key", "The key is not one of ours");
  }

  private record Position(int offset, long at) {

    String encoded() {
      String text = "{\"offset\":" + offset + ",\"at\":" + at + "}";
      return Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
