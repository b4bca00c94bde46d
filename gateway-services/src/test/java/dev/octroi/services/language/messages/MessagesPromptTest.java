package dev.octroi.services.language.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.CacheMark;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Reasoning;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Seal;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesPromptTest {

  private static final String LEAST =
      "'model':'m','max_tokens':10,'messages':[{'role':'user','content':'Hi'}]";

  @Test
  @Tag("spec:request.messages.system")
  void aSystemPromptIsATextOrBlocksWithMarks() {
    assertThat(with("'system':'Be brief.'").turns().get(0))
        .isEqualTo(new Turn(Role.SYSTEM, List.of(Part.text("Be brief."))));
    assertThat(
            with("'system':[{'type':'text','text':'a','cache_control':{'type':'ephemeral','ttl':'1h'}}]")
                .turns()
                .get(0)
                .parts())
        .containsExactly(new Part.Text("a", List.of(), new CacheMark("1h")));
  }

  @Test
  @Tag("spec:request.messages.temperature")
  @Tag("spec:request.messages.top_p")
  @Tag("spec:request.messages.top_k")
  @Tag("spec:request.messages.stop_sequences")
  void samplingIsRead() {
    var sampling =
        with("'temperature':0.5,'top_p':0.9,'top_k':40,'stop_sequences':['x']").sampling();

    assertThat(sampling.temperature()).isEqualByComparingTo("0.5");
    assertThat(sampling.topP()).isEqualByComparingTo("0.9");
    assertThat(sampling.topK()).isEqualTo(40);
    assertThat(sampling.stopSequences()).containsExactly("x");
  }

  @ParameterizedTest
  @Tag("spec:request.messages.tool_choice")
  @CsvSource({"auto,Auto", "any,Any", "none,None"})
  void everyChoiceOfToolsIsRead(String type, String kind) {
    Prompt prompt = with("'tool_choice':{'type':'" + type + "','disable_parallel_tool_use':true}");

    assertThat(prompt.tooling().choice()).hasToString(kind + "[]");
    assertThat(prompt.tooling().parallel()).isFalse();
  }

  @Test
  @Tag("spec:request.messages.tools")
  void aNamedToolIsRead() {
    Prompt prompt =
        with(
            "'tools':[{'name':'t','input_schema':{'type':'object'}}],"
                + "'tool_choice':{'type':'tool','name':'t'}");

    assertThat(prompt.tooling().choice()).isEqualTo(new ToolChoice.Named("t"));
    assertThat(prompt.tooling().tools()).hasSize(1);
  }

  @Test
  @Tag("spec:request.messages.thinking")
  void everyKindOfThinkingIsRead() {
    assertThat(with("'thinking':{'type':'enabled','budget_tokens':2000}").reasoning())
        .isEqualTo(new Reasoning(null, 2000, true));
    assertThat(
            with("'thinking':{'type':'adaptive','display':'omitted'},'output_config':{'effort':'low'}")
                .reasoning())
        .isEqualTo(new Reasoning(Effort.LOW, null, false));
    assertThat(with("'thinking':{'type':'disabled'}").reasoning())
        .isEqualTo(new Reasoning(Effort.NONE, null, false));
    assertThat(with("'stream':false").reasoning()).isNull();
  }

  @Test
  @Tag("spec:request.messages.metadata")
  @Tag("spec:request.messages.stream")
  void metadataAndStreamAreRead() {
    Prompt prompt = with("'metadata':{'user_id':'u'},'stream':true");

    assertThat(prompt.labels().user()).isEqualTo("u");
    assertThat(prompt.streaming().on()).isTrue();
    assertThat(with("'top_k':1").streaming().on()).isFalse();
  }

  @Test
  void sealedThoughtsAreRead() {
    Prompt prompt =
        said(
            "{'type':'thinking','thinking':'a','signature':'s'},"
                + "{'type':'redacted_thinking','data':'d'}");

    assertThat(prompt.turns().get(0).parts())
        .containsExactly(
            new Part.Thinking("a", new Seal(Seal.Kind.SIGNATURE, "", "s")),
            new Part.Thinking("", new Seal(Seal.Kind.REDACTED, "", "d")));
  }

  @ParameterizedTest
  @Tag("spec:request.messages.model")
  @Tag("spec:request.messages.messages")
  @Tag("spec:request.messages.max_tokens")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'max_tokens':1,'messages':[{'role':'user','content':'a'}]}|model",
        "{'model':'','max_tokens':1,'messages':[{'role':'user','content':'a'}]}|model",
        "{'model':'m','messages':[{'role':'user','content':'a'}]}|max_tokens",
        "{'model':'m','max_tokens':0,'messages':[{'role':'user','content':'a'}]}|max_tokens",
        "{'model':'m','max_tokens':'9','messages':[{'role':'user','content':'a'}]}|max_tokens",
        "{'model':'m','max_tokens':1}|messages",
        "{'model':'m','max_tokens':1,'messages':[]}|messages",
        "{'model':'m','max_tokens':1,'messages':{}}|messages",
        "{'model':'m','max_tokens':1,'messages':['a']}|messages[0]",
        "{'model':'m','max_tokens':1,'messages':[{'role':'x','content':'a'}]}|messages[0].role",
        "{'model':'m','max_tokens':1,'messages':[{'role':'user'}]}|messages[0].content",
        "{'model':'m','max_tokens':1,'messages':[{'role':'user','content':[{'text':'a'}]}]}|messages[0].content[0].type",
        "{'model':'m','max_tokens':1,'messages':[{'role':'user','content':[{'type':'text'}]}]}|messages[0].content[0].text",
        "[]|``",
        "{|``",
      })
  void aFaultIsToldWithItsMember(String body, String member) {
    assertThatThrownBy(() -> read(body))
        .isInstanceOfSatisfying(
            InvalidPrompt.class, fault -> assertThat(fault.member()).isEqualTo(member));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'temperature':1.1",
        "'temperature':'1'",
        "'top_p':-1",
        "'stream':1",
        "'stop_sequences':'a'",
        "'thinking':{'type':'enabled'}",
        "'tools':[{'name':'t'}]",
        "'tool_choice':{'type':'tool'}",
        "'metadata':{'user_id':1}",
        "'system':1",
      })
  void aMemberOutOfItsBoundsIsRefused(String member) {
    assertThatThrownBy(() -> with(member)).isInstanceOf(InvalidPrompt.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'mcp_servers':[{}]",
        "'container':'c'",
        "'tool_choice':{'type':'some'}",
        "'thinking':{'type':'maybe'}",
        "'output_config':{'effort':'some'}",
        "'output_config':{'format':{'type':'some'}}",
        "'tools':[{'type':'web_search_20250305','name':'web_search'}]",
        "'system':[{'type':'new_kind'}]",
      })
  @Tag("spec:language.translation.refused")
  void whatNoOtherProtocolCanSayIsNamed(String member) {
    Prompt prompt = with(member);

    assertThat(prompt.untranslatable()).hasSize(1);
    assertThatThrownBy(prompt::requireTranslatable)
        .isInstanceOf(InvalidPrompt.class)
        .hasMessageContaining(prompt.untranslatable().get(0).member());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'image','source':{'type':'file','file_id':'f'}}",
        "{'type':'document','source':{'type':'url','url':'https://a'},'citations':{'enabled':true}}",
        "{'type':'document','source':{'type':'url','url':'https://a'},'context':'c'}",
        "{'type':'search_result','source':'a'}",
      })
  @Tag("spec:language.translation.refused")
  void blocksThatOnlyThisProtocolHasAreNamed(String block) {
    assertThat(said(block).untranslatable())
        .extracting("member")
        .containsExactly("messages[0].content[0]");
  }

  private static Prompt with(String member) {
    return read("{" + LEAST + "," + member + "}");
  }

  private static Prompt said(String blocks) {
    return read(
        "{'model':'m','max_tokens':1,'messages':[{'role':'assistant','content':["
            + blocks
            + "]}]}");
  }

  private static Prompt read(String body) {
    return new MessagesProtocol().readPrompt(Json.bytes(body));
  }
}
