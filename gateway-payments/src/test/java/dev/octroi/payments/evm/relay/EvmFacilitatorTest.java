package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.books.GasSpent;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.chain.TokenCalls;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Contracts;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Settlement on a real chain: what is settled moved the money once, whatever happens besides. */
class EvmFacilitatorTest extends RelayFixture {

  private static final String TOKEN = "0x00000000000000000000000000000000000000aa";

  @Test
  @Tag("spec:x402.settle.proof")
  @Tag("spec:x402.uncertain.2")
  void aVerifiedPaymentMovesItsMoneyAndNamesItsTransaction() {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(payer());

    assertThat(facilitator.verify(payment, terms())).isInstanceOf(Verification.Valid.class);
    Settlement settlement = facilitator.settle(payment, terms());

    assertThat(settlement).isInstanceOf(Settlement.Settled.class);
    String hash = ((Settlement.Settled) settlement).transaction();
    assertThat(anvil.receipt(hash).path("status").textValue()).isEqualTo("0x1");
    assertThat(earned()).isEqualTo(PRICE);
    assertThat(count("SELECT COUNT(*) FROM chain_tx WHERE state = 'FINAL'")).isEqualTo(1);
    assertThat(count("SELECT COUNT(*) FROM chain_tx_payment WHERE outcome = 'PAID'")).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.10")
  void fiftyPaymentsAtOnceAreAllSettledByOneKey() throws Exception {
    EvmFacilitator facilitator = started(settings());
    Wallet payer = payer();
    List<PaymentPayload> payments = payments(payer, 50);

    List<Settlement> settlements = together(facilitator, payments);

    assertThat(settlements).allMatch(Settlement.Settled.class::isInstance);
    assertThat(earned()).isEqualTo(50 * PRICE);
    assertThat(gasOfTheBooks()).isEqualTo(gasOfTheChain(settlements));
    assertThat(count("SELECT COUNT(*) FROM chain_tx_payment WHERE outcome = 'PAID'")).isEqualTo(50);
    assertThat(mined()).isEqualTo(count("SELECT next_nonce FROM relayer"));
  }

  private BigInteger gasOfTheBooks() {
    List<BigInteger> fees = new ArrayList<>();
    new GasSpent(database)
        .byPath(
            new Period(Instant.EPOCH, clock().instant().plusSeconds(1)),
            one -> fees.add(one.fee()));
    return fees.stream().reduce(BigInteger.ZERO, BigInteger::add);
  }

  private BigInteger gasOfTheChain(List<Settlement> settlements) {
    return settlements.stream()
        .map(one -> ((Settlement.Settled) one).transaction())
        .distinct()
        .map(anvil::receipt)
        .map(receipt -> number(receipt, "gasUsed").multiply(number(receipt, "effectiveGasPrice")))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static BigInteger number(JsonNode receipt, String name) {
    return new BigInteger(receipt.path(name).asText().substring(2), 16);
  }

  @Test
  void aFeeHasWhatARollupChargesForDataAndIsNotMadeUp() throws IOException {
    assertThat(fee("{'gasUsed':'0x5208','effectiveGasPrice':'0x3'}")).isEqualTo(63_000);
    assertThat(fee("{'gasUsed':'0x5208','effectiveGasPrice':'0x3','l1Fee':'0x7'}"))
        .isEqualTo(63_007);
    String huge = "0x" + "f".repeat(64);
    for (String untold :
        List.of(
            "{'gasUsed':'0x5208'}",
            "{'gasUsed':'0x5208','effectiveGasPrice':'dear'}",
            "{'gasUsed':'" + huge + "','effectiveGasPrice':'0x1'}")) {
      assertThat(fee(untold)).as(untold).isNull();
    }
  }

  private static BigInteger fee(String receipt) throws IOException {
    return Conclusion.fee(new ObjectMapper().readTree(receipt.replace('\'', '"')));
  }

  @Test
  @Tag("spec:money.10")
  void inABatchOneFailsAloneAndTheOthersArePaid() throws Exception {
    EvmFacilitator facilitator = started(settings().batching(32, Duration.ofSeconds(2)));
    List<PaymentPayload> payments = payments(payer(), 31);
    Wallet poor = payer();
    PaymentPayload bounced = payment(poor);
    coin.transfer(poor.address().toString(), TOKEN, FUNDS);
    payments.add(12, bounced);

    List<Settlement> settlements = together(facilitator, payments);

    assertThat(settlements.get(12))
        .isEqualTo(new Settlement.Refused("invalid_exact_evm_insufficient_balance"));
    settlements.remove(12);
    assertThat(settlements).allMatch(Settlement.Settled.class::isInstance);
    assertThat(settlements.stream().distinct()).hasSize(1);
    assertThat(earned()).isEqualTo(31 * PRICE);
  }

  @Test
  @Tag("spec:money.10")
  void whatFailedInCompanyAndWouldSucceedNowGoesOutAlone() throws Exception {
    EvmFacilitator facilitator =
        started(settings().batching(2, Duration.ofSeconds(5)).confirmedAfter(2));
    Wallet late = Wallet.generate();
    PaymentPayload bounced = payment(late);

    Future<Settlement> first = beside(facilitator, bounced);
    Future<Settlement> second = beside(facilitator, payment(payer()));
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE state = 'MINED'") == 1);
    coin.mint(late.address().toString(), FUNDS);

    assertThat(second.get()).isInstanceOf(Settlement.Settled.class);
    await()
        .until(() -> count("SELECT COUNT(*) FROM chain_tx_payment WHERE outcome = 'MOVED'") == 1);
    await().until(() -> mined() == 2);
    anvil.mine(1);
    assertThat(first.get()).isInstanceOf(Settlement.Settled.class).isNotEqualTo(second.get());
    assertThat(earned()).isEqualTo(2 * PRICE);
  }

  @Test
  @Tag("spec:x402.settle.proof")
  void aTokenThatDoesNothingSilentlyHasNotPaid() {
    Contracts.putSilentToken(anvil, TOKEN);
    EvmFacilitator facilitator = started(settings());
    PaymentRequirements terms = terms(TOKEN);

    Settlement settlement = facilitator.settle(payment(payer(), terms), terms);

    assertThat(settlement).isEqualTo(new Settlement.Refused("invalid_transaction_state"));
    assertThat(mined()).isEqualTo(1);
  }

  @Test
  @Tag("spec:x402.settle.proof")
  void aTokenThatRevertsHasNotPaid() {
    Contracts.putRevertingToken(anvil, TOKEN);
    EvmFacilitator facilitator = started(settings());
    PaymentRequirements terms = terms(TOKEN);

    Settlement settlement = facilitator.settle(payment(payer(), terms), terms);

    assertThat(settlement).isEqualTo(new Settlement.Refused("invalid_transaction_state"));
  }

  @Test
  @Tag("spec:money.5")
  void whatAThirdPartySubmittedIsSettledByEvidence() {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(payer());
    byte[] data = TokenCalls.transfer(SignedAuthorization.read(payment.payload()));
    String theirs =
        anvil
            .execute(anvil.account(1), coin.address(), Hex.of(data))
            .path("transactionHash")
            .textValue();

    Settlement settlement = facilitator.settle(payment, terms());

    assertThat(settlement).isEqualTo(new Settlement.Settled(theirs));
    assertThat(earned()).isEqualTo(PRICE);
  }

  @Test
  @Tag("spec:money.gas")
  void withoutGasNothingIsOfferedSentOrChargedUntilThereIsSome() {
    EvmFacilitator facilitator = started(settings());
    anvil.setBalance(relayer.address().toString(), BigInteger.ONE);
    PaymentPayload payment = payment(payer());

    assertThat(facilitator.settle(payment, terms()))
        .isEqualTo(new Settlement.Unsent("relayer_out_of_gas"));
    assertThat(facilitator.offerExtra(NETWORK)).isEmpty();
    assertThat(count("SELECT COUNT(*) FROM chain_tx")).isZero();

    anvil.setBalance(relayer.address().toString(), ETHER);
    facilitator.followOnce();
    assertThat(facilitator.offerExtra(NETWORK)).isPresent();
    assertThat(facilitator.settle(payment, terms())).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  @Tag("spec:money.gas")
  void gasAboveTheCapIsNotPaidAndNothingIsOfferedUntilItFalls() {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(payer());
    gasCosts(100_000_000_000L);

    assertThat(facilitator.settle(payment, terms()))
        .isEqualTo(new Settlement.Unsent("gas_above_cap"));
    facilitator.followOnce();
    assertThat(facilitator.offerExtra(NETWORK)).isEmpty();
    assertThat(facilitator.uptoExtra(NETWORK)).isEmpty();

    gasCosts(1_000_000_000);
    facilitator.followOnce();
    assertThat(facilitator.offerExtra(NETWORK)).isPresent();
    assertThat(facilitator.uptoExtra(NETWORK)).isPresent();
    assertThat(facilitator.settle(payment, terms())).isInstanceOf(Settlement.Settled.class);
  }

  private void gasCosts(long wei) {
    anvil.call("anvil_setNextBlockBaseFeePerGas", "0x" + Long.toHexString(wei));
    anvil.mine(1);
  }

  @Test
  void aNodeThatCannotBeReachedBeforeAnythingWasStoredLeavesThePaymentGood() {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(payer());
    anvil.close();

    assertThat(facilitator.settle(payment, terms()))
        .isEqualTo(new Settlement.Unsent("chain_unavailable"));
    assertThat(count("SELECT COUNT(*) FROM chain_tx")).isZero();
  }

  @Test
  @Tag("spec:money.10")
  void theKeyWithTheLeastUnderWayIsChosen() throws Exception {
    RelayerKey second = freshKey();
    anvil.setBalance(second.address().toString(), ETHER);
    EvmFacilitator facilitator =
        opened(
            facilitator(
                settings().batching(1, Duration.ZERO), anvil.url(), database, relayer, second));
    facilitator.start();
    List<PaymentPayload> payments = payments(payer(), 4);
    anvil.automine(false);

    List<Future<Settlement>> settlements = new ArrayList<>();
    for (PaymentPayload payment : payments) {
      settlements.add(beside(facilitator, payment));
    }
    String sent = "(SELECT DISTINCT relayer, nonce FROM chain_tx WHERE state = 'SENT') t";
    await().until(() -> count("SELECT COUNT(*) FROM " + sent) == 4);
    anvil.mine(1);
    anvil.automine(true);

    for (Future<Settlement> settlement : settlements) {
      assertThat(settlement.get()).isInstanceOf(Settlement.Settled.class);
    }
    assertThat(count("SELECT COUNT(*) FROM (SELECT DISTINCT relayer FROM chain_tx) r"))
        .isEqualTo(2);
  }

  @Test
  void theSamePaymentTwiceAtOnceIsSentOnce() throws Exception {
    EvmFacilitator facilitator = started(settings());
    PaymentPayload payment = payment(payer());

    List<Settlement> settlements = together(facilitator, List.of(payment, payment));

    assertThat(settlements).allMatch(Settlement.Settled.class::isInstance);
    assertThat(earned()).isEqualTo(PRICE);
  }

  /** As where a node slept for half a minute before it sent what its stream owes. */
  @Test
  @Tag("spec:money.10")
  void aPaymentThatAnotherNodeHasSettledIsNotRefused() {
    PaymentPayload payment = payment(payer());
    Settlement first = started(settings()).settle(payment, terms());

    assertThat(started(settings()).settle(payment, terms())).isEqualTo(first);
    assertThat(earned()).isEqualTo(PRICE);
  }

  private List<PaymentPayload> payments(Wallet payer, int count) {
    List<PaymentPayload> payments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      payments.add(payment(payer));
    }
    return payments;
  }
}
