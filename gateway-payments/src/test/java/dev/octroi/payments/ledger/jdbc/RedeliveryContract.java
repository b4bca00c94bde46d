package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.InFlight;
import dev.octroi.payments.ledger.ClaimResult.Replay;
import dev.octroi.payments.ledger.ClaimResult.Rerun;
import dev.octroi.payments.ledger.ClaimResult.Used;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.StoredAnswer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a payment that was settled has again, for whom and how long. */
abstract class RedeliveryContract extends LedgerContract {

  RedeliveryContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:x402.uncertain.4")
  void anAnswerThatWasChargedAndNotDeliveredIsHadAgain() {
    Sample sample = Sample.fresh();
    Claim claim = claimed(ledger, sample);
    Settlement settled = ledger.settleHere(claim, Sample.ANSWER);
    ledger.unanswered(claim);

    Replay replay = (Replay) node("b").claim(sample.request());

    StoredAnswer answer = ledger.identifiers().answer(replay.claim().id()).orElseThrow();
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers()).isEqualTo(Sample.ANSWER.headers());
    assertThat(answer.body()).isEqualTo(Sample.ANSWER.body());
    assertThat(replay.answerBytes()).isGreaterThan(answer.body().length);
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
    lost(ledger, sample, Sample.ANSWER);

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
    lost(ledger, stored, Sample.ANSWER);
    lost(ledger, read, null);
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
    lost(ledger, sample, null);

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
  @Tag("spec:money.8")
  void aPaymentThatSettledIsHadAgainByAPayerWhoHasNothingLeft() {
    Sample sample = Sample.fresh().withAmount(START);
    lost(ledger, sample, Sample.ANSWER);

    assertThat(ledger.claim(sample.request())).isInstanceOf(Replay.class);
  }

  @Test
  @Tag("spec:money.4")
  void anAnswerIsHadAgainForTenMinutesAtMost() {
    Sample sample = Sample.fresh();
    lost(ledger, sample, Sample.ANSWER);

    clock.forward(Duration.ofMinutes(11));

    assertThat(ledger.claim(sample.request())).isInstanceOf(Used.class);
  }

  @Test
  @Tag("spec:money.retention")
  void whatOutlivedItsRetentionIsDeleted() {
    Sample old = Sample.fresh();
    ledger.settleHere(claimed(ledger, old), Sample.ANSWER);
    Effects.Effect closed = ledger.effects().begin(unpaid(), "call", "dial");
    ledger.effects().close(closed, Effects.Ending.done("CA1", ""), Effects.Along.NOTHING);
    ledger.effects().begin(unpaid(), "call", "dial");
    for (String state : List.of("DONE", "LOST")) {
      jdbi.useHandle(
          handle ->
              handle
                  .createUpdate(
                      """
                      INSERT INTO sponsored_approval (network, payer, token, call, approval, nonce,
                        given, state, node, given_at, touched_at)
                      VALUES ('eip155:1', :bytes, :bytes, :bytes, :bytes, 0, 1, :state, 'a', :now, :now)
                      """)
                  .bind("bytes", state.getBytes(StandardCharsets.US_ASCII))
                  .bind("state", state)
                  .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                  .execute());
    }
    clock.forward(Duration.ofDays(365 * 10));

    node(
        "b",
        it ->
            it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1))
                .recordRetention(Duration.ofDays(30)));

    await().until(() -> count("stored_answer") == 0 && count("payment") == 0);
    await().until(() -> count("effect") == 1);
    assertThat(number("SELECT count(*) FROM effect WHERE outcome = 'UNKNOWN'"))
        .as("only the open effect is left")
        .isEqualTo(1);
    await().until(() -> count("sponsored_approval") == 1);
    assertThat(number("SELECT count(*) FROM sponsored_approval WHERE state = 'LOST'"))
        .as("who kept gas is remembered")
        .isEqualTo(1);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.6")
  void anEffectIsKeptAsLongAsItsPayment() {
    Sample sample = Sample.fresh().validUntil(Instant.parse("2060-01-01T00:00:00Z")).resumable();
    Claim claim = lost(ledger, sample, null);
    Effects.Effect paid = ledger.effects().begin(sample.use(claim), "call", "dial");
    Effects.Effect unpaid = ledger.effects().begin(unpaid(), "call", "dial");
    for (Effects.Effect effect : List.of(paid, unpaid)) {
      ledger.effects().close(effect, Effects.Ending.done("CA1", ""), Effects.Along.NOTHING);
    }
    clock.forward(Duration.ofDays(365 * 10));

    JdbcLedger later = node("b", it -> it.heartbeat(Duration.ofMillis(100), Duration.ofSeconds(1)));

    await().until(() -> later.effects().find(unpaid.id()).isEmpty());
    assertThat(later.claim(sample.request())).isInstanceOf(ClaimResult.Rerun.class);
    assertThat(later.effects().begin(sample.use(claim), "call", "dial").isNew()).isFalse();
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

  private static PaymentUse unpaid() {
    return new PaymentUse(UUID.randomUUID(), "");
  }
}
