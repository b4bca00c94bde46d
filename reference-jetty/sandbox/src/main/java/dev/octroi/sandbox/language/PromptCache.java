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

  /** The tokens of the request that were found in the cache, and those that were left there. */
  long[] look(JsonNode body) {
    long[] tokens = new long[2];
    marked(body)
        .map(block -> block.path("text").asText())
        .filter(text -> !text.isEmpty())
        .forEach(text -> tokens[known(text) ? 0 : 1] += vocabulary.count(text));
    return tokens;
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
