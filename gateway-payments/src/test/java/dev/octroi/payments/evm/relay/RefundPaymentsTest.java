package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Payouts.Payout;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.treasury.RefundPayments;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Refunds out of a treasury, on a chain: paid once, proven, and owed as long as they cannot be. */
class RefundPaymentsTest extends RefundFixture {

  private final Wallet payer = Wallet.generate();

  @BeforeEach
  void fund() {
    coin.mint(payer.address().toString(), FUNDS);
  }

  @Override
  List<PaymentOption> refunded() {
    return List.of(USUAL);
  }

  @Override
  String nonce(Refund refund) {
    return Hex.of(Payout.nonce(refund.id()));
  }

  @Test
  @Tag("spec:money.6")
  void aRefundIsPaidOnceByManyNodesAtOnceAndTheBooksAgreeWithTheChain() throws Exception {
    fill(FUNDS);
    Refund refund = owed(PRICE);
    List<Callable<Object>> runs = manyRuns();

    all(runs);
    awaitPaid(refund);
    all(runs);

    assertThat(returned()).isEqualTo(PRICE);
    assertThat(balance(wallet)).isEqualTo(FUNDS - PRICE);
    String transaction = found(refund).transaction();
    assertThat(anvil.receipt(transaction).path("status").asText()).isEqualTo("0x1");
    assertThat(count("SELECT COUNT(*) FROM journal")).isEqualTo(2);
    assertThat(books().differences()).isEmpty();
    assertThat(count("SELECT COUNT(*) FROM chain_tx_payment WHERE outcome = 'PAID'")).isEqualTo(2);
  }

  @Test
  @Tag("spec:money.6")
  void anEmptyTreasuryOwesItSaysWhatToDoAndPaysOnceItIsFilled() {
    Refund refund = owed(PRICE);

    payments(facilitator).run();

    assertThat(found(refund).state()).isEqualTo(Refund.State.OWED);
    assertThat(found(refund).note()).contains(wallet.address().lowerCase(), "send it more");
    fill(PRICE);
    payments(facilitator).run();
    assertThat(found(refund).state()).isEqualTo(Refund.State.OWED);
    ahead.addAndGet(61);
    awaitPaid(refund);
    assertThat(found(refund).note()).isNull();
    assertThat(books().differences()).isEmpty();
  }

  @Test
  void whatIsUnderWayIsNotPromisedTwice() {
    fill(PRICE + PRICE / 2);
    Refund first = owed(PRICE);
    Refund second = owed(PRICE);
    anvil.automine(false);

    payments(facilitator).run();
    payments(facilitator).run();

    assertThat(count("SELECT COUNT(*) FROM refund WHERE state = 'SENDING'")).isEqualTo(1);
    assertThat(count("SELECT COUNT(*) FROM refund WHERE state = 'OWED'")).isEqualTo(1);
    anvil.automine(true);
    anvil.mine(1);
    awaitPaid(first);
    payments(facilitator).run();
    assertThat(found(second).note()).contains("send it more");
  }

  @Test
  void aPayerWhomTheTokenRefusesIsOwedWithTheReason() {
    fill(FUNDS);
    Refund refund = owed(PRICE);
    coin.blacklist(payer.address().toString());

    payments(facilitator).run();

    assertThat(found(refund).state()).isEqualTo(Refund.State.OWED);
    assertThat(found(refund).note()).contains("blocked");
    assertThat(count("SELECT COUNT(*) FROM chain_tx")).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.6")
  @Tag("spec:x402.uncertain.2")
  void whatADeadNodeSignedForAndDidNotStoreIsPaidByAnother() {
    fill(FUNDS);
    Refund refund = owed(PRICE);
    begin(refund, clock().instant().plusSeconds(600));

    awaitPaid(refund);

    assertThat(returned()).isEqualTo(PRICE);
    assertThat(books().differences()).isEmpty();
  }

  @Test
  @Tag("spec:money.6")
  @Tag("spec:x402.uncertain.2")
  void whatADeadNodeStoredAndDidNotSendIsPaidByAnotherInTheSameTransaction() {
    fill(FUNDS);
    Refund refund = owed(PRICE);
    Instant end = Instant.ofEpochSecond(clock().instant().getEpochSecond() + 600);
    begin(refund, end);
    stored(signed(refund, end), 1, "a-dead-node");

    awaitPaid(refund);

    assertThat(returned()).isEqualTo(PRICE);
    assertThat(mined()).isEqualTo(2);
    assertThat(count("SELECT COUNT(DISTINCT nonce) FROM chain_tx")).isEqualTo(2);
    assertThat(books().differences()).isEmpty();
  }

  @Test
  @Tag("spec:money.6")
  @Tag("spec:x402.uncertain.2")
  void whatADeadNodeSentIsFoundPaidByAnother() {
    fill(FUNDS);
    Refund refund = owed(PRICE);
    anvil.automine(false);
    payments(facilitator).run();
    assertThat(found(refund).state()).isEqualTo(Refund.State.SENDING);
    facilitator.close();

    facilitator = started(settings());
    payments(facilitator).run();
    anvil.automine(true);
    anvil.mine(1);
    awaitPaid(refund);

    assertThat(returned()).isEqualTo(PRICE);
    assertThat(mined()).isEqualTo(2);
    assertThat(books().differences()).isEmpty();
  }

  @Test
  @Tag("spec:money.5")
  void itIsOwedAgainOnlyOnceTheChainProvesThatNothingCanTakeIt() {
    fill(FUNDS);
    Refund refund = owed(PRICE);
    Payout lost = begin(refund, clock().instant().plusSeconds(5));
    ahead.set(60);
    RefundPayments withoutKey = new RefundPayments(parts(Optional.empty()), clock());

    withoutKey.run();
    assertThat(found(refund).state()).isEqualTo(Refund.State.SENDING);
    assertThat(found(refund).note()).contains("whose key is not set here");
    ahead.set(120);
    anvil.timestampOfNextBlock(lost.validBefore().getEpochSecond() + 1);
    anvil.mine(3);
    withoutKey.run();

    assertThat(found(refund).state()).isEqualTo(Refund.State.OWED);
    assertThat(found(refund).note()).contains("No block took it in time");
    ahead.set(200);
    awaitPaid(refund);
    assertThat(returned()).isEqualTo(PRICE);
    assertThat(books().differences()).isEmpty();
  }

  @Test
  @Tag("spec:operator.books")
  void theBooksTellARefundThatTheChainDoesNotKnow() {
    Refund refund = owed(PRICE);
    anvil.mine(3);
    Payout never = begin(refund, Instant.ofEpochSecond(anvil.timestamp() - 1_000));

    assertThat(ledger.refunds().payouts().settled(never, "0x" + "ab".repeat(32))).isTrue();

    assertThat(books().differences())
        .singleElement()
        .satisfies(
            difference -> {
              assertThat(difference.check()).isEqualTo("not-on-chain");
              assertThat(difference.subject()).isEqualTo(refund.id().toString());
            });
  }

  private void fill(long amount) {
    coin.mint(wallet.address().toString(), amount);
  }

  /** A refund of a payment that has settled on the chain. */
  private Refund owed(long amount) {
    PaymentPayload payment = payment(payer);
    Claim claim = settling(payment);
    assertThat(ledger.settled(claim, facilitator.settle(payment, terms()))).isTrue();
    return owed(claim, amount);
  }

  private SignedAuthorization signed(Refund refund, Instant end) {
    TransferAuthorization authorization =
        new TransferAuthorization(
            wallet.address(),
            payer.address(),
            BigInteger.valueOf(refund.amount()),
            BigInteger.ZERO,
            BigInteger.valueOf(end.getEpochSecond()),
            Payout.nonce(refund.id()));
    byte[] digest = authorization.digest(EvmToken.BASE_USDC.domain());
    return new SignedAuthorization(authorization, wallet.sign(digest));
  }

  private long balance(Wallet of) {
    return coin.balanceOf(of.address().toString());
  }

  /** What the payer has got back. */
  private long returned() {
    return balance(payer) + earned() - FUNDS;
  }
}
