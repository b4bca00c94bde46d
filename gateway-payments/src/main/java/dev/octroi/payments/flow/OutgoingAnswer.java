package dev.octroi.payments.flow;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.ledger.StoredAnswer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The answer of a method, held back until it is decided whether it may leave. */
public interface OutgoingAnswer {

  /** What describes the entity itself; the node that answers makes all else anew. */
  List<String> ENTITY_HEADERS =
      List.of(
          "Content-Type",
          "Content-Encoding",
          "Content-Language",
          "Content-Location",
          "Content-Range",
          "Content-Disposition",
          "ETag",
          "Last-Modified",
          "Location",
          "Link");

  /** The HTTP status. */
  int status();

  /** A header's values, joined by commas; null where it is not there. */
  @Nullable String header(String name);

  /** Sets a header, in place of its values so far. */
  void header(String name, String value);

  /** Whether the bytes are made while they leave. */
  boolean isStream();

  /** Whether it has no body. */
  boolean isEmpty();

  /**
   * Fixes the bytes of the body, and the headers that describe them.
   *
   * @param limit how many they may be
   * @param room is told how many they are before they are copied, as far as that is known; what it
   *     throws is thrown on
   * @return not to be modified
   * @throws IOException if they cannot be written, or are too many
   */
  byte[] freeze(int limit, LongConsumer room) throws IOException;

  /** Gives other bytes of the same kind in place of those that were frozen. */
  void body(byte[] instead);

  /** Gives another answer, and lets go of whatever this one was to be made of. */
  void replace(HttpAnswer instead);

  /**
   * Lets the stream leave.
   *
   * @param firstByte runs each time that bytes have left
   * @param unbegun runs where the application fails before it has written anything, if the answer
   *     knows that; before the end
   * @param end runs once nothing more is to come, however that came about
   */
  void stream(Runnable firstByte, Runnable unbegun, Runnable end);

  /**
   * It as it is kept for a payer who was charged and may ask again.
   *
   * @param frozen the bytes that will leave
   */
  default StoredAnswer stored(byte[] frozen) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : ENTITY_HEADERS) {
      String value = header(name);
      if (value != null) {
        headers.put(name, value);
      }
    }
    return new StoredAnswer(status(), headers, frozen);
  }

  /** What was kept, once more. */
  static HttpAnswer restored(StoredAnswer kept) {
    Map<String, String> headers = new LinkedHashMap<>(kept.headers());
    if (kept.body().length > 0) {
      headers.putIfAbsent("Content-Type", "application/octet-stream");
    }
    return new HttpAnswer(kept.status(), headers, kept.body());
  }
}
