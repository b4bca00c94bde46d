package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Payouts;
import dev.octroi.payments.ledger.Payouts.Payout;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.ledger.Refunds.RefundResult;
import dev.octroi.payments.ledger.jdbc.FlakyDatabase.NextCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Refunds are rows of their own and never give back more than was charged. */
abstract class RefundsContract extends LedgerContract {

  private static final OptionalLong ALL = OptionalLong.empty();
  private static final String TREASURY = "0x209693bc6afc0c5328ba36faf03c514ef312287c";
  private static final Instant END = Instant.parse("2040-01-01T00:00:00Z");

  RefundsContract(TestDatabase where) {
    super(where);
  }

  @AfterEach
  void theBooksAgree() {
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.6")
  void sandboxMoneyIsBackAtOnce() {
    Sample sample = Sample.fresh();
    Claim claim = sold(sample);

    Refund refund = noted(ledger.refunds().ask(claim.id(), ALL, "it was wrong", "r1"));

    assertThat(refund.state()).isEqualTo(Refund.State.PAID);
    assertThat(refund.amount()).isEqualTo(10_000);
    assertThat(balance(sample)).isEqualTo(START);
    assertThat(ledger.refunds().open(10)).isEmpty();
  }

  @Test
  void thePaymentStaysSettled() {
    Claim claim = sold(Sample.fresh());

    ledger.refunds().ask(claim.id(), ALL, "it was wrong", "r1");

    assertThat(number("SELECT COUNT(*) FROM payment WHERE state = 'SETTLED'")).isEqualTo(1);
  }

  @Test
  void askingTwiceUnderOneKeyIsOneRefund() {
    Sample sample = Sample.fresh();
    Claim claim = sold(sample);

    Refund first = noted(ledger.refunds().ask(claim.id(), OptionalLong.of(3_000), "half", "r1"));
    Refund again = noted(ledger.refunds().ask(claim.id(), OptionalLong.of(3_000), "half", "r1"));

    assertThat(again).isEqualTo(first);
    assertThat(balance(sample)).isEqualTo(START - 7_000);
  }

  @Test
  void anotherAmountUnderOneKeyIsNoRefund() {
    Sample sample = Sample.fresh();
    Claim claim = sold(sample);
    Refund first = noted(ledger.refunds().ask(claim.id(), OptionalLong.of(3_000), "half", "r1"));

    assertThat(ledger.refunds().ask(claim.id(), OptionalLong.of(5_000), "half", "r1"))
        .isNotInstanceOf(RefundResult.Noted.class);
    assertThat(noted(ledger.refunds().ask(claim.id(), ALL, "half", "r1"))).isEqualTo(first);
    assertThat(balance(sample)).isEqualTo(START - 7_000);
  }

  @Test
  void partsNeverExceedWhatWasCharged() {
    Claim claim = sold(Sample.fresh());
    ledger.refunds().ask(claim.id(), OptionalLong.of(6_000), "some", "r1");

    assertThat(ledger.refunds().ask(claim.id(), OptionalLong.of(4_001), "more", "r2"))
        .isEqualTo(new RefundResult.TooMuch(4_000));
    assertThat(noted(ledger.refunds().ask(claim.id(), ALL, "the rest", "r3")).amount())
        .isEqualTo(4_000);
    assertThat(ledger.refunds().ask(claim.id(), ALL, "again", "r4"))
        .isEqualTo(new RefundResult.TooMuch(0));
  }

  @Test
  void ofManyAtOnceNoMoreThanWasChargedGoesBack() throws Exception {
    Sample sample = Sample.fresh();
    Claim claim = sold(sample);
    JdbcLedger other = node("b");

    List<RefundResult> results =
        concurrently(
            20,
            number ->
                (number % 2 == 0 ? ledger : other)
                    .refunds()
                    .ask(claim.id(), OptionalLong.of(3_000), "race", "r" + number));

    assertThat(results).filteredOn(RefundResult.Noted.class::isInstance).hasSize(3);
    assertThat(balance(sample)).isEqualTo(START - 1_000);
  }

  @Test
  void whatDidNotSettleIsNotGivenBack() {
    Claim claim = claimed(ledger, Sample.fresh());

    assertThat(ledger.refunds().ask(claim.id(), ALL, "why", "r1"))
        .isEqualTo(new RefundResult.NotSettled());
    assertThat(ledger.refunds().ask(UUID.randomUUID(), ALL, "why", "r1"))
        .isEqualTo(new RefundResult.Unknown());
  }

  @Test
  @Tag("spec:money.6")
  void moneyOfAChainIsOwedUntilItIsProvenToBePaid() {
    Refund owed = owed();

    assertThat(owed.state()).isEqualTo(Refund.State.OWED);
    assertThat(ledger.refunds().open(10)).containsExactly(owed);
    assertBooksAgree();
    assertThat(ledger.refunds().paid(owed.id(), "0x02")).isTrue();
    assertThat(ledger.refunds().paid(owed.id(), "0x02")).isFalse();
    assertThat(ledger.refunds().of(owed.payment()))
        .singleElement()
        .satisfies(
            refund -> {
              assertThat(refund.state()).isEqualTo(Refund.State.PAID);
              assertThat(refund.transaction()).isEqualTo("0x02");
            });
    assertThat(number("SELECT count(*) FROM journal")).isEqualTo(2);
  }

  @Test
  @Tag("spec:money.6")
  void aTransactionOfTheOperatorsPaysOneRefund() {
    Refund first = owed();
    Refund second = owed();
    Payout third = begun(owed());
    assertThat(payouts().settled(third, "0x0c")).isTrue();
    assertThat(ledger.refunds().paid(first.id(), "0x0a")).isTrue();

    for (String used : List.of("0x0a", "0x0A", "0x0c")) {
      assertThat(ledger.refunds().paid(second.id(), used)).as(used).isFalse();
    }

    assertThat(ledger.refunds().open(10)).containsExactly(second);
    assertThat(ledger.refunds().paid(second.id(), "0x0b")).isTrue();
  }

  @Test
  @Tag("spec:money.6")
  void ofManyRefundsForWhichOneTransactionIsStatedAtOnceItPaysOne() throws Exception {
    List<Refund> refunds = List.of(owed(), owed(), owed(), owed(), owed(), owed());
    JdbcLedger other = node("b");

    List<Boolean> paid =
        concurrently(
            refunds.size(),
            number -> isPaid(number % 2 == 0 ? ledger : other, refunds.get(number), "0x0a"));

    assertThat(paid).containsOnlyOnce(true);
    assertThat(ledger.refunds().open(10)).hasSize(refunds.size() - 1);
  }

  @Test
  @Tag("spec:money.retention")
  void aPaymentIsKeptAsLongAsItsRefundIsOwed() {
    Refund owed = owed();
    Claim other = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.settling(other, Sample.ANSWER);
    ledger.settled(other, new Settlement.Settled("0x09"));
    clock.forward(Duration.ofDays(365 * 10));

    JdbcLedger later =
        node(
            "b",
            it ->
                it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1))
                    .recordRetention(Duration.ofDays(30)));

    await().until(() -> number("SELECT count(*) FROM payment") == 1);
    assertThat(later.refunds().open(10)).containsExactly(owed);
  }

  @Test
  @Tag("spec:money.6")
  void whatATreasuryHasSignedForIsNotPaidByHandAsWell() {
    Payout payout = begun(owed());

    assertThat(ledger.refunds().paid(payout.refund().id(), "0x02")).isFalse();

    assertThat(payouts().settled(payout, "0x03")).isTrue();
    assertThat(payouts().settled(payout, "0x03")).isFalse();
    assertThat(refund(payout).state()).isEqualTo(Refund.State.PAID);
    assertThat(refund(payout).transaction()).isEqualTo("0x03");
    assertThat(number("SELECT count(*) FROM journal")).isEqualTo(2);
  }

  @Test
  @Tag("spec:money.6")
  void ofManyNodesOneBeginsToPayARefund() throws Exception {
    Refund refund = owed();
    JdbcLedger other = node("b");

    List<Optional<Payout>> begun =
        concurrently(
            10,
            number ->
                (number % 2 == 0 ? ledger : other)
                    .refunds()
                    .payouts()
                    .begin(refund.id(), key(refund), END, Instant.EPOCH));

    assertThat(begun).filteredOn(Optional::isPresent).hasSize(1);
    assertThat(payouts().underWay(refund.network(), 10))
        .singleElement()
        .satisfies(
            payout -> {
              assertThat(payout.attempt()).isEqualTo(1);
              assertThat(payout.key()).isEqualTo(key(refund));
              assertThat(payout.question().key()).isEqualTo(key(refund));
            });
  }

  @Test
  @Tag("spec:money.1")
  void whatIsProvenOfOneAuthorizationDoesNotCloseTheNext() {
    Payout first = begun(owed());
    assertThat(payouts().failed(first, "no block took it", Instant.EPOCH)).isTrue();
    assertThat(refund(first).state()).isEqualTo(Refund.State.OWED);
    assertThat(refund(first).note()).isEqualTo("no block took it");
    Payout second = begun(refund(first));

    assertThat(payouts().failed(first, "no block took it", Instant.EPOCH)).isFalse();
    payouts().look(first, "0x01", "late news", Instant.EPOCH);

    assertThat(second.attempt()).isEqualTo(2);
    assertThat(refund(second).state()).isEqualTo(Refund.State.SENDING);
    assertThat(refund(second).transaction()).isNull();
    assertThat(refund(second).note()).isNull();
  }

  @Test
  void whatWasPostponedIsNotDueBefore() {
    Refund refund = owed();
    Instant due = Instant.parse("2040-01-01T00:00:00Z");

    payouts().postpone(refund.id(), "the treasury is empty", due);

    assertThat(
            payouts()
                .owed(
                    refund.network(), List.of(refund.asset(), "0xother"), due.minusSeconds(1), 10))
        .isEmpty();
    assertThat(payouts().owed(refund.network(), List.of(refund.asset(), "0xother"), due, 10))
        .singleElement()
        .satisfies(owed -> assertThat(owed.note()).isEqualTo("the treasury is empty"));
    assertThat(payouts().owed(refund.network(), List.of("0xanother"), due, 10)).isEmpty();
  }

  private static boolean isPaid(JdbcLedger ledger, Refund refund, String transaction) {
    try {
      return ledger.refunds().paid(refund.id(), transaction);
    } catch (LedgerUnavailable e) {
      return false;
    }
  }

  private Refund owed() {
    Claim claim = claimed(ledger, Sample.fresh().spendable(50_000));
    ledger.settling(claim, Sample.ANSWER);
    ledger.settled(claim, new Settlement.Settled("0x01"));
    return noted(ledger.refunds().ask(claim.id(), ALL, "it was wrong", "r1"));
  }

  private Payouts payouts() {
    return ledger.refunds().payouts();
  }

  private static PaymentKey key(Refund refund) {
    return new PaymentKey(refund.network(), TREASURY, "0x" + "5e".repeat(33));
  }

  private Payout begun(Refund refund) {
    return payouts().begin(refund.id(), key(refund), END, Instant.EPOCH).orElseThrow();
  }

  private Refund refund(Payout payout) {
    return ledger.refunds().find(payout.refund().id()).orElseThrow();
  }

  private Claim sold(Sample sample) {
    Claim claim = claimed(ledger, sample);
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    return claim;
  }

  private static Refund noted(RefundResult result) {
    assertThat(result).isInstanceOf(RefundResult.Noted.class);
    return ((RefundResult.Noted) result).refund();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitsOfARefundPaysItOnce(NextCommit what) {
    Sample sample = Sample.fresh();
    Claim claim = sold(sample);
    database.nextCommit(what);
    Refund back = noted(ledger.refunds().ask(claim.id(), OptionalLong.of(3_000), "half", "r1"));
    assertThat(back.state()).isEqualTo(Refund.State.PAID);
    assertThat(balance(sample)).isEqualTo(START - 7_000);

    Refund owed = owed();
    database.nextCommit(what);
    var unused = ledger.refunds().paid(owed.id(), "0x02");

    assertThat(ledger.refunds().find(owed.id()))
        .hasValueSatisfying(paid -> assertThat(paid.transaction()).isEqualTo("0x02"));
    assertThat(ledger.refunds().of(claim.id())).hasSize(1);
  }
}
