package dev.octroi.payments.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.ClaimResult.InDoubt;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.ClaimResult.Insufficient;
import dev.octroi.payments.ledger.ClaimResult.Replay;
import dev.octroi.payments.ledger.ClaimResult.Rerun;
import dev.octroi.payments.ledger.ClaimResult.Used;
import dev.octroi.payments.ledger.FlakyDatabase.NextCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every database must keep of the rules of money. */
abstract class LedgerContract extends LedgerFixture {

  private static final RequestBinding ELSEWHERE =
      new RequestBinding("GET", "/elsewhere", "", "00".repeat(32));

  @Test
  @Tag("spec:payment.claim.once")
  @Tag("spec:payment.state.claimed")
  void aFreshPaymentIsClaimedAndNobodyElseGetsIt() {
    Sample sample = Sample.fresh();

    Claim claim = claimed(ledger, sample);

    assertThat(claim.attempt()).isEqualTo(1);
    assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);
    assertThat(node("b").claim(sample.request())).isInstanceOf(InFlight.class);
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:payment.state.claimed")
  void ofFiftyConcurrentClaimsOnTwoNodesOneWins() throws Exception {
    Sample sample = Sample.fresh();
    JdbcLedger other = node("b");

    List<ClaimResult> results =
        concurrently(50, i -> (i % 2 == 0 ? ledger : other).claim(sample.request()));

    assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(1);
    assertThat(results).filteredOn(InFlight.class::isInstance).hasSize(49);
  }

  @Test
  @Tag("spec:money.1")
  @Tag("spec:payment.state.released")
  void aReleasedPaymentCanBeClaimedAgainForAnotherRequest() {
    Sample sample = Sample.fresh();
    Claim first = claimed(ledger, sample);
    assertThat(ledger.release(first)).isTrue();

    Claim second = claimed(ledger, sample.withBinding(ELSEWHERE));

    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(ledger.release(first)).isFalse();
    assertThat(ledger.settleHere(first, null)).isInstanceOf(Settlement.Unknown.class);
    assertThat(ledger.release(second)).isTrue();
  }

  @Test
  @Tag("spec:payment.state.settled")
  @Tag("spec:money.journal")
  void aSettledPaymentMovesItsMoneyOnce() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);

    Settlement settlement = ledger.settleHere(claim, Sample.ANSWER);

    assertThat(settlement).isInstanceOf(Settlement.Settled.class);
    assertThat(((Settlement.Settled) settlement).transaction()).doesNotStartWith("0x");
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Unknown.class);
    assertThat(ledger.release(claim)).isFalse();
    assertThat(balance(sample)).isEqualTo(START - 10_000);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:x402.uncertain.4")
  void anAnswerThatWasChargedAndNotDeliveredIsHadAgain() {
    Sample sample = Sample.fresh();
    Settlement settled = ledger.settleHere(claimed(ledger, sample), Sample.ANSWER);

    Replay replay = (Replay) node("b").claim(sample.request());

    assertThat(replay.answer().status()).isEqualTo(200);
    assertThat(replay.answer().headers()).isEqualTo(Sample.ANSWER.headers());
    assertThat(replay.answer().body()).isEqualTo(Sample.ANSWER.body());
    assertThat(settled).isEqualTo(new Settlement.Settled(replay.transaction()));
    assertThat(balance(sample)).isEqualTo(START - 10_000);
  }

  @Test
  @Tag("spec:money.3")
  void aDeliveredAnswerIsNotHadAgain() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, Sample.ANSWER);
    ledger.delivered(claim);

    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
  }

  @Test
  @Tag("spec:money.4")
  void aReplayNeedsTheIdenticalEnvelopeAndRequest() {
    Sample sample = Sample.fresh();
    ledger.settleHere(claimed(ledger, sample), Sample.ANSWER);

    assertThat(ledger.claim(sample.withEnvelope("22".repeat(32)).request()))
        .isInstanceOf(Used.class);
    assertThat(ledger.claim(sample.withBinding(ELSEWHERE).request())).isInstanceOf(Used.class);
    RequestBinding asked = sample.request().binding();
    for (RequestBinding other :
        List.of(
            new RequestBinding("POST", asked.path(), asked.query(), asked.bodyHash()),
            new RequestBinding("GET", asked.path(), "pair=ETH-USDT", asked.bodyHash()),
            new RequestBinding("GET", asked.path(), asked.query(), "33".repeat(32)))) {
      assertThat(ledger.claim(sample.withBinding(other).request())).isInstanceOf(Used.class);
    }
    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
  }

  @Test
  @Tag("spec:money.3")
  void aLatePaymentGetsTheAnswerThatItPaidForAndClaimsNothing() {
    Sample stored = Sample.fresh();
    Sample read = Sample.fresh().rereadable();
    Sample unpaid = Sample.fresh();
    Sample inFlight = Sample.fresh();
    Sample released = Sample.fresh();
    ledger.settleHere(claimed(ledger, stored), Sample.ANSWER);
    ledger.settleHere(claimed(ledger, read), null);
    claimed(ledger, inFlight);
    ledger.release(claimed(ledger, released));
    JdbcLedger other = node("b");
    long accounts = count("book_account");

    assertThat(other.redeliver(unpaid.request())).isInstanceOf(ClaimResult.Failed.class);
    assertThat(other.redeliver(released.request())).isInstanceOf(ClaimResult.Failed.class);
    assertThat(other.redeliver(inFlight.request())).isInstanceOf(InFlight.class);
    assertThat(other.redeliver(stored.withBinding(ELSEWHERE).request())).isInstanceOf(Used.class);
    assertThat(other.redeliver(stored.request())).isInstanceOf(Replay.class);
    Rerun rerun = (Rerun) other.redeliver(read.request());
    other.delivered(rerun.claim());

    assertThat(other.redeliver(read.request())).isInstanceOf(Used.class);
    assertThat(count("book_account")).isEqualTo(accounts);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.3")
  void aReadIsRunAgainThreeTimesAndOnceAtATime() {
    Sample sample = Sample.fresh().rereadable();
    JdbcLedger other = node("b");
    ledger.settleHere(claimed(ledger, sample), null);

    for (int run = 1; run <= 3; run++) {
      Rerun rerun = (Rerun) ledger.claim(sample.request());
      assertThat(other.claim(sample.request())).isInstanceOf(InFlight.class);
      assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);
      assertThat(ledger.release(rerun.claim())).isTrue();
    }

    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
    assertThat(other.claim(sample.request())).isInstanceOf(Used.class);
    assertThat(balance(sample)).isEqualTo(START - 10_000);
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:payment.state.in_doubt")
  void anUnknownOutcomeIsInDoubtUntilItIsKnown() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    assertThat(ledger.settling(claim, Sample.ANSWER)).isTrue();
    assertThat(ledger.claim(sample.withBinding(ELSEWHERE).request())).isInstanceOf(Used.class);

    assertThat(ledger.settled(claim, new Settlement.Unknown("timeout", "0xabc"))).isTrue();

    assertThat(ledger.claim(sample.request())).isInstanceOf(InDoubt.class);
    assertThat(count("doubt")).isEqualTo(1);
    assertThat(ledger.settled(claim, new Settlement.Settled("0xabc"))).isTrue();
    assertThat(count("doubt")).isZero();
    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:payment.state.failed")
  void aRefusedSettlementStaysFailedWithItsReason() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    ledger.settling(claim, Sample.ANSWER);

    assertThat(ledger.settled(claim, new Settlement.Refused("insufficient_funds"))).isTrue();

    assertThat(ledger.claim(sample.request()))
        .isEqualTo(new ClaimResult.Failed("insufficient_funds"));
    assertThat(count("journal")).isZero();
    assertThat(reserved(sample)).isZero();
  }

  @Test
  @Tag("spec:money.8")
  void theOpenClaimsOfAPayerAreCoveredAcrossNodes() throws Exception {
    JdbcLedger other = node("b");
    String payer = Sample.random(20);

    List<ClaimResult> results =
        concurrently(
            40,
            i ->
                (i % 2 == 0 ? ledger : other)
                    .claim(Sample.fresh(payer).spendable(55_000).request()));

    assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(5);
    assertThat(results).filteredOn(Insufficient.class::isInstance).hasSize(35);
  }

  @Test
  @Tag("spec:money.8")
  void aReleasedClaimCoversAnother() {
    Sample first = Sample.fresh().spendable(15_000);
    Claim claim = claimed(ledger, first);
    Sample second = Sample.fresh(first.payer()).spendable(15_000);
    assertThat(ledger.claim(second.request())).isInstanceOf(Insufficient.class);

    ledger.release(claim);

    assertThat(ledger.claim(second.request())).isInstanceOf(Claimed.class);
  }

  @Test
  @Tag("spec:money.2")
  void theClaimsOfALivingNodeAreLeftAlone() {
    Claim claim = claimed(ledger, Sample.fresh());

    node("b");

    assertThat(ledger.settleHere(claim, null)).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  @Tag("spec:money.2")
  void aStalledNodeCanDoNothingWithWhatAnotherTookOver() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    expire("a");
    JdbcLedger other = node("b");

    Claim taken = claimed(other, sample);

    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Unknown.class);
    assertThat(ledger.settling(claim, Sample.ANSWER)).isFalse();
    assertThat(ledger.release(claim)).isFalse();
    assertThat(other.settleHere(taken, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    ledger.delivered(claim);
    assertThatThrownBy(() -> ledger.claim(Sample.fresh().request()))
        .isInstanceOf(LedgerUnavailable.class);
    assertThat(other.claim(sample.request())).isInstanceOf(Replay.class);
    assertThat(balance(sample)).isEqualTo(START - 10_000);
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:payment.state.in_doubt")
  void whatADeadNodeWasSettlingIsInDoubtAndOutOfItsReach() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    ledger.settling(claim, Sample.ANSWER);
    expire("a");

    JdbcLedger other = node("b");

    assertThat(other.claim(sample.request())).isInstanceOf(InDoubt.class);
    assertThat(ledger.settled(claim, new Settlement.Refused("late"))).isFalse();
    assertThat(other.claim(sample.request())).isInstanceOf(InDoubt.class);
    assertThat(reserved(sample)).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:money.2")
  void aRestartUnderTheSameNameClosesWhatTheDeadProcessLeftOpen() {
    Sample claimed = Sample.fresh();
    Sample settling = Sample.fresh().spendable(10_000);
    claimed(ledger, claimed);
    ledger.settling(claimed(ledger, settling), null);

    JdbcLedger restarted = node("a");

    assertThat(claimed(restarted, claimed).attempt()).isEqualTo(2);
    assertThat(restarted.claim(settling.request())).isInstanceOf(InDoubt.class);
  }

  @Test
  @Tag("spec:money.2")
  void aNodeThatMissedItsHeartbeatSettlesNothing() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);

    clock.forward(Duration.ofHours(4));

    assertThat(ledger.settling(claim, null)).isFalse();
    assertThat(ledger.settleHere(claim, null)).isInstanceOf(Settlement.Unknown.class);
    assertThatThrownBy(() -> ledger.claim(Sample.fresh().request()))
        .isInstanceOf(LedgerUnavailable.class);
    assertThat(ledger.release(claim)).isTrue();
  }

  @Test
  @Tag("spec:money.2")
  void aNodeThatExpiredBeginsANewEpochAndOthersCloseTheOld() {
    Sample left = Sample.fresh();
    claimed(ledger, left);
    JdbcLedger lively =
        node("b", it -> it.withHeartbeat(Duration.ofMillis(100), Duration.ofSeconds(1)));
    expire("b");
    await().until(() -> number("SELECT count(*) FROM node WHERE name = 'b'") > 0);
    await()
        .ignoreException(LedgerUnavailable.class)
        .until(() -> lively.claim(Sample.fresh().request()) instanceof Claimed);
    assertThat(lively.claim(left.request())).isInstanceOf(InFlight.class);

    expire("a");

    await().until(() -> lively.claim(left.request()) instanceof Claimed);
  }

  @Test
  @Tag("spec:money.2")
  void aNodeThatStopsLeavesNothingToWaitFor() {
    Sample sample = Sample.fresh();
    claimed(ledger, sample);

    ledger.close();

    assertThat(claimed(node("b"), sample).attempt()).isEqualTo(2);
  }

  @Test
  @Tag("spec:money.2")
  @Tag("spec:money.rates_divided")
  void aNodeKnowsHowManyOfThemLive() {
    assertThat(ledger.livingNodes()).isEqualTo(1);
    JdbcLedger other =
        node("b", it -> it.withHeartbeat(Duration.ofMillis(100), Duration.ofSeconds(1)));
    assertThat(other.livingNodes()).isEqualTo(2);

    ledger.close();

    await().until(() -> other.livingNodes() == 1);
  }

  @Test
  @Tag("spec:payment.concurrency")
  @Tag("spec:money.journal")
  void aCrowdOfCallsKeepsTheBooks() throws Exception {
    JdbcLedger other = node("b");
    String payer = Sample.random(20);

    concurrently(
        32,
        number -> {
          JdbcLedger mine = number % 2 == 0 ? ledger : other;
          for (int i = 0; i < 10; i++) {
            Claim claim = claimed(mine, Sample.fresh(i % 2 == 0 ? payer : Sample.random(20)));
            if (i % 3 == 0) {
              mine.release(claim);
            } else {
              assertThat(mine.settleHere(claim, Sample.ANSWER))
                  .isInstanceOf(Settlement.Settled.class);
              mine.delivered(claim);
            }
          }
          return true;
        });

    assertThat(count("payment")).isEqualTo(320);
    assertThat(number("SELECT count(*) FROM payment WHERE state = 3")).isEqualTo(192);
    assertBooksAgree();
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
      Thread caller = new Thread(() -> results.put(number, outcome(request)));
      caller.start();
      callers.add(caller);
    }
    await()
        .until(() -> callers.stream().allMatch(it -> it.getState() == Thread.State.TIMED_WAITING));

    database.goOn();

    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(results.remove(7)).isInstanceOf(LedgerUnavailable.class);
    assertThat(results.values()).hasSize(19).allMatch(Claimed.class::isInstance);
  }

  @Test
  @Tag("spec:payment.state.settling")
  @Tag("spec:money.3")
  void theCommitThatBeginsASettlementStoresItsAnswer() {
    Sample sample = Sample.fresh().spendable(50_000);
    Claim claim = claimed(ledger, sample);
    assertThat(count("stored_answer")).isZero();

    assertThat(ledger.settling(claim, Sample.ANSWER)).isTrue();

    assertThat(number("SELECT count(*) FROM payment WHERE state = 2")).isEqualTo(1);
    assertThat(count("stored_answer")).isEqualTo(1);
    assertThat(count("journal")).isZero();
    assertThat(ledger.release(claim)).isFalse();
    assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);
  }

  @Test
  @Tag("spec:payment.state.settled")
  @Tag("spec:payment.state.failed")
  void whatHasEndedStaysAsItEnded() {
    Sample paid = Sample.fresh().spendable(50_000);
    Sample refused = Sample.fresh().spendable(50_000);
    Claim settled = claimed(ledger, paid);
    Claim failed = claimed(ledger, refused);
    ledger.settling(settled, Sample.ANSWER);
    ledger.settling(failed, Sample.ANSWER);
    ledger.settled(settled, new Settlement.Settled("0xabc"));
    ledger.settled(failed, new Settlement.Refused("refused"));

    for (Claim ended : List.of(settled, failed)) {
      assertThat(ledger.release(ended)).isFalse();
      assertThat(ledger.settling(ended, Sample.ANSWER)).isFalse();
      assertThat(ledger.settled(ended, new Settlement.Unknown("late", null))).isFalse();
    }
    assertThat(ledger.settled(settled, new Settlement.Refused("late"))).isFalse();
    assertThat(ledger.claim(paid.request())).isInstanceOf(Replay.class);
    assertThat(ledger.claim(refused.request())).isEqualTo(new ClaimResult.Failed("refused"));
    assertBooksAgree();
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
      ledger.effects().begin(claim.id(), "call", "dial");
      assertThat(balance(sample)).isEqualTo(START - 10_000);
    } finally {
      assertThat(Thread.interrupted()).as("the caller is still told to stop").isTrue();
    }

    assertThat(database.threads()).isNotEmpty().allMatch(name -> name.startsWith("ledger-"));
  }

  @Test
  @Tag("spec:money.batches")
  void aCrowdSharesItsCommitsAndNobodyIsToldBefore() throws Exception {
    List<Thread> callers = new ArrayList<>();
    Map<Integer, Object> results = new ConcurrentHashMap<>();
    database.holdCommits();
    for (int i = 0; i < 40; i++) {
      int number = i;
      Thread caller = new Thread(() -> results.put(number, outcome(Sample.fresh().request())));
      caller.start();
      callers.add(caller);
    }
    await()
        .until(() -> callers.stream().allMatch(it -> it.getState() == Thread.State.TIMED_WAITING));
    assertThat(results).isEmpty();
    int before = database.committed();

    database.goOn();

    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(results.values()).hasSize(40).allMatch(Claimed.class::isInstance);
    assertThat(database.committed() - before).isLessThan(20);
    assertThat(count("payment")).isEqualTo(40);
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
    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
    assertBooksAgree();
  }

  @Test
  void aClaimThatIsDurableTooLateForItsCallerIsGivenBack() {
    JdbcLedger hasty = node("b", it -> it.withCallDeadline(Duration.ofMillis(200)));
    Sample sample = Sample.fresh();
    database.holdCommits();
    assertThatThrownBy(() -> hasty.claim(sample.request())).isInstanceOf(LedgerUnavailable.class);

    database.goOn();

    await()
        .ignoreException(LedgerUnavailable.class)
        .until(() -> ledger.claim(sample.request()) instanceof Claimed);
    assertThat(reserved(sample)).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:money.5")
  void aSettlementThatBeganTooLateForItsCallerIsInDoubt() {
    JdbcLedger hasty = node("b", it -> it.withCallDeadline(Duration.ofMillis(500)));
    Sample sample = Sample.fresh().spendable(10_000);
    Claim claim = claimed(hasty, sample);
    database.holdCommits();
    assertThatThrownBy(() -> hasty.settling(claim, null)).isInstanceOf(LedgerUnavailable.class);

    database.goOn();

    await().until(() -> ledger.claim(sample.request()) instanceof InDoubt);
  }

  @Test
  @Tag("spec:money.3")
  void anAnswerTooLargeToBeStoredIsRefusedBeforeItIsCharged() {
    JdbcLedger small = node("b", it -> it.withAnswers(6, Duration.ofMinutes(10)));
    Sample sample = Sample.fresh();
    Claim claim = claimed(small, sample);

    assertThatThrownBy(() -> small.settleHere(claim, Sample.ANSWER))
        .isInstanceOf(AnswerTooLarge.class);

    assertThat(small.release(claim)).isTrue();
    assertThat(balance(sample)).isEqualTo(START);
  }

  @Test
  @Tag("spec:money.4")
  void anAnswerIsHadAgainForTenMinutesAtMost() {
    Sample sample = Sample.fresh();
    ledger.settleHere(claimed(ledger, sample), Sample.ANSWER);

    clock.forward(Duration.ofMinutes(11));

    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
  }

  @Test
  @Tag("spec:money.retention")
  void whatOutlivedItsRetentionIsDeleted() {
    Sample old = Sample.fresh();
    ledger.settleHere(claimed(ledger, old), Sample.ANSWER);
    clock.forward(Duration.ofDays(365 * 10));

    node(
        "b",
        it ->
            it.withHeartbeat(Duration.ofMillis(100), Duration.ofSeconds(1))
                .withRecordRetention(Duration.ofDays(30)));

    await().until(() -> count("stored_answer") == 0 && count("payment") == 0);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:payment.sandbox.expiry")
  void anAuthorizationThatExpiredDuringTheCallIsNotSettled() {
    Sample sample = Sample.fresh().validUntil(clock.instant().plusSeconds(60));
    Claim claim = claimed(ledger, sample);
    clock.forward(Duration.ofSeconds(61));

    assertThat(ledger.settleHere(claim, null)).isInstanceOf(Settlement.Refused.class);

    assertThat(ledger.claim(sample.request())).isInstanceOf(ClaimResult.Failed.class);
    assertThat(balance(sample)).isEqualTo(START);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:payment.sandbox.balance")
  void sandboxMoneyRunsOutAndCanBeGivenMore() {
    Sample dear = Sample.fresh().withAmount(START + 1);
    assertThat(ledger.claim(dear.request())).isInstanceOf(Insufficient.class);

    ledger.sandboxBank().fund(Sample.NETWORK, dear.payer(), Sample.ASSET, 1);

    assertThat(balance(dear)).isEqualTo(START + 1);
    assertThat(ledger.settleHere(claimed(ledger, dear), null))
        .isInstanceOf(Settlement.Settled.class);
    assertThat(balance(dear)).isZero();
    assertBooksAgree();
  }

  @Test
  void aPayerCanBeFundedBeforeTheFirstCall() {
    Sample sample = Sample.fresh();
    ledger.sandboxBank().fund(Sample.NETWORK, sample.payer(), Sample.ASSET, 5);
    claimed(ledger, sample);
    assertThat(balance(sample)).isEqualTo(START + 5);
  }

  @Test
  @Tag("spec:money.8")
  void aPaymentThatSettledIsHadAgainByAPayerWhoHasNothingLeft() {
    Sample sample = Sample.fresh().withAmount(START);
    ledger.settleHere(claimed(ledger, sample), Sample.ANSWER);

    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
  }

  @Test
  void keysAreComparedWithoutRegardToTheCaseOfHex() {
    Sample sample = Sample.fresh();
    PaymentKey key = sample.request().key();
    claimed(ledger, sample);

    PaymentKey shouted =
        new PaymentKey(
            key.network(),
            "0x" + key.payer().substring(2).toUpperCase(Locale.ROOT),
            "0x" + key.nonce().substring(2).toUpperCase(Locale.ROOT));

    assertThat(node("b").claim(sample.withKey(shouted).request())).isInstanceOf(InFlight.class);
  }

  @Test
  void anotherNodesMemoryIsNotNeededToKnowADelivery() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    ledger.settleHere(claim, Sample.ANSWER);
    ledger.delivered(claim);
    ledger.close();

    assertThat(node("b").claim(sample.request())).isInstanceOf(Used.class);
  }

  @Test
  @Tag("spec:money.6")
  void anEffectIsNotedOnceAndClosedOnce() {
    UUID payment = UUID.randomUUID();

    Effects.Effect effect = ledger.effects().begin(payment, "number", "+1 212");

    assertThat(effect.isNew()).isTrue();
    assertThat(effect.outcome()).isEqualTo(Effects.Outcome.UNKNOWN);
    Effects.Effect again = node("b").effects().begin(payment, "number", "+1 212");
    assertThat(again.isNew()).isFalse();
    assertThat(again.vendorKey()).isEqualTo(effect.vendorKey());
    assertThat(ledger.effects().close(effect.id(), Effects.Outcome.DONE, "PN1")).isTrue();
    assertThat(ledger.effects().close(effect.id(), Effects.Outcome.NOT_DONE, "")).isFalse();
    assertThat(ledger.effects().find(payment, "number"))
        .hasValueSatisfying(
            it -> {
              assertThat(it.outcome()).isEqualTo(Effects.Outcome.DONE);
              assertThat(it.vendorReference()).isEqualTo("PN1");
            });
    assertThat(ledger.effects().find(payment, "call")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.6")
  void anEffectIsDurableBeforeItsCallerMayGoOn(NextCommit what) {
    UUID payment = UUID.randomUUID();
    database.nextCommit(what);

    assertThat(ledger.effects().begin(payment, "call", "dial").isNew()).isTrue();

    assertThat(ledger.effects().begin(payment, "call", "dial").isNew()).isFalse();
    assertThat(count("effect")).isEqualTo(1);
  }
}
