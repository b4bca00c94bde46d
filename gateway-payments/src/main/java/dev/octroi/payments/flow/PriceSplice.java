package dev.octroi.payments.flow;

import dev.octroi.payments.Usd;
import java.nio.charset.StandardCharsets;

/**
 * Adds the charge to a JSON object as its last top-level member, leaving every byte before it as it
 * was (specification, general rule 1): no parsing, no re-serialisation.
 *
 * <p>An object that already has a top-level {@code price} keeps it and gets no second one, because
 * JSON parsers do not all read duplicate members alike; the headers carry the charge. Anything but
 * an object comes back untouched, as the same array.
 */
public final class PriceSplice {

  private static final byte[] NAME = "\"price\"".getBytes(StandardCharsets.US_ASCII);

  private PriceSplice() {}

  /**
   * Adds the price.
   *
   * @param json UTF-8
   * @return a new array, or the same where there is nothing to add
   */
  public static byte[] into(byte[] json, Usd price) {
    int open = firstVisible(json);
    int close = lastVisible(json);
    if (open >= close || json[open] != '{' || json[close] != '}' || hasPrice(json, open)) {
      return json;
    }
    boolean empty = isBlank(json, open + 1, close);
    byte[] member = member(price, empty);
    byte[] spliced = new byte[json.length + member.length];
    System.arraycopy(json, 0, spliced, 0, close);
    System.arraycopy(member, 0, spliced, close, member.length);
    System.arraycopy(json, close, spliced, close + member.length, json.length - close);
    return spliced;
  }

  private static byte[] member(Usd price, boolean first) {
    String member = "\"price\":{\"amount\":\"" + price.dollars() + "\",\"currency\":\"USD\"}";
    return (first ? member : "," + member).getBytes(StandardCharsets.US_ASCII);
  }

  /** Looks closely only at bodies that contain the word as a string somewhere. */
  private static boolean hasPrice(byte[] json, int open) {
    return contains(json, open) && hasTopLevelPrice(json, open);
  }

  private static boolean contains(byte[] json, int from) {
    for (int at = from; at <= json.length - NAME.length; at++) {
      if (json[at] == '"' && startsWithName(json, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasTopLevelPrice(byte[] json, int open) {
    int depth = 0;
    for (int at = open; at < json.length; at++) {
      switch (json[at]) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case '"' -> {
          int end = endOfString(json, at);
          if (depth == 1 && startsWithName(json, at) && isFollowedByColon(json, end + 1)) {
            return true;
          }
          at = end;
        }
        default -> {}
      }
    }
    return false;
  }

  private static boolean startsWithName(byte[] json, int at) {
    if (at + NAME.length > json.length) {
      return false;
    }
    for (int i = 0; i < NAME.length; i++) {
      if (json[at + i] != NAME[i]) {
        return false;
      }
    }
    return true;
  }

  private static int endOfString(byte[] json, int quote) {
    int at = quote + 1;
    while (at < json.length && json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    return at;
  }

  private static boolean isFollowedByColon(byte[] json, int from) {
    int at = from;
    while (at < json.length && isBlank(json[at])) {
      at++;
    }
    return at < json.length && json[at] == ':';
  }

  private static int firstVisible(byte[] json) {
    int at = 0;
    while (at < json.length && isBlank(json[at])) {
      at++;
    }
    return at;
  }

  private static int lastVisible(byte[] json) {
    int at = json.length - 1;
    while (at >= 0 && isBlank(json[at])) {
      at--;
    }
    return at;
  }

  private static boolean isBlank(byte[] json, int from, int to) {
    for (int at = from; at < to; at++) {
      if (!isBlank(json[at])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
