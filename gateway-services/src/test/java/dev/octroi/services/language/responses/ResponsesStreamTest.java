package dev.octroi.services.language.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.Event;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.PromptLimits;
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
import org.junit.jupiter.params.provider.ValueSource;

class ResponsesStreamTest {

  private static final String CREATED =
      "{'type':'response.created','response':{'id':'resp_1','model':'m'}}";
  private static final String COMPLETED =
      "{'type':'response.completed','response':{'status':'completed','usage':{'input_tokens':9,"
          + "'input_tokens_details':{'cached_tokens':4},'output_tokens':7,"
          + "'output_tokens_details':{'reasoning_tokens':3}}}}";

  /** Some hosts tell no beginnings of parts. */
  @Test
  void wordsWithoutABeginningAreWords() {
    Reply reply =
        Streams.whole(
            events(
                CREATED,
                "{'type':'response.output_text.delta','delta':'One'}",
                "{'type':'response.output_text.delta','delta':' two'}",
                COMPLETED));

    assertThat(reply.parts()).containsExactly(Part.text("One two"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"failed", "cancelled", "queued", "in_progress"})
  void anAnswerThatIsCompletedAndSaysOtherwiseIsAFailure(String status) {
    List<Event> events =
        events(
            CREATED,
            "{'type':'response.output_text.delta','delta':'One'}",
            COMPLETED.replace("'status':'completed'", "'status':'" + status + "'"));

    assertThat(Streams.last(events)).isInstanceOf(Event.Failed.class);
  }

  @Test
  @Tag("spec:language.translation.usage")
  void argumentsThatAreToldOnlyWholeAreRead() {
    Reply reply =
        Streams.whole(
            events(
                CREATED,
                "{'type':'response.output_item.added','item':"
                    + "{'type':'function_call','call_id':'c','name':'t','arguments':''}}",
                "{'type':'response.output_item.done','item':"
                    + "{'type':'function_call','call_id':'c','name':'t','arguments':'{}'}}",
                COMPLETED));

    assertThat(reply.parts()).containsExactly(new Part.ToolUse("c", "t", "{}", null));
    assertThat(reply.stop()).isEqualTo(StopReason.TOOL_USE);
    assertThat(reply.usage()).isEqualTo(new Usage(5, 7, 4, 0, 3));
  }

  @Test
  @Tag("spec:language.translation.thinking")
  void partsOfASummaryAreParagraphsAndASealAloneIsAThought() {
    Reply reply =
        Streams.whole(
            events(
                CREATED,
                "{'type':'response.output_item.added','item':{'type':'reasoning','id':'rs_1'}}",
                "{'type':'response.reasoning_summary_part.added'}",
                "{'type':'response.reasoning_summary_text.delta','delta':'One.'}",
                "{'type':'response.reasoning_summary_part.added'}",
                "{'type':'response.reasoning_summary_text.delta','delta':'Two.'}",
                "{'type':'response.output_item.done','item':{'type':'reasoning','id':'rs_1'}}",
                "{'type':'response.output_item.added','item':{'type':'reasoning','id':'rs_2'}}",
                "{'type':'response.output_item.done','item':"
                    + "{'type':'reasoning','id':'rs_2','encrypted_content':'g'}}",
                COMPLETED));

    assertThat(reply.parts())
        .containsExactly(
            new Part.Thinking("One.\n\nTwo.", null),
            new Part.Thinking("", new Seal(Seal.Kind.ENCRYPTED, "rs_2", "g")));
  }

  @ParameterizedTest
  @CsvSource({"max_output_tokens,MAX_TOKENS", "content_filter,REFUSAL"})
  void anIncompleteAnswerSaysWhy(String reason, StopReason stop) {
    List<Event> events =
        events(
            CREATED,
            "{'type':'response.incomplete','response':{'status':'incomplete',"
                + "'incomplete_details':{'reason':'"
                + reason
                + "'}}}");

    assertThat(Streams.whole(events).stop()).isEqualTo(stop);
    assertThat(Streams.last(events)).isEqualTo(new Event.Ended());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'response.failed','response':{'error':{'code':'rate_limit_exceeded','message':'m'}}}",
        "{'type':'error','code':'rate_limit_exceeded','message':'m'}",
        "{'type':'error','error':{'type':'rate_limit_error','message':'m'}}",
      })
  @Tag("spec:language.translation.errors")
  void everyKindOfErrorIsAFailure(String data) {
    assertThat(Streams.last(events(CREATED, data)))
        .isInstanceOfSatisfying(
            Event.Failed.class,
            failed -> {
              assertThat(failed.problem().kind()).isEqualTo(Problem.Kind.RATE_LIMIT);
              assertThat(failed.problem().message()).isEqualTo("m");
            });
  }

  @Test
  void eventsAreNumberedWithoutGap() {
    EventWriter writer = writer();
    StringBuilder told = new StringBuilder();
    for (Event event :
        List.of(
            new Event.Started("resp_1", "m", Usage.NONE),
            new Event.PartStarted(0, new Part.Refusal("")),
            new Event.TextDelta(0, "No."),
            new Event.PartEnded(0),
            new Event.Ping(),
            new Event.Stopped(StopReason.REFUSAL, null),
            new Event.Ended())) {
      told.append(new String(writer.write(event), UTF_8));
    }

    List<String> numbers =
        told.toString()
            .lines()
            .filter(line -> line.startsWith("data: "))
            .map(line -> Json.tree(line.substring(6).getBytes(UTF_8)))
            .map(tree -> tree.path("sequence_number").asText())
            .toList();
    assertThat(numbers).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8");
    assertThat(told).contains("event: response.refusal.done").contains("response.completed");
  }

  @Test
  @Tag("spec:language.limit.kept_answer")
  void anAnswerThatIsTooLongToRepeatIsAFailure() {
    EventWriter writer = writer();
    writer.write(new Event.Started("resp_1", "m", Usage.NONE));
    writer.write(new Event.PartStarted(0, Part.text("")));

    String told =
        new String(
            writer.write(new Event.TextDelta(0, "x".repeat(PromptLimits.KEPT_ANSWER + 1))), UTF_8);

    assertThat(told).contains("event: response.failed");
    assertThat(writer.write(new Event.TextDelta(0, "more"))).isEmpty();
  }

  private static EventWriter writer() {
    byte[] body = Json.bytes("{'model':'m','input':'a','stream':true}");
    ResponsesProtocol responses = new ResponsesProtocol();
    return responses.eventWriter(new Asked(responses.readPrompt(body), "m", Instant.EPOCH));
  }

  private static List<Event> events(String... data) {
    return Streams.events(new ResponsesProtocol(), data);
  }
}
