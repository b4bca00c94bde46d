package dev.octroi.services.language.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import dev.octroi.services.language.translation.Translation.Asking;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a model does not take is left out, replaced or refused by name, before it is asked. */
class AdaptationTest {

  private static final String USER = "{'role':'user','content':'Hi'}";
  private static final String CHAT_TOOL = "'tools':[{'type':'function','function':{'name':'t'}}]";
  private static final String TOOL = "'tools':[{'name':'t','input_schema':{'type':'object'}}]";

  /** A prompt of messages to a model of its own protocol. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "adaptive_thinking no_sampling | 'temperature':0.5,'top_p':0.9,'top_k':4 | temperature, top_p,"
            + " top_k | {}",
        "adaptive_thinking | 'thinking':{'type':'enabled','budget_tokens':2000} | thinking=adaptive,"
            + " output_config.effort=low | {'thinking':{'type':'adaptive','display':'summarized'},"
            + "'output_config':{'effort':'low'}}",
        "adaptive_thinking | 'thinking':{'type':'enabled','budget_tokens':2000,'display':'omitted'},"
            + "'output_config':{'effort':'max'} | thinking=adaptive | {'thinking':{'type':'adaptive',"
            + "'display':'omitted'},'output_config':{'effort':'max'}}",
        "adaptive_thinking | 'thinking':{'type':'adaptive'} | | {'thinking':{'type':'adaptive'}}",
        "budgeted_thinking | 'thinking':{'type':'adaptive'},'output_config':{'effort':'low'} |"
            + " thinking=enabled, output_config.effort | {'thinking':{'type':'enabled',"
            + "'budget_tokens':2048}}",
        "budgeted_thinking | 'output_config':{'effort':'low'} | output_config.effort | {}",
        "'' | 'output_config':{'effort':'low'},'temperature':0.5 | |"
            + " {'temperature':0.5,'output_config':{'effort':'low'}}",
        "'' | 'thinking':{'type':'enabled','budget_tokens':2000},'temperature':0.5,'top_p':0.97 |"
            + " temperature | {'top_p':0.97,'thinking':{'type':'enabled','budget_tokens':2000}}",
        "one_sampling | 'temperature':0.5,'top_p':0.9 | top_p | {'temperature':0.5}",
        "one_sampling | 'top_p':0.9 | | {'top_p':0.9}",
      })
  void aPromptOfMessagesIsAdaptedToItsModel(
      String quirks, String members, String changes, String sent) {
    Asking asking = messages(members, USER, target(quirks));

    assertThat(String.join(", ", asking.changes())).isEqualTo(changes == null ? "" : changes);
    assertThat(beyond(asking, "model", "max_tokens", "messages"))
        .isEqualTo(Json.tree(Json.bytes(sent)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 'thinking':{'type':'enabled','budget_tokens':1000} | thinking.budget_tokens",
        "'' | 'thinking':{'type':'enabled','budget_tokens':9000} | thinking.budget_tokens",
        "'' | 'thinking':{'type':'enabled','budget_tokens':2000},"
            + TOOL
            + ",'tool_choice':{'type':'any'} | tool_choice",
        "'' | 'tool_choice':{'type':'any'} | tool_choice",
        "'' | " + TOOL + ",'tool_choice':{'type':'tool','name':'u'} | tool_choice",
      })
  void aCombinationThatAModelRefusesIsRefusedByName(String quirks, String members, String named) {
    assertRefused(() -> messages(members, USER, target(quirks)), named);
  }

  @Test
  void anAnswerThatTheCallerBeganIsRefusedWhereTheModelDoesNotGoOn() {
    String begun = USER + ",{'role':'assistant','content':'The'}";
    String thinking = "'thinking':{'type':'enabled','budget_tokens':2000}";

    assertRefused(() -> messages("'stream':false", begun, target("no_prefill")), "messages");
    assertRefused(() -> messages(thinking, begun, target("''")), "thinking");
    assertThat(messages("'stream':false", begun, target("''")).changes()).isEmpty();
  }

  @Test
  void instructionsAmidTheTalkAreRefusedWhereTheModelTakesNone() {
    String amid = USER + ",{'role':'system','content':'Be brief'},{'role':'user','content':'Go'}";

    assertRefused(() -> messages("'stream':false", amid, target("no_system_turns")), "messages");
    assertThat(messages("'stream':false", amid, target("''")).changes()).isEmpty();
  }

  /** A prompt of chat to an upstream of its own protocol. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 'max_tokens':5 | | {'max_completion_tokens':5}",
        "old_max_tokens | 'max_completion_tokens':5 | | {'max_tokens':5}",
        "old_max_tokens | 'max_completion_tokens':5,'max_tokens':7 | | {'max_tokens':5}",
        "old_max_tokens | 'max_tokens':5 | | {'max_tokens':5}",
        "no_penalties | 'presence_penalty':0,'frequency_penalty':0.0,'max_tokens':5 | |"
            + " {'max_completion_tokens':5}",
        "no_verbosity | 'verbosity':'low','max_tokens':5 | verbosity | {'max_completion_tokens':5}",
        "sampling_unless_thinking | 'temperature':0.5,'reasoning_effort':'low','max_tokens':5 |"
            + " temperature | {'reasoning_effort':'low','max_completion_tokens':5}",
        "sampling_unless_thinking | 'temperature':0.5,'reasoning_effort':'none','max_tokens':5 | |"
            + " {'temperature':0.5,'reasoning_effort':'none','max_completion_tokens':5}",
        "sampling_unless_thinking | 'temperature':0.5,'max_tokens':5 | |"
            + " {'temperature':0.5,'max_completion_tokens':5}",
        "sampling_unless_thinking thinks_unasked | 'temperature':0.5,'max_tokens':5 | temperature |"
            + " {'max_completion_tokens':5}",
        "core_members | 'seed':1,'user':'u','store':false,'metadata':{},'n':1,'logprobs':false,"
            + "'parallel_tool_calls':true,'top_p':0.5,'max_tokens':5 | parallel_tool_calls, seed |"
            + " {'top_p':0.5,'max_completion_tokens':5}",
        "low_temperature | 'temperature':1.5,'max_tokens':5 | temperature=1 |"
            + " {'temperature':1,'max_completion_tokens':5}",
        "thinking_switch | 'reasoning_effort':'low','max_tokens':5 | reasoning_effort=enabled |"
            + " {'thinking':{'type':'enabled'},'max_completion_tokens':5}",
        "thinking_switch | 'reasoning_effort':'none','max_tokens':5 | |"
            + " {'thinking':{'type':'disabled'},'max_completion_tokens':5}",
        "thinking_switch core_members | 'thinking':{'type':'disabled'},'max_tokens':5 | |"
            + " {'thinking':{'type':'disabled'},'max_completion_tokens':5}",
        "auto_tools | "
            + CHAT_TOOL
            + ",'tool_choice':'none','max_tokens':5 | tools | {'max_completion_tokens':5}",
        "auto_tools no_schema | 'tool_choice':'auto','response_format':{'type':'json_object'},"
            + "'max_tokens':5 | | {'tool_choice':'auto','response_format':{'type':'json_object'},"
            + "'max_completion_tokens':5}",
        "no_thoughts | 'reasoning_effort':'low','max_tokens':5 | reasoning_effort |"
            + " {'max_completion_tokens':5}",
      })
  void aPromptOfChatIsAdaptedToItsModel(
      String quirks, String members, String changes, String sent) {
    Asking asking = chat(members, target(quirks));

    assertThat(String.join(", ", asking.changes())).isEqualTo(changes == null ? "" : changes);
    assertThat(beyond(asking, "model", "messages")).isEqualTo(Json.tree(Json.bytes(sent)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no_penalties | 'presence_penalty':0.5 | presence_penalty",
        "no_penalties | 'logit_bias':{'50256':-100} | logit_bias",
        "auto_tools | " + CHAT_TOOL + ",'tool_choice':'required' | tool_choice",
        "no_schema | 'response_format':{'type':'json_schema','json_schema':{'name':'n',"
            + "'schema':{'type':'object'}}} | response_format",
        "core_members | 'frequency_penalty':1 | frequency_penalty",
        "core_members | 'n':2 | n",
        "core_members | 'logprobs':true | logprobs",
        "core_members | 'functions':[{'name':'f'}] | functions",
        "no_sampling | 'logprobs':true | logprobs",
        "no_stop | 'stop':'x','n':2 | stop",
        "no_stop | 'stop':'' | stop",
        "'' | 'tool_choice':'required' | tool_choice",
      })
  void whatAChatCallerCannotDoWithoutIsRefusedByName(String quirks, String members, String named) {
    assertRefused(() -> chat(members, target(quirks)), named);
  }

  @ParameterizedTest
  @CsvSource({
    "minimal, low",
    "max, xhigh",
    "none, none",
    "medium, medium",
  })
  void anEffortBecomesTheNearestThatTheModelKnows(String asked, String sent) {
    Set<Effort> known = Set.of(Effort.NONE, Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.XHIGH);
    Target target = new Target("up", 5_000, Set.of(), known);
    Asking asking = chat("'reasoning_effort':'" + asked + "'", target);

    assertThat(Json.tree(asking.body()).path("reasoning_effort").asText()).isEqualTo(sent);
    assertThat(asking.changes().isEmpty()).isEqualTo(asked.equals(sent));
  }

  @Test
  void thoughtsThatCannotBeTurnedOffAreTheLeast() {
    Target target = new Target("up", 5_000, Set.of(), Set.of(Effort.LOW, Effort.HIGH));
    Asking asking = chat("'reasoning_effort':'none'", target);

    assertThat(Json.tree(asking.body()).path("reasoning_effort").asText()).isEqualTo("low");
    assertThat(asking.changes()).containsExactly("reasoning_effort=low");
  }

  @Test
  void aHostThatWantsAResultsToolNamedIsToldItAndTheNewestRoleIsAnOldOne() {
    byte[] body =
        Json.bytes(
            "{'model':'m','messages':[{'role':'developer','content':'d'},{'role':'assistant',"
                + "'tool_calls':[{'id':'c','type':'function','function':{'name':'t','arguments':'{}'}}]},"
                + "{'role':'tool','tool_call_id':'c','content':'x'}]}");
    Prompt prompt = Protocols.of(Dialect.CHAT).readPrompt(body);
    Target target = target("named_results no_developer_role");

    for (Dialect caller : new Dialect[] {Dialect.CHAT, Dialect.RESPONSES}) {
      JsonNode messages =
          Json.tree(new Translation(caller, Dialect.CHAT).prompt(body, prompt, target).body())
              .path("messages");
      assertThat(messages.path(0).path("role").asText()).isEqualTo("system");
      assertThat(messages.path(2).path("name").asText()).isEqualTo("t");
    }
  }

  /** SDKs hand an answer back with all that its host said. */
  @Test
  void anAnswerOfAnotherHostIsHandedBackInPlainWords() {
    byte[] body =
        Json.bytes(
            "{'model':'m','messages':["
                + USER
                + ",{'role':'assistant','content':null,'refusal':'No.','annotations':[]},{'role':'user',"
                + "'content':'Then?'},{'role':'assistant','content':null,'refusal':null,'tool_calls':["
                + "{'id':'c','type':'function','function':{'name':'t','arguments':'{}'}}]},{'role':'tool',"
                + "'tool_call_id':'c','content':[{'type':'text','text':'a'},{'type':'text','text':'b'}]}]}");
    Prompt prompt = Protocols.of(Dialect.CHAT).readPrompt(body);

    for (Dialect caller : new Dialect[] {Dialect.CHAT, Dialect.RESPONSES}) {
      JsonNode messages =
          Json.tree(
                  new Translation(caller, Dialect.CHAT)
                      .prompt(body, prompt, target("no_developer_role"))
                      .body())
              .path("messages");
      assertThat(messages.path(1)).hasToString("{\"role\":\"assistant\",\"content\":\"No.\"}");
      assertThat(messages.path(3).properties())
          .extracting(Map.Entry::getKey)
          .containsExactly("role", "content", "tool_calls");
      assertThat(messages.path(4).path("content").asText()).isEqualTo("a\nb");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MESSAGES, max_tokens",
    "CHAT, max_completion_tokens",
    "RESPONSES, max_output_tokens"
  })
  void anAnswerThatIsTooShortForItsUpstreamIsRefused(Dialect caller, String named) {
    String talk = caller == Dialect.RESPONSES ? "'input':'Hi'" : "'messages':[" + USER + "]";
    byte[] body = Json.bytes("{'model':'m','" + named + "':15," + talk + "}");
    Prompt prompt = Protocols.of(caller).readPrompt(body);

    assertRefused(
        () -> new Translation(caller, Dialect.RESPONSES).prompt(body, prompt, target("''")), named);
  }

  /** Translated prompts: what the other protocol cannot say is told to the caller. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MESSAGES | 'seed':7,'verbosity':'low','temperature':1.5 | temperature=1, seed, verbosity",
        "RESPONSES | 'seed':7,'temperature':1.5 | seed",
        "MESSAGES | 'reasoning_effort':'high','max_tokens':100 | reasoning_effort",
        "MESSAGES | 'reasoning_effort':'high','temperature':0.5 | temperature",
      })
  void whatIsLostInATranslationIsSaid(Dialect upstream, String members, String changes) {
    byte[] body = Json.bytes("{'model':'m'," + members + ",'messages':[" + USER + "]}");
    Prompt prompt = Protocols.of(Dialect.CHAT).readPrompt(body);
    Asking asking = new Translation(Dialect.CHAT, upstream).prompt(body, prompt, target("''"));

    assertThat(String.join(", ", asking.changes())).isEqualTo(changes);
  }

  @ParameterizedTest
  @CsvSource({"CHAT, 4, 0", "CHAT, 5, 5", "RESPONSES, 1, 1"})
  void stopSequencesThatTheUpstreamDoesNotTakeAreTheGateways(
      Dialect upstream, int sequences, int here) {
    String stops =
        Stream.iterate(1, n -> n + 1)
            .limit(sequences)
            .map(n -> "'s" + n + "'")
            .collect(Collectors.joining(","));
    byte[] body =
        Json.bytes(
            "{'model':'m','max_tokens':90,'stop_sequences':["
                + stops
                + "],'messages':["
                + USER
                + "]}");
    Prompt prompt = Protocols.of(Dialect.MESSAGES).readPrompt(body);
    Asking asking = new Translation(Dialect.MESSAGES, upstream).prompt(body, prompt, target("''"));

    assertThat(asking.stops()).hasSize(here);
    assertThat(Json.tree(asking.body()).has("stop")).isEqualTo(here == 0);
  }

  private static Asking messages(String members, String talk, Target target) {
    return asked(
        Dialect.MESSAGES,
        "{'model':'m','max_tokens':5000," + members + ",'messages':[" + talk + "]}",
        target);
  }

  private static Asking chat(String members, Target target) {
    return asked(Dialect.CHAT, "{'model':'m'," + members + ",'messages':[" + USER + "]}", target);
  }

  private static Asking asked(Dialect dialect, String json, Target target) {
    byte[] body = Json.bytes(json);
    Prompt prompt = Protocols.of(dialect).readPrompt(body);
    return new Translation(dialect, dialect).prompt(body, prompt, target);
  }

  private static Target target(String quirks) {
    Set<Quirk> all =
        Arrays.stream(quirks.replace("'", "").split(" "))
            .filter(word -> !word.isEmpty())
            .map(word -> Quirk.valueOf(word.toUpperCase(Locale.ROOT)))
            .collect(Collectors.toSet());
    return new Target("up", 5_000, all);
  }

  private static JsonNode beyond(Asking asking, String... known) {
    return ((ObjectNode) Json.tree(asking.body())).without(Arrays.asList(known));
  }

  private static void assertRefused(ThrowingCallable call, String named) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            InvalidPrompt.class, refused -> assertThat(refused.member()).isEqualTo(named));
  }
}
