package dev.octroi.api.house;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Some of many, in a stable order.
 *
 * @param data the rows
 * @param nextCursor asks for the page after this one; null if there is nothing more
 */
public record Page<T>(List<T> data, @Nullable String nextCursor) {

  /**
   * Cuts a page from rows of which one more was asked for than the page has.
   *
   * @param limit how many rows the page has at most
   * @param cursor names a row
   */
  public static <R, T> Page<T> of(
      List<R> rows, int limit, Function<R, String> cursor, Function<R, T> shown) {
    boolean more = rows.size() > limit;
    List<R> kept = more ? rows.subList(0, limit) : rows;
    return new Page<>(
        kept.stream().map(shown).toList(), more ? cursor.apply(kept.get(limit - 1)) : null);
  }
}
