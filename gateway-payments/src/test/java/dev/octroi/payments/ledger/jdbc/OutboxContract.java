package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.ledger.jdbc.Outbox.OutboxEvent;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events of payments stand in the outbox exactly where the ledger has what they tell. */
abstract class OutboxContract extends LedgerContract {

  private JdbcLedger telling;

  OutboxContract(TestDatabase where) {
    super(where);
  }

  @BeforeEach
  void tell() {
    telling =
        node(
            "telling",
            settings -> settings,
            new Outbox(Set.of(Outbox.SETTLED, Outbox.REFUNDED, Outbox.IN_DOUBT, Outbox.FAILED)),
            clock);
  }

  private List<String> told(UUID subject) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT id FROM webhook_event WHERE subject = :subject ORDER BY at, id")
                .bind("subject", subject)
                .mapTo(String.class)
                .list());
  }

  private Claim settled(Sample sample) {
    Claim claim = claimed(telling, sample);
    assertThat(telling.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    return claim;
  }

  @Test
  void aPaymentThatSettlesIsToldOnce() {
    Claim claim = settled(Sample.fresh());
    assertThat(told(claim.id())).containsExactly("payment_settled_" + claim.id() + "_1");
  }

  @Test
  void everyPaymentOfABatchIsToldOnce() {
    List<Claim> claims =
        IntStream.range(0, 60).mapToObj(place -> claimed(telling, Sample.fresh())).toList();
    CompletableFuture.allOf(
            claims.stream()
                .map(one -> CompletableFuture.runAsync(() -> telling.settleHere(one, null)))
                .toArray(CompletableFuture[]::new))
        .join();
    claims.forEach(one -> assertThat(told(one.id())).hasSize(1));
  }

  @Test
  void doubtIsToldAndThenHowItEnded() {
    Claim claim = claimed(telling, Sample.fresh());
    assertThat(telling.settling(claim, Sample.ANSWER)).isTrue();
    assertThat(told(claim.id())).isEmpty();
    telling.settled(claim, new Settlement.Unknown("timeout", null));
    telling.settled(claim, new Settlement.Unknown("timeout again", null));
    assertThat(told(claim.id())).containsExactly("payment_in_doubt_" + claim.id() + "_1");
    telling.settled(claim, new Settlement.Settled("0xabc"));
    assertThat(told(claim.id()))
        .containsExactlyInAnyOrder(
            "payment_in_doubt_" + claim.id() + "_1", "payment_settled_" + claim.id() + "_1");
  }

  @Test
  void aDoubtThatEndsWithoutAPaymentIsToldAndALaterProofToo() {
    Claim claim = claimed(telling, Sample.fresh());
    assertThat(telling.settling(claim, Sample.ANSWER)).isTrue();
    telling.settled(claim, new Settlement.Unknown("timeout", null));
    close(claim, new Settlement.Refused("authorization_expired"));
    assertThat(told(claim.id()))
        .containsExactlyInAnyOrder(
            "payment_in_doubt_" + claim.id() + "_1", "payment_failed_" + claim.id() + "_1");
    close(claim, new Settlement.Settled("0xabc"));
    assertThat(told(claim.id())).hasSize(3).contains("payment_settled_" + claim.id() + "_1");
  }

  private void close(Claim claim, Settlement proof) {
    UnresolvedPayments unresolved = telling.unresolved();
    assertThat(unresolved.close(unresolved.find(claim.id()).orElseThrow(), proof)).isTrue();
  }

  @Test
  void aTransactionThatWasSentAndLostIsToldToHaveFailed() {
    Claim lost = claimed(telling, Sample.fresh());
    assertThat(telling.settling(lost, Sample.ANSWER)).isTrue();
    telling.settled(lost, new Settlement.Sent("0xabc"));
    assertThat(told(lost.id())).isEmpty();
    close(lost, new Settlement.Refused("transaction_lost"));
    assertThat(told(lost.id())).containsExactly("payment_failed_" + lost.id() + "_1");
  }

  @Test
  void whatCostsNothingIsNotTold() {
    Claim claim = claimed(telling, Sample.fresh());
    assertThat(telling.release(claim, ReleaseReason.of("upstream_failed"))).isTrue();
    Claim refused = claimed(telling, Sample.fresh());
    assertThat(telling.settling(refused, Sample.ANSWER)).isTrue();
    telling.settled(refused, new Settlement.Refused("insufficient_funds"));
    assertThat(number("SELECT COUNT(*) FROM webhook_event")).isZero();
  }

  @Test
  void aRefundIsToldOnceItIsPaid() {
    Claim claim = settled(Sample.fresh());
    for (int time = 0; time < 2; time++) {
      telling.refunds().ask(claim.id(), OptionalLong.of(4_000), "late", "r1");
    }
    assertThat(number("SELECT COUNT(*) FROM webhook_event WHERE type = 'payment.refunded'"))
        .isEqualTo(1);
    assertThat(number("SELECT COUNT(*) FROM webhook_event e JOIN refund r ON r.id = e.subject"))
        .isEqualTo(1);
  }

  @Test
  void aDeadNodesPaymentsAreToldToBeInDoubt() throws Exception {
    Claim claim = claimed(telling, Sample.fresh());
    assertThat(telling.settling(claim, Sample.ANSWER)).isTrue();
    expire("telling");
    node("heir", settings -> settings, new Outbox(Set.of(Outbox.IN_DOUBT)), clock);
    assertThat(told(claim.id())).containsExactly("payment_in_doubt_" + claim.id() + "_1");
  }

  @Test
  void aLedgerThatTellsNobodyWritesNothing() {
    Claim claim = claimed(ledger, Sample.fresh());
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    ledger.refunds().ask(claim.id(), OptionalLong.empty(), "late", "r1");
    assertThat(number("SELECT COUNT(*) FROM webhook_event")).isZero();
  }

  @Test
  void nothingIsToldOfATransactionThatIsRolledBack() {
    UUID subject = UUID.randomUUID();
    OutboxEvent event = new OutboxEvent(Outbox.SETTLED, "x", subject, clock.instant(), "{}");
    assertThatThrownBy(
            () ->
                telling
                    .statements()
                    .run(
                        handle -> {
                          telling.outbox().write(handle, event);
                          return handle.execute("INSERT INTO no_such_table VALUES (1)");
                        }))
        .isInstanceOf(LedgerUnavailable.class);
    assertThat(told(subject)).isEmpty();
    for (int time = 0; time < 2; time++) {
      telling
          .statements()
          .run(
              handle -> {
                telling.outbox().write(handle, event);
                return true;
              });
    }
    assertThat(told(subject)).containsExactly("payment_settled_x");
  }
}
