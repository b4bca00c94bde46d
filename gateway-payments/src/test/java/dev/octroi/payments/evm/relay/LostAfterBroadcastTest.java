package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.books.BookReport;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.chain.ChainEvidence;
import dev.octroi.payments.evm.chain.PlayedNode;
import dev.octroi.payments.evm.relay.RelaySettings.Wait;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.reconcile.Decisions;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Anvil;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer that has left on a transaction that then moves nothing. */
@Tag("spec:money.11")
class LostAfterBroadcastTest extends RelayFixture {

  private static final String ELSEWHERE = "0x00000000000000000000000000000000000000aa";

  /** What the settings allow an authorization to live, and more. */
  private static final Duration LATER = Duration.ofMinutes(10);

  @Test
  void whatIsNeverPaidIsALossOnceItsAuthorizationHasEndedAndNotBefore() {
    EvmFacilitator facilitator = started(settings().waiting(Wait.BROADCAST));
    Wallet payer = payer();
    PaymentPayload payment = payment(payer);
    Claim claim = settling(payment);
    anvil.automine(false);
    Settlement sent = facilitator.settle(payment, terms());
    assertThat(sent).isInstanceOf(Settlement.Sent.class);
    ledger.settled(claim, sent);
    anvil.call("anvil_dropAllTransactions");
    anvil.automine(true);
    coin.transfer(payer.address().toString(), ELSEWHERE, FUNDS);

    await().until(() -> followed(facilitator) && underWay() == 0);
    anvil.mine(3);
    decide();
    assertThat(count("SELECT COUNT(*) FROM payment WHERE state = 'SETTLING'")).isEqualTo(1);
    assertThat(count("SELECT COUNT(*) FROM journal")).isZero();

    anvil.timestampOfNextBlock(Instant.now().plus(LATER).getEpochSecond());
    anvil.mine(3);
    decide();

    assertThat(count("SELECT COUNT(*) FROM payment WHERE state = 'FAILED'")).isEqualTo(1);
    assertThat(earned()).isZero();
    assertThat(lost()).isEqualTo(PRICE);
    BookReport books =
        new BookVerification(database, Map.of(NETWORK, evidence()), LATER, clock())
            .verify(Period.ALL, 10);
    assertThat(books.differences()).isEmpty();
    assertThat(books.lines()).isOne();
  }

  /** What stands between this machine and the nodes may answer in their place. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"result\":null}", "{\"result\":\"0x00\"}"})
  void noAnswerLeavesOnATransactionThatNoNodeNames(String answer) {
    PlayedNode node =
        opened(
            new PlayedNode(
                Anvil.CHAIN_ID,
                call ->
                    call.path("method").asText().equals("eth_sendRawTransaction")
                        ? answer
                        : PlayedNode.asked(anvil.url(), call)));
    RelaySettings.Builder settings =
        settings().waiting(Wait.BROADCAST).within(Duration.ofMillis(400), Duration.ofSeconds(1));
    EvmFacilitator facilitator = opened(facilitator(settings, node.url(), database, relayer));
    facilitator.start();

    assertThat(facilitator.settle(payment(payer()), terms()))
        .isInstanceOf(Settlement.Unknown.class);
  }

  private boolean followed(EvmFacilitator facilitator) {
    facilitator.follow(ledger.unresolved());
    return true;
  }

  private long underWay() {
    return count("SELECT COUNT(*) FROM chain_tx WHERE state IN ('STORED', 'SENT', 'MINED')");
  }

  private long lost() {
    return count(
        "SELECT SUM(j.amount) FROM journal j JOIN book_account b ON b.id = j.debit WHERE b.kind ="
            + " 'LOSS'");
  }

  private Evidence evidence() {
    return new ChainEvidence(rpc(anvil.url()), FINALITY);
  }

  /** As the reconciler does it, some time from now. */
  private void decide() {
    Backoff eager = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
    Clock later = Clock.offset(clock(), LATER);
    new Decisions(ledger.unresolved(), Map.of(NETWORK, evidence()), eager, later).run();
  }
}
