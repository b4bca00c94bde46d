package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Remembers the blocks that prompts asked to be cached. Thread-safe. */
final class PromptCache {

  private static final int MOST = 1_000;

  private final Vocabulary vocabulary;
  private final Map<String, Boolean> seen =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST;
        }
      };

  PromptCache(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /**
   * Tokens of a request.
   *
   * @param read found in the cache
   * @param minutes left there for five minutes
   * @param hour left there for an hour
   */
  record Looked(long read, long minutes, long hour) {

    private Looked with(long tokens, boolean known, boolean anHour) {
      return new Looked(
          read + (known ? tokens : 0),
          minutes + (known || anHour ? 0 : tokens),
          hour + (known || !anHour ? 0 : tokens));
    }
  }

  /** Looks the marked blocks of a request up, and leaves those that are not there. */
  Looked look(JsonNode body) {
    Looked looked = new Looked(0, 0, 0);
    for (JsonNode block : marked(body).toList()) {
      String text = block.path("text").asText();
      if (!text.isEmpty()) {
        boolean anHour = block.at("/cache_control/ttl").asText().equals("1h");
        looked = looked.with(vocabulary.count(text), known(text), anHour);
      }
    }
    return looked;
  }

  private boolean known(String text) {
    synchronized (seen) {
      return seen.put(Ids.of("cache", text), true) != null;
    }
  }

  private static Stream<JsonNode> marked(JsonNode node) {
    return node.path("cache_control").isObject()
        ? Stream.of(node)
        : node.valueStream().flatMap(PromptCache::marked);
  }
}
