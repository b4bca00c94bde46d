package dev.octroi.api.voice;

import static dev.octroi.services.voice.VoiceCalls.CallStatus.BUSY;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.COMPLETED;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.FAILED;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.INITIATED;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.IN_PROGRESS;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.NO_ANSWER;
import static dev.octroi.services.voice.VoiceCalls.CallStatus.RINGING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.TickingClock;
import dev.octroi.api.voice.PlacedCall.CallIntent;
import dev.octroi.api.voice.VoiceComponents.StartEffect;
import dev.octroi.api.voice.VoiceService.CallId;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.effect.AlikeEffects;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Effects.Ending;
import dev.octroi.payments.ledger.Effects.Outcome;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of calls, on two nodes and with a clock that moves when a test says so. */
abstract class CallsContract {

  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration CERTAIN = Duration.ofMinutes(6);
  private static final Attempt UNKNOWN = new Attempt.Unknown();

  private final TickingClock clock = new TickingClock(START);
  private final Telephone telephone = new Telephone();
  private final List<JdbcLedger> ledgers = new ArrayList<>();
  private DataSource database;
  private CallStore store;
  private CallFollower follower;
  private CallStore elsewhere;
  private CallFollower otherFollower;

  /** A new database with the schema and nothing in it. */
  abstract DataSource database();

  @BeforeEach
  void open() {
    database = database();
    store = node("a");
    follower = new CallFollower(telephone, store);
    elsewhere = node("b");
    otherFollower = new CallFollower(telephone, elsewhere);
  }

  @AfterEach
  void close() {
    ledgers.forEach(JdbcLedger::close);
  }

  private CallStore node(String name) {
    JdbcLedger ledger =
        new JdbcLedger(
            database,
            new AnswerVault(new byte[32]),
            LedgerSettings.builder(name).clockDifference(ChronoUnit.FOREVER.getDuration()).build(),
            clock);
    ledgers.add(ledger);
    return new CallStore(ledger.statements(), clock);
  }

  @Test
  @Tag("spec:state.voice.initiated")
  @Tag("spec:state.voice.ringing")
  @Tag("spec:state.voice.in_progress")
  @Tag("spec:state.voice.completed")
  @Tag("spec:state.voice.failed")
  @Tag("spec:state.voice.no_answer")
  @Tag("spec:state.voice.busy")
  void noOrderOfReportsMovesAStoredCallOutsideTheTable() {
    Random random = new Random(20261121);
    CallStatus[] all = CallStatus.values();
    for (int run = 0; run < 30; run++) {
      PlacedCall call = placed(5);
      CallStatus expected = INITIATED;
      for (int report = 0; report < 8; report++) {
        CallStatus reported = all[random.nextInt(all.length)];
        expected = expected.after(reported);
        CallStore node = random.nextBoolean() ? store : elsewhere;
        assertThat(node.report(call.id(), CallReport.of(reported)).orElseThrow().status())
            .isEqualTo(expected);
      }
    }
  }

  @Test
  @Tag("spec:state.voice.final")
  void ofEndsThatAreReportedAtOnceTheFirstStays() throws Exception {
    List<CallStatus> ends = List.of(COMPLETED, FAILED, NO_ANSWER, BUSY);
    PlacedCall call = placed(5);
    List<Callable<CallStatus>> reports = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      CallStore node = i % 2 == 0 ? store : elsewhere;
      CallReport report = CallReport.of(ends.get(i % ends.size()));
      reports.add(() -> node.report(call.id(), report).orElseThrow().status());
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<CallStatus> seen = new ArrayList<>();
      for (Future<CallStatus> status : threads.invokeAll(reports)) {
        seen.add(status.get());
      }
      assertThat(seen).containsOnly(found(call).status());
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void whatWasSaidIsKept() {
    PlacedCall call = placed(5);
    telephone.says(call.reference(), report(COMPLETED, Optional.of("user: Hello")));
    clock.advance(CallStore.LOOK_AGAIN);
    follower.follow();
    PlacedCall ended = found(call);
    assertThat(ended.said())
        .isEqualTo(
            new PlacedCall.Said(
                Optional.of(new BigDecimal("0.75")),
                Optional.of("human"),
                Optional.of("user: Hello"),
                Optional.of("https://r.example/1")));
    assertThat(ended.ended()).contains(START.plus(CallStore.LOOK_AGAIN));
    assertThat(ended.look()).isEmpty();
  }

  @Test
  void aTranscriptMayComeAfterTheEndAndChangesNothingElse() {
    PlacedCall call = placed(5);
    telephone.says(call.reference(), report(COMPLETED, Optional.empty()));
    pass(Duration.ofSeconds(5));
    assertThat(found(call).said().transcript()).isEmpty();
    telephone.says(call.reference(), report(FAILED, Optional.of("user: Hello")));
    pass(Duration.ofSeconds(30));
    assertThat(found(call).status()).isEqualTo(COMPLETED);
    assertThat(found(call).said().transcript()).contains("user: Hello");
  }

  @Test
  void aTranscriptThatNeverComesIsNotAskedForForever() {
    PlacedCall call = placed(5);
    telephone.says(call.reference(), report(COMPLETED, Optional.empty()));
    for (int i = 0; i < 40; i++) {
      pass(Duration.ofSeconds(20));
    }
    assertThat(found(call).look()).isEmpty();
  }

  @Test
  @Tag("spec:limit.call_duration")
  void aCallThatLastsTooLongIsEndedByAnotherNodeThanTheOneThatPlacedIt() {
    PlacedCall call = placed(2);
    telephone.says(call.reference(), IN_PROGRESS);
    pass(Duration.ofSeconds(30));
    ledgers.get(0).close();
    clock.advance(Duration.ofSeconds(119));
    otherFollower.follow();
    assertThat(telephone.stopped()).isEmpty();
    clock.advance(Duration.ofSeconds(11));
    otherFollower.follow();
    assertThat(telephone.stopped()).containsExactly(call.reference());
    assertThat(elsewhere.find(call.id()).orElseThrow().status()).isEqualTo(COMPLETED);
  }

  @Test
  @Tag("spec:limit.call_duration")
  void noCallLastsLongerThanHalfAnHour() {
    PlacedCall call = placed(CallOrder.MOST_MINUTES);
    assertThat(call.ends()).isEqualTo(START.plusSeconds(1_800));
    assertThat(PlacedCall.end(START, 600)).isEqualTo(START.plusSeconds(1_800));
    telephone.says(call.reference(), IN_PROGRESS);
    pass(Duration.ofSeconds(5));
    pass(Duration.ofSeconds(1_810));
    assertThat(found(call).status()).isEqualTo(COMPLETED);
  }

  @Test
  void aCallThatRingsForeverFails() {
    PlacedCall call = placed(1);
    telephone.says(call.reference(), RINGING);
    pass(Duration.ofSeconds(5));
    pass(Duration.ofSeconds(65));
    assertThat(found(call).status()).isEqualTo(FAILED);
  }

  @Test
  void aCallThatTheVendorHasForgottenFailsWhenItsTimeIsOver() {
    PlacedCall call = placed(1);
    telephone.forgets(call.reference());
    pass(Duration.ofSeconds(30));
    assertThat(found(call).status()).isEqualTo(INITIATED);
    pass(Duration.ofMinutes(1));
    assertThat(found(call).status()).isEqualTo(FAILED);
  }

  @Test
  void whileTheVendorIsDownACallIsTriedAgainForADay() {
    PlacedCall call = placed(1);
    telephone.says(call.reference(), IN_PROGRESS);
    telephone.isDown(true);
    pass(Duration.ofHours(1));
    assertThat(found(call).status()).isEqualTo(INITIATED);
    telephone.isDown(false);
    pass(Duration.ofMinutes(1));
    assertThat(found(call).status()).isEqualTo(IN_PROGRESS);
    telephone.isDown(true);
    pass(Duration.ofHours(25));
    assertThat(found(call).status()).isEqualTo(FAILED);
  }

  @Test
  void twoNodesDoNotLookAtTheSameCallAtOnce() {
    PlacedCall call = placed(5);
    clock.advance(Duration.ofSeconds(5));
    List<PlacedCall> mine = store.due(10);
    List<PlacedCall> theirs = elsewhere.due(10);
    assertThat(mine).extracting(PlacedCall::id).containsExactly(call.id());
    assertThat(theirs).isEqualTo(mine);
    assertThat(store.look(mine.get(0), CallStore.LOOK_AGAIN)).isTrue();
    assertThat(elsewhere.look(theirs.get(0), CallStore.LOOK_AGAIN)).isFalse();
    assertThat(elsewhere.due(10)).isEmpty();
  }

  @Test
  void whatWasSaidIsForgottenBeforeTheCallIs() {
    PlacedCall old = placed(5);
    store.report(old.id(), report(COMPLETED, Optional.of("user: Hello")));
    clock.advance(Duration.ofDays(31));
    PlacedCall young = placed(5);
    store.report(young.id(), report(COMPLETED, Optional.of("user: Hello")));
    PlacedCall open = placed(5);
    Instant month = clock.instant().minus(Duration.ofDays(30));
    assertThat(store.forget(month, 100)).isEqualTo(1);
    assertThat(store.forget(month, 100)).isZero();
    assertThat(found(old).said().transcript()).isEmpty();
    assertThat(found(old).said().recording()).isEmpty();
    assertThat(found(young).said().transcript()).isPresent();
    store.report(old.id(), report(COMPLETED, Optional.of("user: Hello")));
    assertThat(found(old).said().transcript()).isEmpty();
    assertThat(store.delete(month, 100)).isEqualTo(1);
    assertThat(store.find(old.id())).isEmpty();
    assertThat(store.find(young.id())).isPresent();
    assertThat(store.find(open.id())).isPresent();
  }

  @Test
  @Tag("money:6")
  void aCallWhoseAnswerWasLostIsFoundAndWrittenOnce() {
    telephone.losesAnswers(true);
    StartEffect start =
        new StartEffect(telephone, Duration.ofSeconds(5), CERTAIN, Optional.empty(), clock);
    Effect effect = effect(intent(5));
    assertThat(start.attempt(effect)).isInstanceOf(Attempt.Unknown.class);
    Attempt.Done found = (Attempt.Done) start.ask(effect);
    for (JdbcLedger ledger : ledgers) {
      ledger
          .statements()
          .run(
              handle -> {
                start.record(handle, effect, found);
                return true;
              });
    }
    String call = CallIntent.of(effect.intent()).call();
    assertThat(store.find(call).orElseThrow().reference()).isEqualTo(found.reference());
    assertThat(store.ofReference(found.reference()).orElseThrow().id()).isEqualTo(call);
    assertThat(telephone.placed()).isEqualTo(1);
  }

  @Test
  @Tag("money:6")
  void whatTheVendorDoesNotKnowIsUnknownUntilItCannotComeAnyMore() {
    StartEffect start =
        new StartEffect(telephone, Duration.ofSeconds(5), CERTAIN, Optional.empty(), clock);
    Effect effect = effect(intent(5));
    assertThat(start.ask(effect)).isInstanceOf(Attempt.Unknown.class);
    clock.advance(CERTAIN.plusSeconds(1));
    telephone.isDown(true);
    assertThat(start.ask(effect)).isInstanceOf(Attempt.Unknown.class);
    telephone.isDown(false);
    assertThat(start.ask(effect)).isInstanceOf(Attempt.NotDone.class);
  }

  @Test
  @Tag("money:6")
  void aHandoverThatNoCallerHeardOfIsFoundInTheCallsRecord() {
    TransferEffect transfer = transfers();
    PlacedCall call = placed(5);
    TransferEffect.Intent intent =
        new TransferEffect.Intent(call.id(), call.reference(), "+14155550199");
    Effect effect = effect(intent.json());
    assertThat(transfer.ask(effect)).isInstanceOf(Attempt.Unknown.class);
    telephone.says(call.reference(), transferred("+14155550199"));
    assertThat(transfer.ask(effect)).isEqualTo(new Attempt.Done(call.reference(), ""));
    telephone.says(call.reference(), COMPLETED);
    clock.advance(CERTAIN.plusSeconds(1));
    assertThat(transfer.ask(effect)).isInstanceOf(Attempt.NotDone.class);
  }

  @Test
  @Tag("money:6")
  void aHandoverThatOnePaymentPaidForProvesNoOther() {
    TransferEffect transfer = transfers();
    PlacedCall call = placed(5);
    TransferEffect.Intent intent =
        new TransferEffect.Intent(call.id(), call.reference(), "+14155550199");
    Effects effects = ledgers.get(0).effects();
    Effect first = noted(effects, intent);
    clock.advance(Duration.ofSeconds(1));
    Effect second = noted(effects, intent);
    telephone.says(call.reference(), transferred("+14155550199"));

    assertThat(transfer.ask(first)).as("the other's call is under way").isEqualTo(UNKNOWN);
    clock.advance(CERTAIN.plusSeconds(1));
    assertThat(transfer.ask(second)).as("the older one goes first").isEqualTo(UNKNOWN);
    Attempt.Done done = (Attempt.Done) transfer.ask(first);
    effects.close(first, Ending.done(done.reference(), ""), Effects.Along.NOTHING);
    assertThat(transfer.ask(second)).isInstanceOf(Attempt.NotDone.class);
  }

  private TransferEffect transfers() {
    return new TransferEffect(
        telephone,
        Duration.ofSeconds(5),
        CERTAIN,
        new AlikeEffects(ledgers.get(0).effects(), CERTAIN, clock),
        clock);
  }

  private static Effect noted(Effects effects, TransferEffect.Intent intent) {
    return effects.begin(
        new PaymentUse(UUID.randomUUID(), "0".repeat(64)), TransferEffect.KIND, intent.json());
  }

  private static CallReport transferred(String to) {
    return new CallReport(
        IN_PROGRESS,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(to));
  }

  private Effect effect(String intent) {
    UUID id = UUID.randomUUID();
    return new Effect(
        id,
        UUID.randomUUID(),
        "kind",
        intent,
        "octroi-" + id,
        Outcome.UNKNOWN,
        "",
        "",
        "",
        clock.instant(),
        true);
  }

  private static String intent(int minutes) {
    return new CallIntent(
            CallId.next(),
            "0x1234",
            new CallOrder(
                "+14155550100",
                "+14155550123",
                "Say \"hello\"\nand wait",
                "nat",
                minutes,
                Optional.of("Good day"),
                false,
                Optional.empty()))
        .json();
  }

  /** A call that was placed now. */
  private PlacedCall placed(int minutes) {
    Effect effect = effect(intent(minutes));
    StartEffect start =
        new StartEffect(telephone, Duration.ofSeconds(5), CERTAIN, Optional.empty(), clock);
    Attempt.Done done = (Attempt.Done) start.attempt(effect);
    ledgers
        .get(ledgers.size() - 1)
        .statements()
        .run(
            handle -> {
              start.record(handle, effect, done);
              return true;
            });
    return elsewhere.find(CallIntent.of(effect.intent()).call()).orElseThrow();
  }

  private static CallReport report(CallStatus status, Optional<String> transcript) {
    return new CallReport(
        status,
        Optional.of(new BigDecimal("0.75")),
        Optional.of("human"),
        transcript,
        Optional.of("https://r.example/1"),
        Optional.empty());
  }

  private PlacedCall found(PlacedCall call) {
    return store.find(call.id()).orElseThrow();
  }

  /** Time passes, and the task runs. */
  private void pass(Duration time) {
    clock.advance(time);
    follower.follow();
  }
}
