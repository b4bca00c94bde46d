package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.ApprovalFunds;
import dev.octroi.payments.evm.chain.ApprovalFunds.Sponsored;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.generated.Uint256;

/**
 * Payers of a token without permits of its own who have no gas: what nodes write down of their
 * approvals, so that another one goes on where one died. For each database.
 */
abstract class ApprovalSettlementContract extends PermitFixture {

  static final long GAS = 70_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What payers are given in 24 hours, in wei: a hundredth of an ether. */
  BigInteger budget = ETHER.divide(BigInteger.valueOf(100));

  @Override
  Optional<ApprovalFunds> funds(JsonRpc rpc, DataSource store) {
    return Optional.of(new ApprovalFunds(rpc, store, budget, clock()));
  }

  /** A wallet that signs payments, and transactions of its own. */
  record Buyer(Wallet wallet, RelayerKey key) {

    String account() {
      return wallet.address().toString();
    }
  }

  /** A payer with ten dollars and no gas. */
  Buyer buyer() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    String hex = HexFormat.of().formatHex(secret);
    Buyer buyer = new Buyer(Wallet.fromHex(hex), RelayerKey.fromHex(hex));
    anvil.execute(
        anvil.account(0), token, data("mint", new Address(buyer.account()), units(10_000)));
    return buyer;
  }

  BigInteger gasPrice() {
    return new BigInteger(anvil.call("eth_gasPrice").textValue().substring(2), 16);
  }

  BigInteger coins(String account) {
    String balance = anvil.call("eth_getBalance", account, "latest").textValue();
    return new BigInteger(balance.substring(2), 16);
  }

  /** As the published client signs it: with a fifth more than the price of gas. */
  SignedTransaction approval(Buyer buyer, long nonce) {
    return approval(
        buyer,
        nonce,
        GAS,
        gasPrice().multiply(BigInteger.valueOf(6)).divide(BigInteger.valueOf(5)));
  }

  SignedTransaction approval(Buyer buyer, long nonce, long gas, BigInteger maxFee) {
    Draft draft =
        new Draft(
            EvmAddress.parse(token),
            Hex.parse(data("approve", new Address(Contracts.PERMIT2), new Uint256(MOST))),
            gas,
            List.of());
    return SignedTransaction.of(
        buyer.key(), Anvil.CHAIN_ID, nonce, draft, new Fees(maxFee, BigInteger.ONE));
  }

  PaymentPayload paying(Buyer buyer, SignedTransaction approval) {
    return bringing(payment(buyer.wallet(), permitted()), buyer, approval);
  }

  PaymentPayload bringing(PaymentPayload payment, Buyer buyer, SignedTransaction approval) {
    ObjectNode extensions = JSON.createObjectNode();
    extensions
        .putObject("erc20ApprovalGasSponsoring")
        .putObject("info")
        .put(
            "description",
            "The facilitator broadcasts a pre-signed ERC-20 approve() transaction to grant Permit2"
                + " allowance.")
        .put("version", "1")
        .put("from", buyer.account())
        .put("asset", token)
        .put("spender", Contracts.PERMIT2)
        .put("amount", MOST.toString())
        .put("signedTransaction", Hex.of(approval.raw()));
    return new PaymentPayload(
        2,
        null,
        null,
        payment.scheme(),
        payment.network(),
        payment.payload(),
        extensions,
        payment.envelope());
  }

  /** As a node leaves a payment that dies when it has stored what gives the payer gas. */
  BigInteger leftBehind(Buyer buyer, PaymentPayload payment, SignedTransaction approval) {
    BigInteger given = gasPrice().multiply(BigInteger.valueOf(2 * GAS));
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
    TransactionQueries stored = new TransactionStore(database, NETWORK, "dead", clock()).read();
    String gift =
        jdbi.withHandle(
            handle ->
                Hex.of(handle.createQuery("SELECT hash FROM chain_tx").mapTo(byte[].class).one()));
    anvil.submit(Hex.of(stored.raw(gift)));
    anvil.submit(Hex.of(approval.raw()));
    assertThat(transactions(buyer)).isEqualTo(1);

    started(settings());

    awaitPaid(payment);
    awaitState(buyer, "DONE");
    assertThat(balance(SELLER)).isEqualTo(ATOMIC);
    assertThat(transactions(buyer)).isEqualTo(1);
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
