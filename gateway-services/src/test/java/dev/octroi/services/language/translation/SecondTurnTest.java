package dev.octroi.services.language.translation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A caller hands back what it was answered: the upstream gets its own thoughts and calls again. */
@Tag("spec:language.translation.thinking")
@Tag("spec:language.translation.tool_results")
class SecondTurnTest {

  private static final Part CALL = new Part.ToolUse("call_1", "weather", "{\"a\":1}", null);

  @ParameterizedTest
  @CsvSource({
    "MESSAGES,CHAT,SIGNATURE",
    "MESSAGES,RESPONSES,SIGNATURE",
    "MESSAGES,RESPONSES,REDACTED",
    "MESSAGES,CHAT,REDACTED",
    "RESPONSES,CHAT,ENCRYPTED",
    "RESPONSES,MESSAGES,ENCRYPTED",
    "CHAT,MESSAGES,CALL",
    "CHAT,RESPONSES,CALL",
  })
  void theUpstreamGetsItsOwnSealBack(Dialect upstream, Dialect caller, Seal.Kind kind) {
    boolean wordless = kind == Seal.Kind.REDACTED || kind == Seal.Kind.CALL;
    String words = wordless ? "" : "Hm.";
    Seal seal = new Seal(kind, kind == Seal.Kind.CALL ? "call_1" : "", "{\"a\":\"c2VhbA==\"}");
    Part thoughts = new Part.Thinking(words, seal);
    Reply reply =
        new Reply("1", "m", List.of(thoughts, CALL), StopReason.TOOL_USE, null, Usage.NONE);

    byte[] answer = Protocols.of(caller).writeReply(reply, Transcripts.asked(caller));
    Prompt next = Protocols.of(caller).readPrompt(handedBack(caller, Json.tree(answer)));
    byte[] asked = Protocols.of(upstream).writePrompt(next, new Target("m", 1_024, Set.of()));

    List<Turn> turns = Protocols.of(upstream).readPrompt(asked).turns();
    assertThat(turns).extracting(Turn::role).containsExactly(Role.USER, Role.ASSISTANT, Role.USER);
    Part.Thinking returned = (Part.Thinking) turns.get(1).parts().get(0);
    assertThat(returned.text()).isEqualTo(words);
    assertThat(returned.seal()).isEqualTo(seal);
    assertThat(turns.get(1).parts().get(1)).isEqualTo(CALL);
  }

  /** The next call as the vendors' SDKs make it: the answer as it came, and the tool's result. */
  private static byte[] handedBack(Dialect caller, JsonNode answer) {
    ObjectNode body = LanguageJson.object().put("model", "m");
    ArrayNode talk = body.putArray(caller == Dialect.RESPONSES ? "input" : "messages");
    talk.addObject().put("role", "user").put("content", "Go");
    switch (caller) {
      case MESSAGES -> {
        body.put("max_tokens", 100);
        talk.addObject().put("role", "assistant").set("content", answer.path("content"));
        ObjectNode result = talk.addObject().put("role", "user");
        result
            .putArray("content")
            .addObject()
            .put("type", "tool_result")
            .put("tool_use_id", "call_1");
      }
      case CHAT -> {
        talk.add(answer.path("choices").path(0).path("message"));
        talk.addObject().put("role", "tool").put("tool_call_id", "call_1").put("content", "x");
      }
      case RESPONSES -> {
        talk.addAll((ArrayNode) answer.path("output"));
        talk.addObject()
            .put("type", "function_call_output")
            .put("call_id", "call_1")
            .put("output", "x");
      }
    }
    return LanguageJson.bytes(body);
  }
}
