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
   * A page of rows.
   *
   * @param rows at most as many as the page has
   * @param limit how many rows the page has; if it has fewer, there is nothing more
   * @param cursor names a row
   */
  public static <R, T> Page<T> of(
      List<R> rows, int limit, Function<R, String> cursor, Function<R, T> shown) {
    return new Page<>(
        rows.stream().map(shown).toList(),
        rows.size() < limit ? null : cursor.apply(rows.get(rows.size() - 1)));
  }
}
