package dev.octroi.services.language.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.Member;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.CacheMark;
import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Source;
import dev.octroi.services.language.Prompt.Tool;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.catalogue.Model.Caching;
import dev.octroi.services.language.price.Surcharge;
import dev.octroi.services.language.route.Router.RequestTraits;
import dev.octroi.services.language.tokens.TokenCounter.CountedPrompt;
import dev.octroi.services.language.tokens.TokenCounter.Picture;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the traits of a prompt: everything that its model will read, once. */
public final class PromptReading {

  /** Enough of a picture's file for its size: four base64 characters hold three bytes. */
  private static final int HEAD = 64 * 1024;

  private final List<String> texts = new ArrayList<>();
  private final List<Picture> pictures = new ArrayList<>();
  private int documents;
  private Caching caching = Caching.NONE;

  private PromptReading() {}

  /** What a choice between models looks at. */
  public static RequestTraits of(Prompt prompt) {
    PromptReading reading = new PromptReading();
    reading.mark(prompt.mark());
    for (Turn turn : prompt.turns()) {
      reading.texts.addAll(turn.besides());
      turn.parts().forEach(reading::part);
    }
    prompt.tooling().tools().forEach(reading::tool);
    prompt.tooling().natives().forEach(reading::part);
    if (prompt.output().format() instanceof Format.JsonSchema form) {
      reading.texts.add(form.name() + form.schema());
      reading.words(form.description());
    }
    CountedPrompt counted =
        new CountedPrompt(
            reading.texts,
            prompt.turns().size(),
            prompt.tooling().tools().size() + prompt.tooling().natives().size(),
            reading.pictures,
            reading.documents);
    Integer most = prompt.output().maxTokens();
    Reasoning reasoning = prompt.reasoning();
    return RequestTraits.of(
            counted,
            task(prompt.turns()),
            most == null ? 0 : most,
            Math.max(1, prompt.output().candidates()),
            reasoning != null && !reasoning.off())
        .with(reading.caching, Surcharge.NONE);
  }

  private void mark(@Nullable CacheMark mark) {
    if (mark != null && caching != Caching.HOUR) {
      caching = mark.hour() ? Caching.HOUR : Caching.MINUTES;
    }
  }

  private void part(Part part) {
    if (part instanceof Part.Text text) {
      texts.add(text.text());
      mark(text.mark());
    } else if (part instanceof Part.Thinking thinking) {
      texts.add(thinking.text());
      sealed(thinking.seal());
    } else if (part instanceof Part.ToolUse use) {
      texts.add(use.name() + use.arguments());
      mark(use.mark());
    } else if (part instanceof Part.ToolResult result) {
      result.parts().forEach(this::part);
      mark(result.mark());
    } else if (part instanceof Part.Refusal refusal) {
      texts.add(refusal.text());
    } else if (part instanceof Part.Native only) {
      JsonNode value = only.value().deepCopy();
      within(only.member(), value);
      texts.add(value.toString());
    } else if (part instanceof Part.Image image) {
      pictures.add(picture(image.source(), "original".equals(image.detail())));
      mark(image.mark());
    } else if (part instanceof Part.Document document) {
      words(document.title());
      document(document.source());
      mark(document.mark());
    }
  }

  /**
   * Counts what a block of the vendor's own holds at any depth: pictures and documents for what
   * they are, and marks of its cache. Their bytes are taken out, so that they count once.
   */
  private void within(String path, JsonNode value) {
    if (value.hasNonNull("cache_control")) {
      mark(CacheMark.of(new Member(path, value)));
    }
    if (value.hasNonNull("image_url")) {
      pictures.add(Picture.UNKNOWN);
    }
    if (value.hasNonNull("file_url")) {
      documents++;
    }
    if (value.path("source") instanceof ObjectNode source) {
      source(value.path("type").asText().equals("image"), source);
    }
    value.forEach(inner -> within(path, inner));
  }

  private void source(boolean isImage, ObjectNode source) {
    String type = source.path("type").asText();
    if (!type.equals("base64") && !type.equals("url")) {
      return;
    }
    String bytes = source.path("data").asText();
    Source held =
        type.equals("base64")
            ? new Source.Inline(source.path("media_type").asText(), bytes)
            : new Source.Address(source.path("url").asText());
    source.remove("data");
    if (isImage) {
      pictures.add(picture(held, false));
    } else {
      document(held);
    }
  }

  /** An upstream unseals it and reads the thoughts, which are no longer than what seals them. */
  private void sealed(@Nullable Seal seal) {
    if (seal != null) {
      texts.add(seal.value());
    }
  }

  private void tool(Tool tool) {
    mark(tool.mark());
    texts.add(tool.name());
    words(tool.description());
    texts.add(tool.schema() == null ? "" : tool.schema().toString());
  }

  private void words(@Nullable String text) {
    texts.add(text == null ? "" : text);
  }

  private static Picture picture(Source source, boolean original) {
    if (!(source instanceof Source.Inline inline)) {
      return new Picture(0, 0, original);
    }
    String base64 = inline.base64();
    try {
      String head = base64.substring(0, Math.min(HEAD, base64.length() / 4 * 4));
      return Picture.of(Base64.getDecoder().decode(head), original);
    } catch (IllegalArgumentException notBase64) {
      return new Picture(0, 0, original);
    }
  }

  private void document(Source source) {
    if (source instanceof Source.Plain plain) {
      texts.add(plain.text());
    } else {
      documents++;
    }
  }

  /** The words of the last turn that a person spoke. */
  private static String task(List<Turn> turns) {
    StringBuilder task = new StringBuilder();
    for (int index = turns.size() - 1; index >= 0 && task.isEmpty(); index--) {
      if (turns.get(index).role() == Role.USER) {
        turns.get(index).parts().stream()
            .filter(Part.Text.class::isInstance)
            .forEach(part -> task.append(((Part.Text) part).text()).append('\n'));
      }
    }
    return task.toString();
  }
}
