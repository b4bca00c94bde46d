package dev.octroi.services.language.messages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.Event;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.Streams;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessagesStreamTest {

  private static final String START =
      "{'type':'message_start','message':{'id':'msg_1','model':'m','usage':{'input_tokens':3,"
          + "'cache_read_input_tokens':5,'cache_creation_input_tokens':2,'output_tokens':1}}}";

  @Test
  @Tag("spec:language.translation.usage")
  void usageThatIsNotToldAgainStands() {
    Reply reply =
        Streams.whole(
            events(
                START,
                "{'type':'message_delta','delta':{'stop_reason':'end_turn'},"
                    + "'usage':{'output_tokens':9}}",
                "{'type':'message_stop'}"));

    assertThat(reply.usage()).isEqualTo(new Usage(3, 9, 5, 2, 0));
    assertThat(reply.usage().allInput()).isEqualTo(10);
  }

  @Test
  void blocksOfOtherKindsAreSkippedWithTheirDeltas() {
    Reply reply =
        Streams.whole(
            events(
                START,
                "{'type':'content_block_start','index':0,'content_block':{'type':'some_new_block'}}",
                "{'type':'content_block_delta','index':0,"
                    + "'delta':{'type':'input_json_delta','partial_json':'{}'}}",
                "{'type':'content_block_stop','index':0}",
                "{'type':'content_block_start','index':1,'content_block':"
                    + "{'type':'redacted_thinking','data':'d'}}",
                "{'type':'content_block_stop','index':1}",
                "{'type':'message_delta','delta':{'stop_reason':'stop_sequence',"
                    + "'stop_sequence':'END'}}",
                "{'type':'message_stop'}"));

    assertThat(reply.parts())
        .containsExactly(new Part.Thinking("", new Seal(Seal.Kind.REDACTED, "", "d")));
    assertThat(reply.stopSequence()).isEqualTo("END");
  }

  @ParameterizedTest
  @CsvSource({
    "overloaded_error,OVERLOADED,503",
    "rate_limit_error,RATE_LIMIT,503",
    "invalid_request_error,INVALID_REQUEST,400",
    "authentication_error,AUTHENTICATION,502",
    "api_error,FAILED,502",
    "some_new_error,FAILED,502",
  })
  @Tag("spec:language.translation.errors")
  void anErrorInTheStreamIsAFailureOfItsKind(String type, Problem.Kind kind, int forPayer) {
    Event last =
        Streams.last(
            events(START, "{'type':'error','error':{'type':'" + type + "','message':'m'}}"));

    assertThat(last)
        .isInstanceOfSatisfying(
            Event.Failed.class,
            failed -> {
              assertThat(failed.problem().kind()).isEqualTo(kind);
              assertThat(failed.problem().forPayer().status()).isEqualTo(forPayer);
            });
  }

  @Test
  @Tag("spec:event.message_start")
  @Tag("spec:event.content_block_start")
  @Tag("spec:event.content_block_delta")
  @Tag("spec:event.content_block_stop")
  @Tag("spec:event.message_delta")
  @Tag("spec:event.message_stop")
  void aStreamIsWrittenInTheOrderOfTheSpecification() {
    byte[] body =
        Json.bytes(
            "{'model':'m','max_tokens':1,'stream':true,"
                + "'messages':[{'role':'user','content':'a'}]}");
    MessagesProtocol messages = new MessagesProtocol();
    EventWriter writer =
        messages.eventWriter(new Asked(messages.readPrompt(body), "m", Instant.EPOCH));
    StringBuilder told = new StringBuilder();
    for (Event event :
        List.of(
            new Event.Started("1", "m", Usage.NONE),
            new Event.PartStarted(0, Part.text("")),
            new Event.TextDelta(0, "a"),
            new Event.PartEnded(0),
            new Event.Stopped(StopReason.END_TURN, null),
            new Event.Used(new Usage(1, 2, 0, 0, 0)),
            new Event.Ended())) {
      told.append(new String(writer.write(event), UTF_8));
    }

    assertThat(told.toString().lines().filter(line -> line.startsWith("event: ")))
        .containsExactly(
            "event: message_start",
            "event: content_block_start",
            "event: content_block_delta",
            "event: content_block_stop",
            "event: message_delta",
            "event: message_stop");
    assertThat(told).contains("\"stop_reason\":\"end_turn\"").contains("\"output_tokens\":2");
  }

  private static List<Event> events(String... data) {
    return Streams.events(new MessagesProtocol(), data);
  }
}
