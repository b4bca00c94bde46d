package dev.octroi.services.language.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a protocol has no word of its own for a reason, the nearest stands. */
@Tag("spec:language.translation.stop_reasons")
class StopReasonTest {

  @ParameterizedTest
  @CsvSource({
    "MESSAGES,STOP_SEQUENCE,STOP_SEQUENCE",
    "CHAT,STOP_SEQUENCE,END_TURN",
    "RESPONSES,STOP_SEQUENCE,END_TURN",
    "MESSAGES,PAUSE,PAUSE",
    "CHAT,PAUSE,END_TURN",
    "RESPONSES,PAUSE,END_TURN",
    "MESSAGES,CONTEXT_EXCEEDED,CONTEXT_EXCEEDED",
    "CHAT,CONTEXT_EXCEEDED,MAX_TOKENS",
    "RESPONSES,CONTEXT_EXCEEDED,MAX_TOKENS",
  })
  void theNearestWordIsTold(Dialect caller, StopReason reason, StopReason told) {
    assertThat(read(caller, reason, Part.text("a")).stop()).isEqualTo(told);
  }

  @ParameterizedTest
  @CsvSource({"CHAT", "RESPONSES"})
  void aRefusalInWordsIsARefusal(Dialect caller) {
    Reply read = read(caller, StopReason.REFUSAL, new Part.Refusal("I cannot."));

    assertThat(read.stop()).isEqualTo(StopReason.REFUSAL);
    assertThat(read.parts()).containsExactly(new Part.Refusal("I cannot."));
  }

  @ParameterizedTest
  @CsvSource({"MESSAGES"})
  void aRefusalInWordsIsTextWhereThereIsNoOther(Dialect caller) {
    Reply read = read(caller, StopReason.REFUSAL, new Part.Refusal("I cannot."));

    assertThat(read.stop()).isEqualTo(StopReason.REFUSAL);
    assertThat(read.parts()).containsExactly(Part.text("I cannot."));
  }

  private static Reply read(Dialect caller, StopReason reason, Part part) {
    String sequence = reason == StopReason.STOP_SEQUENCE ? "END" : null;
    Reply reply = new Reply("1", "m", List.of(part), reason, sequence, Usage.NONE);
    Protocol protocol = Protocols.of(caller);
    return protocol.readReply(protocol.writeReply(reply, Transcripts.asked(caller)));
  }
}
