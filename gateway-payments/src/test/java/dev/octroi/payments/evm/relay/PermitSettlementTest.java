package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.DynamicBytes;

/** A plain token of 18 decimals, the real Permit2, and payers of whom some are hostile. */
class PermitSettlementTest extends PermitFixture {

  @Test
  void aPaymentSettlesToTheUnitAndTheSecondTimeIsTheFirst() throws Exception {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = rich();
    PaymentPayload payment = payment(payer, permitted());

    assertThat(facilitator.verify(payment, permitted()))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> assertThat(valid.spendable()).isEqualTo(OptionalLong.of(10_000_000)));
    List<Settlement> both =
        all(
            List.of(
                () -> facilitator.settle(payment, permitted()),
                () -> facilitator.settle(payment, permitted())));

    assertThat(both).allMatch(Settlement.Settled.class::isInstance);
    assertThat(both.get(0)).isEqualTo(both.get(1));
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    assertThat(mined()).isEqualTo(1);
    assertThat(evidence().of(unresolved(payment, null))).contains(both.get(0));
    assertThat(late(facilitator.verify(payment, permitted())))
        .isEqualTo("permit2_simulation_failed");
  }

  @Test
  void manyAtOnceAreATransactionEach() throws Exception {
    EvmFacilitator facilitator = started(settings());
    Wallet one = rich();
    Wallet other = rich();

    List<Settlement> outcomes =
        all(
            List.of(
                () -> facilitator.settle(payment(one, permitted()), permitted()),
                () -> facilitator.settle(payment(one, permitted()), permitted()),
                () -> facilitator.settle(payment(other, permitted()), permitted())));

    assertThat(outcomes).allMatch(Settlement.Settled.class::isInstance).doesNotHaveDuplicates();
    assertThat(balance(SELLER)).isEqualTo(ATOMIC.multiply(BigInteger.valueOf(3)));
  }

  @Test
  void whatTheChainHasAgainstAPaymentIsTold() {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = Wallet.generate();
    String account = payer.address().toString();

    assertThat(late(facilitator.verify(payment(payer, permitted()), permitted())))
        .isEqualTo("permit2_insufficient_balance");
    give(account);
    assertThat(late(facilitator.verify(payment(payer, permitted()), permitted())))
        .isEqualTo("permit2_allowance_required");
    approve(account, ATOMIC.multiply(BigInteger.TWO));
    assertThat(facilitator.verify(payment(payer, permitted()), permitted()))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> assertThat(valid.spendable()).isEqualTo(OptionalLong.of(2 * PRICE)));
    anvil.setCode(Contracts.EXACT_PROXY, "0x");
    assertThat(late(facilitator.verify(payment(payer, permitted()), permitted())))
        .isEqualTo("permit2_proxy_not_deployed");
    anvil.setCode(token, "0x");
    assertThat(invalid(facilitator.verify(payment(payer, permitted()), permitted())))
        .isEqualTo("asset_not_deployed_contract");
  }

  @Test
  void aStrangersSignatureIsRefused() {
    EvmFacilitator facilitator = started(settings());
    SignedPermit good = signed(payment(rich(), permitted()));
    byte[] forged = signed(payment(rich(), permitted())).signature();

    assertThat(
            invalid(
                facilitator.verify(
                    payload(new SignedPermit(good.permit(), forged).toJson()), permitted())))
        .isEqualTo("invalid_permit2_signature");
  }

  @Test
  void aSignatureWhoseLastByteIsZeroOrOneSettles() {
    EvmFacilitator facilitator = started(settings());
    SignedPermit good = signed(payment(rich(), permitted()));
    byte[] spelled = good.signature().clone();
    spelled[64] -= 27;
    PaymentPayload payment = payload(new SignedPermit(good.permit(), spelled).toJson());

    assertThat(facilitator.verify(payment, permitted())).isInstanceOf(Verification.Valid.class);
    assertThat(facilitator.settle(payment, permitted())).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  void aContractWalletPaysWithWhatItsOwnerSigned() {
    EvmFacilitator facilitator = started(settings());
    Wallet owner = Wallet.generate();
    String wallet = Contracts.deployWallet(anvil, owner.address().toString());
    give(wallet);
    approve(wallet, MOST);
    SignedPermit ofOwner = signed(payment(owner, permitted()));
    var permit = ofOwner.permit();
    var ofWallet =
        new dev.octroi.payments.evm.permit2.TransferPermit(
            EvmAddress.parse(wallet),
            permit.token(),
            permit.amount(),
            permit.spender(),
            permit.nonce(),
            permit.deadline(),
            permit.payTo(),
            permit.validAfter(),
            permit.facilitator());
    PaymentPayload payment = payload(new SignedPermit(ofWallet, ofOwner.signature()).toJson());

    assertThat(facilitator.verify(payment, permitted())).isInstanceOf(Verification.Valid.class);
    assertThat(facilitator.settle(payment, permitted())).isInstanceOf(Settlement.Settled.class);
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
  }

  @Test
  void aWalletThatNeedsMoreGasThanItsTransactionHasIsNoPayer() {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = rich();
    PaymentPayload payment = payment(payer, permitted());
    Contracts.putGreedyWallet(anvil, payer.address().toString(), 1_000_000);
    assertThat(late(facilitator.verify(payment, permitted())))
        .isEqualTo("permit2_simulation_failed");

    Contracts.putGreedyWallet(anvil, payer.address().toString(), 280_000);
    assertThat(facilitator.verify(payment, permitted())).isInstanceOf(Verification.Valid.class);
    assertThat(facilitator.settle(payment, permitted())).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  void aPayerThatTakesItsMoneyAwayIsRefusedByName() {
    EvmFacilitator facilitator = started(settings());
    Wallet poor = rich();
    Wallet closed = rich();
    PaymentPayload drained = payment(poor, permitted());
    PaymentPayload revoked = payment(closed, permitted());
    assertThat(facilitator.verify(drained, permitted())).isInstanceOf(Verification.Valid.class);
    anvil.execute(
        poor.address().toString(),
        token,
        data("transfer", new Address(anvil.account(2)), units(10_000)));
    approve(closed.address().toString(), BigInteger.ZERO);

    assertThat(facilitator.settle(drained, permitted()))
        .isEqualTo(new Settlement.Refused("permit2_insufficient_balance"));
    assertThat(facilitator.settle(revoked, permitted()))
        .isEqualTo(new Settlement.Refused("permit2_allowance_required"));
    assertThat(balance(SELLER)).isZero();
  }

  @Test
  void aFirstPaymentNeedsNoAllowanceWhereThePayerBringsThePermitOfTheToken() {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = Wallet.generate();
    give(payer.address().toString());
    PaymentPayload payment = payment(payer, sponsored());
    PaymentPayload bringing = TokenPermits.bringing(payment, allowing(payer, payment));

    assertThat(late(facilitator.verify(payment, sponsored())))
        .isEqualTo("permit2_allowance_required");
    assertThat(late(facilitator.verify(bringing, permitted())))
        .as("a token whose offer names no domain has no permits")
        .isEqualTo("permit2_allowance_required");
    assertThat(facilitator.verify(bringing, sponsored()))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> assertThat(valid.spendable()).isEqualTo(OptionalLong.of(PRICE)));
    Settlement settlement = facilitator.settle(bringing, sponsored());

    assertThat(settlement).isInstanceOf(Settlement.Settled.class);
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    assertThat(evidence().of(unresolved(payment, null))).contains(settlement);
  }

  @ParameterizedTest
  @CsvSource({
    "signature,0x11,invalid_eip2612_extension_format",
    "nonce,0x11,invalid_eip2612_extension_format",
    "description,another,extension_echo_mismatch",
    "version,2,extension_echo_mismatch",
    "from,0x209693Bc6afc0C5328bA36FaF03C514EF312287C,eip2612_from_mismatch",
    "asset,0x209693Bc6afc0C5328bA36FaF03C514EF312287C,eip2612_asset_mismatch",
    "spender,0x209693Bc6afc0C5328bA36FaF03C514EF312287C,eip2612_spender_not_permit2",
    "deadline,1000,eip2612_deadline_expired",
    "amount,1,permit2_2612_amount_mismatch"
  })
  void aPermitOfTheTokenThatBreaksARuleIsToldByName(String member, String value, String reason) {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = rich();
    PaymentPayload payment = payment(payer, sponsored());
    ObjectNode info = allowing(payer, payment).put(member, value);

    assertThat(invalid(facilitator.verify(TokenPermits.bringing(payment, info), sponsored())))
        .isEqualTo(reason);
  }

  @Test
  void aPermitThatTheTokenRefusesLeavesThePayerWithoutAllowance() {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = Wallet.generate();
    give(payer.address().toString());
    PaymentPayload payment = payment(payer, sponsored());
    ObjectNode forged = allowing(Wallet.generate(), payment);
    forged.put("from", payer.address().toString());

    assertThat(late(facilitator.verify(TokenPermits.bringing(payment, forged), sponsored())))
        .isEqualTo("permit2_allowance_required");
  }

  @Test
  void aBurntNonceIsNoPaymentAndNoFailureBeforeThePermitHasEnded() {
    PaymentPayload payment = payment(rich(), permitted());
    PaymentPayload other = payment(rich(), permitted());
    burn(payment);

    assertThat(evidence().of(unresolved(payment, null))).isEmpty();
    assertThat(evidence().of(unresolved(other, null))).isEmpty();
    pass(payment);
    assertThat(evidence().of(unresolved(payment, null)))
        .contains(new Settlement.Refused("permit2_invalid_nonce"));
    assertThat(evidence().of(unresolved(other, null)))
        .contains(new Settlement.Refused("permit2_deadline_expired"));
  }

  @Test
  void aPaymentWhoseNonceWasBurntStaysInDoubtUntilItsEnd() {
    EvmFacilitator facilitator =
        started(
            settings()
                .within(Duration.ofMillis(400), Duration.ofSeconds(3))
                .pausing(Duration.ofMillis(600), Duration.ofMillis(30)));
    PaymentPayload payment = payment(rich(), permitted());
    burn(payment);

    assertThat(facilitator.settle(payment, permitted())).isInstanceOf(Settlement.Unknown.class);
  }

  @Test
  void anotherPaymentsTransferOfTheSameAmountProvesNothingForABurntNonce() {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = rich();
    PaymentPayload paid = payment(payer, permitted());
    PaymentPayload burnt = payment(payer, permitted());
    Settlement settled = facilitator.settle(paid, permitted());
    String transaction = ((Settlement.Settled) settled).transaction();
    burn(burnt);
    anvil.execute(
        payer.address().toString(),
        token,
        data("transfer", new Address(SELLER.toString()), units(1)));

    assertThat(evidence().of(unresolved(burnt, transaction))).isEmpty();
    pass(burnt);
    assertThat(evidence().of(unresolved(burnt, transaction)))
        .contains(new Settlement.Refused("permit2_invalid_nonce"));
    assertThat(evidence().of(unresolved(paid, null))).contains(settled);
  }

  @Test
  void whatAStrangerSubmittedIsFoundAndNotPaidAgain() {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(rich(), permitted());
    String theirs = settleAsStranger(payment);

    Settlement settlement = facilitator.settle(payment, permitted());

    assertThat(settlement).isEqualTo(new Settlement.Settled(theirs));
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    pass(payment);
    assertThat(evidence().of(unresolved(payment, null))).contains(settlement);
  }

  @ParameterizedTest
  @ValueSource(strings = {"eth_getLogs", "eth_getTransactionByHash", "eth_getTransactionReceipt"})
  void whatANodeDoesNotHaveDisprovesNoPayment(String method) {
    PaymentPayload payment = payment(rich(), permitted());
    String theirs = settleAsStranger(payment);
    pass(payment);

    assertThat(evidence(behind(method)).of(unresolved(payment, null))).isEmpty();
    assertThat(evidence().of(unresolved(payment, null))).contains(new Settlement.Settled(theirs));
  }

  @Test
  void whatAContractOfTheirsSubmittedStaysInDoubt() {
    Wallet payer = rich();
    PaymentPayload payment = payment(payer, permitted());
    String forwarder = Contracts.deployForwarder(anvil);
    anvil.execute(
        anvil.account(1),
        forwarder,
        data("forward", new Address(Contracts.EXACT_PROXY), new DynamicBytes(calldata(payment))));

    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    pass(payment);
    assertThat(evidence().of(unresolved(payment, null))).isEmpty();
  }

  @Test
  void whatADeadNodeHasStoredIsSentByAnotherAndProvesThePayment() {
    PaymentPayload payment = payment(rich(), permitted());
    TransactionStore store = new TransactionStore(database, NETWORK, "dead", clock());
    store.catchUp(relayer.address(), 0);
    Draft draft = Draft.first(TransferCall.of(signed(payment), ATOMIC, Optional.empty()));
    TransactionSender.Fees fees =
        new TransactionSender.Fees(
            BigInteger.valueOf(4_000_000_000L), BigInteger.valueOf(1_000_000));
    store.store(
        relayer.address(),
        draft,
        fees,
        nonce ->
            SignedTransaction.of(
                relayer, EvmToken.BASE_USDC.domain().chainId(), nonce, draft, fees));

    EvmFacilitator facilitator = started(settings());

    PaymentKey key = EvmPayments.key(payment).orElseThrow();
    await()
        .until(
            () -> store.read().paidBy(Hex.parse(key.payer()), Hex.parse(key.nonce())).isPresent());
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    assertThat(facilitator.forward(payment, permitted())).isInstanceOf(Settlement.Settled.class);
    assertThat(Optional.of(mined())).contains(1L);
  }
}
