package dev.octroi.services.language;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A piece of what is said: the sum of what the protocols' blocks, parts and items can hold. */
public sealed interface Part {

  /** Words. */
  record Text(String text, List<Citation> citations, @Nullable CacheMark mark) implements Part {
    public Text {
      citations = List.copyOf(citations);
    }
  }

  /**
   * A picture.
   *
   * @param detail how closely to look, as the caller spelled it; null for the upstream's default
   */
  record Image(Source source, @Nullable String detail, @Nullable CacheMark mark) implements Part {}

  /** A document, with its title or file name where it has one. */
  record Document(Source source, @Nullable String title, @Nullable CacheMark mark)
      implements Part {}

  /** The model's thoughts, or a summary of them, with what proves them to their upstream. */
  record Thinking(String text, @Nullable Seal seal) implements Part {}

  /**
   * The model asks for a tool.
   *
   * @param id as the upstream gave it; results refer to it
   * @param arguments JSON text, empty for none; not always valid, since a model wrote it
   */
  record ToolUse(String id, String name, String arguments, @Nullable CacheMark mark)
      implements Part {}

  /** What a tool said. */
  record ToolResult(String id, List<Part> parts, boolean error, @Nullable CacheMark mark)
      implements Part {
    public ToolResult {
      parts = List.copyOf(parts);
    }
  }

  /** The words with which a model declines. */
  record Refusal(String text) implements Part {}

  /**
   * What only its own protocol can say. A prompt that holds one names it as {@link Untranslatable}.
   *
   * @param member where it stands, such as {@code messages[0].content[1]}
   */
  record Native(String member, JsonNode value) implements Part {}

  static Text text(String text) {
    return new Text(text, List.of(), null);
  }
}
