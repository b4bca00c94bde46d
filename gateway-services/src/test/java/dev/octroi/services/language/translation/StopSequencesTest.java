package dev.octroi.services.language.translation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Stop sequences that the gateway applies, since the upstream's model knows none. */
class StopSequencesTest {

  private static final String TEXT = "One, two, STOP three STOP";

  @ParameterizedTest
  @CsvSource({
    "'STOP', 'One, two, ', STOP",
    "'three;two', 'One, ', two",
    "'One', '', One",
    "'P t;STOP', 'One, two, ', STOP",
    "'never', 'One, two, STOP three STOP', "
  })
  void aWholeAnswerEndsBeforeTheFirst(String stops, String text, String sequence) {
    JsonNode message = whole(Dialect.MESSAGES, List.of(stops.split(";")));

    assertThat(message.at("/content/0/text").asText()).isEqualTo(text);
    assertThat(message.path("stop_sequence").asText(""))
        .isEqualTo(sequence == null ? "" : sequence);
    assertThat(message.path("stop_reason").asText())
        .isEqualTo(sequence == null ? "end_turn" : "stop_sequence");
    assertThat(message.at("/usage/output_tokens").asInt()).isEqualTo(20);
  }

  @Test
  void whatFollowsInTheAnswerIsGoneToo() {
    byte[] upstream =
        Json.bytes(
            "{'id':'1','object':'chat.completion','model':'m','choices':[{'index':0,'message':{'role':'assistant','content':'a"
                + " STOP','tool_calls':[{'id':'c','type':'function',"
                + "'function':{'name':'t','arguments':'{}'}}]},'finish_reason':'tool_calls'}],"
                + "'usage':{'prompt_tokens':3,'completion_tokens':20}}");
    byte[] told =
        new Translation(Dialect.CHAT, Dialect.CHAT)
            .reply(upstream, Transcripts.asked(Dialect.CHAT), List.of("STOP"))
            .body();

    JsonNode choice = Json.tree(told).path("choices").path(0);
    assertThat(choice.at("/message/content").asText()).isEqualTo("a ");
    assertThat(choice.at("/message/tool_calls").isMissingNode()).isTrue();
    assertThat(choice.path("finish_reason").asText()).isEqualTo("stop");
  }

  @Test
  void anAnswerWithoutASequencePassesAsItIs() {
    byte[] upstream = Json.bytes(completion("Nothing of it").replace("'", "\""));

    assertThat(
            new Translation(Dialect.CHAT, Dialect.CHAT)
                .reply(upstream, Transcripts.asked(Dialect.CHAT), List.of("STOP"))
                .body())
        .isSameAs(upstream);
  }

  /** However the upstream cuts its words, and also where it speaks the caller's protocol. */
  @ParameterizedTest
  @EnumSource(Dialect.class)
  void aStreamEndsBeforeASequenceWhereverItIsCut(Dialect caller) {
    for (int cut = 1; cut < TEXT.length(); cut++) {
      List<Event> heard = new ArrayList<>();
      String told = streamed(caller, TEXT, cut, true, heard);

      assertThat(words(heard)).as("cut every %d", cut).isEqualTo("One, two, ");
      assertThat(told.replace("\"stop_sequence\":\"STOP\"", "")).doesNotContain("three", "STO");
      assertThat(heard).contains(new Event.Stopped(StopReason.STOP_SEQUENCE, "STOP"));
      assertThat(heard.get(heard.size() - 1)).isInstanceOf(Event.Ended.class);
    }
  }

  /** A caller chooses the sequences, and has the model write what one of them begins with. */
  @Test
  void longSequencesThatDoNotEndTakeNoTime() {
    List<String> stops = new ArrayList<>();
    for (int other = 0; other < 63; other++) {
      stops.add("b".repeat(4_000) + other);
    }
    stops.add("a".repeat(4_000) + "c");
    StopSequences reader = new StopSequences(new Words(), stops);
    reader.read(SseFrame.of("", ""));

    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (int more = 0; more < 1_900; more++) {
            assertThat(reader.read(SseFrame.of("", "aa"))).isEmpty();
          }
        });
  }

  /** A model whose every event is words. */
  private static final class Words implements EventReader {

    private boolean begun;

    @Override
    public List<Event> read(SseFrame frame) {
      Event words =
          begun
              ? new Event.TextDelta(0, frame.data())
              : new Event.PartStarted(0, new Part.Text(frame.data(), List.of(), null));
      begun = true;
      return List.of(words);
    }

    @Override
    public List<Event> end() {
      return List.of();
    }
  }

  /** What the model wrote on is known only at its end, and is what the call costs. */
  @Test
  void theUsageIsTheUpstreams() {
    List<Event> heard = new ArrayList<>();
    String told = streamed(Dialect.MESSAGES, TEXT, 4, true, heard);

    assertThat(heard).contains(new Event.Used(new Usage(3, 20, 0, 0, 0)));
    assertThat(told)
        .contains("\"stop_reason\":\"stop_sequence\",\"stop_sequence\":\"STOP\"")
        .contains("\"output_tokens\":20");
  }

  @Test
  void anUpstreamThatFailsAfterTheSequenceHasToldAllThereIs() {
    List<Event> heard = new ArrayList<>();
    String told = streamed(Dialect.CHAT, TEXT, 4, false, heard);

    assertThat(told).endsWith("data: [DONE]\n\n").doesNotContain("error");
    assertThat(heard).noneMatch(Event.Failed.class::isInstance);
  }

  @Test
  void aBeginningThatComesToNothingIsToldInTheEnd() {
    List<Event> heard = new ArrayList<>();
    streamed(Dialect.CHAT, "half a STO", 3, true, heard);

    assertThat(words(heard)).isEqualTo("half a STO");
    assertThat(heard).contains(new Event.Stopped(StopReason.END_TURN, null));
  }

  private static String words(List<Event> events) {
    StringBuilder words = new StringBuilder();
    for (Event event : events) {
      if (event instanceof Event.TextDelta delta) {
        words.append(delta.text());
      }
    }
    return words.toString();
  }

  /** A chat stream that says the text in pieces. */
  private static String streamed(
      Dialect caller, String text, int cut, boolean whole, List<Event> heard) {
    StringBuilder sse = new StringBuilder();
    for (int at = 0; at < text.length(); at += cut) {
      String piece = text.substring(at, Math.min(text.length(), at + cut));
      sse.append(chunk("{'content':'" + piece + "'}", "null"));
    }
    if (whole) {
      sse.append(chunk("{}", "'stop'"))
          .append(
              "data:"
                  + " {'id':'1','choices':[],'usage':{'prompt_tokens':3,'completion_tokens':20}}\n\n")
          .append("data: [DONE]\n\n");
    }
    StreamTranslation stream =
        new Translation(caller, Dialect.CHAT)
            .stream(Transcripts.asked(caller), List.of("STOP"), heard::add);
    byte[] bytes = sse.toString().replace('\'', '"').getBytes(UTF_8);
    String told = new String(stream.feed(bytes, 0, bytes.length), UTF_8);
    return told + new String(stream.end(), UTF_8);
  }

  private static String chunk(String delta, String finish) {
    return "data: {'id':'1','model':'m','choices':[{'index':0,'delta':"
        + delta
        + ",'finish_reason':"
        + finish
        + "}]}\n\n";
  }

  private static JsonNode whole(Dialect caller, List<String> stops) {
    byte[] upstream = Json.bytes(completion(TEXT));
    return Json.tree(
        new Translation(caller, Dialect.CHAT)
            .reply(upstream, Transcripts.asked(caller), stops)
            .body());
  }

  private static String completion(String text) {
    return "{'id':'1','object':'chat.completion','model':'m','choices':[{'index':0,'message':"
        + "{'role':'assistant','content':'"
        + text
        + "'},'finish_reason':'stop'}],'usage':{'prompt_tokens':3,'completion_tokens':20}}";
  }
}
