package dev.octroi.sandbox.voice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.sandbox.vendor.SandboxServer;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.voice.VendorCalls;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import dev.octroi.services.voice.VoiceCalls.Placed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vendor, as the gateway's own connector sees it. */
class VoiceVendorTest {

  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final String FROM = "+14155550100";

  private final StillClock clock = new StillClock();
  private final VoiceVendor vendor = new VoiceVendor(clock);
  private final SandboxServer server = SandboxServer.start(0, List.of(vendor));
  private final UpstreamClient client = client("sandbox");
  private final VendorCalls calls = new VendorCalls(client, "sandbox");

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void aCallRingsIsAnsweredAndEndsWithATranscriptOfItsTask() {
    String id = placed("+14155550123");
    assertThat(read(id)).isEqualTo(CallStatus.INITIATED);
    clock.pass(Duration.ofMillis(150));
    assertThat(read(id)).isEqualTo(CallStatus.RINGING);
    clock.pass(Duration.ofMillis(200));
    assertThat(read(id)).isEqualTo(CallStatus.IN_PROGRESS);
    clock.pass(Duration.ofSeconds(1));
    CallReport report = calls.read(id, soon()).orElseThrow();
    assertThat(report.status()).isEqualTo(CallStatus.COMPLETED);
    assertThat(report.answeredBy()).contains("human");
    assertThat(report.minutes()).hasValueSatisfying(m -> assertThat(m).isEqualByComparingTo("1"));
    assertThat(report.recording()).isPresent();
    assertThat(report.transcript().orElseThrow().lines())
        .hasSize(5)
        .allMatch(line -> line.startsWith("user: ") || line.startsWith("assistant: "))
        .anyMatch(line -> line.contains("Ask for the opening hours"));
  }

  @ParameterizedTest
  @CsvSource({
    "+14155550101, BUSY",
    "+14155550102, NO_ANSWER",
    "+14155550103, FAILED",
    "+14155550109, COMPLETED"
  })
  void magicNumbersEndAsTheyAreMeantTo(String to, CallStatus end) {
    String id = placed(to);
    clock.pass(Duration.ofSeconds(2));
    assertThat(read(id)).isEqualTo(end);
  }

  @Test
  void aLostAnswerLeavesACallThatIsFoundByItsKeyAndALostOrderNone() {
    CallOrder lost = order("+14155550104");
    assertThat(calls.start(lost, "key-1", soon())).isEqualTo(new Placed.Unknown());
    assertThat(calls.find(lost, "key-1", START, soon())).isPresent();
    assertThat(calls.find(lost, "key-2", START, soon())).isEmpty();
    CallOrder never = order("+14155550108");
    assertThat(calls.start(never, "key-3", soon())).isEqualTo(new Placed.Unknown());
    assertThat(calls.find(never, "key-3", START, soon())).isEmpty();
  }

  @Test
  void anOrderThatHangsHasPlacedItsCall() {
    CallOrder order = order("+14155550105");
    Deadline brief = Deadline.in(Duration.ofMillis(300));
    assertThat(calls.start(order, "key-1", brief)).isEqualTo(new Placed.Unknown());
    assertThat(calls.find(order, "key-1", START, soon())).isPresent();
  }

  @Test
  void aRefusalStandsInAnAnswerOf200() {
    assertThat(calls.start(order("+14155550107"), "key-1", soon()))
        .isInstanceOf(Placed.Refused.class);
  }

  @Test
  void anEndlessCallIsHandedOverAndEnded() {
    String id = placed("+14155550106");
    clock.pass(Duration.ofHours(1));
    assertThat(read(id)).isEqualTo(CallStatus.IN_PROGRESS);
    assertThat(calls.transfer(id, "+14155550199", soon())).isEqualTo(new Placed.Done(id));
    assertThat(calls.read(id, soon()).orElseThrow().transferredTo()).contains("+14155550199");
    assertThat(calls.stop(id, soon())).isTrue();
    assertThat(calls.stop(id, soon())).isFalse();
    assertThat(read(id)).isEqualTo(CallStatus.COMPLETED);
    assertThat(calls.transfer(id, "+14155550199", soon())).isInstanceOf(Placed.Refused.class);
  }

  @Test
  void aKeyIsTakenWithTheWordOfASchemeAndAnyOtherSchemeIsRefused() {
    try (UpstreamClient bearer = client("Bearer sandbox");
        UpstreamClient basic = client("Basic sandbox")) {
      assertThat(new VendorCalls(bearer, "sandbox").read("nothing", soon())).isEmpty();
      VendorCalls refused = new VendorCalls(basic, "sandbox");
      assertThatThrownBy(() -> refused.read("c", soon())).isInstanceOf(Failure.class);
      assertThat(refused.start(order("+14155550123"), "key-1", soon()))
          .isInstanceOf(Placed.Refused.class);
    }
  }

  @Test
  void anUnknownCallIsNone() {
    assertThat(calls.read("nothing", soon())).isEmpty();
    assertThat(calls.stop("nothing", soon())).isFalse();
  }

  private UpstreamClient client(String key) {
    return new UpstreamClient(
        UpstreamSettings.of("voice", server.baseAddress("voice"))
            .with(Credential.header("authorization", key)));
  }

  private String placed(String to) {
    return ((Placed.Done) calls.start(order(to), "key of " + to, soon())).reference();
  }

  private static CallOrder order(String to) {
    return new CallOrder(
        FROM, to, "Ask for the opening hours", "nat", 5, Optional.empty(), true, Optional.empty());
  }

  private CallStatus read(String id) {
    return calls.read(id, soon()).orElseThrow().status();
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  private static final class StillClock extends Clock {

    private final AtomicReference<Instant> now = new AtomicReference<>(START);

    void pass(Duration time) {
      now.updateAndGet(instant -> instant.plus(time));
    }

    @Override
    public Instant instant() {
      return now.get();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
