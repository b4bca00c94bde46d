package dev.octroi.services.language.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import dev.octroi.services.language.messages.MessagesProtocol;
import dev.octroi.services.language.translation.Translation;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponsesPromptTest {

  private static final Target TARGET = new Target("up", 9_000, Set.of());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'store':true|store",
        "'previous_response_id':'resp_1'|previous_response_id",
        "'background':true|background",
        "'conversation':'conv_1'|conversation",
        "'prompt':{'id':'pmpt_1'}|prompt",
      })
  @Tag("spec:request.responses.stateless")
  void whatNeedsAMemoryIsRefused(String member, String name) {
    assertThatThrownBy(() -> with(member))
        .isInstanceOfSatisfying(
            InvalidPrompt.class,
            fault -> {
              assertThat(fault.member()).isEqualTo(name);
              assertThat(fault.problem().status()).isEqualTo(400);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'store':false",
        "'background':false",
        "'previous_response_id':null",
        "'truncation':'disabled'",
        "'include':['reasoning.encrypted_content']",
        "'service_tier':'auto'",
        "'max_tool_calls':3",
        "'top_logprobs':0",
      })
  void defaultsAndWhatNoAnswerDependsOnAreTranslatable(String member) {
    assertThat(with(member).untranslatable()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'truncation':'auto'|truncation",
        "'tools':[{'type':'web_search'}]|tools[0]",
        "'include':['message.output_text.logprobs']|include[0]",
        "'top_logprobs':3|top_logprobs",
        "'reasoning':{'effort':'some'}|reasoning.effort",
        "'tool_choice':'some'|tool_choice",
        "'text':{'format':{'type':'some'}}|text.format",
      })
  @Tag("spec:language.translation.refused")
  void whatNoOtherProtocolCanSayIsNamed(String member, String name) {
    assertThat(with(member).untranslatable()).extracting("member").containsExactly(name);
  }

  @Test
  void aReferenceToAStoredItemIsRefused() {
    assertThatThrownBy(() -> input("[{'type':'item_reference','id':'msg_1'}]"))
        .isInstanceOf(InvalidPrompt.class);
  }

  @Test
  void neighbouringItemsOfOneSpeakerAreOneTurn() {
    Prompt prompt =
        input(
            "[{'role':'user','content':'Hi'},"
                + "{'type':'reasoning','id':'rs_1','summary':[{'type':'summary_text','text':'a'},"
                + "{'type':'summary_text','text':'b'}],'encrypted_content':'g'},"
                + "{'type':'function_call','call_id':'c','name':'t','arguments':'{}'},"
                + "{'type':'function_call_output','call_id':'c','output':"
                + "[{'type':'input_text','text':'x'}]}]");

    assertThat(prompt.turns())
        .containsExactly(
            new Turn(Role.USER, List.of(Part.text("Hi"))),
            new Turn(
                Role.ASSISTANT,
                List.of(
                    new Part.Thinking("a\n\nb", new Seal(Seal.Kind.ENCRYPTED, "rs_1", "g")),
                    new Part.ToolUse("c", "t", "{}", null))),
            new Turn(
                Role.USER,
                List.of(new Part.ToolResult("c", List.of(Part.text("x")), false, null))));
  }

  @Test
  void reasoningIsRead() {
    assertThat(with("'reasoning':{'effort':'low','summary':'auto'}").reasoning())
        .isEqualTo(new Reasoning(Effort.LOW, null, true));
    assertThat(with("'reasoning':{'effort':null,'summary':null}").reasoning())
        .isEqualTo(new Reasoning(null, null, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'input':[]",
        "'input':1",
        "'input':[{'role':'user'}]",
        "'input':[{'content':'a'}]",
        "'input':[{'role':'user','content':[{'type':'input_image','image_url':'x'}]}]",
        "'input':'a','temperature':3",
        "'input':'a','max_output_tokens':0",
        "'input':'a','metadata':{'a':1}",
      })
  void aMemberOutOfItsBoundsIsRefused(String members) {
    assertThatThrownBy(() -> read("{'model':'m'," + members + "}"))
        .isInstanceOf(InvalidPrompt.class);
  }

  @Test
  @Tag("spec:request.responses.stateless")
  void theUpstreamIsToldToStoreNothing() {
    byte[] body = Json.bytes("{'model':'m','input':'Hi'}");
    ResponsesProtocol responses = new ResponsesProtocol();
    Prompt prompt = responses.readPrompt(body);

    JsonNode forwarded = Json.tree(responses.forwardPrompt(body, prompt, prompt, TARGET));

    assertThat(forwarded.path("store")).hasToString("false");
    assertThat(forwarded.path("model").asText()).isEqualTo("up");
    assertThat(fromMessages("").path("store")).hasToString("false");
  }

  @Test
  @Tag("spec:language.translation.thinking")
  void sealedThoughtsAreAskedForWhereTheModelThinks() {
    String thinking = "'thinking':{'type':'enabled','budget_tokens':2048},";
    Target plain = new Target("up", 1, Set.of(Quirk.NO_THOUGHTS));

    assertThat(Json.text(fromMessages(thinking).path("reasoning")))
        .isEqualTo("{'effort':'low','summary':'auto'}");
    assertThat(Json.text(fromMessages(thinking).path("include")))
        .isEqualTo("['reasoning.encrypted_content']");
    assertThat(fromMessages(thinking, plain).has("include")).isFalse();
    assertThat(fromMessages(thinking, plain).has("reasoning")).isFalse();
  }

  private static JsonNode fromMessages(String members) {
    return fromMessages(members, TARGET);
  }

  private static JsonNode fromMessages(String members, Target target) {
    byte[] body =
        Json.bytes(
            "{'model':'m',"
                + members
                + "'max_tokens':9000,'messages':[{'role':'user','content':'Hi'}]}");
    Prompt prompt = new MessagesProtocol().readPrompt(body);
    return Json.tree(
        new Translation(Dialect.MESSAGES, Dialect.RESPONSES).prompt(body, prompt, target).body());
  }

  private static Prompt with(String member) {
    return read("{'model':'m','input':'Hi'," + member + "}");
  }

  private static Prompt input(String input) {
    return read("{'model':'m','input':" + input + "}");
  }

  private static Prompt read(String body) {
    return new ResponsesProtocol().readPrompt(Json.bytes(body));
  }
}
