package dev.octroi.services.language.tokens;

import java.util.List;

/**
 * Everything of a request that its model will read.
 *
 * @param texts of the system prompt, the turns, tool calls and results, and the tools: names,
 *     descriptions and schemas as JSON
 * @param turns how many turns the conversation has
 * @param tools how many tools are offered
 * @param pictures in turns and tool results
 * @param documentBytes the size of each document that is no plain text
 */
public record CountedPrompt(
    List<String> texts, int turns, int tools, List<Picture> pictures, List<Integer> documentBytes) {

  public CountedPrompt {
    texts = List.copyOf(texts);
    pictures = List.copyOf(pictures);
    documentBytes = List.copyOf(documentBytes);
  }

  /** Turns of nothing but text. */
  public static CountedPrompt of(String... texts) {
    return new CountedPrompt(List.of(texts), texts.length, 0, List.of(), List.of());
  }
}
