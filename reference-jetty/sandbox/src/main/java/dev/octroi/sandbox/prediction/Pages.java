package dev.octroi.sandbox.prediction;

import dev.octroi.sandbox.formula.Arguments;
import dev.octroi.sandbox.formula.Builtin;
import dev.octroi.sandbox.formula.Refusal;
import dev.octroi.sandbox.formula.Row;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The vendor's two ways of paging as functions of the language: {@code by_offset} and {@code
 * by_key}, of what stands before the list, its name, the list and the shape of what is shown; the
 * last also of what the names of its parameters begin with.
 */
final class Pages {

  private static final int USUAL = 20;
  private static final String KEY = "pagination_key";
  private static final Pattern READABLE =
      Pattern.compile("\\{\"offset\":(\\d{1,9}),\"at\":(\\d{1,12})}");

  private Pages() {}

  static @Nullable Builtin function(String name) {
    return switch (name) {
      case "by_offset" -> Pages::byOffset;
      case "by_key" -> Pages::byKey;
      default -> null;
    };
  }

  private static Row byOffset(Arguments in) {
    List<?> all = in.list(2);
    int limit = number(in, "limit", USUAL);
    int offset = number(in, "offset", 0);
    List<?> shown = shown(in, all, offset, limit);
    Row paging =
        Row.of("limit", limit, "offset", offset, "total", all.size())
            .with("has_more", offset + shown.size() < all.size());
    return page(in, shown, "pagination", paging);
  }

  private static Row byKey(Arguments in) {
    List<?> all = in.list(2);
    String of = in.count() > 4 ? in.text(4) : "";
    int limit = number(in, of + "limit", USUAL);
    String key = in.scope().call().text(of + KEY);
    int offset = key == null ? number(in, "offset", 0) : (int) position(key, 1);
    List<?> shown = shown(in, all, offset, limit);
    int next = offset + shown.size();
    boolean more = next < all.size();
    Row paging =
        Row.of("limit", limit, "count", shown.size())
            .with("pagination_key", more ? key(next, in.scope().call().now()) : null)
            .with("has_more", more);
    return page(in, shown, of + "pagination", paging);
  }

  private static Row page(Arguments in, List<?> shown, String member, Row paging) {
    Row page = new Row();
    page.putAll(in.row(0));
    return page.with(in.text(1), shown).with(member, paging);
  }

  private static int number(Arguments in, String name, int usual) {
    String text = in.scope().call().text(name);
    return text == null ? usual : Integer.parseInt(text);
  }

  private static List<?> shown(Arguments in, List<?> all, int offset, int limit) {
    int from = Math.min(offset, all.size());
    int to = (int) Math.min(all.size(), (long) from + limit);
    return in.aboutEach(all.subList(from, to), 3);
  }

  private static String key(int offset, long now) {
    String text = "{\"offset\":" + offset + ",\"at\":" + now + "}";
    return Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The time that a page is answered for: that of its first page, so that what happens between two
   * pages moves nothing.
   */
  static long time(Map<String, String> query, long now) {
    return query.entrySet().stream()
        .filter(given -> given.getKey().endsWith(KEY) && !given.getValue().isBlank())
        .mapToLong(given -> Math.min(now, position(given.getValue(), 2)))
        .min()
        .orElse(now);
  }

  private static long position(String key, int group) {
    try {
      byte[] decoded = Base64.getUrlDecoder().decode(key.strip());
      Matcher matcher = READABLE.matcher(new String(decoded, StandardCharsets.UTF_8));
      if (matcher.matches()) {
        return Long.parseLong(matcher.group(group));
      }
    } catch (IllegalArgumentException notBase64) {
      // Refused below, as any other unreadable key.
    }
    throw new Refusal(400, "Invalid pagination key", "The key is not one of ours");
  }
}
