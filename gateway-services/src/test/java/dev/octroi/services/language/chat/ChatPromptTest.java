package dev.octroi.services.language.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.ToolChoice;
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

class ChatPromptTest {

  private static final Target TARGET = new Target("up", 9_000, Set.of());
  private static final String USER = "{'role':'user','content':'Hi'}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'n':1",
        "'n':null",
        "'logprobs':false",
        "'logit_bias':{}",
        "'modalities':['text']",
        "'store':false",
        "'service_tier':'auto'",
        "'seed':3",
        "'top_logprobs':0",
        "'metadata':{'a':'b'}",
      })
  void defaultsAndWhatNoAnswerDependsOnAreTranslatable(String member) {
    assertThat(with(member).untranslatable()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'n':2|n",
        "'logprobs':true|logprobs",
        "'logit_bias':{'1':5}|logit_bias",
        "'modalities':['text','audio']|modalities",
        "'store':true|store",
        "'functions':[{'name':'f'}]|functions",
        "'web_search_options':{'a':1}|web_search_options",
        "'web_search_options':{}|web_search_options",
        "'search_parameters':{}|search_parameters",
        "'tools':[{'type':'custom','custom':{'name':'c'}}]|tools[0]",
        "'tool_choice':{'type':'allowed_tools'}|tool_choice",
        "'some_new_member':1|some_new_member",
        "'reasoning_effort':'some'|reasoning_effort",
        "'tool_choice':'some'|tool_choice",
        "'response_format':{'type':'some'}|response_format",
      })
  @Tag("spec:language.translation.refused")
  void whatNoOtherProtocolCanSayIsNamed(String member, String name) {
    assertThat(with(member).untranslatable()).extracting("member").containsExactly(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'role':'user','content':[{'type':'input_audio','input_audio':{}}]}",
        "{'role':'user','content':[{'type':'file','file':{'file_id':'f'}}]}",
        "{'role':'user','content':[{'type':'file','file':{'file_id':'f',"
            + "'file_data':'data:application/pdf;base64,JVBERi0x'}}]}",
        "{'role':'assistant','function_call':{'name':'f'}}",
        "{'role':'function','name':'f','content':'x'}",
        "{'role':'assistant','tool_calls':[{'id':'c','type':'custom'}]}",
      })
  @Tag("spec:language.translation.refused")
  void messagesThatOnlyThisProtocolHasAreNamed(String message) {
    assertThat(read("", message).untranslatable()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"auto,Auto", "none,None", "required,Any"})
  void everyChoiceOfToolsIsRead(String word, String kind) {
    assertThat(with("'tool_choice':'" + word + "'").tooling().choice()).hasToString(kind + "[]");
  }

  @Test
  void aNamedToolAndAStopTextAreRead() {
    Prompt prompt = with("'tool_choice':{'type':'function','function':{'name':'t'}},'stop':'end'");

    assertThat(prompt.tooling().choice()).isEqualTo(new ToolChoice.Named("t"));
    assertThat(prompt.sampling().stopSequences()).containsExactly("end");
  }

  @Test
  void theFormsOfTheAnswerAreRead() {
    assertThat(with("'response_format':{'type':'json_object'}").output().format())
        .isEqualTo(new Format.JsonObject());
    assertThat(
            with("'response_format':{'type':'json_schema','json_schema':"
                    + "{'name':'n','schema':{},'strict':true}}")
                .output()
                .format())
        .isInstanceOf(Format.JsonSchema.class);
    assertThat(with("'reasoning_effort':'high'").reasoning())
        .isEqualTo(new Reasoning(Effort.HIGH, null, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'role':'user'}|messages[0].content",
        "{'role':'nobody','content':'a'}|messages[0].role",
        "{'role':'tool','content':'a'}|messages[0].tool_call_id",
        "{'role':'user','content':[{'type':'image_url','image_url':{'url':'ftp://a'}}]}|messages[0].content[0].image_url.url",
        "{'role':'user','content':[{'type':'image_url','image_url':{'url':'data:image/png,x'}}]}|messages[0].content[0].image_url.url",
        "{'role':'assistant','tool_calls':[{'id':'c','type':'function','function':{'name':'t'}}]}|messages[0].tool_calls[0].function.arguments",
      })
  void aFaultIsToldWithItsMember(String message, String member) {
    assertThatThrownBy(() -> read("", message))
        .isInstanceOfSatisfying(
            InvalidPrompt.class, fault -> assertThat(fault.member()).isEqualTo(member));
  }

  @Test
  void picturesInTheResultOfAToolFollowInAMessage() {
    JsonNode body =
        fromMessages(
            "",
            "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c','is_error':true,"
                + "'content':[{'type':'text','text':'dim'},{'type':'image','source':"
                + "{'type':'url','url':'https://example.org/a.png'}}]}]}",
            TARGET);

    assertThat(Json.text(body.path("messages")))
        .isEqualTo(
            "[{'role':'tool','tool_call_id':'c','content':'Error: dim'},{'role':'user','content':"
                + "[{'type':'text','text':'Result of tool call c:'},{'type':'image_url',"
                + "'image_url':{'url':'https://example.org/a.png'}}]}]");
  }

  @Test
  void anUpstreamWithOldHabitsIsToldInItsWords() {
    Target old =
        new Target(
            "up",
            9_000,
            Set.of(Quirk.OLD_MAX_TOKENS, Quirk.NO_DEVELOPER_ROLE, Quirk.REASONING_CONTENT));
    byte[] body =
        Json.bytes(
            "{'model':'m','max_completion_tokens':5,'messages':[{'role':'developer','content':'a'},"
                + "{'role':'assistant','content':'b','reasoning_content':'hm'}]}");

    JsonNode written =
        Json.tree(new ChatProtocol().writePrompt(new ChatProtocol().readPrompt(body), old));

    assertThat(Json.text(written))
        .isEqualTo(
            "{'model':'up','messages':[{'role':'system','content':'a'},{'role':'assistant',"
                + "'content':'b','reasoning_content':'hm'}],'max_tokens':5}");
  }

  @Test
  @Tag("spec:language.translation.thinking")
  void aBudgetIsAnEffort() {
    JsonNode body =
        fromMessages("'thinking':{'type':'enabled','budget_tokens':9000},", USER, TARGET);

    assertThat(body.path("reasoning_effort").asText()).isEqualTo("high");
  }

  @Test
  void aStreamIsAskedForItsUsageEvenWhereBytesPass() {
    byte[] body = Json.bytes("{'model':'m','stream':true,'messages':[" + USER + "],'x':1.0}");
    ChatProtocol chat = new ChatProtocol();
    Prompt prompt = chat.readPrompt(body);

    byte[] forwarded = chat.forwardPrompt(body, prompt, prompt, TARGET);

    assertThat(Json.text(Json.tree(forwarded)))
        .isEqualTo(
            "{'model':'up','stream':true,'messages':["
                + USER
                + "],'x':1.0,'stream_options':{'include_usage':true}}");
  }

  @Test
  void textThatIsCutInPartsStaysCut() {
    Prompt prompt =
        read(
            "",
            "{'role':'user','content':[{'type':'text','text':'a'},{'type':'text','text':'b'}]}");

    assertThat(prompt.turns().get(0).parts()).isEqualTo(List.of(Part.text("a"), Part.text("b")));
  }

  private static JsonNode fromMessages(String members, String messages, Target target) {
    byte[] body =
        Json.bytes("{'model':'m'," + members + "'max_tokens':9000,'messages':[" + messages + "]}");
    Prompt prompt = new MessagesProtocol().readPrompt(body);
    return Json.tree(
        new Translation(Dialect.MESSAGES, Dialect.CHAT).prompt(body, prompt, target).body());
  }

  private static Prompt with(String member) {
    return read(member + ",", USER);
  }

  private static Prompt read(String members, String messages) {
    return new ChatProtocol()
        .readPrompt(Json.bytes("{'model':'m'," + members + "'messages':[" + messages + "]}"));
  }
}
