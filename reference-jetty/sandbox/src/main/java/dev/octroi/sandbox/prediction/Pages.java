package dev.octroi.sandbox.prediction;

import dev.octroi.sandbox.formula.Arguments;
import dev.octroi.sandbox.formula.Builtin;
import dev.octroi.sandbox.formula.Refusal;
import dev.octroi.sandbox.formula.Row;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The vendor's two ways of paging as functions of the language: {@code by_offset} and {@code
 * by_key}, of what stands before the list, its name, the list, the shape of what is shown, the
 * usual limit and the highest.
 */
final class Pages {

  private static final Pattern WHOLE = Pattern.compile("\\d{1,9}");
  private static final Pattern KEY =
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
    Row page = new Row();
    page.putAll(in.row(0));
    List<?> all = in.list(2);
    int limit = limit(in);
    int offset = number(in, "offset", 0, 0, Integer.MAX_VALUE);
    List<?> shown = shown(in, all, offset, limit);
    Row paging =
        Row.of("limit", limit, "offset", offset, "total", all.size())
            .with("has_more", offset + shown.size() < all.size());
    return page.with(in.text(1), shown).with("pagination", paging);
  }

  private static Row byKey(Arguments in) {
    Row page = new Row();
    page.putAll(in.row(0));
    List<?> all = in.list(2);
    int limit = limit(in);
    String key = in.scope().call().text("pagination_key");
    int offset =
        key == null ? number(in, "offset", 0, 0, Integer.MAX_VALUE) : (int) position(key, 1);
    List<?> shown = shown(in, all, offset, limit);
    int next = offset + shown.size();
    boolean more = next < all.size();
    Row paging =
        Row.of("limit", limit, "count", shown.size())
            .with("pagination_key", more ? key(next, in.scope().call().now()) : null)
            .with("has_more", more);
    return page.with(in.text(1), shown).with("pagination", paging);
  }

  private static int limit(Arguments in) {
    int usual = (int) in.whole(4);
    return number(in, "limit", usual, 1, (int) in.whole(5));
  }

  private static int number(Arguments in, String name, int usual, int least, int most) {
    String text = in.scope().call().text(name);
    if (text == null) {
      return usual;
    }
    if (!WHOLE.matcher(text.replaceFirst("^-", "")).matches()) {
      throw Refusal.invalid(name, "int_parsing", "Input should be a valid integer");
    }
    int number = Integer.parseInt(text);
    if (number < least) {
      String message = "Input should be greater than or equal to " + least;
      throw Refusal.invalid(name, "greater_than_equal", message);
    }
    if (number > most) {
      String message = "Input should be less than or equal to " + most;
      throw Refusal.invalid(name, "less_than_equal", message);
    }
    return number;
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
  static long time(@Nullable String key, long now) {
    return key == null || key.isBlank() ? now : Math.min(now, position(key, 2));
  }

  private static long position(String key, int group) {
    try {
      byte[] decoded = Base64.getUrlDecoder().decode(key.strip());
      Matcher matcher = KEY.matcher(new String(decoded, StandardCharsets.UTF_8));
      if (matcher.matches()) {
        return Long.parseLong(matcher.group(group));
      }
    } catch (IllegalArgumentException notBase64) {
      // Refused below, as any other unreadable key.
    }
    throw new Refusal(400, "Invalid pagination key", "The key is not one of ours");
  }
}
