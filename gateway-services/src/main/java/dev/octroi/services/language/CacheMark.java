package dev.octroi.services.language;

import org.jspecify.annotations.Nullable;

/**
 * The caller's mark that everything up to here may be cached by the upstream. Only the messages
 * protocol says it (chat callers borrow its member); elsewhere caching is the upstream's own affair
 * and the mark is dropped.
 *
 * @param life such as {@code 5m}; null for the upstream's default
 */
public record CacheMark(@Nullable String life) {

  /** The mark that a block carries, under the name that it has in every protocol that knows it. */
  public static @Nullable CacheMark of(Member block) {
    Member mark = block.at("cache_control");
    return mark.present() ? new CacheMark(mark.at("ttl").textOrNull(PromptLimits.NAME)) : null;
  }
}
