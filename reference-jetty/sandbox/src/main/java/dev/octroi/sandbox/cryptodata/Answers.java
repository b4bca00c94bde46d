package dev.octroi.sandbox.cryptodata;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The vendor's envelopes: data, and a meta object that tells how it was cut. */
final class Answers {

  private static final Pattern CURSOR = Pattern.compile("\\{\"offset\":(\\d{1,6})}");

  private Answers() {}

  /** One object, or a list that is not paged. */
  static Fields plain(Object data) {
    boolean empty = data instanceof List<?> list && list.isEmpty();
    return Fields.of("data", data).and("meta", meta(empty));
  }

  /** The part of a whole list that {@code limit} and {@code offset} ask for. */
  static Fields page(Ask ask, List<?> all) {
    return page(ask, all.size(), all::get);
  }

  /** As {@link #page(Ask, List)}, making only the items that are shown. */
  static Fields page(Ask ask, int total, IntFunction<?> item) {
    int limit = ask.maybe("limit").map(Integer::parseInt).orElse(Math.max(1, total));
    int offset = ask.maybe("offset").map(Integer::parseInt).orElse(0);
    List<?> shown = slice(total, offset, limit, item);
    Fields meta = meta(shown.isEmpty());
    meta.put("has_more", offset + shown.size() < total);
    meta.put("limit", limit);
    meta.put("offset", offset);
    meta.put("total", total);
    meta.put("watermark", null);
    return Fields.of("data", shown).and("meta", meta);
  }

  /** The page that {@code cursor} points to. */
  static Fields cursorPage(Ask ask, int total, IntFunction<?> item) {
    int limit = ask.whole("limit");
    int offset = ask.maybe("cursor").map(Answers::offset).orElse(0);
    List<?> shown = slice(total, offset, limit, item);
    int next = offset + shown.size();
    Fields meta = meta(shown.isEmpty());
    meta.put("has_more", next < total);
    meta.put("limit", limit);
    meta.put("next_cursor", next < total ? cursor(next) : "");
    meta.put("watermark", null);
    return Fields.of("data", shown).and("meta", meta);
  }

  /** Sorts by a numeric field; {@code asc} for the smallest first, anything else the reverse. */
  static List<Fields> sorted(List<Fields> items, String field, String order) {
    Comparator<Fields> rising = Comparator.comparingDouble(fields -> fields.number(field));
    return items.stream().sorted(order.equals("asc") ? rising : rising.reversed()).toList();
  }

  private static List<?> slice(int total, int offset, int limit, IntFunction<?> item) {
    int end = (int) Math.min(total, (long) offset + limit);
    return IntStream.range(Math.min(offset, total), end).mapToObj(item).toList();
  }

  private static Fields meta(boolean empty) {
    return Fields.of("cached", false)
        .and("credits_used", 1)
        .and("empty_reason", empty ? "no_data_in_range" : "");
  }

  private static String cursor(int offset) {
    String text = "{\"offset\":" + offset + "}";
    return Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static int offset(String cursor) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      Matcher matcher = CURSOR.matcher(text);
      if (matcher.matches()) {
        return Integer.parseInt(matcher.group(1));
      }
    } catch (IllegalArgumentException notBase64) {
      // Refused below, as any other unreadable cursor.
    }
    throw Refusal.badRequest("Unreadable cursor");
  }
}
