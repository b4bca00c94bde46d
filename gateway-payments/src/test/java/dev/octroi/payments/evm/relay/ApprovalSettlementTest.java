package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.ApprovalFunds;
import dev.octroi.payments.evm.chain.ApprovalFunds.Sponsored;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.TokenApproval;
import dev.octroi.payments.evm.relay.Follower.Head;
import dev.octroi.payments.evm.relay.SettlementNotifier.PendingSettlements;
import dev.octroi.payments.evm.relay.SettlementNotifier.Waiting;
import dev.octroi.payments.evm.relay.TokenApprovals.Buyer;
import dev.octroi.payments.evm.relay.TransactionSender.Broadcast;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.web3j.abi.datatypes.Address;
import org.web3j.crypto.RawTransaction;
import org.web3j.crypto.TransactionDecoder;
import org.web3j.crypto.transaction.type.Transaction1559;

/** Payers without gas, of whom some keep what they are given. */
class ApprovalSettlementTest extends ApprovalSettlementContract {

  private static final String MISSING = "permit2_allowance_required";

  @Test
  void aFirstPaymentNeedsNoGasAndTheSecondNoApproval() {
    EvmFacilitator facilitator = started(settings());
    Buyer buyer = buyer();
    SignedTransaction approval = approval(buyer, 0);
    PaymentPayload payment = paying(buyer, approval);

    assertThat(late(facilitator.verify(payment(buyer.wallet(), permitted()), permitted())))
        .isEqualTo(MISSING);
    assertThat(facilitator.verify(payment, permitted()))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> assertThat(valid.spendable()).isEqualTo(OptionalLong.of(10_000_000)));
    Settlement settlement = facilitator.settle(payment, permitted());
    Settlement second = facilitator.settle(payment(buyer.wallet(), permitted()), permitted());

    assertThat(settlement).isInstanceOf(Settlement.Settled.class);
    assertThat(second).isInstanceOf(Settlement.Settled.class);
    assertThat(balance(SELLER)).isEqualTo(ATOMIC.multiply(BigInteger.TWO));
    assertThat(evidence().of(unresolved(payment, null))).contains(settlement);
    awaitState(buyer, "DONE");
    BigInteger given = decimal("SELECT given FROM sponsored_approval");
    assertThat(given).as("what it is short of, to the unit").isEqualTo(maxCost(approval));
    await().until(() -> facilitator.gasGiven().equals(Map.of("done", given)));
    assertThat(decimal("SELECT fee FROM chain_tx WHERE gas_limit = 21000"))
        .as("what the books say that the relayer paid")
        .isGreaterThan(given);
  }

  @Test
  void aPayerWithSomeGasIsGivenTheRestAndOneWithEnoughNothing() {
    EvmFacilitator facilitator = started(settings());
    Buyer some = buyer();
    SignedTransaction approval = approval(some, 0);
    BigInteger cost = maxCost(approval);
    anvil.setBalance(some.account(), cost.subtract(BigInteger.TEN));
    Buyer enough = buyer();
    anvil.setBalance(enough.account(), ETHER);

    assertThat(facilitator.settle(paying(some, approval), permitted()))
        .isInstanceOf(Settlement.Settled.class);
    assertThat(facilitator.settle(paying(enough, approval(enough, 0)), permitted()))
        .isInstanceOf(Settlement.Settled.class);

    assertThat(decimal("SELECT SUM(given) FROM sponsored_approval")).isEqualTo(BigInteger.TEN);
  }

  @Test
  void ofACeilingTheChargeIsTakenOnceTheApprovalIsThere() {
    EvmFacilitator facilitator = started(settings());
    Buyer buyer = buyer();
    PaymentRequirements ceiling = ceiling(ATOMIC);
    PaymentPayload payment = bringing(payment(buyer.wallet(), ceiling), buyer, approval(buyer, 0));

    assertThat(facilitator.verify(payment, ceiling)).isInstanceOf(Verification.Valid.class);
    assertThat(facilitator.settle(payment, ceiling(ATOMIC.divide(BigInteger.TEN))))
        .isInstanceOf(Settlement.Settled.class);

    assertThat(balance(SELLER)).isEqualTo(ATOMIC.divide(BigInteger.TEN));
  }

  private PaymentRequirements ceiling(BigInteger amount) {
    PaymentRequirements exact = permitted();
    return new PaymentRequirements(
        "upto",
        exact.network(),
        amount.toString(),
        exact.asset(),
        exact.payTo(),
        300,
        Map.of(
            PaymentOption.TRANSFER_METHOD,
            Permit2.METHOD,
            PaymentOption.FACILITATOR,
            relayer.address().toString()),
        18);
  }

  @Test
  void whatTheChainHasAgainstAnApprovalIsToldByName() {
    EvmFacilitator facilitator = started(settings());
    Buyer buyer = buyer();
    BigInteger price = gasPrice();

    assertThat(invalid(facilitator.verify(paying(buyer, approval(buyer, 1)), permitted())))
        .isEqualTo("erc20_approval_tx_wrong_nonce");
    for (long gas : new long[] {21_000, 100_001}) {
      assertThat(
              invalid(
                  facilitator.verify(
                      paying(buyer, approval(buyer, 0, gas, price.multiply(BigInteger.TWO))),
                      permitted())))
          .isEqualTo("erc20_approval_tx_gas_out_of_range");
    }
    for (BigInteger fee : List.of(BigInteger.TWO, price.multiply(BigInteger.TEN))) {
      assertThat(
              invalid(
                  facilitator.verify(
                      paying(buyer, approval(buyer, 0, TokenApprovals.GAS, fee)), permitted())))
          .isEqualTo("erc20_approval_tx_fee_out_of_range");
    }
    assertThat(
            invalid(
                facilitator.verify(
                    bringing(payment(buyer.wallet(), permitted()), buyer, approval(buyer(), 0)),
                    permitted())))
        .isEqualTo("erc20_approval_tx_signer_mismatch");
  }

  @Test
  void aPayerThatUsesItsNonceForSomethingElseKeepsTheGasOnceAndIsGivenNoneAgain() throws Exception {
    EvmFacilitator facilitator = started(settings());
    Buyer buyer = buyer();
    anvil.automine(false);
    PaymentPayload payment = paying(buyer, approval(buyer, 0));
    CompletableFuture<Settlement> waiting =
        CompletableFuture.supplyAsync(() -> facilitator.settle(payment, permitted()));
    await().until(() -> count("SELECT COUNT(*) FROM chain_tx WHERE state = 'SENT'") >= 1);
    anvil.setBalance(buyer.account(), ETHER);
    String theirs = anvil.send(buyer.account(), anvil.account(1), "0x");
    await()
        .until(
            () -> {
              anvil.mine(1);
              return !anvil.receipt(theirs).isNull();
            });
    anvil.automine(true);

    assertThat(waiting.get()).isEqualTo(new Settlement.Refused("erc20_approval_broadcast_failed"));
    awaitState(buyer, "LOST");
    await().until(() -> facilitator.gasGiven().containsKey("lost"));
    assertThat(balance(SELLER)).isZero();
    anvil.setBalance(buyer.account(), BigInteger.ZERO);
    assertThat(late(facilitator.verify(paying(buyer, approval(buyer, 1)), permitted())))
        .isEqualTo(MISSING);
    token = Contracts.deployPlainToken(anvil);
    anvil.execute(
        anvil.account(0), token, data("mint", new Address(buyer.account()), units(10_000)));
    assertThat(late(facilitator.verify(paying(buyer, approval(buyer, 1)), permitted())))
        .as("in another token neither")
        .isEqualTo(MISSING);
  }

  @Test
  void aNonceThatWentToSomethingElseIsNoLossBeforeItsBlockIsDeepEnough() {
    Buyer buyer = buyer();
    SignedTransaction approval = approval(buyer, 0);
    leftBehind(buyer, paying(buyer, approval), approval);
    submitStored(0);
    anvil.setBalance(buyer.account(), ETHER);
    anvil.execute(buyer.account(), SELLER.toString(), "0x");
    anvil.mine(1);
    EvmFacilitator facilitator =
        opened(facilitator(settings().confirmedAfter(3), anvil.url(), database, relayer));
    await()
        .until(
            () -> {
              facilitator.followOnce();
              return count("SELECT COUNT(*) FROM chain_tx WHERE state = 'FINAL'") == 1
                  && count("SELECT COUNT(*) FROM sponsored_approval WHERE node <> 'dead'") == 1;
            });

    facilitator.followOnce();
    awaitState(buyer, "OPEN");

    anvil.mine(1);
    facilitator.followOnce();
    awaitState(buyer, "LOST");
  }

  @Test
  @Tag("spec:money.5")
  void whatAStrangerSettledOutOfAnApprovalOfTheSameAmountIsNotRefused() {
    Buyer buyer = buyer();
    anvil.setBalance(buyer.account(), ETHER);
    SignedTransaction approval = approvalOf(ATOMIC, buyer);
    PaymentPayload payment = paying(buyer, approval);
    TransferCall call = TransferCall.of(signed(payment), ATOMIC, Optional.empty());
    JsonRpc rpc = rpc(anvil.url());
    ApprovalFunds funds = funds(rpc, database).orElseThrow();
    funds.enter(
        new Sponsored(
            call.payer(), call.token(), call.data(), approval.raw(), 0, null, BigInteger.ONE),
        "here");
    anvil.submit(Hex.of(approval.raw()));
    settleAsStranger(payment);
    PendingSettlements pending = new PendingSettlements();
    Waiting waiting = new Waiting(PRICE);
    assertThat(waiting.decide()).isTrue();
    assertThat(pending.enter(call, waiting)).isEmpty();

    round(funds, pending, rpc);

    assertThat(waiting.await(Duration.ZERO)).isInstanceOf(Settlement.Unknown.class);
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    awaitState(buyer, "LOST");
  }

  /** One round of a node. */
  private void round(ApprovalFunds funds, PendingSettlements pending, JsonRpc rpc) {
    TransactionStore store = new TransactionStore(database, NETWORK, "here", clock());
    Relayers relayers = new Relayers(List.of(relayer), NETWORK, settings().build().feeCap());
    TransactionSender sender =
        new TransactionSender(store, new Broadcast(rpc), relayers, Anvil.CHAIN_ID);
    Conclusion conclusion =
        new Conclusion(
            store, sender, new ReceiptEvaluator(rpc), pending, settings().build(), clock());
    new SponsoredSettlements(funds, sender, conclusion, pending, rpc, settings().build(), clock())
        .round(
            Situation.read(rpc, relayers.addresses(), List.of()),
            Head.read(rpc, relayers.addresses()));
  }

  @Test
  void aBudgetThatIsUsedUpIsNoLongerAnnounced() {
    EvmFacilitator rich = started(settings());
    await().until(() -> announced(rich).equals(TokenApproval.announced()));
    assertThat(rich.announced(List.of(terms(), sponsored())))
        .as("no payer of these needs it")
        .isEqualTo(Extensions.NONE);
    budget = BigInteger.valueOf(TokenApprovals.GAS);
    EvmFacilitator poor = started(settings());

    await().until(() -> announced(poor).equals(Extensions.NONE));
    Buyer buyer = buyer();
    PaymentPayload payment = paying(buyer, approval(buyer, 0));
    assertThat(late(poor.verify(payment, permitted()))).isEqualTo(MISSING);
    assertThat(poor.settle(payment, permitted())).isEqualTo(new Settlement.Unsent(MISSING));
    assertThat(count("SELECT COUNT(*) FROM chain_tx")).isZero();
    assertThat(rich.verify(payment, permitted())).isInstanceOf(Verification.Valid.class);
  }

  @Test
  void aPermitThatWouldFailAnywayIsGivenNothing() {
    EvmFacilitator facilitator = started(settings());
    Buyer buyer = buyer();
    SignedTransaction approval = approval(buyer, 0);
    PaymentPayload payment = paying(buyer, approval);
    anvil.setBalance(buyer.account(), ETHER);
    burn(payment);
    PaymentPayload burnt = bringing(payment, buyer, approval(buyer, transactions(buyer)));

    assertThat(late(facilitator.verify(burnt, permitted()))).isEqualTo(MISSING);
  }

  @Test
  void gasWhoseTransactionLosesItsNonceIsNotGivenInAnother() {
    Buyer buyer = buyer();
    SignedTransaction approval = approval(buyer, 0);
    PaymentPayload payment = paying(buyer, approval);
    var unused = leftBehind(buyer, payment, approval);
    anvil.mined(relayer.address().toString(), anvil.account(1), "0x");

    EvmFacilitator facilitator = started(settings());

    await().until(() -> count("SELECT COUNT(*) FROM sponsored_approval") == 0);
    assertThat(coins(buyer.account())).isZero();
    assertThat(count("SELECT COUNT(*) FROM chain_tx")).isEqualTo(1);
    assertThat(facilitator.verify(payment, permitted())).isInstanceOf(Verification.Valid.class);
  }

  @Test
  void whatARollupTakesForDataIsGivenTwice() {
    // Answers 100 to whatever it is asked.
    anvil.setCode("0x420000000000000000000000000000000000000F", "0x606460005260206000f3");
    EvmFacilitator facilitator = started(settings());
    Buyer buyer = buyer();
    SignedTransaction approval = approval(buyer, 0);

    assertThat(facilitator.settle(paying(buyer, approval), permitted()))
        .isInstanceOf(Settlement.Settled.class);
    assertThat(decimal("SELECT given FROM sponsored_approval"))
        .isEqualTo(maxCost(approval).add(BigInteger.valueOf(200)));
  }

  private Extensions announced(EvmFacilitator facilitator) {
    return facilitator.announced(List.of(permitted()));
  }

  /** What its gas may cost, by its own words. */
  private static BigInteger maxCost(SignedTransaction approval) {
    RawTransaction read = TransactionDecoder.decode(Hex.of(approval.raw()));
    Transaction1559 terms = (Transaction1559) read.getTransaction();
    return terms.getMaxFeePerGas().multiply(terms.getGasLimit());
  }

  private BigInteger decimal(String sql) {
    return jdbi.withHandle(
        handle -> handle.createQuery(sql).mapTo(BigDecimal.class).one().toBigInteger());
  }
}
