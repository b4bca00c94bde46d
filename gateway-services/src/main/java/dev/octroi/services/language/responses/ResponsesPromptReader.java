package dev.octroi.services.language.responses;

import dev.octroi.services.language.Member;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Output;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Sampling;
import dev.octroi.services.language.Prompt.Streaming;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.PromptLimits;
import dev.octroi.services.language.PromptWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a caller's prompt. For one prompt. */
final class ResponsesPromptReader {

  /** Bounds all calls of the vendor's own tools together. */
  private static final String MOST_CALLS = "max_tool_calls";

  /** Members that are translated, and those that no answer depends on. */
  private static final Set<String> KNOWN =
      Set.of(
          "model",
          "input",
          "instructions",
          "max_output_tokens",
          "temperature",
          "top_p",
          "stream",
          "stream_options",
          "tools",
          "tool_choice",
          "parallel_tool_calls",
          "reasoning",
          "text",
          "user",
          "metadata",
          "include",
          "store",
          "background",
          "service_tier",
          "safety_identifier",
          "prompt_cache_key",
          "prompt_cache_retention",
          "prompt_cache_options",
          MOST_CALLS);

  /** Members that need the upstream to remember, which a stateless gateway's does not. */
  private static final List<String> REMEMBERING =
      List.of("previous_response_id", "conversation", "prompt", "store", "background");

  /** Members without a translation that cost tokens at most. */
  private static final Set<String> HARMLESS = Set.of("truncation", "top_logprobs");

  private final List<Untranslatable> untranslatable = new ArrayList<>();
  private final PromptWords words = new PromptWords(untranslatable, typed -> typed, MOST_CALLS);

  Prompt read(byte[] bytes) {
    Member body = Member.body(bytes);
    for (String name : REMEMBERING) {
      Member member = body.at(name);
      if (member.present() && member.value().asBoolean(true)) {
        throw member.invalid("is not supported: calls are stateless");
      }
    }
    words.beyond(body, KNOWN, HARMLESS, ResponsesPromptReader::isDefault);
    includes(body.at("include"));
    boolean stream = body.at("stream").flag();
    return new Prompt(
        body.at("model").name(),
        turns(body),
        words.tooling(body),
        sampling(body),
        output(body),
        reasoning(body.at("reasoning")),
        PromptWords.labels(body),
        new Streaming(stream, stream),
        null,
        untranslatable);
  }

  private static boolean isDefault(Member member) {
    return member.path().equals("truncation")
        ? member.value().asText().equals("disabled")
        : member.asksNothing();
  }

  private void includes(Member include) {
    for (Member each : include.each(PromptLimits.METADATA)) {
      if (!each.name().equals("reasoning.encrypted_content")) {
        untranslatable.add(each.untranslatable());
      }
    }
  }

  private List<Turn> turns(Member body) {
    List<Turn> turns = new ArrayList<>();
    String instructions = body.at("instructions").textOrNull(PromptLimits.TEXT);
    if (instructions != null) {
      turns.add(new Turn(Role.SYSTEM, List.of(Part.text(instructions))));
    }
    turns.addAll(new InputItems(untranslatable).read(body.at("input")));
    return turns;
  }

  private static Sampling sampling(Member body) {
    return new Sampling(
        body.at("temperature").numberOrNull(0, 2),
        body.at("top_p").numberOrNull(0, 1),
        null,
        null,
        null,
        null,
        List.of());
  }

  private Output output(Member body) {
    Member text = body.at("text");
    return new Output(
        body.at("max_output_tokens").countOrNull(1),
        words.format(text.at("format")),
        text.at("verbosity").textOrNull(PromptLimits.NAME),
        1);
  }

  private @Nullable Reasoning reasoning(Member reasoning) {
    if (!reasoning.present()) {
      return null;
    }
    Member effort = reasoning.object().at("effort");
    Member mode = reasoning.at("mode");
    if (mode.present() && !mode.name().equals("standard")) {
      untranslatable.add(mode.feature(mode.path()));
    }
    String word = effort.textOrNull(PromptLimits.NAME);
    Optional<Effort> known = word == null ? Optional.empty() : Effort.of(word);
    if (word != null && known.isEmpty()) {
      words.own(effort);
    }
    return new Reasoning(
        known.orElse(null),
        null,
        reasoning.at("summary").present() || reasoning.at("generate_summary").present());
  }
}
