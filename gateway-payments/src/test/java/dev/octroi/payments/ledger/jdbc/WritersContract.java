package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.ClaimResult.Failed;
import dev.octroi.payments.ledger.ClaimResult.InDoubt;
import dev.octroi.payments.ledger.ClaimResult.Replay;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.ledger.jdbc.FlakyDatabase.NextCommit;
import dev.octroi.payments.ledger.jdbc.Membership.ClaimTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits that are shared, cut off, late, or asked for by an interrupted caller. */
abstract class WritersContract extends LedgerContract {

  /** How many claims may wait for a ledger of which nothing is known yet. */
  private static final int FIRST_CROWD = 32;

  WritersContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  void aBadClaimDoesNotFailItsNeighboursInTheBatch() throws Exception {
    ClaimRequest bad = Sample.fresh().withAsset("x".repeat(200)).request();
    database.holdConnections();
    List<Thread> callers = new ArrayList<>();
    Map<Integer, Object> results = new ConcurrentHashMap<>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      ClaimRequest request = i == 7 ? bad : Sample.fresh().request();
      callers.add(new Thread(() -> results.put(number, outcome(request))));
    }
    startAndWait(callers);

    database.goOn();

    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(results.remove(7)).isInstanceOf(LedgerUnavailable.class);
    assertThat(results.values()).hasSize(19).allMatch(Claimed.class::isInstance);
  }

  @Test
  void anErrorOfTheVirtualMachineEndsNoWriterAndLeavesNoCallerWaiting() {
    AtomicInteger errors = new AtomicInteger(8);
    failWith(errors);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> ledger.claim(Sample.fresh().request()))
          .isInstanceOf(LedgerUnavailable.class)
          .hasRootCauseInstanceOf(OutOfMemoryError.class);
    }

    errors.set(0);
    assertThat(outcome(Sample.fresh().request())).isInstanceOf(Claimed.class);
    assertThat(outcome(Sample.fresh().request())).isInstanceOf(Claimed.class);
  }

  private void failWith(AtomicInteger errors) {
    database.before(
        "payment",
        () -> {
          if (errors.getAndDecrement() > 0) {
            failWith(errors);
            throw new OutOfMemoryError("as this test wants it");
          }
        });
  }

  @Test
  @Tag("spec:money.own_threads")
  void theLedgersStatementsRunOnItsOwnThreadsWhichNoInterruptReaches() {
    database.threads().clear();
    Sample sample = Sample.fresh();
    Thread.currentThread().interrupt();
    try {
      Claim released = claimed(ledger, sample);
      ledger.release(released);
      Claim claim = claimed(ledger, sample);
      ledger.settleHere(claim, Sample.ANSWER);
      ledger.delivered(claim);
      ledger.effects().begin(new PaymentUse(claim.id(), ""), "call", "dial");
      assertThat(balance(sample)).isEqualTo(START - 10_000);
    } finally {
      assertThat(Thread.interrupted()).as("the caller is still told to stop").isTrue();
    }

    assertThat(database.threads()).isNotEmpty().allMatch(name -> name.startsWith("ledger-"));
  }

  @Test
  @Tag("spec:money.batches")
  void aCrowdSharesItsCommitsAndNoCallIsToldBefore() throws Exception {
    List<Thread> callers = new ArrayList<>();
    Map<Integer, Object> results = new ConcurrentHashMap<>();
    // The treasury's account is there: a writer that waits for another one's would give up.
    claimed(ledger, Sample.fresh());
    database.holdCommits();
    for (int i = 0; i < 30; i++) {
      int number = i;
      callers.add(new Thread(() -> results.put(number, outcome(Sample.fresh().request()))));
    }
    startAndWait(callers);
    assertThat(results).isEmpty();
    int before = database.committed();

    database.goOn();

    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(results.values()).hasSize(30).allMatch(Claimed.class::isInstance);
    assertThat(database.committed() - before).isLessThan(20);
    assertThat(count("payment")).isEqualTo(31);
  }

  @Test
  @Tag("spec:money.batches")
  void anAccountWhoseOpeningWasRolledBackIsOpenedAnew() throws Exception {
    keepWritersBusy();
    List<Thread> callers = new ArrayList<>();
    Map<Integer, Object> results = new ConcurrentHashMap<>();
    for (int i = 0; i < 2; i++) {
      int number = i;
      callers.add(new Thread(() -> results.put(number, outcome(Sample.fresh().request()))));
    }
    startAndWait(callers);
    // Both are the first to have money of the treasury, whose account the one finds of the other.
    database.before(
        "SET reserved",
        () -> {
          throw new IllegalStateException("as this test wants it");
        });

    database.goOn();

    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(results.values()).hasSize(2).allMatch(Claimed.class::isInstance);
    assertThat(database.wasOvertaken()).isTrue();
    assertThat(count("journal")).isEqualTo(2);
    assertThat(count("journal l JOIN book_account a ON a.id = l.debit")).isEqualTo(2);
    assertBooksAgree();
  }

  /** Each writer has something and waits for its connection; what comes now is one batch. */
  private void keepWritersBusy() {
    int writers = Dialect.of(database).writers();
    database.threads().clear();
    database.holdConnections();
    for (int i = 1; i <= writers; i++) {
      int busy = i;
      new Thread(() -> ledger.statements().run(handle -> busy)).start();
      await().until(() -> writersThatWait() == busy);
    }
  }

  private long writersThatWait() {
    return database.threads().stream().filter(name -> name.startsWith("ledger-writer-")).count();
  }

  private static void startAndWait(List<Thread> callers) {
    callers.forEach(Thread::start);
    await()
        .until(() -> callers.stream().allMatch(it -> it.getState() == Thread.State.TIMED_WAITING));
  }

  @ParameterizedTest
  @EnumSource(
      value = PaymentState.class,
      names = {"SETTLED", "FAILED"})
  @Tag("spec:money.1")
  @Tag("spec:money.batches")
  void aPaymentThatTwoEndInOneBatchIsBookedOnce(PaymentState target) throws SQLException {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    // What else is reserved could be given back in place of what is reserved no longer.
    claimed(ledger, Sample.fresh(sample.payer()).spendable(50_000));
    ledger.settling(claim, Sample.ANSWER);
    ledger.settled(claim, new Settlement.Sent("0xsent"));

    List<Boolean> ended = endTwice(claim, sample, target);

    assertThat(count("journal")).isEqualTo(1);
    assertThat(reserved(sample)).isEqualTo(10_000);
    assertThat(ended).containsExactly(true, false);
    assertBooksAgree();
  }

  /** By its call and by the follower of its transaction: both are queued before a writer begins. */
  private List<Boolean> endTwice(Claim claim, Sample sample, PaymentState target)
      throws SQLException {
    PaymentRow row = row(claim);
    return onIdleWriters(
        claim,
        sample,
        (moves, writers) -> {
          TransitionWork call = moves.end(claim, PaymentState.SETTLING, target, "0xpaid", null);
          TransitionWork follower = moves.close(row, target, "0xpaid", null);
          writers.start(1);
          long timeout = LedgerSettings.of("a").callDeadline().toNanos();
          return List.of(call.await(timeout), follower.await(timeout));
        });
  }

  @Test
  @Tag("spec:money.3")
  void aReleaseForWhichTheQueueHasNoRoomIsDoneLater() throws SQLException {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);

    long left =
        onIdleWriters(
            claim,
            sample,
            (moves, writers) -> {
              for (int others = -1; others < writers.queued(); others++) {
                writers.submit(new CallWork<>((connection, again) -> 1));
              }
              var unused = moves.release(claim, ReleaseReason.of("unwritable"));
              writers.start(1);
              await().until(() -> writers.queued() == 0);
              writers.retryPostponed();
              await().until(() -> reserved(sample) == 0);
              return reserved(sample);
            });

    assertThat(left).isZero();
    assertBooksAgree();
  }

  private PaymentRow row(Claim claim) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Dialect.of(database).find(connection, List.of(claim.key())).get(0);
    }
  }

  /** With writers that hold a claim and have not begun. */
  private <T> T onIdleWriters(Claim claim, Sample sample, BiFunction<Transitions, Writers, T> work)
      throws SQLException {
    OpenClaims open = new OpenClaims();
    OpenClaims.Entry entry = new OpenClaims.Entry(sample.request(), clock.instant());
    entry.ownedBy(row(claim).owner());
    entry.hold(claim);
    open.enter(entry);
    LedgerSettings settings = LedgerSettings.of("a");
    Membership membership =
        new Membership(NamedStatements.of(database), settings, open, clock, new ClaimTime(clock));
    Deliveries deliveries = new Deliveries(open, settings.answerRetention(), clock);
    try (Writers writers = writers(Dialect.of(database), membership, open, deliveries, settings)) {
      Transitions moves =
          new Transitions(open, membership, writers, deliveries, new Readers(false), clock);
      return work.apply(moves, writers);
    }
  }

  private Writers writers(
      Dialect dialect,
      Membership membership,
      OpenClaims open,
      Deliveries deliveries,
      LedgerSettings settings) {
    AnswerVault vault = new AnswerVault(new byte[32]);
    Books books = new Books(dialect);
    Redelivering redelivering = new Redelivering(settings.answerRetention(), open);
    Claims claims = new Claims(dialect, books, redelivering, settings);
    Batch batch =
        new Batch(dialect, membership, books, claims, deliveries, clock, new ClaimTime(clock));
    return new Writers(database, batch, settings.node());
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitOfAClaimNeitherLosesNorDoublesIt(NextCommit what) {
    Sample sample = Sample.fresh();
    database.nextCommit(what);

    Claim claim = claimed(ledger, sample);

    assertThat(reserved(sample)).isEqualTo(10_000);
    assertThat(ledger.settleHere(claim, null)).isInstanceOf(Settlement.Settled.class);
    assertBooksAgree();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitOfASettlementNeitherLosesNorDoublesIt(NextCommit what) {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    database.nextCommit(what);

    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);

    assertThat(balance(sample)).isEqualTo(START - 10_000);
    ledger.unanswered(claim);
    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
    assertBooksAgree();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WORKS")
  @Tag("spec:money.unknown_commit")
  void aClaimOfWhichItsCallerNeverHeardIsGivenBackOnceTheDatabaseAnswers(NextCommit what) {
    JdbcLedger cut = beating();
    Sample sample = Sample.fresh();
    database.nextCommitAndItsRetry(what);
    assertThatThrownBy(() -> cut.claim(sample.request())).isInstanceOf(LedgerUnavailable.class);

    await().until(() -> ledger.claim(sample.request()) instanceof Claimed);

    assertThat(reserved(sample)).isEqualTo(10_000);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.unknown_commit")
  void aSettlementOfWhichItsCallerNeverHeardIsServedOnceTheDatabaseAnswers() {
    JdbcLedger cut = beating();
    Sample sample = Sample.fresh();
    Claim claim = claimed(cut, sample);
    database.nextCommitAndItsRetry(NextCommit.WORKS_BUT_ITS_ANSWER_IS_LOST);
    assertThatThrownBy(() -> cut.settleHere(claim, Sample.ANSWER))
        .isInstanceOf(LedgerUnavailable.class);

    await().until(() -> cut.claim(sample.request()) instanceof Replay);

    assertThat(balance(sample)).isEqualTo(START - 10_000);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.unknown_commit")
  void aSettlementThatCertainlyFailedIsNotMadeLater() {
    JdbcLedger cut = beating();
    Sample sample = Sample.fresh();
    Claim claim = claimed(cut, sample);
    database.nextCommitAndItsRetry(NextCommit.FAILS);
    assertThatThrownBy(() -> cut.settleHere(claim, Sample.ANSWER))
        .isInstanceOf(LedgerUnavailable.class);

    await().until(() -> ledger.claim(sample.request()) instanceof Claimed);

    assertThat(balance(sample)).isEqualTo(START);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.5")
  void aBeginningOfASettlementOfWhichItsCallerNeverHeardIsInDoubt() {
    JdbcLedger cut = beating();
    Sample sample = Sample.fresh().spendable(10_000);
    Claim claim = claimed(cut, sample);
    database.nextCommitAndItsRetry(NextCommit.WORKS_BUT_ITS_ANSWER_IS_LOST);
    assertThatThrownBy(() -> cut.settling(claim, null)).isInstanceOf(LedgerUnavailable.class);

    await().until(() -> ledger.claim(sample.request()) instanceof InDoubt);
  }

  /** An end that is written only if its caller waits would leave the claim to no one. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WORKS")
  @Tag("spec:money.unknown_commit")
  void aPaymentThatIsOverFailsAlsoIfItsCallerNeverHears(NextCommit what) {
    JdbcLedger cut = beating();
    Sample sample = Sample.fresh().validUntil(clock.instant().plusSeconds(60));
    Claim claim = claimed(cut, sample);
    clock.forward(Duration.ofMinutes(2));
    database.nextCommitAndItsRetry(what);
    assertThatThrownBy(() -> cut.settleHere(claim, Sample.ANSWER))
        .isInstanceOf(LedgerUnavailable.class);

    await().until(() -> cut.redeliver(sample.request()) instanceof Failed);

    assertThat(reserved(sample)).isZero();
  }

  private JdbcLedger beating() {
    return node("b", it -> it.heartbeat(Duration.ofMillis(200), Duration.ofHours(3)));
  }

  @Test
  void aClaimThatIsDurableTooLateForItsCallerIsGivenBack() {
    JdbcLedger hasty = node("b", it -> it.callDeadline(Duration.ofMillis(200)));
    Sample sample = Sample.fresh();
    database.holdCommits();
    assertThatThrownBy(() -> hasty.claim(sample.request())).isInstanceOf(LedgerUnavailable.class);

    database.goOn();

    await()
        .ignoreException(LedgerUnavailable.class)
        .until(() -> ledger.claim(sample.request()) instanceof Claimed);
    assertThat(reserved(sample)).isEqualTo(10_000);
  }

  /** None of a crowd is claimed that the ledger has not shown to serve in time. */
  @Test
  void aCrowdOnALedgerThatHasJustOpenedIsToldBeforeAnythingIsClaimed() throws Exception {
    List<Thread> callers = new ArrayList<>();
    Map<Integer, Object> results = new ConcurrentHashMap<>();
    database.holdConnections();
    for (int i = 0; i < 100; i++) {
      int number = i;
      Thread caller = new Thread(() -> results.put(number, outcome(Sample.fresh().request())));
      caller.start();
      callers.add(caller);
    }
    await().until(() -> results.size() == 100 - FIRST_CROWD);
    assertThat(results.values()).allMatch(WritersContract::isNothingDone);
    assertThat(ledger.isBusy()).isTrue();

    database.goOn();

    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(results.values()).filteredOn(Claimed.class::isInstance).hasSize(FIRST_CROWD);
    assertThat(count("payment")).isEqualTo(FIRST_CROWD);
    assertThat(ledger.isBusy()).isFalse();
  }

  @Test
  void aClaimThatNoWriterBeganInTimeIsCertainlyNotMade() throws Exception {
    JdbcLedger hasty = node("b", it -> it.callDeadline(Duration.ofMillis(200)));
    Sample sample = Sample.fresh();
    database.holdConnections();
    assertThatThrownBy(() -> hasty.claim(sample.request())).matches(WritersContract::isNothingDone);

    database.goOn();

    // The writers have come past it.
    claimed(hasty, Sample.fresh());
    assertThat(count("payment")).isEqualTo(1);
    assertThat(ledger.claim(sample.request())).isInstanceOf(Claimed.class);
  }

  @Test
  void aSettlementThatNoWriterBeganInTimeIsCertainlyNotMade() {
    JdbcLedger hasty = node("b", it -> it.callDeadline(Duration.ofMillis(500)));
    Sample sample = Sample.fresh();
    Claim claim = claimed(hasty, sample);
    database.holdConnections();
    assertThatThrownBy(() -> hasty.settleHere(claim, Sample.ANSWER))
        .matches(WritersContract::isNothingDone);

    database.goOn();

    await()
        .ignoreException(LedgerUnavailable.class)
        .until(() -> ledger.claim(sample.request()) instanceof Claimed);
    assertThat(balance(sample)).isEqualTo(START);
    assertBooksAgree();
  }

  private static boolean isNothingDone(Object outcome) {
    return outcome instanceof LedgerUnavailable why && why.isNothingDone();
  }

  @Test
  @Tag("spec:money.5")
  void aSettlementThatBeganTooLateForItsCallerIsInDoubt() {
    JdbcLedger hasty = node("b", it -> it.callDeadline(Duration.ofMillis(500)));
    Sample sample = Sample.fresh().spendable(10_000);
    Claim claim = claimed(hasty, sample);
    database.holdCommits();
    assertThatThrownBy(() -> hasty.settling(claim, null)).isInstanceOf(LedgerUnavailable.class);

    database.goOn();

    await().until(() -> ledger.claim(sample.request()) instanceof InDoubt);
  }

  private Object outcome(ClaimRequest request) {
    try {
      return ledger.claim(request);
    } catch (LedgerUnavailable e) {
      return e;
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitOfSandboxMoneyGivesItOnce(NextCommit what) {
    Sample sample = Sample.fresh();
    database.nextCommit(what);

    ledger.sandboxBank().fund(Sample.NETWORK, sample.payer(), Sample.ASSET, 5);

    assertThat(balance(sample)).isEqualTo(START + 5);
    database.nextCommit(what);
    ledger.sandboxBank().fund(Sample.NETWORK, sample.payer(), Sample.ASSET, 5);
    assertThat(balance(sample)).isEqualTo(START + 10);
    assertBooksAgree();
  }

  @Test
  void aListOfAnOperatorsWaitsForNoWriter() {
    database.holdCommits();
    for (int writer = 0; writer < Dialect.of(database).writers(); writer++) {
      new Thread(() -> ledger.statements().run(handle -> 1)).start();
      await().until(() -> ledger.pulse().queued() == 0);
    }

    assertThat(ledger.effects().list(Effects.Outcome.DONE, 10)).isEmpty();
    assertThat(ledger.refunds().open(10)).isEmpty();
    assertThat(ledger.refunds().of(UUID.randomUUID())).isEmpty();
  }
}
