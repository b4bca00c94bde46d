package dev.octroi.sandbox.cryptodata;

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
 * The vendor's envelopes as functions of the language: data, and a meta object that tells how it
 * was cut. Of a list only what is shown is in its shape.
 */
final class Envelopes {

  private static final int LIMIT = 20;
  private static final Pattern CURSOR = Pattern.compile("\\{\"offset\":(\\d{1,6})}");

  private Envelopes() {}

  static @Nullable Builtin function(String name) {
    return switch (name) {
      case "plain" -> in -> plain(in.value(0));
      case "page" -> Envelopes::page;
      case "whole_list" -> in -> page(in, Integer.MAX_VALUE, 0);
      case "cursor_page" -> Envelopes::cursorPage;
      default -> null;
    };
  }

  /** One object, or a list that is not paged. */
  private static Row plain(@Nullable Object data) {
    return Row.of("data", data, "meta", meta(data == null || List.of().equals(data)));
  }

  /** {@code page(list, shape)}: the part that limit and offset ask for. */
  private static Row page(Arguments in) {
    return page(in, number(in, "limit", LIMIT), number(in, "offset", 0));
  }

  private static int number(Arguments in, String name, int otherwise) {
    String text = in.scope().call().text(name);
    return text == null ? otherwise : Integer.parseInt(text);
  }

  private static Row page(Arguments in, int limit, int offset) {
    List<?> all = in.list(0);
    List<?> shown = shown(in, all, offset, limit);
    Row meta =
        meta(shown.isEmpty())
            .with("has_more", offset + shown.size() < all.size())
            .with("limit", Math.min(limit, Math.max(1, all.size())))
            .with("offset", offset)
            .with("total", all.size());
    if (limit != Integer.MAX_VALUE) {
      meta.put("limit", limit);
    }
    return Row.of("data", shown, "meta", meta.with("watermark", in.scope().call().now()));
  }

  /** {@code cursor_page(list, shape)}: the page that the cursor points to. */
  private static Row cursorPage(Arguments in) {
    List<?> all = in.list(0);
    int limit = number(in, "limit", LIMIT);
    String cursor = in.scope().call().text("cursor");
    List<?> shown = shown(in, all, cursor == null ? 0 : offset(cursor), limit);
    int next = (cursor == null ? 0 : offset(cursor)) + shown.size();
    Row meta =
        meta(shown.isEmpty())
            .with("has_more", next < all.size())
            .with("limit", limit)
            .with("next_cursor", next < all.size() ? cursor(next) : "")
            .with("watermark", in.scope().call().now());
    return Row.of("data", shown, "meta", meta);
  }

  private static List<?> shown(Arguments in, List<?> all, int offset, int limit) {
    int from = Math.min(offset, all.size());
    List<?> part = all.subList(from, (int) Math.min(all.size(), (long) from + limit));
    return in.count() < 2 ? part : in.aboutEach(part, 1);
  }

  private static Row meta(boolean empty) {
    return Row.of("cached", false, "credits_used", 1)
        .with("empty_reason", empty ? "no_data_in_range" : "");
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
