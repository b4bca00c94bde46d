package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.Spent;
import dev.octroi.payments.account.Accounts.UsageLine;
import dev.octroi.payments.account.Accounts.UsageQuery;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.JdbcAccounts;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.ClaimResult.OverBudget;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.ledger.Refunds.RefundResult;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That a key spends no more than it may, whatever the node, and gets back what it did not. */
abstract class BudgetContract extends KeysContract {

  private static final long PRICE = 10_000;

  private JdbcAccounts accounts;

  BudgetContract(TestDatabase kind) {
    super(kind);
  }

  @BeforeEach
  void openAccounts() {
    accounts = accounts(ledger, OLD_KEY);
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void of200ConcurrentCallsOnTwoNodesABudgetForTenLetsTenThrough() throws Exception {
    ApiKey key = limited(accounts, 10 * PRICE);
    JdbcLedger other = node("b");

    List<ClaimResult> results =
        concurrently(200, i -> untilAnswered(i % 2 == 0 ? ledger : other, byKey(key)));

    assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(10);
    assertThat(results).filteredOn(OverBudget.class::isInstance).hasSize(190);
    assertThat(today(key)).isEqualTo(10 * PRICE);
    assertBooksAgree();
  }

  /** Asks again while too many wait, as a caller who is told so does. */
  private static ClaimResult untilAnswered(JdbcLedger ledger, ClaimRequest request) {
    return await()
        .pollInterval(Duration.ofMillis(5))
        .ignoreExceptionsMatching(it -> it instanceof LedgerUnavailable e && e.isNothingDone())
        .until(() -> ledger.claim(request), Objects::nonNull);
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void whatIsReleasedCanBeSpentAgain() {
    ApiKey key = limited(accounts, PRICE);
    Claim claim = claimed(byKey(key));
    assertThat(ledger.claim(byKey(key))).isEqualTo(new OverBudget("daily"));

    ledger.release(claim);

    assertThat(today(key)).isZero();
    assertThat(ledger.claim(byKey(key))).isInstanceOf(Claimed.class);
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void whatFailsForCertainCanBeSpentAgainAndWhatIsInDoubtCannot() {
    ApiKey key = limited(accounts, PRICE);
    Claim refused = claimed(byKey(key));
    ledger.settling(refused, null);
    ledger.settled(refused, new Settlement.Refused("insufficient_funds"));
    assertThat(today(key)).isZero();

    Claim doubtful = claimed(byKey(key));
    ledger.settling(doubtful, null);
    ledger.settled(doubtful, new Settlement.Unknown("timeout", null));

    assertThat(today(key)).isEqualTo(PRICE);
    assertThat(ledger.claim(byKey(key))).isInstanceOf(OverBudget.class);
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void whatSettledStaysSpent() {
    ApiKey key = limited(accounts, PRICE);

    ledger.settleHere(claimed(byKey(key)), null);

    assertThat(today(key)).isEqualTo(PRICE);
    assertThat(ledger.claim(byKey(key))).isInstanceOf(OverBudget.class);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.7")
  void whatWasReservedAndNotChargedCanBeSpentAgain() {
    ApiKey key = limited(accounts, PRICE);
    Claim claim = claimed(byKey(key));
    ledger.charge(claim, PRICE / 4);
    assertThat(today(key)).isEqualTo(PRICE);

    assertThat(ledger.settleHere(claim, null)).isInstanceOf(Settlement.Settled.class);

    assertThat(today(key)).isEqualTo(PRICE / 4);
    assertThat(ledger.claim(byKey(key))).isInstanceOf(OverBudget.class);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.7")
  @Tag("spec:money.2")
  void whatADeadNodeHadReservedIsGivenBackByTheNextOne() {
    ApiKey key = limited(accounts, PRICE);
    JdbcLedger dying = node("dying");
    assertThat(dying.claim(byKey(key))).isInstanceOf(Claimed.class);
    assertThat(ledger.claim(byKey(key))).isInstanceOf(OverBudget.class);

    expire("dying");
    JdbcLedger heir = node("heir");

    assertThat(today(key)).isZero();
    assertThat(heir.claim(byKey(key))).isInstanceOf(Claimed.class);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void aReleaseAfterMidnightGivesNothingToTheNewDay() {
    JdbcLedger lasting = longLived("lasting");
    ApiKey key = limited(accounts, 2 * PRICE);
    Claim yesterday = ((Claimed) lasting.claim(byKey(key))).claim();
    clock.forward(Duration.ofDays(1));
    assertThat(lasting.claim(byKey(key))).isInstanceOf(Claimed.class);
    assertThat(today(key)).isEqualTo(PRICE);

    lasting.release(yesterday);

    assertThat(today(key)).isEqualTo(PRICE);
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void aMonthHasABudgetOfItsOwn() {
    JdbcLedger lasting = longLived("lasting");
    KeyLimits limits =
        new KeyLimits(
            Optional.empty(), Optional.of(new Usd(PRICE)), Optional.of(new Usd(2 * PRICE)));
    ApiKey key = open(accounts, limits).key();
    // From the second of a month on, so that two more days are of it.
    clock.forward(toTheSecondOfNextMonth());
    for (int day = 0; day < 2; day++) {
      lasting.settleHere(((Claimed) lasting.claim(byKey(key))).claim(), null);
      clock.forward(Duration.ofDays(1));
    }

    assertThat(lasting.claim(byKey(key))).isEqualTo(new OverBudget("monthly"));
    clock.forward(Duration.ofDays(31));
    assertThat(lasting.claim(byKey(key))).isInstanceOf(Claimed.class);
  }

  private Duration toTheSecondOfNextMonth() {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    LocalDate then = today.plusMonths(1).withDayOfMonth(2);
    return Duration.ofDays(then.toEpochDay() - today.toEpochDay());
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void theOwnersLimitHoldsAsFarAsItIsLess() {
    ApiKey key = limited(accounts, 2 * PRICE);
    accounts.restrict(
        key.id(),
        before -> new KeyLimits(Optional.empty(), Optional.of(new Usd(PRICE)), before.monthly()));
    claimed(byKey(key));

    assertThat(ledger.claim(byKey(key))).isInstanceOf(OverBudget.class);
    accounts.restrict(key.id(), before -> KeyLimits.NONE);
    assertThat(ledger.claim(byKey(key))).isInstanceOf(Claimed.class);
    assertThat(ledger.claim(byKey(key))).isInstanceOf(OverBudget.class);
  }

  @Test
  @Tag("spec:key.usage")
  void whatWasChargedIsUsageAndNothingElseIs() {
    ApiKey key = limited(accounts, 100 * PRICE);
    for (int call = 0; call < 3; call++) {
      ledger.settleHere(claimed(byKey(key)), null);
    }
    ledger.release(claimed(byKey(key)));
    ledger.settleHere(claimed(Sample.fresh().request()), null);

    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    UsageQuery query =
        new UsageQuery(key.account(), Optional.empty(), today.minusDays(1), today.plusDays(1));
    assertThat(accounts.usage(query, Optional.empty(), 10))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.key()).isEqualTo(key.id());
              assertThat(line.group()).isEqualTo("prediction");
              assertThat(line.calls()).isEqualTo(3);
              assertThat(line.spend()).isEqualTo(new Usd(3 * PRICE));
            });
  }

  @Test
  @Tag("spec:key.usage")
  void usageIsReadInPagesTheLatestDayFirst() {
    JdbcLedger lasting = longLived("lasting");
    ApiKey key = limited(accounts, 100 * PRICE);
    LocalDate first = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    for (int day = 0; day < 5; day++) {
      lasting.settleHere(((Claimed) lasting.claim(byKey(key))).claim(), null);
      clock.forward(Duration.ofDays(1));
    }
    UsageQuery query =
        new UsageQuery(key.account(), Optional.of(key.id()), first, first.plusDays(10));

    List<UsageLine> page = accounts.usage(query, Optional.empty(), 3);
    List<UsageLine> next = accounts.usage(query, Optional.of(page.get(2)), 3);

    assertThat(page)
        .extracting(UsageLine::day)
        .hasSize(3)
        .isSortedAccordingTo((a, b) -> b.compareTo(a));
    assertThat(next)
        .extracting(UsageLine::day)
        .hasSize(2)
        .doesNotContainAnyElementsOf(page.stream().map(UsageLine::day).toList());
  }

  @Test
  void aPaymentRemembersWhoseCallItWasAndWhenWhatHappened() {
    ApiKey key = limited(accounts, PRICE);
    Claim claim = claimed(byKey(key));
    ledger.settling(claim, null);
    ledger.settled(claim, new Settlement.Settled("0xabc"));

    assertThat(
            number(
                """
                SELECT count(*) FROM payment
                WHERE scope = 'prediction' AND request_id = 'request-1' AND key_id IS NOT NULL
                  AND settling_at >= claimed_at AND settled_at >= settling_at AND closed_at IS NULL
                """))
        .isEqualTo(1);
  }

  @Test
  @Tag("spec:limit.managed_spend")
  @Tag("spec:key.usage")
  void whatIsRefundedCanBeSpentAgainOnceHoweverOftenItIsAskedFor() {
    ApiKey key = limited(accounts, PRICE);
    Claim claim = claimed(byKey(key));
    ledger.settleHere(claim, null);

    for (int time = 0; time < 2; time++) {
      ledger.refunds().ask(claim.id(), OptionalLong.of(PRICE / 4), "a part", "part");
      assertThat(today(key)).isEqualTo(PRICE - PRICE / 4);
      assertThat(spend(key)).isEqualTo(PRICE - PRICE / 4);
    }
    ledger.refunds().ask(claim.id(), OptionalLong.of(PRICE), "too much", "more");
    assertThat(ledger.claim(byKey(key))).isInstanceOf(OverBudget.class);
    ledger.refunds().ask(claim.id(), OptionalLong.empty(), "the rest", "rest");

    assertThat(today(key)).isZero();
    assertThat(spend(key)).isZero();
    assertThat(ledger.claim(byKey(key))).isInstanceOf(Claimed.class);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void whatIsOwedBackCanBeSpentAgainAndIsNotGivenBackTwiceWhenItIsPaid() {
    ApiKey key = limited(accounts, PRICE);
    Claim claim = claimed(byKey(key, Sample.fresh().spendable(50_000)));
    ledger.settling(claim, null);
    ledger.settled(claim, new Settlement.Settled("0xabc"));

    Refund owed =
        ((RefundResult.Noted)
                ledger.refunds().ask(claim.id(), OptionalLong.empty(), "it was wrong", "r1"))
            .refund();
    assertThat(today(key)).isZero();
    assertThat(claimed(byKey(key))).isNotNull();
    ledger.refunds().paid(owed.id(), "0xdef");

    assertThat(today(key)).isEqualTo(PRICE);
    assertThat(spend(key)).isZero();
    assertBooksAgree();
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void aRefundAfterMidnightGivesNothingToTheNewDay() {
    JdbcLedger lasting = longLived("lasting");
    ApiKey key = limited(accounts, 2 * PRICE);
    Claim yesterday = ((Claimed) lasting.claim(byKey(key))).claim();
    lasting.settleHere(yesterday, null);
    clock.forward(Duration.ofDays(1));
    assertThat(lasting.claim(byKey(key))).isInstanceOf(Claimed.class);

    lasting.refunds().ask(yesterday.id(), OptionalLong.empty(), "it was wrong", "r1");

    assertThat(today(key)).isEqualTo(PRICE);
    assertThat(spend(key)).isZero();
    assertBooksAgree();
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void callsOnTwoNodesSpendWhatIsRefundedMeanwhileOnce() throws Exception {
    ApiKey key = limited(accounts, 10 * PRICE);
    JdbcLedger other = node("b");
    List<Claim> sold = new ArrayList<>();
    for (int call = 0; call < 10; call++) {
      Claim claim = claimed(byKey(key));
      ledger.settleHere(claim, null);
      sold.add(claim);
    }

    List<Object> results =
        concurrently(
            60,
            i ->
                i % 3 == 0
                    ? (i % 2 == 0 ? ledger : other)
                        .refunds()
                        .ask(sold.get(i / 6).id(), OptionalLong.empty(), "it was wrong", "r")
                    : untilAnswered(i % 2 == 0 ? ledger : other, byKey(key)));
    results.addAll(concurrently(20, i -> untilAnswered(i % 2 == 0 ? ledger : other, byKey(key))));

    assertThat(results).filteredOn(RefundResult.Noted.class::isInstance).hasSize(20);
    assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(10);
    assertThat(today(key)).isEqualTo(10 * PRICE);
    assertThat(spend(key)).isZero();
    assertBooksAgree();
  }

  private long spend(ApiKey key) {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    UsageQuery query = new UsageQuery(key.account(), Optional.empty(), today.minusDays(1), today);
    return accounts.usage(query, Optional.empty(), 10).stream()
        .mapToLong(line -> line.spend().micros())
        .sum();
  }

  private Claim claimed(ClaimRequest request) {
    ClaimResult result = ledger.claim(request);
    assertThat(result).isInstanceOf(Claimed.class);
    return ((Claimed) result).claim();
  }

  private long today(ApiKey key) {
    return accounts.spent(key.id()).map(Spent::today).orElseThrow().micros();
  }
}
