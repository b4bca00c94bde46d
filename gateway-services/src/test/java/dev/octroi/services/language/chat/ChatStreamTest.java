package dev.octroi.services.language.chat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.Streams;
import dev.octroi.services.language.translation.StreamTranslation;
import dev.octroi.services.language.translation.Translation;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What compatible hosts make of the protocol's streams. */
class ChatStreamTest {

  private static final String STOP = "{'choices':[{'index':0,'delta':{},'finish_reason':'stop'}]}";

  @Test
  @Tag("spec:language.translation.parallel_tools")
  void callsWithOneIndexAreToldApartByTheirId() {
    List<Event> events =
        events(
            call("'index':0,'id':'a','function':{'name':'t','arguments':'{}'}"),
            call("'index':0,'id':'b','function':{'name':'u','arguments':'{\\'x\\':1}'}"),
            STOP,
            "[DONE]");

    assertThat(Streams.whole(events).parts())
        .containsExactly(
            new Part.ToolUse("a", "t", "{}", null), new Part.ToolUse("b", "u", "{\"x\":1}", null));
    assertThat(Streams.whole(events).stop()).isEqualTo(StopReason.TOOL_USE);
  }

  @Test
  @Tag("spec:language.translation.thinking")
  void theMarkOfACallIsAThoughtWithoutWords() {
    List<Event> events =
        events(
            call("'index':0,'id':'a','extra_content':{'s':1},'function':{'name':'t'}"),
            STOP,
            "[DONE]");

    assertThat(Streams.whole(events).parts())
        .containsExactly(
            new Part.Thinking("", new Seal(Seal.Kind.CALL, "a", "{\"s\":1}")),
            new Part.ToolUse("a", "t", "", null));
  }

  /** Under either name, in details, or in several of these: what is told most is what there is. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'reasoning_content':'So be it'",
        "'reasoning':'So be it'",
        "'reasoning_content':'','reasoning':'So be it'",
        "'reasoning_details':[{'type':'reasoning.text','text':'So be it'}]",
        "'reasoning_details':[{'type':'reasoning.summary','summary':'So '},{'summary':'be it'}]",
        "'reasoning':'So be it','reasoning_details':[{'text':'So be it'},{'data':'c2ln'}]"
      })
  @Tag("spec:language.translation.thinking")
  void thoughtsAreReadWhereverAHostTellsThem(String delta) {
    List<Event> events = events("{'choices':[{'delta':{" + delta + "}}]}", STOP, "[DONE]");

    assertThat(Streams.whole(events).parts()).containsExactly(new Part.Thinking("So be it", null));
  }

  @Test
  @Tag("spec:language.translation.thinking")
  void thoughtsThatDetailsRepeatAreReadOnce() {
    List<Event> events =
        events(
            "{'choices':[{'delta':{'reasoning_content':'So be '}}]}",
            "{'choices':[{'delta':{'reasoning_content':'it'}}]}",
            "{'choices':[{'delta':{'reasoning_details':[{'text':'So be it','signature':'s'}]}}]}",
            STOP,
            "[DONE]");

    assertThat(Streams.whole(events).parts()).containsExactly(new Part.Thinking("So be it", null));
  }

  @Test
  void aCallWithoutIndexIsRead() {
    List<Event> events =
        events(call("'id':'a','function':{'name':'t','arguments':'{}'}"), STOP, "[DONE]");

    assertThat(Streams.whole(events).parts())
        .containsExactly(new Part.ToolUse("a", "t", "{}", null));
  }

  @Test
  void aCallThatGoesOnAfterTheNextBeganIsAFailure() {
    List<Event> events =
        events(
            call("'index':0,'id':'a','function':{'name':'t','arguments':''}"),
            call("'index':1,'id':'b','function':{'name':'u','arguments':''}"),
            call("'index':0,'function':{'arguments':'{}'}"),
            STOP,
            "[DONE]");

    assertThat(Streams.last(events)).isInstanceOf(Event.Failed.class);
  }

  /** Each of several answers that a caller asks for has calls of its own. */
  @Test
  void callsOfAnotherAnswerBeginAnew() {
    List<Event> events =
        events(
            call("'index':0,'id':'a','function':{'name':'t','arguments':''}"),
            call("'index':1,'id':'b','function':{'name':'u','arguments':''}"),
            call("'index':0,'id':'c','function':{'name':'t','arguments':'{}'}")
                .replace("{'index':0,'delta'", "{'index':1,'delta'"),
            STOP,
            STOP.replace("'index':0", "'index':1"),
            "[DONE]");

    assertThat(Streams.last(events)).isEqualTo(new Event.Ended());
  }

  /** A stream of fewer answers than were asked for is not whole. */
  @Test
  void fewerAnswersThanAskedForAreAFailure() {
    byte[] body =
        """
        {"model":"m","n":2,"stream":true,"messages":[{"role":"user","content":"a"}]}
        """
            .getBytes(UTF_8);
    for (String said : List.of("", "[DONE]")) {
      StreamTranslation stream =
          new Translation(Dialect.CHAT, Dialect.CHAT)
              .stream(
                  new Asked(new ChatProtocol().readPrompt(body), "m", Instant.EPOCH),
                  List.of(),
                  event -> {});
      String told = "data: " + words("a") + "\n\ndata: " + STOP + "\n\n";
      String last = said.isEmpty() ? "" : "data: " + said + "\n\n";
      byte[] bytes = (told + last).replace('\'', '"').getBytes(UTF_8);
      String out = new String(stream.feed(bytes, 0, bytes.length), UTF_8);
      out += new String(stream.end(), UTF_8);
      assertThat(out).contains("\"a\"", "broke off").doesNotContain("[DONE]");
    }
  }

  @Test
  void twoAnswersOfOneNumberAreAFailure() {
    String both = words("a").replaceFirst("(\\[)(.*)(])", "$1$2,$2$3");
    assertThat(Streams.last(events(both, STOP, "[DONE]"))).isInstanceOf(Event.Failed.class);
  }

  /** One of several answers that says nothing is none, unless the caller wanted its end. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|stop|false",
        "{'content':''}|stop|false",
        "{'content':null,'tool_calls':[]}|tool_calls|false",
        "{}|length|true",
        "{'refusal':'No'}|stop|true",
        "{'audio':{'data':'AA=='}}|stop|true",
        "{'function_call':{'name':'f','arguments':'{}'}}|function_call|true",
        "{'tool_calls':[{'function':{'name':'f'}}]}|tool_calls|true"
      })
  void anEmptyAnswerAmongSeveralIsAFailure(String delta, String finish, boolean whole) {
    String other =
        "{'choices':[{'index':1,'delta':" + delta + ",'finish_reason':'" + finish + "'}]}";
    for (List<String> told :
        List.of(List.of(words("a"), STOP, other), List.of(other, words("a"), STOP))) {
      for (String last : List.of("[DONE]", "{'choices':[],'usage':{}}")) {
        assertThat(
                Streams.last(events(told.get(0), told.get(1), told.get(2), last))
                    instanceof Event.Ended)
            .isEqualTo(whole);
      }
    }
  }

  /** What a retired function is called with is what a tool is called with. */
  @Test
  void aRetiredFunctionIsACall() {
    List<Event> events =
        events(
            "{'choices':[{'index':0,'delta':{'function_call':{'name':'f','arguments':'{'}}}]}",
            "{'choices':[{'index':0,'delta':{'function_call':{'arguments':'}'}}}]}",
            STOP,
            "[DONE]");

    assertThat(Streams.whole(events).parts())
        .containsExactly(new Part.ToolUse("", "f", "{}", null));
  }

  @Test
  void allAnswersOfOneChunkAreTold() {
    List<Event> events =
        events(
            "{'choices':[{'index':0,'delta':{'content':'a'}},{'index':1,'delta':{'content':'b'}}]}",
            STOP,
            "[DONE]");

    assertThat(events)
        .filteredOn(Event.TextDelta.class::isInstance)
        .extracting(event -> ((Event.TextDelta) event).text())
        .containsExactly("a", "b");
  }

  /** A chunk that tells of an answer's end is no mere count of tokens. */
  @Test
  void theEndOfEachAnswerIsTold() {
    String last = STOP.replace("'index':0", "'index':1").replace("]}", "],'usage':{}}");

    assertThat(events(words("a"), STOP, last, "[DONE]"))
        .filteredOn(Event.Stopped.class::isInstance)
        .hasSize(2);
  }

  @Test
  void anAnswerWithoutDoneIsWholeWhenItSaidWhyItStopped() {
    assertThat(Streams.last(events(words("a"), STOP))).isEqualTo(new Event.Ended());
    assertThat(Streams.last(events(words("a"), "[DONE]"))).isInstanceOf(Event.Failed.class);
    assertThat(Streams.last(events(words("a")))).isInstanceOf(Event.Failed.class);
  }

  @Test
  void aModelThatFailedHasNotFinished() {
    List<Event> events =
        events("{'choices':[{'index':0,'delta':{},'finish_reason':'error'}]}", "[DONE]");
    assertThat(events).last().isInstanceOf(Event.Failed.class);
    assertThat(events).noneMatch(Event.Ended.class::isInstance);
  }

  @Test
  @Tag("spec:language.translation.errors")
  void anErrorInTheStreamIsAFailure() {
    Event last =
        Streams.last(
            events(
                words("a"),
                "{'error':{'message':'slow down','type':'rate_limit_error','code':null}}",
                STOP));

    assertThat(last)
        .isInstanceOfSatisfying(
            Event.Failed.class,
            failed -> {
              assertThat(failed.problem().kind()).isEqualTo(Problem.Kind.RATE_LIMIT);
              assertThat(failed.problem().forPayer().status()).isEqualTo(503);
            });
  }

  @Test
  void aRefusalIsToldAsOne() {
    List<Event> events =
        events(
            "{'choices':[{'index':0,'delta':{'refusal':'I '}}]}",
            "{'choices':[{'index':0,'delta':{'refusal':'cannot.'}}]}",
            STOP,
            "[DONE]");

    assertThat(Streams.whole(events).parts()).containsExactly(new Part.Refusal("I cannot."));
    assertThat(Streams.whole(events).stop()).isEqualTo(StopReason.REFUSAL);
  }

  @Test
  @Tag("spec:language.translation.usage")
  void thoughtsThatAHostCountsBesideTheCompletionAreOutput() {
    List<Event> events =
        events(
            words("a"),
            STOP,
            "{'choices':[],'usage':{'prompt_tokens':10,'completion_tokens':5,'total_tokens':40,"
                + "'prompt_tokens_details':{'cached_tokens':4},"
                + "'completion_tokens_details':{'reasoning_tokens':25}}}",
            "[DONE]");

    assertThat(Streams.whole(events).usage()).isEqualTo(new Usage(6, 30, 4, 0, 25));
  }

  @Test
  void aCallWithoutArgumentsIsWrittenAsAnEmptyObject() {
    byte[] body = Json.bytes("{'model':'m','messages':[{'role':'user','content':'a'}]}");
    Asked asked = new Asked(new ChatProtocol().readPrompt(body), "m", Instant.EPOCH);
    EventWriter writer = new ChatProtocol().eventWriter(asked);
    StringBuilder told = new StringBuilder();
    for (Event event :
        List.of(
            new Event.Started("1", "m", Usage.NONE),
            new Event.PartStarted(0, new Part.ToolUse("c", "t", "", null)),
            new Event.PartEnded(0),
            new Event.Stopped(StopReason.TOOL_USE, null),
            new Event.Ended())) {
      told.append(new String(writer.write(event), UTF_8));
    }

    assertThat(told).contains("{\"arguments\":\"{}\"}").doesNotContain("\"usage\"");
  }

  private static List<Event> events(String... data) {
    return Streams.events(new ChatProtocol(), data);
  }

  private static String words(String text) {
    return "{'id':'1','model':'m','choices':[{'index':0,'delta':{'content':'" + text + "'}}]}";
  }

  private static String call(String members) {
    return "{'choices':[{'index':0,'delta':{'tool_calls':[{'type':'function'," + members + "}]}}]}";
  }
}
