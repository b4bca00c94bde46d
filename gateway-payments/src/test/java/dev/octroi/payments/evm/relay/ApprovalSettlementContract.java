package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.ApprovalFunds;
import dev.octroi.payments.evm.chain.ApprovalFunds.Sponsored;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.evm.relay.TokenApprovals.Buyer;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Anvil;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.web3j.abi.datatypes.Address;

/**
 * Payers of a token without permits of its own who have no gas: what nodes write down of their
 * approvals, so that another one goes on where one died. For each database.
 */
abstract class ApprovalSettlementContract extends PermitFixture {

  /** What payers are given in 24 hours, in wei: a hundredth of an ether. */
  BigInteger budget = ETHER.divide(BigInteger.valueOf(100));

  @Override
  Optional<ApprovalFunds> funds(JsonRpc rpc, DataSource store) {
    return Optional.of(new ApprovalFunds(rpc, store, budget, clock()));
  }

  /** A payer with ten dollars and no gas. */
  Buyer buyer() {
    Buyer buyer = Buyer.generate();
    anvil.execute(
        anvil.account(0), token, data("mint", new Address(buyer.account()), units(10_000)));
    return buyer;
  }

  BigInteger gasPrice() {
    return TokenApprovals.gasPrice(anvil);
  }

  BigInteger coins(String account) {
    String balance = anvil.call("eth_getBalance", account, "latest").textValue();
    return new BigInteger(balance.substring(2), 16);
  }

  SignedTransaction approval(Buyer buyer, long nonce) {
    return TokenApprovals.approval(anvil, token, buyer, nonce);
  }

  SignedTransaction approval(Buyer buyer, long nonce, long gas, BigInteger maxFee) {
    return TokenApprovals.approval(token, buyer, nonce, gas, maxFee);
  }

  /** Of this much alone. */
  SignedTransaction approvalOf(BigInteger amount, Buyer buyer) {
    BigInteger maxFee = gasPrice().multiply(BigInteger.TWO);
    return TokenApprovals.approval(token, buyer, 0, TokenApprovals.GAS, maxFee, amount);
  }

  PaymentPayload paying(Buyer buyer, SignedTransaction approval) {
    return bringing(payment(buyer.wallet(), permitted()), buyer, approval);
  }

  PaymentPayload bringing(PaymentPayload payment, Buyer buyer, SignedTransaction approval) {
    return TokenApprovals.bringing(payment, token, buyer, approval);
  }

  /** As a node leaves a payment that dies when it has stored what gives the payer gas. */
  BigInteger leftBehind(Buyer buyer, PaymentPayload payment, SignedTransaction approval) {
    BigInteger given = gasPrice().multiply(BigInteger.valueOf(2 * TokenApprovals.GAS));
    TransactionStore store = new TransactionStore(database, NETWORK, "dead", clock());
    store.catchUp(relayer.address(), 0);
    Draft gift = Draft.gift(buyer.wallet().address(), given);
    Fees fees = new Fees(BigInteger.valueOf(4_000_000_000L), BigInteger.valueOf(1_000_000));
    SignedPermit signed = signed(payment);
    TransferCall call = TransferCall.of(signed, ATOMIC, Optional.empty());
    ApprovalFunds funds = funds(rpc(anvil.url()), database).orElseThrow();
    store.store(
        relayer.address(),
        gift,
        fees,
        nonce -> SignedTransaction.of(relayer, Anvil.CHAIN_ID, nonce, gift, fees),
        (handle, hash) ->
            funds.enter(
                handle,
                new Sponsored(
                    call.payer(), call.token(), call.data(), approval.raw(), 0, hash, given),
                "dead"));
    return given;
  }

  void awaitState(Buyer buyer, String state) {
    await()
        .until(
            () ->
                jdbi.withHandle(
                        handle ->
                            handle
                                .createQuery(
                                    "SELECT state FROM sponsored_approval WHERE payer = :payer")
                                .bind("payer", Hex.parse(buyer.account()))
                                .mapTo(String.class)
                                .list())
                    .equals(List.of(state)));
  }

  void awaitPaid(PaymentPayload payment) {
    TransactionQueries stored = new TransactionStore(database, NETWORK, "reading", clock()).read();
    PaymentKey key = EvmPayments.key(payment).orElseThrow();
    await().until(() -> stored.paidBy(Hex.parse(key.payer()), Hex.parse(key.nonce())).isPresent());
  }

  long transactions(Buyer buyer) {
    return Long.decode(
        anvil.call("eth_getTransactionCount", buyer.account(), "latest").textValue());
  }

  @Test
  void aNodeThatDiesBeforeThePayerHasItsGasIsFollowedByAnotherThatGivesItOnce() {
    Buyer buyer = buyer();
    SignedTransaction approval = approval(buyer, 0);
    PaymentPayload payment = paying(buyer, approval);
    BigInteger given = leftBehind(buyer, payment, approval);

    started(settings());
    started(settings());

    awaitPaid(payment);
    awaitState(buyer, "DONE");
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    assertThat(coins(buyer.account())).isLessThan(given).isPositive();
    assertThat(count("SELECT COUNT(*) FROM chain_tx WHERE gas_limit = 21000"))
        .as("transactions that give gas")
        .isEqualTo(1);
  }

  @Test
  void aNodeThatDiesBetweenApprovalAndSettlementIsFollowedByAnother() {
    Buyer buyer = buyer();
    SignedTransaction approval = approval(buyer, 0);
    PaymentPayload payment = paying(buyer, approval);
    leftBehind(buyer, payment, approval);
    submitStored(0);
    anvil.submit(Hex.of(approval.raw()));
    assertThat(transactions(buyer)).isEqualTo(1);

    started(settings());

    awaitPaid(payment);
    awaitState(buyer, "DONE");
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    assertThat(transactions(buyer)).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.5")
  void aNodeThatDiesWhenTheSettlementHasUsedTheApprovalUpIsFollowedByAnotherThatKnowsOfIt() {
    Buyer buyer = buyer();
    SignedTransaction approval = approvalOf(ATOMIC, buyer);
    PaymentPayload payment = paying(buyer, approval);
    leftBehind(buyer, payment, approval);
    submitStored(0);
    anvil.submit(Hex.of(approval.raw()));
    TransferCall call = TransferCall.of(signed(payment), ATOMIC, Optional.empty());
    stored(new TransactionStore(database, NETWORK, "dead", clock()), Draft.first(call));
    submitStored(1);
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);

    started(settings());

    awaitPaid(payment);
    awaitState(buyer, "DONE");
    assertThat(mined()).as("transactions of the relayer").isEqualTo(2);
  }

  /** Sends what a dead node has stored as this transaction of the relayer. */
  void submitStored(long nonce) {
    anvil.submit(
        Hex.of(
            jdbi.withHandle(
                handle ->
                    handle
                        .createQuery("SELECT raw FROM chain_tx WHERE nonce = :nonce")
                        .bind("nonce", nonce)
                        .mapTo(byte[].class)
                        .one())));
  }

  @Test
  void twoPaymentsOfOnePayerOnTwoNodesAreGivenGasOnce() throws Exception {
    Buyer buyer = buyer();
    SignedTransaction approval = approval(buyer, 0);
    List<PaymentPayload> payments = List.of(paying(buyer, approval), paying(buyer, approval));
    List<EvmFacilitator> nodes = List.of(started(settings()), started(settings()));

    List<Settlement> outcomes =
        all(
            List.<Callable<Settlement>>of(
                () -> nodes.get(0).settle(payments.get(0), permitted()),
                () -> nodes.get(1).settle(payments.get(1), permitted())));

    assertThat(outcomes).hasAtLeastOneElementOfType(Settlement.Settled.class);
    assertThat(outcomes).noneMatch(Settlement.Refused.class::isInstance);
    assertThat(count("SELECT COUNT(*) FROM sponsored_approval")).isEqualTo(1);
    assertThat(count("SELECT COUNT(*) FROM chain_tx WHERE gas_limit = 21000")).isEqualTo(1);
  }
}
