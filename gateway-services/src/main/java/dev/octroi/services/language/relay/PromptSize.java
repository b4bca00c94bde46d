package dev.octroi.services.language.relay;

import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Part;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Role;
import dev.octroi.services.language.Source;
import dev.octroi.services.language.Tool;
import dev.octroi.services.language.tokens.CountedPrompt;
import dev.octroi.services.language.tokens.Picture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects all of a prompt that a model will read. For one prompt and one thread. */
final class PromptSize {

  private static final int BASE64_CHARACTERS = 4;
  private static final int BASE64_BYTES = 3;

  private final List<String> texts = new ArrayList<>();
  private final List<Picture> pictures = new ArrayList<>();
  private final List<Integer> documents = new ArrayList<>();

  private PromptSize() {}

  static CountedPrompt of(Prompt prompt) {
    PromptSize size = new PromptSize();
    prompt.turns().forEach(turn -> turn.parts().forEach(size::add));
    prompt.tooling().tools().forEach(size::add);
    return new CountedPrompt(
        size.texts,
        prompt.turns().size(),
        prompt.tooling().tools().size(),
        size.pictures,
        size.documents);
  }

  /** What is to be done: the words of the user's last turn. */
  static String task(Prompt prompt) {
    return prompt.turns().stream()
        .filter(turn -> turn.role() == Role.USER)
        .reduce((before, last) -> last)
        .map(
            turn ->
                turn.parts().stream()
                    .filter(Part.Text.class::isInstance)
                    .map(part -> ((Part.Text) part).text())
                    .collect(Collectors.joining("\n")))
        .orElse("");
  }

  private void add(Tool tool) {
    text(tool.name());
    text(tool.description());
    if (tool.schema() != null) {
      text(new String(LanguageJson.bytes(tool.schema()), StandardCharsets.UTF_8));
    }
  }

  private void add(Part part) {
    if (part instanceof Part.Text said) {
      text(said.text());
    } else if (part instanceof Part.Thinking thinking) {
      text(thinking.text());
    } else if (part instanceof Part.Refusal refusal) {
      text(refusal.text());
    } else if (part instanceof Part.ToolUse use) {
      text(use.name());
      text(use.arguments());
    } else if (part instanceof Part.ToolResult result) {
      result.parts().forEach(this::add);
    } else if (part instanceof Part.Image image) {
      pictures.add(Pictures.of(image));
    } else if (part instanceof Part.Document document) {
      text(document.title());
      add(document.source());
    } else if (part instanceof Part.Native other) {
      text(new String(LanguageJson.bytes(other.value()), StandardCharsets.UTF_8));
    }
  }

  private void add(Source source) {
    if (source instanceof Source.Plain plain) {
      text(plain.text());
    } else if (source instanceof Source.Inline inline) {
      documents.add(inline.base64().length() / BASE64_CHARACTERS * BASE64_BYTES);
    } else {
      documents.add(Pictures.LARGEST_DOCUMENT);
    }
  }

  private void text(@Nullable String text) {
    if (text != null && !text.isEmpty()) {
      texts.add(text);
    }
  }
}
