package dev.octroi.api.price;

import dev.octroi.api.group.Group;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * For whom and for what a price of the book holds: exactly one of row and group is given.
 *
 * @param key the id of an API key; null for all callers
 * @param row the word of a row
 */
record PriceRule(@Nullable String key, @Nullable String row, @Nullable Group group) {

  /** The rules that may decide a call, the most specific first. */
  static List<PriceRule> of(Optional<String> key, Optional<String> row, Optional<Group> group) {
    return Stream.concat(
            key.stream().flatMap(id -> holding(id, row, group)), holding(null, row, group))
        .toList();
  }

  private static Stream<PriceRule> holding(
      @Nullable String key, Optional<String> row, Optional<Group> group) {
    return Stream.concat(
        row.stream().map(word -> new PriceRule(key, word, null)),
        group.stream().map(one -> new PriceRule(key, null, one)));
  }

  /** As the file spells it. */
  @Override
  public String toString() {
    String what = group == null ? "row." + row : "group." + group.word();
    return key == null ? what : "key." + key + "." + what;
  }
}
