package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectRunner.EffectResult;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Effects.Ending;
import dev.octroi.payments.ledger.Effects.Outcome;
import dev.octroi.payments.ledger.Refund;
import jakarta.ws.rs.WebApplicationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Effects from their noting to their end, with whatever happens in between (money rule 6). */
abstract class EffectRunnerContract extends LedgerContract {

  private static final Duration CALL = Duration.ofMinutes(2);

  private final ScriptedVendor vendor = new ScriptedVendor();
  private EffectRunner runner;

  EffectRunnerContract(TestDatabase kind) {
    super(kind);
  }

  @BeforeEach
  void lay() {
    change("CREATE TABLE bought (id UUID PRIMARY KEY, reference VARCHAR(64))");
    runner = runner(ledger);
  }

  private EffectRunner runner(JdbcLedger node) {
    return new EffectRunner(vendor, node, clock, CALL);
  }

  private LedgerPayment paid(Sample sample) {
    return new LedgerPayment(ledger, sample, claimed(ledger, sample));
  }

  @Test
  @Tag("spec:money.6")
  void anEffectIsNotedThenPaidForThenDoneAndRecordedInTheCommitThatClosesIt() {
    LedgerPayment payment = paid(Sample.fresh().resumable());
    vendor.onAttempt =
        effect -> {
          assertThat(number("SELECT count(*) FROM effect WHERE outcome = 'UNKNOWN'")).isEqualTo(1);
          assertThat(number("SELECT COUNT(*) FROM payment WHERE state = 'SETTLED'")).isEqualTo(1);
          return new Attempt.Done("PN1", "{}");
        };

    EffectResult result = runner.perform(payment, "+1 212");

    EffectResult.Done done = (EffectResult.Done) result;
    assertThat(done.reference()).isEqualTo("PN1");
    assertThat(done.transaction()).isEqualTo(payment.transaction());
    assertThat(count("bought")).isEqualTo(1);
    assertThat(runner.perform(payment.again(), "+1 212"))
        .isInstanceOfSatisfying(
            EffectResult.Done.class, it -> assertThat(it.reference()).isEqualTo("PN1"));
    assertThat(vendor.attempts).hasValue(1);
  }

  /** A vendor that hangs holds so many threads and no more. */
  @Test
  @Tag("spec:money.6")
  void whatIsOneTooManyAtATimeIsNeitherNotedNorPaidFor() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    vendor.onAttempt =
        effect -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return new Attempt.Done("PN1", "");
        };
    LedgerPayment late = paid(Sample.fresh().resumable());
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<EffectResult>> under = new ArrayList<>();
      for (int one = 0; one < 32; one++) {
        LedgerPayment payment = paid(Sample.fresh().resumable());
        under.add(threads.submit(() -> runner.perform(payment, "+1 212")));
      }
      await().until(() -> vendor.attempts.get() == 32);

      Future<EffectResult> refused = threads.submit(() -> runner.perform(late, "+1 212"));
      await().until(refused::isDone);
      assertThat(refused.get()).isInstanceOf(EffectResult.Busy.class);
      assertThat(count("effect")).isEqualTo(32);
      assertThat(late.isSettled()).isFalse();

      end.countDown();
      await().until(() -> under.stream().allMatch(Future::isDone));
      assertThat(runner.perform(late, "+1 212")).isInstanceOf(EffectResult.Done.class);
    } finally {
      end.countDown();
      threads.shutdown();
    }
  }

  @Test
  @Tag("spec:money.6")
  void nothingIsNotedOrPaidForWhileTheVendorIsKnownToBeDown() {
    LedgerPayment payment = paid(Sample.fresh().resumable());
    vendor.onAttempt = effect -> new Attempt.Done("PN1", "");
    vendor.down = true;

    assertThatThrownBy(() -> runner.perform(payment, "+1 212")).hasMessage("the vendor is down");
    assertThat(count("effect")).isZero();
    assertThat(payment.isSettled()).isFalse();
    vendor.down = false;
    assertThat(runner.perform(payment, "+1 212")).isInstanceOf(EffectResult.Done.class);
    vendor.down = true;
    assertThat(runner.perform(payment, "+1 212")).isInstanceOf(EffectResult.Done.class);
    assertThat(vendor.attempts).hasValue(1);
  }

  @Test
  @Tag("spec:money.6")
  void aCertainFailureIsRefundedOnce() {
    Sample sample = Sample.fresh().resumable();
    LedgerPayment payment = paid(sample);
    vendor.onAttempt = effect -> new Attempt.NotDone("none left");

    EffectResult.Failed failed = (EffectResult.Failed) runner.perform(payment, "+1 212");

    assertThat(failed.reason()).isEqualTo("none left");
    assertThat(failed.refund().orElseThrow().state()).isEqualTo(Refund.State.PAID);
    assertThat(balance(sample)).isEqualTo(START);
    EffectResult.Failed again = (EffectResult.Failed) runner.perform(payment.again(), "+1 212");
    assertThat(again.refund().orElseThrow().id()).isEqualTo(failed.refund().orElseThrow().id());
    assertThat(vendor.attempts).hasValue(1);
    assertThat(balance(sample)).isEqualTo(START);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.6")
  void onAChainWhatWasNotDoneIsOwed() {
    LedgerPayment payment = paid(Sample.fresh().spendable(50_000).resumable());
    vendor.onAttempt = effect -> new Attempt.NotDone("none left");

    EffectResult.Failed failed = (EffectResult.Failed) runner.perform(payment, "+1 212");

    assertThat(failed.refund().orElseThrow().state()).isEqualTo(Refund.State.OWED);
  }

  @Test
  @Tag("spec:money.6")
  void anUnknownOutcomeIsClosedOnlyByAskingTheVendor() {
    LedgerPayment payment = paid(Sample.fresh().resumable());
    vendor.onAttempt =
        effect -> {
          throw new IllegalStateException("timeout");
        };
    assertThat(runner.perform(payment, "+1 212")).isInstanceOf(EffectResult.Unknown.class);
    LedgerPayment second = payment.again();
    assertThat(runner.perform(second, "+1 212")).isInstanceOf(EffectResult.Unknown.class);

    vendor.onAsk = effect -> new Attempt.Done("PN2", "");

    assertThat(runner.perform(second.again(), "+1 212")).isInstanceOf(EffectResult.Done.class);
    assertThat(vendor.attempts).hasValue(1);
    assertThat(count("bought")).isEqualTo(1);
  }

  /** What cannot be kept is no id of anything: it must neither break the call nor the task. */
  @Test
  @Tag("spec:money.6")
  void aReferenceThatCannotBeKeptLeavesTheOutcomeUnknownAndTheOthersToBeClosed() {
    vendor.onAttempt = effect -> new Attempt.Unknown();
    for (String intent : List.of("first", "second")) {
      assertThat(runner.perform(paid(Sample.fresh().resumable()), intent))
          .isInstanceOf(EffectResult.Unknown.class);
      clock.forward(Duration.ofSeconds(1));
    }
    LedgerPayment payment = paid(Sample.fresh().resumable());
    vendor.onAttempt = effect -> new Attempt.Done("x".repeat(257), "");
    assertThat(runner.perform(payment, "third")).isInstanceOf(EffectResult.Unknown.class);

    clock.forward(CALL.multipliedBy(3));
    vendor.onAsk =
        effect ->
            effect.intent().equals("first")
                ? new Attempt.Done("PN1", "x".repeat(4_001))
                : new Attempt.Done(effect.intent(), "");
    runner.task().work().run();

    assertThat(number("SELECT COUNT(*) FROM effect WHERE outcome = 'DONE'")).isEqualTo(2);
  }

  @Test
  @Tag("spec:money.6")
  void whatACallDeliversByItselfIsNotedBeforeItIsPaidForAndRefundedUnlessItCame() {
    Sample good = Sample.fresh();
    Sample bad = Sample.fresh();
    for (Sample sample : List.of(good, bad)) {
      LedgerPayment payment = paid(sample);
      Effect begun = runner.begin(payment, "the last piece");
      assertThat(begun.outcome()).isEqualTo(Outcome.UNKNOWN);
      payment.settle();
      Optional<Refund> refund =
          runner.end(
              begun,
              sample.equals(good)
                  ? new Attempt.Done("came", "")
                  : new Attempt.NotDone("broke off"));
      assertThat(refund.map(Refund::state))
          .isEqualTo(sample.equals(good) ? Optional.empty() : Optional.of(Refund.State.PAID));
      assertThat(runner.end(begun, new Attempt.NotDone("again"))).isEmpty();
    }
    assertThat(balance(good)).isLessThan(START);
    assertThat(balance(bad)).isEqualTo(START);
    assertThat(vendor.attempts).hasValue(0);
    assertBooksAgree();
  }

  /** Its call has not settled, and so the money is the payer's still. */
  @Test
  @Tag("spec:money.6")
  void whatDidNotComeAndWasNotPaidForIsNotRefunded() {
    LedgerPayment payment = paid(Sample.fresh());
    Effect begun = runner.begin(payment, "the last piece");

    assertThat(runner.end(begun, new Attempt.NotDone("broke off"))).isEmpty();

    assertThat(count("refund")).isZero();
    payment.settle();
    runner.task().work().run();
    assertThat(number("SELECT count(*) FROM refund WHERE state = 'PAID'")).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.6")
  void whatIsNotPaidForIsClosedAndNotRefunded() {
    LedgerPayment payment = paid(Sample.fresh().spendable(50_000).resumable());

    callOff(payment);

    assertThat(number("SELECT COUNT(*) FROM effect WHERE outcome = 'NOT_DONE'")).isEqualTo(1);
    assertThat(vendor.attempts).hasValue(0);
    assertThat(vendor.asked).isEmpty();
    assertThat(count("refund")).isZero();
  }

  @Test
  @Tag("spec:money.6")
  void theNextAttemptOfAPaymentThatDidNotSettleTakesTheEffectOver() {
    Sample sample = Sample.fresh().resumable();
    Claim first = claimed(ledger, sample);
    Effect noted = ledger.effects().begin(sample.use(first), "number", "+1 212");
    ledger.effects().close(noted, Ending.notDone("not paid for"), Effects.Along.NOTHING);
    ledger.release(first);
    LedgerPayment second = paid(sample);
    vendor.onAttempt = effect -> new Attempt.Done(effect.intent(), "");

    EffectResult.Done done = (EffectResult.Done) runner.perform(second, "+1 646");

    assertThat(done.reference()).isEqualTo("+1 646");
    assertThat(done.effect().id()).isEqualTo(noted.id());
    assertThat(ledger.effects().close(noted, Ending.notDone("late"), Effects.Along.NOTHING))
        .as("the first attempt closes nothing any more")
        .isFalse();
  }

  @Test
  @Tag("spec:money.6")
  void aSettledPaymentsEffectIsNotTakenOver() {
    Sample sample = Sample.fresh().resumable();
    Claim claim = claimed(ledger, sample);
    Effect noted = ledger.effects().begin(sample.use(claim), "number", "+1 212");
    ledger.settleHere(claim, null);

    Effect found = ledger.effects().begin(sample.use(claim), "number", "+1 646");

    assertThat(found.isNew()).isFalse();
    assertThat(found.intent()).isEqualTo("+1 212");
    assertThat(found.vendorKey()).isEqualTo(noted.vendorKey());
  }

  @Test
  @Tag("spec:money.6")
  void whatNoCallerAsksForAgainIsClosedByTheTaskOnceItsCallIsOver() {
    List<Sample> samples = List.of(Sample.fresh(), Sample.fresh(), Sample.fresh());
    samples.forEach(sample -> begun(sample));
    vendor.onAsk =
        effect ->
            switch (vendor.asked.size()) {
              case 1 -> new Attempt.Done("PN3", "");
              case 2 -> new Attempt.NotDone("never heard of it");
              default -> new Attempt.Unknown();
            };
    runner.task().work().run();
    assertThat(vendor.asked).as("their calls may be under way").isEmpty();

    clock.forward(CALL.multipliedBy(2).plusSeconds(1));
    runner.task().work().run();
    runner(node("b")).task().work().run();

    assertThat(vendor.asked).as("the unknown one is asked again later").hasSize(3);
    assertThat(count("bought")).isEqualTo(1);
    assertThat(number("SELECT count(*) FROM effect WHERE outcome = 'UNKNOWN'")).isEqualTo(1);
    assertThat(number("SELECT count(*) FROM refund WHERE state = 'PAID'")).isEqualTo(1);
    clock.forward(Duration.ofSeconds(31));
    runner.task().work().run();
    assertThat(vendor.asked).hasSize(4);
    clock.forward(Duration.ofSeconds(31));
    runner.task().work().run();
    assertThat(vendor.asked).as("pauses grow").hasSize(4);
    assertThat(ledger.effects().list(Outcome.UNKNOWN, 10)).hasSize(1);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.6")
  void whatCannotBeRecordedIsAskedAgainLaterAndHoldsUpNoOther() {
    change("ALTER TABLE bought ADD CONSTRAINT never CHECK (reference <> 'never')");
    for (int i = 0; i < 10; i++) {
      begun(Sample.fresh());
    }
    clock.forward(Duration.ofSeconds(1));
    Effect last = begun(Sample.fresh());
    vendor.onAsk = effect -> new Attempt.Done(effect.id().equals(last.id()) ? "PN1" : "never", "");
    clock.forward(CALL.multipliedBy(3));

    runner.task().work().run();
    runner.task().work().run();

    assertThat(count("bought")).isEqualTo(1);
    assertThat(vendor.asked).hasSize(11);
    assertThat(ledger.effects().list(Outcome.UNKNOWN, 20)).hasSize(10);
  }

  @Test
  @Tag("spec:money.6")
  void theTaskAsksNoVendorAboutWhatWasNotPaidFor() {
    Sample released = Sample.fresh();
    Claim first = claimed(ledger, released);
    ledger.effects().begin(released.use(first), "number", "+1 212");
    ledger.release(first);
    Sample claimed = Sample.fresh();
    Claim second = claimed(ledger, claimed);
    ledger.effects().begin(claimed.use(second), "number", "+1 212");
    clock.forward(CALL.multipliedBy(2).plusSeconds(1));

    runner.task().work().run();

    assertThat(vendor.asked).isEmpty();
    assertThat(count("refund")).isZero();
    assertThat(outcome(first)).contains(Outcome.NOT_DONE);
    assertThat(outcome(second)).as("it may settle yet").contains(Outcome.UNKNOWN);
  }

  @Test
  @Tag("spec:money.6")
  void aPaymentThatProvesToBeTakenAfterItsEffectWasCalledOffIsRefunded() {
    Sample sample = Sample.fresh().spendable(50_000).resumable();
    LedgerPayment payment = paid(sample);
    callOff(payment);
    change("UPDATE payment SET state = 'SETTLED', settled_at = claimed_at, tx = '0xab'");

    runner.task().work().run();
    runner.task().work().run();

    assertThat(ledger.refunds().open(10)).hasSize(1);
    assertThat(vendor.attempts).hasValue(0);
  }

  /** What nothing is left of would be the first of each run for good, and others would wait. */
  @Test
  @Tag("spec:money.6")
  void anEffectWhosePaymentWasGivenBackByHandIsNotLookedAtAgain() {
    LedgerPayment payment = paid(Sample.fresh().spendable(50_000).resumable());
    callOff(payment);
    change("UPDATE payment SET state = 'SETTLED', settled_at = claimed_at, tx = '0xab'");
    UUID id = UUID.fromString(payment.id());
    ledger.refunds().ask(id, OptionalLong.empty(), "by hand", "operator");

    assertThat(
            ledger
                .effects()
                .unrefunded(vendor.kind(), clock.instant().minus(CALL.multipliedBy(9)), 9))
        .isEmpty();
  }

  @Test
  @Tag("spec:money.6")
  void ofTwoWhoCloseAnEffectOneDoes() throws Exception {
    Effect effect = begun(Sample.fresh());
    List<JdbcLedger> nodes = List.of(ledger, node("b"));

    List<Boolean> closed =
        concurrently(
            8,
            number ->
                nodes
                    .get(number % 2)
                    .effects()
                    .close(
                        effect,
                        Ending.done("PN" + number, ""),
                        handle -> vendor.record(handle, effect, new Attempt.Done("PN", ""))));

    assertThat(closed).filteredOn(it -> it).hasSize(1);
    assertThat(count("bought")).isEqualTo(1);
  }

  /** Its payment is refused before its effect, which the task then closes. */
  private void callOff(LedgerPayment payment) {
    payment.refuses();
    assertThatThrownBy(() -> runner.perform(payment, "+1 212"))
        .isInstanceOf(WebApplicationException.class);
    clock.forward(CALL.multipliedBy(2).plusSeconds(1));
    runner.task().work().run();
  }

  /** Paid for, and then its node was not heard of any more. */
  private Effect begun(Sample sample) {
    Claim claim = claimed(ledger, sample.resumable());
    Effect effect = ledger.effects().begin(sample.use(claim), "number", "+1 212");
    ledger.settleHere(claim, null);
    return effect;
  }

  private Optional<Outcome> outcome(Claim claim) {
    return ledger.effects().find(claim.id(), "number").map(Effect::outcome);
  }
}
