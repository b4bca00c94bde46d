package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.PermitFailure;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SettleCall;
import dev.octroi.payments.evm.relay.RelaySettings.Wait;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.web3j.abi.datatypes.Address;

/**
 * Payers sign a ceiling of ten thousandths of a dollar and are charged one, by the key they signed.
 */
class UptoSettlementTest extends PermitFixture {

  private static final BigInteger CEILING = ATOMIC.multiply(BigInteger.TEN);
  private static final BigInteger FUNDS_LEFT = ATOMIC.multiply(BigInteger.valueOf(9_999));

  private PaymentRequirements upto(BigInteger amount, EvmAddress facilitator) {
    return upto(amount, Map.of(PaymentOption.FACILITATOR, facilitator.toString()));
  }

  private PaymentRequirements upto(BigInteger amount, Map<String, Object> extra) {
    Map<String, Object> all = new HashMap<>(extra);
    all.put(PaymentOption.TRANSFER_METHOD, Permit2.METHOD);
    return new PaymentRequirements(
        "upto",
        NETWORK,
        amount.toString(),
        EvmAddress.parse(token).toString(),
        SELLER.toString(),
        300,
        all,
        18);
  }

  private PaymentRequirements ceiling() {
    return upto(CEILING, relayer.address());
  }

  private PaymentRequirements charge() {
    return upto(ATOMIC, relayer.address());
  }

  /** What the chain had to move, sent by whom. */
  private void assertSent(Settlement settlement, EvmAddress sender) {
    assertThat(settlement).isInstanceOf(Settlement.Settled.class);
    var receipt = anvil.receipt(((Settlement.Settled) settlement).transaction());
    assertThat(receipt.path("status").asText()).isEqualTo("0x1");
    assertThat(receipt.path("from").asText()).isEqualToIgnoringCase(sender.toString());
    assertThat(receipt.path("to").asText()).isEqualToIgnoringCase(Contracts.UPTO_PROXY);
  }

  private void takeAway(Wallet payer, long thousandths) {
    anvil.execute(
        payer.address().toString(),
        token,
        data("transfer", new Address(anvil.account(2)), units(thousandths)));
  }

  private long stored() {
    return count("SELECT COUNT(*) FROM chain_tx");
  }

  @Test
  void aPayerIsChargedWhatWasUsedOnceHoweverOftenAndWhereverThatIsAskedFor() throws Exception {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = rich();
    PaymentPayload payment = payment(payer, ceiling());

    assertThat(facilitator.verify(payment, ceiling()))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> assertThat(valid.spendable()).isEqualTo(OptionalLong.of(10_000_000)));
    List<Settlement> both =
        all(
            List.of(
                () -> facilitator.settle(payment, charge()),
                () -> facilitator.settle(payment, charge())));
    Settlement settlement = both.get(0);
    EvmFacilitator restarted = started(settings().waiting(Wait.BROADCAST));

    assertSent(settlement, relayer.address());
    assertThat(both.get(1)).isEqualTo(settlement);
    assertThat(restarted.settle(payment, charge())).isEqualTo(settlement);
    assertThat(restarted.settle(payment, ceiling())).isEqualTo(settlement);
    assertThat(restarted.settle(payment, upto(CEILING.add(ATOMIC), relayer.address())))
        .isEqualTo(settlement);
    assertThat(mined()).isEqualTo(1);
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    assertThat(balance(payer.address())).isEqualTo(FUNDS_LEFT);
    assertThat(evidence().of(unresolved(payment, null))).contains(settlement);
    assertThat(late(facilitator.verify(payment, ceiling()))).isEqualTo("permit2_simulation_failed");
  }

  @Test
  void moreThanWasSignedIsNeverCharged() {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(rich(), ceiling());
    BigInteger more = CEILING.add(ATOMIC);
    byte[] data = SettleCall.settle(signed(payment), more, Optional.empty());

    assertThat(facilitator.settle(payment, upto(more, relayer.address())))
        .isEqualTo(new Settlement.Refused("invalid_upto_evm_payload_settlement_exceeds_amount"));
    assertThat(PermitFailure.of(rpc(anvil.url()), SettleCall.read(data).orElseThrow(), data))
        .isEqualTo("upto_amount_exceeds_permitted");
    assertThat(stored()).isZero();
    assertSent(facilitator.settle(payment, ceiling()), relayer.address());
    assertThat(balance(SELLER)).isEqualTo(CEILING);
  }

  @Test
  void theKeyThatThePayerSignedSendsAndNoOther() {
    RelayerKey second = freshKey();
    RelayerKey elsewhere = freshKey();
    EvmFacilitator facilitator =
        opened(facilitator(settings(), anvil.url(), database, relayer, second));
    facilitator.start();
    PaymentRequirements ofSecond = upto(CEILING, second.address());
    PaymentRequirements ofStranger = upto(CEILING, elsewhere.address());
    PaymentPayload payment = payment(rich(), ofSecond);
    PaymentPayload others = payment(rich(), ofStranger);

    assertThat(facilitator.verify(payment, ofSecond)).isInstanceOf(Verification.Valid.class);
    assertThat(invalid(facilitator.verify(payment, ceiling())))
        .isEqualTo("upto_facilitator_mismatch");
    assertThat(invalid(facilitator.verify(others, ofStranger)))
        .isEqualTo("upto_facilitator_mismatch");
    assertThat(facilitator.settle(others, ofStranger))
        .isEqualTo(new Settlement.Unsent("upto_facilitator_mismatch"));
    assertThat(facilitator.settle(payment, ofSecond))
        .isEqualTo(new Settlement.Unsent("relayer_out_of_gas"));
    assertThat(stored()).isZero();
    assertThatThrownBy(
            () ->
                anvil.call(
                    "eth_call",
                    Map.of(
                        "from", relayer.address().toString(),
                        "to", Contracts.UPTO_PROXY,
                        "data", Hex.of(calldata(payment))),
                    "latest"))
        .hasMessageContaining("0x0f6fae87");
    anvil.setBalance(second.address().toString(), ETHER);
    assertSent(facilitator.settle(payment, upto(ATOMIC, second.address())), second.address());
    assertThat(mined()).isZero();
  }

  @Test
  void offersNameTheFirstKeyThatCanPayForGas() {
    RelayerKey first = freshKey();
    EvmFacilitator facilitator =
        opened(facilitator(settings(), anvil.url(), database, first, relayer));

    facilitator.followOnce();
    Optional<Map<String, Object>> extra = facilitator.uptoExtra(NETWORK);
    facilitator.followOnce();
    assertThat(extra).contains(Map.of("facilitatorAddress", relayer.address().toString()));
    assertThat(facilitator.uptoExtra(NETWORK).orElseThrow()).isSameAs(extra.orElseThrow());

    anvil.setBalance(first.address().toString(), ETHER);
    facilitator.followOnce();
    assertThat(facilitator.uptoExtra(NETWORK))
        .contains(Map.of("facilitatorAddress", first.address().toString()));

    anvil.setBalance(first.address().toString(), BigInteger.ONE);
    anvil.setBalance(relayer.address().toString(), BigInteger.ONE);
    facilitator.followOnce();
    assertThat(facilitator.uptoExtra(NETWORK)).isEmpty();
  }

  @Test
  void aStuckSettlementIsReplacedUnderTheSameKey() {
    RelayerKey second = freshKey();
    anvil.setBalance(second.address().toString(), ETHER);
    EvmFacilitator facilitator =
        opened(facilitator(settings(), anvil.url(), database, relayer, second));
    facilitator.start();
    PaymentRequirements terms = upto(CEILING, second.address());
    PaymentPayload payment = payment(rich(), terms);
    anvil.automine(false);

    CompletableFuture<Settlement> settlement =
        CompletableFuture.supplyAsync(() -> facilitator.settle(payment, terms));
    await().until(() -> stored() >= 2);
    anvil.mine(1);

    assertSent(settlement.join(), second.address());
    assertThat(count("SELECT COUNT(DISTINCT nonce) FROM chain_tx")).isEqualTo(1);
    assertThat(mined()).isZero();
    assertThat(balance(SELLER)).isEqualTo(CEILING);
  }

  @Test
  void aPayerThatTakesItsMoneyAwayIsRefusedByNameAndOneThatLeavesTheChargePays() {
    EvmFacilitator facilitator = started(settings());
    Wallet poor = rich();
    Wallet closed = rich();
    Wallet careful = rich();
    PaymentPayload drained = payment(poor, ceiling());
    PaymentPayload revoked = payment(closed, ceiling());
    PaymentPayload left = payment(careful, ceiling());
    assertThat(facilitator.verify(drained, ceiling())).isInstanceOf(Verification.Valid.class);
    takeAway(poor, 10_000);
    approve(closed.address().toString(), BigInteger.ZERO);
    takeAway(careful, 9_999);

    assertThat(facilitator.settle(drained, charge()))
        .isEqualTo(new Settlement.Refused("permit2_insufficient_balance"));
    assertThat(facilitator.settle(revoked, charge()))
        .isEqualTo(new Settlement.Refused("permit2_allowance_required"));
    assertThat(balance(SELLER)).isZero();
    assertSent(facilitator.settle(left, charge()), relayer.address());
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    assertThat(balance(careful.address())).isZero();
  }

  @Test
  void whatTheChainHasAgainstAPaymentIsTold() {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = Wallet.generate();
    PaymentRequirements elsewhere =
        new PaymentRequirements(
            "upto",
            "eip155:84532",
            CEILING.toString(),
            token,
            SELLER.toString(),
            300,
            ceiling().extra(),
            18);

    assertThat(invalid(facilitator.verify(payment(payer, ceiling()), elsewhere)))
        .isEqualTo("invalid_upto_evm_network_mismatch");
    assertThat(late(facilitator.verify(payment(payer, ceiling()), ceiling())))
        .isEqualTo("permit2_insufficient_balance");
    give(payer.address().toString());
    assertThat(late(facilitator.verify(payment(payer, ceiling()), ceiling())))
        .isEqualTo("permit2_allowance_required");
    approve(payer.address().toString(), ATOMIC);
    assertThat(late(facilitator.verify(payment(payer, ceiling()), ceiling())))
        .isEqualTo("permit2_allowance_required");
    approve(payer.address().toString(), CEILING);
    assertThat(facilitator.verify(payment(payer, ceiling()), ceiling()))
        .isInstanceOf(Verification.Valid.class);
    anvil.setCode(Contracts.UPTO_PROXY, "0x");
    assertThat(late(facilitator.verify(payment(payer, ceiling()), ceiling())))
        .isEqualTo("permit2_proxy_not_deployed");
  }

  @Test
  void aFirstPaymentNeedsNoAllowanceWhereThePayerBringsThePermitOfTheToken() {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = Wallet.generate();
    give(payer.address().toString());
    Map<String, Object> extra =
        Map.of(
            PaymentOption.FACILITATOR,
            relayer.address().toString(),
            "name",
            "Plain",
            "version",
            "1");
    PaymentPayload payment = payment(payer, upto(CEILING, extra));
    PaymentPayload bringing = TokenPermits.bringing(payment, allowing(payer, payment));

    assertThat(late(facilitator.verify(payment, upto(CEILING, extra))))
        .isEqualTo("permit2_allowance_required");
    assertThat(facilitator.verify(bringing, upto(CEILING, extra)))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> assertThat(valid.spendable()).isEqualTo(OptionalLong.of(10 * PRICE)));
    Settlement settlement = facilitator.settle(bringing, upto(ATOMIC, extra));

    assertSent(settlement, relayer.address());
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    assertThat(evidence().of(unresolved(payment, null))).contains(settlement);
  }

  @Test
  @Tag("spec:money.5")
  void aBurntNonceWithATransferOfTheSameAmountIsNoPayment() {
    Wallet payer = rich();
    PaymentPayload burnt = payment(payer, ceiling());
    burn(burnt);
    anvil.execute(
        payer.address().toString(),
        token,
        data("transfer", new Address(SELLER.toString()), units(1)));

    assertThat(evidence().of(unresolved(burnt, null))).isEmpty();
    pass(burnt);
    assertThat(evidence().of(unresolved(burnt, null)))
        .contains(new Settlement.Refused("permit2_invalid_nonce"));
  }

  @Test
  @Tag("spec:money.5")
  void ofTwoPermitsWithOneNonceTheUsedOneCounts() {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = rich();
    PaymentPayload upto = payment(payer, ceiling(), "11");
    PaymentPayload exact = payment(payer, permitted(), "11");
    PaymentPayload lost = payment(payer, ceiling(), "22");
    PaymentPayload used = payment(payer, permitted(), "22");

    Settlement settlement = facilitator.settle(upto, upto(ATOMIC.add(ATOMIC), relayer.address()));

    assertSent(settlement, relayer.address());
    assertThat(EvmPayments.key(upto)).isEqualTo(EvmPayments.key(exact));
    assertThatThrownBy(() -> settleAsStranger(exact)).isInstanceOf(RuntimeException.class);
    String theirs = settleAsStranger(used);
    assertThat(facilitator.settle(lost, charge())).isEqualTo(new Settlement.Settled(theirs));
    assertThat(balance(SELLER)).isEqualTo(ATOMIC.multiply(BigInteger.valueOf(3)));
    pass(exact);
    assertThat(evidence().of(unresolved(exact, null)))
        .as("what moved was another amount")
        .contains(new Settlement.Refused("permit2_invalid_nonce"));
  }

  private PaymentPayload payment(Wallet payer, PaymentRequirements terms, String nonce) {
    Map<String, Object> signed =
        new PaymentSigner(payer, clock()).payload(terms, "0x" + nonce.repeat(32)).orElseThrow();
    return payload(terms.scheme(), signed);
  }

  @Test
  void whatADeadNodeHasStoredIsSentByTheOneThatIsAskedNext() {
    PaymentPayload payment = payment(rich(), ceiling());
    TransactionStore store = new TransactionStore(database, NETWORK, "dead", clock());
    store.catchUp(relayer.address(), 0);
    Draft draft = Draft.first(TransferCall.of(signed(payment), ATOMIC, Optional.empty()));
    Fees fees = new Fees(BigInteger.valueOf(4_000_000_000L), BigInteger.valueOf(1_000_000));
    String hash =
        store
            .store(
                relayer.address(),
                draft,
                fees,
                nonce -> SignedTransaction.of(relayer, Anvil.CHAIN_ID, nonce, draft, fees))
            .signed()
            .hash();
    anvil.automine(false);
    EvmFacilitator quick = started(patient().waiting(Wait.BROADCAST));
    EvmFacilitator other = started(patient());

    assertThat(quick.settle(payment, charge())).isEqualTo(new Settlement.Sent(hash));
    anvil.automine(true);
    anvil.mine(1);

    assertThat(other.settle(payment, charge())).isEqualTo(new Settlement.Settled(hash));
    assertThat(stored()).isEqualTo(1);
    assertThat(mined()).isEqualTo(1);
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
  }

  /** Takes over nothing while the test runs. */
  private static RelaySettings.Builder patient() {
    return settings().pausing(Duration.ofHours(1), Duration.ofMillis(30));
  }
}
