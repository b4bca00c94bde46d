package dev.octroi.services.language.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import dev.octroi.services.language.chat.ChatProtocol;
import dev.octroi.services.language.responses.ResponsesProtocol;
import dev.octroi.services.language.translation.Translation;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers of the other protocols say to an upstream of this one. */
@Tag("spec:language.translation.rules")
class MessagesPromptWriterTest {

  private static final Target TARGET = new Target("up", 9_000, Set.of());
  private static final String USER = "{'role':'user','content':'Hi'}";
  private static final String TOOLS = "'tools':[{'type':'function','function':{'name':'t'}}],";

  @Test
  void theModelsOwnLimitStandsWhereTheCallerSetsNone() {
    assertThat(chat("", USER).path("max_tokens").asInt()).isEqualTo(9_000);
    assertThat(chat("'max_tokens':7,", USER).path("max_tokens").asInt()).isEqualTo(7);
    assertThat(chat("'max_completion_tokens':8,'max_tokens':7,", USER).path("max_tokens").asInt())
        .isEqualTo(8);
  }

  @Test
  void instructionsAmidTheTalkMoveToTheSystemPrompt() {
    JsonNode body =
        chat(
            "",
            "{'role':'system','content':'One.'},"
                + USER
                + ",{'role':'developer','content':'Two.'},{'role':'user','content':'Ho'}");

    assertThat(Json.text(body.path("system")))
        .isEqualTo("[{'type':'text','text':'One.'},{'type':'text','text':'Two.'}]");
    assertThat(body.path("messages")).hasSize(1);
    assertThat(body.path("messages").path(0).path("content")).hasSize(2);
  }

  @Test
  void cacheMarksOfAChatCallerAreKept() {
    JsonNode body =
        chat(
            "",
            "{'role':'user','content':[{'type':'text','text':'a','cache_control':{'type':'ephemeral'}}]}");

    assertThat(Json.text(body.path("messages").path(0).path("content")))
        .isEqualTo("[{'type':'text','text':'a','cache_control':{'type':'ephemeral'}}]");
  }

  @Test
  void aTemperatureOverOneIsOne() {
    assertThat(chat("'temperature':1.7,", USER).path("temperature").asDouble()).isEqualTo(1.0);
    assertThat(chat("'temperature':0.3,", USER).path("temperature").asDouble()).isEqualTo(0.3);
  }

  @Test
  void penaltiesAreRefused() {
    assertThatThrownBy(() -> chat("'presence_penalty':0.5,", USER))
        .isInstanceOf(InvalidPrompt.class);
    assertThat(chat("'presence_penalty':0,", USER).has("presence_penalty")).isFalse();
  }

  @Test
  void anyJsonObjectIsAskedForInWords() {
    JsonNode body = chat("'response_format':{'type':'json_object'},", USER);

    assertThat(body.path("system").path(0).path("text").asText()).contains("JSON object");
  }

  @ParameterizedTest
  @CsvSource({"minimal,1024", "low,2048", "medium,6750", "high,6750"})
  @Tag("spec:language.translation.thinking")
  void anEffortIsABudgetThatLeavesRoomForTheAnswer(String effort, int budget) {
    assertThat(chat("'reasoning_effort':'" + effort + "',", USER).path("thinking").toString())
        .isEqualTo("{\"type\":\"enabled\",\"budget_tokens\":" + budget + "}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'reasoning_effort':'none',",
        "'reasoning_effort':'high','max_tokens':1300,",
        "'reasoning_effort':'high'," + TOOLS + "'tool_choice':'required',",
      })
  @Tag("spec:language.translation.thinking")
  void whereTheUpstreamWouldRefuseThoughtsThereAreNone(String members) {
    assertThat(chat(members, USER).has("thinking")).isFalse();
  }

  @Test
  @Tag("spec:language.translation.thinking")
  void aTalkWhoseToolsCameWithoutSealedThoughtsGoesOnWithoutThinking() {
    String call =
        "{'role':'assistant','content':null,%s'tool_calls':[{'id':'c','type':'function',"
            + "'function':{'name':'t','arguments':'{}'}}]},"
            + "{'role':'tool','tool_call_id':'c','content':'x'}";
    String sealed =
        "'reasoning_details':[{'type':'reasoning.text','text':'hm',"
            + "'signature':'octroi.signature..c2ln'}],";

    JsonNode bare = chat("'reasoning_effort':'low',", USER + "," + call.formatted(""));
    JsonNode kept = chat("'reasoning_effort':'low',", USER + "," + call.formatted(sealed));

    assertThat(bare.has("thinking")).isFalse();
    assertThat(kept.has("thinking")).isTrue();
    assertThat(Json.text(kept.path("messages").path(1).path("content").path(0)))
        .isEqualTo("{'type':'thinking','thinking':'hm','signature':'c2ln'}");
  }

  @Test
  void aModelThatAdaptsIsToldTheWord() {
    Target adapts = new Target("up", 9_000, Set.of(Quirk.ADAPTIVE_THINKING));
    JsonNode body = chat("'reasoning_effort':'minimal','temperature':0.5,", USER, adapts);

    assertThat(Json.text(body.path("thinking")))
        .isEqualTo("{'type':'adaptive','display':'summarized'}");
    assertThat(body.path("output_config").path("effort").asText()).isEqualTo("low");
    assertThat(body.has("temperature")).isFalse();
  }

  @Test
  void whatAnotherUpstreamSealedIsLeftOut() {
    byte[] body =
        Json.bytes(
            "{'model':'m','input':[{'role':'user','content':'Hi'},"
                + "{'type':'reasoning','id':'rs_1','summary':[],'encrypted_content':'gAAA'},"
                + "{'role':'assistant','content':'Ho'},{'role':'user','content':''}]}");

    JsonNode written = written(Dialect.RESPONSES, new ResponsesProtocol().readPrompt(body), TARGET);

    assertThat(Json.text(written.path("messages")))
        .isEqualTo("[{'role':'user','content':'Hi'},{'role':'assistant','content':'Ho'}]");
  }

  @Test
  void argumentsThatAreNoJsonAreKeptUnderTheirName() {
    JsonNode body =
        chat(
            "",
            USER
                + ",{'role':'assistant','tool_calls':[{'id':'c','type':'function',"
                + "'function':{'name':'t','arguments':'{oops'}}]}");

    assertThat(body.path("messages").path(1).path("content").path(0).path("input").toString())
        .isEqualTo("{\"INVALID_JSON\":\"{oops\"}");
  }

  private static JsonNode chat(String members, String messages) {
    return chat(members, messages, TARGET);
  }

  private static JsonNode chat(String members, String messages, Target target) {
    byte[] body = Json.bytes("{'model':'m'," + members + "'messages':[" + messages + "]}");
    return written(Dialect.CHAT, new ChatProtocol().readPrompt(body), target);
  }

  private static JsonNode written(Dialect caller, Prompt prompt, Target target) {
    return Json.tree(
        new Translation(caller, Dialect.MESSAGES).prompt(new byte[0], prompt, target).body());
  }
}
