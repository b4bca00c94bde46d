package dev.octroi.services.language.chat;

import dev.octroi.services.language.Member;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Output;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Sampling;
import dev.octroi.services.language.Prompt.Streaming;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.PromptLimits;
import dev.octroi.services.language.PromptWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a caller's prompt. For one prompt. */
final class ChatPromptReader {

  /** Members that are translated, and those that no answer depends on. */
  private static final Set<String> KNOWN =
      Set.of(
          "model",
          "messages",
          "max_tokens",
          "max_completion_tokens",
          "temperature",
          "top_p",
          "stream",
          "stream_options",
          "stop",
          "frequency_penalty",
          "presence_penalty",
          "seed",
          "tools",
          "tool_choice",
          "parallel_tool_calls",
          "reasoning_effort",
          "response_format",
          "user",
          "metadata",
          "verbosity",
          "service_tier",
          "safety_identifier",
          "prompt_cache_key",
          "prompt_cache_retention",
          "prompt_cache_options");

  /** Members without a translation that cost tokens at most. */
  private static final Set<String> HARMLESS =
      Set.of(
          "n",
          "logprobs",
          "top_logprobs",
          "logit_bias",
          "top_k",
          "thinking",
          "functions",
          "function_call");

  private final List<Untranslatable> untranslatable = new ArrayList<>();
  private final PromptWords words =
      new PromptWords(untranslatable, typed -> typed.at(typed.type()).object(), null);

  Prompt read(byte[] bytes) {
    Member body = Member.body(bytes);
    words.beyond(body, KNOWN, HARMLESS, ChatPromptReader::isDefault);
    return new Prompt(
        body.at("model").name(),
        new ChatTurns(untranslatable).read(body.at("messages")),
        words.tooling(body),
        sampling(body),
        output(body),
        reasoning(body.at("reasoning_effort")),
        PromptWords.labels(body),
        streaming(body),
        null,
        untranslatable);
  }

  /** Whether the member asks for nothing: SDKs send defaults. */
  private static boolean isDefault(Member member) {
    return switch (member.path()) {
      case "n" -> member.value().asInt() == 1;
      case "modalities" -> member.value().size() == 1 && "text".equals(word(member));
      case "logit_bias" -> member.value().isEmpty();
      default -> member.asksNothing();
    };
  }

  private static String word(Member list) {
    return list.value().path(0).asText("");
  }

  private static Sampling sampling(Member body) {
    return new Sampling(
        body.at("temperature").numberOrNull(0, 2),
        body.at("top_p").numberOrNull(0, 1),
        null,
        body.at("seed").integerOrNull(),
        body.at("frequency_penalty").numberOrNull(-2, 2),
        body.at("presence_penalty").numberOrNull(-2, 2),
        stops(body.at("stop")));
  }

  private static List<String> stops(Member stop) {
    if (stop.isText()) {
      return List.of(stop.text(PromptLimits.WORD));
    }
    List<String> stops = new ArrayList<>();
    for (Member each : stop.each(PromptLimits.STOP_SEQUENCES)) {
      stops.add(each.text(PromptLimits.WORD));
    }
    return stops;
  }

  private Output output(Member body) {
    Integer most = body.at("max_completion_tokens").countOrNull(1);
    Integer old = body.at("max_tokens").countOrNull(1);
    Integer candidates = body.at("n").countOrNull(1);
    return new Output(
        most == null ? old : most,
        words.format(body.at("response_format")),
        body.at("verbosity").textOrNull(PromptLimits.NAME),
        candidates == null ? 1 : candidates);
  }

  private @Nullable Reasoning reasoning(Member effort) {
    String word = effort.textOrNull(PromptLimits.NAME);
    if (word == null) {
      return null;
    }
    Optional<Effort> known = Effort.of(word);
    if (known.isEmpty()) {
      words.own(effort);
    }
    return new Reasoning(known.orElse(null), null, true);
  }

  private static Streaming streaming(Member body) {
    boolean usage = body.at("stream_options").at("include_usage").flag();
    return new Streaming(body.at("stream").flag(), usage);
  }
}
