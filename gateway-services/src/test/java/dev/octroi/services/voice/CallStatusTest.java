package dev.octroi.services.voice;

import static dev.octroi.services.voice.VoiceCalls.CallStatus.BUSY;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.COMPLETED;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.FAILED;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.INITIATED;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.IN_PROGRESS;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.NO_ANSWER;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.RINGING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.voice.VoiceCalls.CallStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallStatusTest {

  /** Where a call may go from each status; from there, steps that no node saw included. */
  private static final Map<CallStatus, Set<CallStatus>> TABLE =
      Map.of(
          INITIATED, Set.of(RINGING, IN_PROGRESS, COMPLETED, FAILED, NO_ANSWER, BUSY),
          RINGING, Set.of(IN_PROGRESS, COMPLETED, FAILED, NO_ANSWER, BUSY),
          IN_PROGRESS, Set.of(COMPLETED, FAILED),
          COMPLETED, Set.of(),
          FAILED, Set.of(),
          NO_ANSWER, Set.of(),
          BUSY, Set.of());

  @ParameterizedTest
  @EnumSource
  @Tag("spec:state.voice.initiated")
  @Tag("spec:state.voice.ringing")
  @Tag("spec:state.voice.in_progress")
  @Tag("spec:state.voice.completed")
  @Tag("spec:state.voice.failed")
  @Tag("spec:state.voice.no_answer")
  @Tag("spec:state.voice.busy")
  void reportsThatTheTableAllowsAreTakenAsTheyAre(CallStatus from) {
    for (CallStatus reported : TABLE.get(from)) {
      assertThat(from.after(reported)).isEqualTo(reported);
    }
  }

  @Property
  @Tag("spec:state.voice.initiated")
  @Tag("spec:state.voice.ringing")
  @Tag("spec:state.voice.in_progress")
  @Tag("spec:state.voice.completed")
  @Tag("spec:state.voice.failed")
  @Tag("spec:state.voice.no_answer")
  @Tag("spec:state.voice.busy")
  void noOrderOfReportsMovesACallOutsideTheTable(@ForAll List<CallStatus> reports) {
    CallStatus status = INITIATED;
    for (CallStatus reported : reports) {
      CallStatus next = status.after(reported);
      assertThat(next == status || TABLE.get(status).contains(next))
          .as("%s to %s", status, next)
          .isTrue();
      status = next;
    }
  }

  @Property
  @Tag("spec:state.voice.final")
  void anEndedCallStaysAsItEnded(@ForAll CallStatus from, @ForAll CallStatus reported) {
    if (from.hasEnded()) {
      assertThat(from.after(reported)).isEqualTo(from);
    }
  }

  @Test
  void aCallThatWasInProgressWasNotBusy() {
    assertThat(IN_PROGRESS.after(BUSY)).isEqualTo(FAILED);
    assertThat(IN_PROGRESS.after(NO_ANSWER)).isEqualTo(FAILED);
  }

  @ParameterizedTest
  @EnumSource
  void everyStatusIsReadFromItsWord(CallStatus status) {
    assertThat(CallStatus.of(status.word())).isEqualTo(status);
    assertThat(status.word()).matches("[a-z_]+");
    assertThatThrownBy(() -> CallStatus.of(status.name()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
