package dev.octroi.payments.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.ClaimResult.InDoubt;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.ClaimResult.Insufficient;
import dev.octroi.payments.ledger.ClaimResult.Replay;
import dev.octroi.payments.ledger.ClaimResult.Rerun;
import dev.octroi.payments.ledger.ClaimResult.Used;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every database must keep of the rules of money. */
abstract class LedgerContract {

  private static final RequestBinding ELSEWHERE =
      new RequestBinding("GET", "/elsewhere", "", "00".repeat(32));

  private final List<JdbcLedger> ledgers = new ArrayList<>();
  private DataSource database;
  private Jdbi jdbi;
  private JdbcLedger ledger;

  /** A database with the schema and nothing in it. */
  abstract DataSource emptyDatabase();

  abstract void closeDatabase();

  @BeforeEach
  void open() {
    database = emptyDatabase();
    jdbi = Jdbi.create(database);
    ledger = node("a");
  }

  @AfterEach
  void close() {
    ledgers.forEach(JdbcLedger::close);
    closeDatabase();
  }

  @Test
  @Tag("spec:payment.claim.once")
  void aFreshPaymentIsClaimedAndNobodyElseGetsIt() {
    Sample sample = Sample.fresh();

    Claim claim = claimed(ledger, sample);

    assertThat(claim.attempt()).isEqualTo(1);
    assertThat(ledger.claim(sample.request())).isInstanceOf(InFlight.class);
    assertThat(node("b").claim(sample.request())).isInstanceOf(InFlight.class);
  }

  @Test
  @Tag("spec:money.1")
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
  void aSettledPaymentMovesItsMoneyOnce() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);

    Settlement settlement = ledger.settleHere(claim, Sample.ANSWER);

    assertThat(settlement).isInstanceOf(Settlement.Settled.class);
    assertThat(((Settlement.Settled) settlement).transaction()).doesNotStartWith("0x");
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Unknown.class);
    assertThat(ledger.release(claim)).isFalse();
    assertThat(balance(sample)).isEqualTo(1_000_000_000L - 10_000);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.3")
  void anAnswerThatWasChargedAndNotDeliveredIsHadAgain() {
    Sample sample = Sample.fresh();
    Settlement settled = ledger.settleHere(claimed(ledger, sample), Sample.ANSWER);

    Replay replay = (Replay) node("b").claim(sample.request());

    assertThat(replay.answer().status()).isEqualTo(200);
    assertThat(replay.answer().headers()).isEqualTo(Sample.ANSWER.headers());
    assertThat(replay.answer().body()).isEqualTo(Sample.ANSWER.body());
    assertThat(settled).isEqualTo(new Settlement.Settled(replay.transaction()));
    assertThat(balance(sample)).isEqualTo(1_000_000_000L - 10_000);
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
    assertThat(balance(sample)).isEqualTo(1_000_000_000L - 10_000);
  }

  @Test
  @Tag("spec:money.5")
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
    assertThat(balance(sample)).isEqualTo(1_000_000_000L - 10_000);
  }

  @Test
  @Tag("spec:money.5")
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

  private JdbcLedger node(String name) {
    JdbcLedger opened =
        new JdbcLedger(
            database,
            new AnswerVault(new byte[32]),
            LedgerSettings.of(name).withHeartbeat(Duration.ofHours(1), Duration.ofHours(3)),
            Clock.systemUTC());
    ledgers.add(opened);
    return opened;
  }

  private static Claim claimed(Ledger ledger, Sample sample) {
    ClaimResult result = ledger.claim(sample.request());
    assertThat(result).isInstanceOf(Claimed.class);
    return ((Claimed) result).claim();
  }

  private void expire(String node) {
    jdbi.useHandle(
        handle ->
            handle
                .createUpdate("UPDATE node SET expires_at = beat_at WHERE name = :name")
                .bind("name", node)
                .execute());
  }

  private long balance(Sample sample) {
    return ledger.sandboxBank().balance(Sample.NETWORK, sample.payer(), Sample.ASSET);
  }

  private long reserved(Sample sample) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery("SELECT reserved FROM book_account WHERE owner = :owner AND kind = 1")
                .bind("owner", KeyBytes.of(Sample.NETWORK, sample.payer()))
                .mapTo(Long.class)
                .one());
  }

  private long count(String table) {
    return number("SELECT count(*) FROM " + table);
  }

  private long number(String sql) {
    return jdbi.withHandle(handle -> handle.createQuery(sql).mapTo(Long.class).one());
  }

  /** Every balance is what the journal says, and all balances together are nothing. */
  private void assertBooksAgree() {
    String balances =
        """
        SELECT a.id, a.kind, a.balance,
          COALESCE((SELECT SUM(j.amount) FROM journal j WHERE j.credit = a.id), 0)
          - COALESCE((SELECT SUM(j.amount) FROM journal j WHERE j.debit = a.id), 0) AS booked
        FROM book_account a
        """;
    assertThat(number("SELECT SUM(booked) FROM (" + balances + ") b")).isZero();
    assertThat(number("SELECT count(*) FROM (" + balances + ") b WHERE balance <> booked"))
        .isZero();
    assertThat(
            number(
                "SELECT count(*) FROM book_account WHERE kind = 1 AND reserved <> (SELECT"
                    + " COALESCE(SUM(p.amount), 0) FROM payment p WHERE p.payer = owner AND p.state"
                    + " IN (1, 2, 6))"))
        .isZero();
  }

  /** What a caller of a concurrent crowd does. */
  private interface Caller<T> {
    T call(int number);
  }

  private static <T> List<T> concurrently(int callers, Caller<T> caller) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        int number = i;
        calls.add(() -> caller.call(number));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> call : threads.invokeAll(calls)) {
        results.add(call.get());
      }
      return results;
    } finally {
      threads.shutdown();
    }
  }
}
