package dev.octroi.services.language;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks a model, whatever the protocol it was asked in.
 *
 * @param model as the caller spelled it
 * @param turns the talk so far, instructions included, neighbouring turns of one speaker joined
 * @param reasoning null for the upstream's default
 * @param untranslatable what only the caller's own protocol can say; harmless members are left out
 */
public record Prompt(
    String model,
    List<Turn> turns,
    Tooling tooling,
    Sampling sampling,
    Output output,
    @Nullable Reasoning reasoning,
    Labels labels,
    Streaming streaming,
    List<Untranslatable> untranslatable) {

  public Prompt {
    turns = Turn.joined(turns);
    untranslatable = List.copyOf(untranslatable);
  }

  /**
   * Checks that another protocol can say all of it.
   *
   * @throws InvalidPrompt 400, naming the first member that has no translation
   */
  public void requireTranslatable() {
    if (!untranslatable.isEmpty()) {
      String member = untranslatable.get(0).member();
      throw new InvalidPrompt(
          member, member + " cannot be said in the protocol that this model's upstream speaks");
    }
  }
}
