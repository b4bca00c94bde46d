package dev.octroi.services.language.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.octroi.services.language.ForwardEdit;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Sampling;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A caller's body on its way to an upstream that calls its protocol compatible: what that knows by
 * another name or not at all is changed. For one body.
 */
final class ChatForward {

  private static final List<String> LIMITS = List.of("max_tokens", "max_completion_tokens");

  /** What every host knows that calls itself compatible. */
  private static final Set<String> CORE =
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
          "tools",
          "tool_choice",
          "response_format",
          "reasoning_effort");

  private static final List<String> FOREIGN =
      List.of("refusal", "annotations", "audio", "function_call", "reasoning_details");

  private final Prompt prompt;
  private final Prompt fitting;
  private final Target target;
  private final ForwardEdit edit;

  ChatForward(byte[] body, Prompt prompt, Prompt fitting, Target target) {
    this.prompt = prompt;
    this.fitting = fitting;
    this.target = target;
    this.edit = new ForwardEdit(body, target);
  }

  byte[] bytes() {
    if (target.has(Quirk.CORE_MEMBERS)) {
      core();
    }
    if (prompt.streaming().on() && !prompt.streaming().usage()) {
      edit.set("stream_options", edit.object("stream_options").put("include_usage", true));
    }
    limit();
    sampling();
    thoughts();
    edit.drop("verbosity", prompt.output().verbosity(), fitting.output().verbosity());
    if (fitting.tooling().tools().isEmpty() && !prompt.tooling().tools().isEmpty()) {
      edit.drop("tools").drop("tool_choice");
    }
    if (target.has(Quirk.NO_DEVELOPER_ROLE) || target.has(Quirk.NAMED_RESULTS)) {
      messages();
    }
    return edit.bytes();
  }

  /** What the operator sells of the vendor's goes on, and nothing else beyond the core. */
  private void core() {
    Set<String> sold = new HashSet<>();
    for (Untranslatable said : prompt.untranslatable()) {
      sold.add(said.member());
    }
    edit.tree()
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!CORE.contains(name) && !sold.contains(name)) {
                edit.drop(name);
              }
            });
  }

  /** Of the two names of the limit an upstream may know one only. */
  private void limit() {
    String name = ChatProtocol.limit(target);
    LIMITS.stream().filter(other -> !other.equals(name)).forEach(edit::drop);
    Integer most = fitting.output().maxTokens();
    if (most != null) {
      edit.set(name, IntNode.valueOf(most));
    }
  }

  private void sampling() {
    Sampling said = prompt.sampling();
    Sampling taken = fitting.sampling();
    edit.sampling(said, taken)
        .drop("seed", said.seed(), taken.seed())
        .drop("frequency_penalty", said.frequencyPenalty(), taken.frequencyPenalty())
        .drop("presence_penalty", said.presencePenalty(), taken.presencePenalty());
    if (taken.stopSequences().isEmpty() && !said.stopSequences().isEmpty()) {
      edit.drop("stop");
    }
  }

  private void thoughts() {
    Reasoning taken = fitting.reasoning();
    if (target.has(Quirk.THINKING_SWITCH)) {
      edit.drop("reasoning_effort");
      if (taken != null) {
        edit.set("thinking", ChatProtocol.thinking(taken));
      }
    } else if (taken == null) {
      edit.drop("reasoning_effort");
    } else if (taken.effort() != null && !taken.equals(prompt.reasoning())) {
      edit.set("reasoning_effort", TextNode.valueOf(taken.effort().word()));
    }
  }

  private void messages() {
    if (!(edit.tree().path("messages") instanceof ArrayNode said)) {
      return;
    }
    ArrayNode messages = said.deepCopy();
    Map<String, String> tools = new HashMap<>();
    boolean changed = false;
    for (JsonNode message : messages) {
      for (JsonNode call : message.path("tool_calls")) {
        tools.put(call.path("id").asText(""), call.at("/function/name").asText(""));
      }
      if (message instanceof ObjectNode object) {
        changed |= isInstructed(object);
        changed |= isOfAnotherHost(object);
        changed |= isNamed(object, tools.get(object.path("tool_call_id").asText("")));
      }
    }
    if (changed) {
      edit.set("messages", messages);
    }
  }

  private boolean isInstructed(ObjectNode message) {
    boolean newer =
        target.has(Quirk.NO_DEVELOPER_ROLE) && message.path("role").asText("").equals("developer");
    if (newer) {
      message.put("role", "system");
    }
    return newer;
  }

  /**
   * What only the protocol's own vendor and this gateway write of an answer, and SDKs hand back.
   */
  private boolean isOfAnotherHost(ObjectNode message) {
    if (!target.has(Quirk.NO_DEVELOPER_ROLE)) {
      return false;
    }
    JsonNode refusal = message.path("refusal");
    if (refusal.isTextual() && message.path("content").isNull()) {
      message.set("content", refusal);
    }
    boolean joined = message.path("role").asText("").equals("tool") && isJoined(message);
    int before = message.size();
    message.remove(FOREIGN);
    return joined || message.size() != before;
  }

  /** The result of a tool is one text there. */
  private static boolean isJoined(ObjectNode message) {
    JsonNode content = message.path("content");
    if (content.isArray()) {
      message.put("content", String.join("\n", content.findValuesAsText("text")));
    }
    return content.isArray();
  }

  private boolean isNamed(ObjectNode message, @Nullable String tool) {
    boolean bare = target.has(Quirk.NAMED_RESULTS) && tool != null && !message.has("name");
    if (bare) {
      message.put("name", tool);
    }
    return bare;
  }
}
