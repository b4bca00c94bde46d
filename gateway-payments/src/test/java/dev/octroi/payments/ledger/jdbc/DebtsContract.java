package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.CallOrigin;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Debts.Debt;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is settled on account is owed until one transfer has paid for it, whatever crashes. */
abstract class DebtsContract extends LedgerContract {

  private static final long BALANCE = 50_000;
  private static final UUID KEY = UUID.randomUUID();

  private final String payer = Sample.random(20);

  DebtsContract(TestDatabase where) {
    super(where);
  }

  @BeforeEach
  void keyOfAnAccount() {
    UUID account = UUID.randomUUID();
    change(
        "INSERT INTO account (id, name, created_at) VALUES ('%s', 'a', CURRENT_TIMESTAMP)"
            .formatted(account));
    change(
        "INSERT INTO api_key (id, account_id, name, prefix, permitted, created_at)"
            + " VALUES ('%s', '%s', 'k', 'sk-', '', CURRENT_TIMESTAMP)".formatted(KEY, account));
    change(
        "INSERT INTO key_budget (key_id, on_day, in_month)"
            + " VALUES ('%s', DATE '2000-01-01', DATE '2000-01-01')".formatted(KEY));
  }

  @AfterEach
  void theBooksAgree() {
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.8")
  void whatIsOwedStaysReserved() {
    onAccount(4);

    assertThat(reserved(sample())).isEqualTo(40_000);
    assertThat(ledger.claim(call())).isInstanceOf(ClaimResult.Claimed.class);
    assertThat(ledger.claim(call())).isInstanceOf(ClaimResult.Insufficient.class);
  }

  @Test
  void aDebtIsDueByAmountOrByAge() {
    onAccount(3);

    assertThat(due(30_001, Duration.ofHours(1))).isEmpty();
    assertThat(due(30_000, Duration.ofHours(1))).singleElement().satisfies(this::isWhole);
    clock.forward(Duration.ofHours(2));
    assertThat(due(30_001, Duration.ofHours(1))).singleElement().satisfies(this::isWhole);
  }

  private void isWhole(Debt debt) {
    assertThat(debt.amount()).isEqualTo(30_000);
    assertThat(debt.payments()).hasSize(3);
    assertThat(debt.payer()).isEqualTo(payer);
  }

  @Test
  void oneTransferPaysForAll() {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = transfer(debt);

    assertThat(ledger.debts().assign(debt, transfer)).isTrue();
    assertThat(due(1, Duration.ofHours(1))).isEmpty();
    settle(transfer, new Settlement.Settled("0x01"));
    assertBooksAgree();

    assertThat(ledger.debts().close()).isEqualTo(1);
    assertThat(ledger.debts().close()).isZero();
    assertThat(reserved(sample())).isZero();
    assertThat(count("owed")).isZero();
  }

  /** The line of a transfer is told from that of a sale by this row, until its month is closed. */
  @Test
  @Tag("spec:money.retention")
  void aTransferIsKnownAsLongAsItsLineIsThere() {
    onAccount(1);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = netted(debt, new Settlement.Settled("0x01"));
    ledger.debts().close();
    clock.forward(Duration.ofDays(2_000));

    JdbcLedger later = node("b", it -> it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1)));
    await().until(() -> count("payment") == 0);
    assertThat(count("netting")).isEqualTo(1);

    later.closing().run();
    await().until(() -> count("netting") == 0);
  }

  @Test
  void aTransferThatFailedLeavesEverythingOwed() {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = netted(debt, new Settlement.Refused("insufficient_funds"));

    ledger.debts().close();

    assertThat(reserved(sample())).isEqualTo(30_000);
    assertThat(due(1, Duration.ofHours(1))).singleElement().satisfies(this::isWhole);
  }

  @Test
  @Tag("spec:money.2")
  void aNodeThatDiesBeforeSendingLeavesEverythingOwed() throws Exception {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    ledger.debts().assign(debt, transfer(debt));
    expire("a");

    JdbcLedger heir = node("b");
    assertThat(heir.debts().close()).isEqualTo(1);

    assertThat(reserved(sample())).isEqualTo(30_000);
    assertThat(heir.debts().due(1, clock.instant(), 0, 10))
        .singleElement()
        .satisfies(this::isWhole);
  }

  @Test
  @Tag("spec:money.6")
  void whatATransferPaidForIsGivenBackByTheCallAlone() {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = netted(debt, new Settlement.Settled("0x01"));

    assertThat(refunded(transfer.id())).isFalse();
    ledger.debts().close();
    assertThat(refunded(transfer.id())).isFalse();
    assertThat(debt.payments()).allMatch(this::refunded);
  }

  @Test
  @Tag("spec:money.5")
  void aTransferThatSettlesAfterItsCallsWereOwedAgainIsGivenBack() {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = netted(debt, new Settlement.Refused("insufficient_funds"));
    ledger.debts().close();
    UnresolvedPayment failed = ledger.unresolved().find(transfer.id()).orElseThrow();
    assertThat(ledger.unresolved().close(failed, new Settlement.Settled("0x01"))).isTrue();

    ledger.debts().close();
    node("b").debts().close();

    assertThat(ledger.refunds().of(transfer.id()))
        .singleElement()
        .satisfies(refund -> assertThat(refund.amount()).isEqualTo(30_000));
  }

  /** Former versions took the calls of a transfer that failed for given away. */
  @Test
  @Tag("spec:money.5")
  void aLossThatWasBookedForATransferIsTakenBackByProof() {
    Claim call = claimed(ledger, sample());
    lose(call);
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = transfer(debt);
    assertThat(ledger.debts().assign(debt, transfer)).isTrue();
    lose(transfer);
    assertThat(lost()).isEqualTo(10_000);
    change(
        "INSERT INTO journal (at, payment_id, debit, credit, amount) SELECT at, '%s', debit, credit, 30000 FROM journal WHERE payment_id = '%s'"
            .formatted(transfer.id(), call.id()));
    change("UPDATE book_account SET lost = lost + 30000 WHERE lost > 0");
    ledger.debts().close();

    UnresolvedPayment failed = ledger.unresolved().find(transfer.id()).orElseThrow();
    assertThat(ledger.unresolved().close(failed, new Settlement.Settled("0x01"))).isTrue();

    assertThat(lost()).isEqualTo(10_000);
    assertThat(
            number(
                "SELECT COUNT(*) FROM journal j JOIN book_account a ON a.id = j.credit WHERE a.kind = 'LOSS' AND j.payment_id = '%s'"
                    .formatted(transfer.id())))
        .isOne();
  }

  private long lost() {
    return number("SELECT SUM(lost) FROM book_account");
  }

  /** It was sent, and no block took it. */
  private void lose(Claim claim) {
    settle(claim, new Settlement.Sent("0x02"));
    UnresolvedPayment open = ledger.unresolved().find(claim.id()).orElseThrow();
    assertThat(ledger.unresolved().close(open, new Settlement.Refused("transaction_lost")))
        .isTrue();
  }

  @Test
  @Tag("spec:money.5")
  void ofALateTransferThatTheOperatorGaveBackInPartTheRestIsGivenBack() {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = netted(debt, new Settlement.Refused("insufficient_funds"));
    ledger.debts().close();
    UnresolvedPayment failed = ledger.unresolved().find(transfer.id()).orElseThrow();
    assertThat(ledger.unresolved().close(failed, new Settlement.Settled("0x01"))).isTrue();
    ledger.refunds().ask(transfer.id(), OptionalLong.of(1_000), "by hand", "r1");

    ledger.debts().close();
    ledger.debts().close();

    assertThat(ledger.refunds().of(transfer.id()).stream().map(Refund::amount))
        .containsExactlyInAnyOrder(1_000L, 29_000L);
  }

  private boolean refunded(UUID payment) {
    return ledger.refunds().ask(payment, OptionalLong.empty(), "wrong", "r1")
        instanceof RefundResult.Noted;
  }

  @Test
  @Tag("spec:money.5")
  void whileATransferIsInDoubtNothingIsSentAgain() {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = netted(debt, new Settlement.Unknown("timeout", null));

    assertThat(ledger.debts().close()).isZero();
    assertThat(due(1, Duration.ofHours(1))).isEmpty();
    assertThat(reserved(sample())).isEqualTo(30_000);
  }

  @Test
  void twoNodesNeverPayForTheSameCalls() {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim first = transfer(debt);
    Claim second = transfer(debt);

    assertThat(ledger.debts().assign(debt, first)).isTrue();
    assertThat(ledger.debts().assign(debt, second)).isFalse();
    ledger.release(second);

    assertThat(count("netting")).isEqualTo(1);
    assertThat(reserved(sample())).isEqualTo(30_000);
  }

  /** The transfer for a debt, which has ended so. */
  private Claim netted(Debt debt, Settlement outcome) {
    Claim transfer = transfer(debt);
    assertThat(ledger.debts().assign(debt, transfer)).isTrue();
    settle(transfer, outcome);
    return transfer;
  }

  private void settle(Claim transfer, Settlement outcome) {
    assertThat(ledger.settling(transfer, null)).isTrue();
    assertThat(ledger.settled(transfer, outcome)).isTrue();
  }

  private void onAccount(int calls) {
    for (int i = 0; i < calls; i++) {
      ClaimResult result = ledger.claim(call());
      assertThat(result).isInstanceOf(ClaimResult.Claimed.class);
      Claim claim = ((ClaimResult.Claimed) result).claim();
      assertThat(ledger.settleOnAccount(claim, Sample.ANSWER))
          .isInstanceOf(Settlement.Settled.class);
    }
  }

  private Sample sample() {
    return Sample.fresh(payer).spendable(BALANCE);
  }

  private ClaimRequest call() {
    return sample().request().by(new CallOrigin(Optional.of(KEY), "cryptodata", "request"));
  }

  private Claim transfer(Debt debt) {
    Sample sample = Sample.fresh(payer).withAmount(debt.amount()).spendable(Long.MAX_VALUE / 2);
    return claimed(ledger, sample);
  }

  private List<Debt> due(long threshold, Duration age) {
    Instant before = clock.instant().minus(age);
    return ledger.debts().due(threshold, before, 0, 10);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitsOfATransferPaysForItsCallsOnce(NextCommit what) {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = transfer(debt);
    database.nextCommit(what);
    assertThat(ledger.debts().assign(debt, transfer)).isTrue();
    settle(transfer, new Settlement.Settled("0x01"));
    assertBooksAgree();

    database.nextCommit(what);
    ledger.debts().close();
    database.nextCommit(what);
    ledger.debts().close();

    assertThat(reserved(sample())).isZero();
    assertThat(count("owed")).isZero();
    assertThat(number("SELECT COUNT(*) FROM netting WHERE paid")).isEqualTo(1);
  }

  /** How far a transfer has come when its node dies. */
  private enum Step {
    CLAIMED,
    ASSIGNED,
    SETTLING,
    SENT,
    SETTLED
  }

  @ParameterizedTest
  @CsvSource({
    "CLAIMED,false",
    "ASSIGNED,false",
    "SETTLING,false",
    "SETTLING,true",
    "SENT,false",
    "SENT,true",
    "SETTLED,true"
  })
  @Tag("spec:money.2")
  @Tag("spec:money.5")
  void whereverItsNodeDiesATransferPaysForItsCallsOnceOrTheyAreOwed(Step step, boolean isMoved) {
    onAccount(3);
    Debt debt = due(1, Duration.ofHours(1)).get(0);
    Claim transfer = transfer(debt);
    if (step.compareTo(Step.ASSIGNED) >= 0) {
      assertThat(ledger.debts().assign(debt, transfer)).isTrue();
    }
    if (step.compareTo(Step.SETTLING) >= 0) {
      assertThat(ledger.settling(transfer, null)).isTrue();
    }
    if (step.compareTo(Step.SENT) >= 0) {
      assertThat(ledger.settled(transfer, new Settlement.Sent("0x01"))).isTrue();
    }
    if (step.compareTo(Step.SETTLED) >= 0) {
      assertThat(ledger.settled(transfer, new Settlement.Settled("0x01"))).isTrue();
    }
    expire("a");

    JdbcLedger heir = node("b");
    heir.debts().close();
    assertBooksAgree();
    Settlement told =
        isMoved ? new Settlement.Settled("0x01") : new Settlement.Refused("authorization_canceled");
    for (UnresolvedPayment open : heir.unresolved().since(clock.instant().plusSeconds(1), 10)) {
      assertThat(heir.unresolved().close(open, told)).isTrue();
    }
    heir.debts().close();

    List<Debt> left = heir.debts().due(1, clock.instant(), 0, 10);
    if (isMoved) {
      assertThat(left).isEmpty();
      assertThat(count("owed")).isZero();
    } else {
      assertThat(left).singleElement().satisfies(this::isWhole);
    }
    assertThat(reserved(sample())).isEqualTo(isMoved ? 0 : 30_000);
    assertThat(number("SELECT SUM(lost) FROM book_account")).isZero();
  }
}
