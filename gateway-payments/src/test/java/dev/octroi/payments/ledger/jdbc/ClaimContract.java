package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.ClaimResult.Insufficient;
import dev.octroi.payments.ledger.ReleaseReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who gets a claim, and who does not. */
abstract class ClaimContract extends LedgerContract {

  private static final String OTHER_ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";

  ClaimContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  @Tag("spec:payment.claim.once")
  @Tag("spec:payment.state.claimed")
  void aFreshPaymentIsClaimedAndNoOtherCallGetsIt() {
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
  void whyAPaymentWasNotChargedStandsWithItUntilItIsClaimedAgain() {
    Sample sample = Sample.fresh();
    Claim first = claimed(ledger, sample);
    String sentence = "The upstream did not answer in time. ".repeat(10);
    assertThat(ledger.release(first, new ReleaseReason(502, sentence, "u".repeat(100)))).isTrue();
    String kept =
        "SELECT count(*) FROM payment WHERE state = 'RELEASED' AND answer_status = 502 AND reason = '"
            + sentence.substring(0, 200)
            + "' AND upstream = '"
            + "u".repeat(64)
            + "'";
    assertThat(number(kept)).isEqualTo(1);

    Claim second = claimed(ledger, sample);

    assertThat(
            number(
                "SELECT count(*) FROM payment WHERE answer_status IS NULL AND reason IS NULL"
                    + " AND upstream IS NULL"))
        .isEqualTo(1);
    assertThat(ledger.settleHere(second, null)).isInstanceOf(Settlement.Settled.class);
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
  @Tag("spec:money.8")
  void trustInAPayerHoldsForAllItsTokensAcrossNodes() throws Exception {
    JdbcLedger other = node("b");
    Sample known = Sample.fresh();
    List<String> assets = List.of(Sample.ASSET, OTHER_ASSET, "0x" + "0a".repeat(20));
    for (String asset : assets) {
      ledger.release(((Claimed) trusted(known.withAsset(asset), 55_000)).claim());
    }

    List<ClaimResult> results =
        concurrently(
            40,
            i ->
                (i % 2 == 0 ? ledger : other)
                    .claim(
                        Sample.fresh(known.payer())
                            .withAsset(assets.get(i % 3))
                            .request()
                            .trustedWith(OptionalLong.of(55_000))));

    assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(5);
    assertThat(results).filteredOn(Insufficient.class::isInstance).hasSize(35);
  }

  @Test
  @Tag("spec:money.8")
  void aReleasedClaimGivesTrustBackForAnotherToken() {
    Sample first = Sample.fresh();
    Sample second = Sample.fresh(first.payer()).withAsset(OTHER_ASSET);
    Claim claim = ((Claimed) trusted(first, 15_000)).claim();
    assertThat(trusted(second, 15_000)).isInstanceOf(Insufficient.class);

    ledger.release(claim);

    assertThat(trusted(second, 15_000)).isInstanceOf(Claimed.class);
    assertThat(trusted(first, 15_000)).isInstanceOf(Insufficient.class);
    assertThat(trusted(first, 20_000)).isInstanceOf(Claimed.class);
  }

  @Test
  @Tag("spec:money.8")
  void aBalanceCoversWhatIsPaidInItsTokenAlone() {
    Sample first = Sample.fresh();
    assertThat(trusted(first.withAsset(OTHER_ASSET), 15_000)).isInstanceOf(Claimed.class);
    Sample second = Sample.fresh(first.payer()).spendable(15_000);
    assertThat(ledger.claim(second.request())).isInstanceOf(Claimed.class);

    Sample third = Sample.fresh(first.payer()).spendable(15_000);

    assertThat(ledger.claim(third.request())).isInstanceOf(Insufficient.class);
    assertThat(trusted(third, 50_000)).isInstanceOf(Insufficient.class);
    assertThat(trusted(third.spendable(20_000), 30_000)).isInstanceOf(Claimed.class);
  }

  private ClaimResult trusted(Sample sample, long micros) {
    return ledger.claim(sample.request().trustedWith(OptionalLong.of(micros)));
  }

  /** Their text is in the order in which databases have them, which {@code UUID} itself is not. */
  @Test
  void paymentsAreNamedInTheOrderInWhichTheyCome() {
    List<String> named = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      named.add(claimed(ledger, Sample.fresh()).id().toString());
    }

    assertThat(named).isSorted().doesNotHaveDuplicates();
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
}
