package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.relay.RelaySettings.Wait;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.x402.PaymentPayload;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Transactions that are stuck, lost, taken back or left by a dead node all come to their end. */
class FollowedTransactionsTest extends RelayFixture {

  @Test
  @Tag("spec:money.10")
  void aStuckTransactionIsReplacedByADearerOneOfTheSameNonce() throws Exception {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(payer());
    anvil.automine(false);

    Future<Settlement> settlement = beside(facilitator, payment);
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE nonce = 0") >= 3);
    anvil.mine(1);

    assertThat(settlement.get()).isInstanceOf(Settlement.Settled.class);
    assertThat(earned()).isEqualTo(PRICE);
    assertThat(mined()).isEqualTo(1);
    await()
        .until(
            () ->
                count("SELECT COUNT(*) FROM chain_tx WHERE state IN ('STORED', 'SENT', 'MINED')")
                    == 0);
    assertThat(count("SELECT COUNT(*) FROM chain_tx WHERE state = 'FINAL'")).isEqualTo(1);
    List<BigInteger> fees =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery("SELECT max_fee FROM chain_tx ORDER BY max_fee")
                    .map((row, context) -> row.getBigDecimal(1).toBigInteger())
                    .list());
    for (int i = 1; i < fees.size(); i++) {
      assertThat(fees.get(i).multiply(BigInteger.valueOf(1_000)))
          .isGreaterThanOrEqualTo(fees.get(i - 1).multiply(BigInteger.valueOf(1_125)));
    }
  }

  @Test
  @Tag("spec:money.11")
  void whatAReorganisationTookBackIsSentAgainWithTheSameBytes() throws Exception {
    EvmFacilitator facilitator = started(settings().confirmedAfter(4));
    Future<Settlement> settlement = beside(facilitator, payment(payer()));
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE state = 'MINED'") == 1);
    anvil.mine(1);

    anvil.reorg(2);
    assertThat(earned()).isZero();
    await().until(() -> earned() == PRICE);
    assertThat(settlement).isNotDone();
    anvil.mine(4);

    assertThat(settlement.get()).isInstanceOf(Settlement.Settled.class);
    assertThat(count("SELECT COUNT(*) FROM chain_tx")).isEqualTo(1);
  }

  @Test
  @Tag("spec:x402.uncertain.2")
  void whatADeadNodeStoredAndNeverSentIsSentByTheNext() {
    PaymentPayload payment = payment(payer());
    stored(SignedAuthorization.read(payment.payload()), 0, "a-dead-node");

    EvmFacilitator facilitator = started(settings());

    await().until(() -> earned() == PRICE);
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE state = 'FINAL'") == 1);
    assertThat(facilitator.settle(payment(payer()), terms()))
        .isInstanceOf(Settlement.Settled.class);
    assertThat(mined()).isEqualTo(2);
  }

  @Test
  @Tag("spec:x402.uncertain.2")
  void whatADeadNodeStoredWhoseClockWasAheadIsSentByTheNext() {
    PaymentPayload payment = payment(payer());
    stored(SignedAuthorization.read(payment.payload()), 0, "a-dead-node");
    jdbi.useHandle(
        handle ->
            handle.execute("UPDATE chain_tx SET sent_at = CURRENT_TIMESTAMP + INTERVAL '1' DAY"));

    started(settings());

    await().until(() -> earned() == PRICE);
  }

  @Test
  @Tag("spec:money.10")
  void aNonceThatNothingHasIsFilled() {
    anvil.automine(true);
    EvmFacilitator facilitator = started(settings());
    assertThat(facilitator.settle(payment(payer()), terms()))
        .isInstanceOf(Settlement.Settled.class);
    jdbi.useHandle(handle -> handle.execute("UPDATE relayer SET next_nonce = next_nonce + 1"));

    assertThat(facilitator.settle(payment(payer()), terms()))
        .isInstanceOf(Settlement.Settled.class);

    assertThat(mined()).isEqualTo(3);
    assertThat(earned()).isEqualTo(2 * PRICE);
  }

  /** What filled it lost it to a stranger's transaction, which the chain took back. */
  @Test
  @Tag("spec:money.10")
  void aNonceIsFilledAgainAtTheSamePrice() {
    BigInteger cap = BigInteger.valueOf(1_200_000_000);
    EvmFacilitator facilitator =
        opened(facilitator(settings().payingAtMost(cap), anvil.url(), database, relayer));
    new TransactionStore(database, NETWORK, "a", clock()).catchUp(relayer.address(), 1);
    anvil.automine(false);
    mineUntilGasCostsMoreThanHalf(cap);
    facilitator.followOnce();
    anvil.call("anvil_dropAllTransactions");
    anvil.send(relayer.address().toString(), SELLER.toString(), "0x");
    anvil.mine(1);
    await()
        .until(
            () ->
                followed(facilitator)
                    && count("SELECT COUNT(*) FROM chain_tx WHERE state = 'REPLACED'") == 1);
    anvil.reorg(1);
    mineUntilGasCostsMoreThanHalf(cap);

    facilitator.followOnce();

    anvil.mine(1);
    assertThat(mined()).isEqualTo(1);
  }

  /** So that the fees are those of the cap. */
  private void mineUntilGasCostsMoreThanHalf(BigInteger cap) {
    anvil.call("anvil_setNextBlockBaseFeePerGas", "0x" + cap.shiftLeft(1).toString(16));
    anvil.mine(6);
  }

  @Test
  @Tag("spec:money.10")
  void aKeyThatAnotherProgramUsesLosesNoPayment() {
    EvmFacilitator facilitator = started(settings());
    assertThat(facilitator.settle(payment(payer()), terms()))
        .isInstanceOf(Settlement.Settled.class);
    anvil.execute(relayer.address().toString(), SELLER.toString(), "0x");

    assertThat(facilitator.settle(payment(payer()), terms()))
        .isInstanceOf(Settlement.Settled.class);

    assertThat(earned()).isEqualTo(2 * PRICE);
    assertThat(count("SELECT COUNT(*) FROM chain_tx WHERE state = 'REPLACED'")).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.10")
  void aTransactionWhoseNonceIsLostAfterItWasSentGoesOnUnderAnother() throws Exception {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(payer());
    anvil.automine(false);
    Future<Settlement> settlement = beside(facilitator, payment);
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE state = 'SENT'") >= 1);
    anvil.call("anvil_dropAllTransactions");
    anvil.call("anvil_setNonce", relayer.address().toString(), "0x1");
    anvil.automine(true);
    anvil.mine(1);

    assertThat(settlement.get()).isInstanceOf(Settlement.Settled.class);
    assertThat(earned()).isEqualTo(PRICE);
  }

  /** What another node replaces lies untouched itself, and its nonce is used by the replacement. */
  @Test
  @Tag("spec:money.10")
  void aNonceThatAnotherNodesReplacementUsedIsNotLost() throws Exception {
    RelaySettings.Builder settings = settings().confirmedAfter(3);
    EvmFacilitator facilitator = started(settings);
    EvmFacilitator other = opened(facilitator(settings, anvil.url(), database, relayer));
    PaymentPayload payment = payment(payer());
    anvil.automine(false);
    Future<Settlement> settlement = beside(facilitator, payment);
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE nonce = 0") >= 4);
    anvil.mine(1);

    other.followOnce();

    assertThat(count("SELECT COUNT(*) FROM chain_tx WHERE state = 'REPLACED'")).isZero();
    anvil.mine(3);
    assertThat(settlement.get()).isInstanceOf(Settlement.Settled.class);
    assertThat(count("SELECT COUNT(*) FROM chain_tx WHERE state = 'FINAL'")).isEqualTo(1);
    assertThat(mined()).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.11")
  void aDroppedTransactionIsSentAgain() throws Exception {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(payer());
    anvil.automine(false);
    Future<Settlement> settlement = beside(facilitator, payment);
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE state = 'SENT'") >= 1);
    anvil.call("anvil_dropAllTransactions");
    anvil.automine(true);

    assertThat(settlement.get()).isInstanceOf(Settlement.Settled.class);
    assertThat(earned()).isEqualTo(PRICE);
  }

  @Test
  @Tag("spec:money.10")
  void theNonceOfWhatIsTooLateIsFilledAndNoGasSpentOnIt() {
    PaymentPayload payment = payment(payer());
    anvil.timestampOfNextBlock(Instant.now().getEpochSecond() + 400);
    anvil.mine(1);
    stored(SignedAuthorization.read(payment.payload()), 0, "a-dead-node");

    started(settings());

    await().until(() -> mined() == 1);
    await()
        .until(
            () ->
                count("SELECT COUNT(*) FROM chain_tx WHERE state IN ('STORED', 'SENT', 'MINED')")
                    == 0);
    assertThat(earned()).isZero();
    JsonNode block = anvil.call("eth_getBlockByNumber", "latest", true);
    assertThat(Long.decode(block.path("gasUsed").textValue())).isEqualTo(21_000);
  }

  @Test
  void aCallThatWaitsTooLongIsToldTheHashAndTheLedgerTheEnd() throws Exception {
    EvmFacilitator facilitator =
        started(
            settings()
                .within(Duration.ofSeconds(5), Duration.ofMillis(300))
                .pausing(Duration.ofSeconds(9), Duration.ofMillis(30)));
    PaymentPayload payment = payment(payer());
    Claim claim = settling(payment);
    anvil.automine(false);

    Settlement settlement = facilitator.settle(payment, terms());

    assertThat(settlement).isInstanceOf(Settlement.Unknown.class);
    assertThat(((Settlement.Unknown) settlement).reason()).isEqualTo("settlement_pending");
    assertThat(((Settlement.Unknown) settlement).transaction()).hasSize(66);
    ledger.settled(claim, settlement);
    anvil.mine(1);
    await()
        .until(
            () ->
                followed(facilitator)
                    && count("SELECT COUNT(*) FROM payment WHERE state = 'SETTLED'") == 1);
  }

  @Test
  @Tag("spec:money.11")
  void whatWasBroadcastIsSoldAtOnceAndSettledInTheLedgerOnceItIsProven() {
    EvmFacilitator facilitator = started(settings().waiting(Wait.BROADCAST).confirmedAfter(2));
    PaymentPayload payment = payment(payer());
    Claim claim = settling(payment);

    Settlement settlement = facilitator.settle(payment, terms());

    assertThat(settlement).isInstanceOf(Settlement.Sent.class);
    ledger.settled(claim, settlement);
    assertThat(count("SELECT COUNT(*) FROM payment WHERE state = 'SETTLING'")).isEqualTo(1);
    anvil.mine(1);
    await()
        .until(
            () ->
                followed(facilitator)
                    && count("SELECT COUNT(*) FROM payment WHERE state = 'SETTLED'") == 1);
    assertThat(count("SELECT COUNT(*) FROM doubt")).isZero();
    assertThat(count("SELECT SUM(amount) FROM journal")).isEqualTo(PRICE);
  }

  /** As the reconciler does it. */
  private boolean followed(EvmFacilitator facilitator) {
    facilitator.follow(ledger.unresolved());
    return true;
  }
}
