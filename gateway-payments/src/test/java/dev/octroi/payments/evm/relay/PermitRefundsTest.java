package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.PermitNonce;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SettleCall;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.evm.permit2.TransferPermit;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Payouts.Payout;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.treasury.RefundPayments;
import dev.octroi.payments.treasury.Treasury;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.DynamicBytes;

/** Refunds in a token of 18 decimals that knows no authorizations: the treasury signs permits. */
class PermitRefundsTest extends RefundFixture {

  private Wallet payer;
  private String account;

  @BeforeEach
  void fund() {
    payer = rich();
    account = wallet.address().toString();
    give(account);
  }

  @Override
  List<PaymentOption> refunded() {
    return List.of(USUAL, plain(Map.of(PaymentOption.TRANSFER_METHOD, Permit2.METHOD), 18));
  }

  @Override
  String nonce(Refund refund) {
    return PermitNonce.key(number(refund));
  }

  @Test
  @Tag("spec:money.6")
  void aRefundIsPaidToTheUnitAndOnceByManyNodes() throws Exception {
    approve(account, MOST);
    Refund refund = owed();
    BigInteger before = balance(payer.address());
    List<Callable<Object>> runs = manyRuns();

    all(runs);
    awaitPaid(refund);
    all(runs);

    assertThat(balance(payer.address()).subtract(before)).isEqualTo(ATOMIC);
    assertThat(balance(wallet.address())).isEqualTo(ATOMIC.multiply(BigInteger.valueOf(9_999)));
    assertThat(books().differences()).isEmpty();
    assertThat(count("SELECT COUNT(*) FROM chain_tx")).isEqualTo(2);
  }

  @Test
  void aTreasuryThatPermit2MayNotMoveIsToldSoAndPaysOnceItMay() {
    Refund refund = owed();

    payments(facilitator).run();

    assertThat(found(refund).state()).isEqualTo(Refund.State.OWED);
    assertThat(found(refund).note())
        .contains(wallet.address().lowerCase(), Contracts.PERMIT2, "send its approval once");
    approve(account, ATOMIC);
    ahead.addAndGet(61);
    awaitPaid(refund);
    assertThat(books().differences()).isEmpty();
  }

  @Test
  @Tag("spec:money.8")
  void whatIsUnderWayInOneTokenIsPromisedInThatOneAlone() {
    approve(account, ATOMIC.add(BigInteger.ONE));
    coin.mint(account, PRICE);
    Refund first = owed();
    Refund second = owed();
    Refund usual = owedInTheUsualToken();
    anvil.automine(false);

    payments(facilitator).run();
    payments(facilitator).run();

    assertThat(List.of(found(first).state(), found(second).state()))
        .containsExactlyInAnyOrder(Refund.State.SENDING, Refund.State.OWED);
    assertThat(found(usual).state()).isEqualTo(Refund.State.SENDING);
    anvil.automine(true);
    anvil.mine(1);
    awaitPaid(found(first).state() == Refund.State.SENDING ? first : second);
    awaitPaid(usual);
    assertThat(books().differences()).isEmpty();
  }

  @Test
  @Tag("spec:money.6")
  void whatADeadNodeSignedForIsPaidByAnother() {
    approve(account, MOST);
    Refund refund = owed();
    begin(refund, clock().instant().plusSeconds(600));

    awaitPaid(refund);

    assertThat(books().differences()).isEmpty();
  }

  @Test
  @Tag("spec:money.5")
  void aPermitThatEndsUnusedIsSignedAnewAndOneThatIsBurntIsLeftToTheOperator() {
    approve(account, MOST);
    Refund refund = owed();
    Payout lost = begin(refund, clock().instant().plusSeconds(5));
    ahead.set(120);
    new RefundPayments(parts(Optional.empty()), clock()).run();
    assertThat(found(refund).state()).isEqualTo(Refund.State.SENDING);
    anvil.timestampOfNextBlock(lost.validBefore().getEpochSecond() + 2);
    anvil.mine(4);
    ahead.set(200);
    payments(facilitator).run();
    assertThat(found(refund).state()).isEqualTo(Refund.State.OWED);
    assertThat(found(refund).note()).contains("No block took it in time");
    burn(account, number(refund));
    ahead.set(300);

    payments(facilitator).run();

    assertThat(found(refund).state()).isEqualTo(Refund.State.OWED);
    assertThat(balance(wallet.address())).isEqualTo(ATOMIC.multiply(BigInteger.valueOf(10_000)));
    assertThat(found(refund).note()).contains("look on the chain", "used or cancelled");
  }

  /** The payer may submit the treasury's permit by a contract of its own. */
  @Test
  @Tag("spec:money.6")
  void whatItsPayerHadPaidByAContractIsPaidAndNotOwedForGood() {
    approve(account, MOST);
    Refund refund = owed();
    Instant end = clock().instant().plusSeconds(600);
    begin(refund, end);
    TransferPermit permit =
        new TransferPermit(
            wallet.address(),
            EvmAddress.parse(token),
            ATOMIC,
            Permit2.EXACT_PROXY,
            number(refund),
            BigInteger.valueOf(end.getEpochSecond()),
            payer.address(),
            BigInteger.ZERO,
            null);
    SignedPermit signed = new SignedPermit(permit, wallet.sign(permit.digest(Anvil.CHAIN_ID)));
    byte[] settling = SettleCall.settle(signed, ATOMIC, Optional.empty());
    anvil.execute(
        anvil.account(1),
        Contracts.deployForwarder(anvil),
        data("forward", new Address(Contracts.EXACT_PROXY), new DynamicBytes(settling)));

    payments(facilitator).run();

    assertThat(found(refund).state()).isEqualTo(Refund.State.PAID);
    assertThat(balance(wallet.address())).isEqualTo(ATOMIC.multiply(BigInteger.valueOf(9_999)));
    assertThat(books().differences()).isEmpty();
  }

  @Test
  @Tag("spec:money.6")
  void whatWasSignedBeforeTheTokenWasSetToMoveInAnotherWayEndsFirst() {
    approve(account, MOST);
    Refund refund = owed();
    Instant end = clock().instant().plusSeconds(600);
    begin(refund, end);
    PaymentOption moved = plain(Map.of("name", "Plain", "version", "1"), 18);
    RefundPayments changed =
        new RefundPayments(
            parts(Optional.of(new Treasury(wallet, List.of(moved), facilitator))), clock());

    changed.run();

    assertThat(found(refund).state()).isEqualTo(Refund.State.SENDING);
    assertThat(found(refund).note()).contains("set to move in another way");
    assertThat(balance(wallet.address())).isEqualTo(ATOMIC.multiply(BigInteger.valueOf(10_000)));
    ahead.addAndGet(61);
    awaitPaid(refund);
  }

  private PaymentOption plain(Map<String, Object> extra, int decimals) {
    return new PaymentOption(
        NETWORK, EvmAddress.parse(token).toString(), SELLER.toString(), extra, 300, decimals);
  }

  private static BigInteger number(Refund refund) {
    return new BigInteger(1, Payout.nonce(refund.id()));
  }

  /** A refund of a payment in the plain token that has settled on the chain. */
  private Refund owed() {
    PaymentPayload payment = payment(payer, permitted());
    Claim claim = settling(payment, permitted(), signed(payment).permit().deadline());
    assertThat(ledger.settled(claim, facilitator.settle(payment, permitted()))).isTrue();
    return owed(claim, PRICE);
  }

  private Refund owedInTheUsualToken() {
    Wallet other = Wallet.generate();
    coin.mint(other.address().toString(), FUNDS);
    PaymentPayload payment = payment(other);
    Claim claim = settling(payment);
    assertThat(ledger.settled(claim, facilitator.settle(payment, terms()))).isTrue();
    return owed(claim, PRICE);
  }
}
