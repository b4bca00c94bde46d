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
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.TokenCalls;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.evm.channel.PermitDeposit;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.relay.TokenApprovals.Buyer;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Facilitator.ChannelPayback;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.DynamicBytes;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.Type;
import org.web3j.abi.datatypes.generated.Uint256;

/** Channels of a token of six decimals that takes no authorization: Permit2 moves deposits. */
class PermitChannelsTest extends RelayedChannelFixture {

  private String plain = "";

  /** What payers are given in 24 hours, in wei. */
  private BigInteger budget = ETHER;

  private Map<String, Object> named = Map.of(PaymentOption.TRANSFER_METHOD, Permit2.METHOD);

  @BeforeEach
  void deployTheToken() {
    Contracts.deployPermit2(anvil);
    plain = Contracts.deployPlainToken(anvil, 6);
  }

  @Override
  EvmAddress token() {
    return EvmAddress.parse(plain);
  }

  @Override
  Map<String, Object> named() {
    return named;
  }

  @Override
  ChannelDeposit deposit(Channel channel, long amount, int salt) {
    return deposit(channel, amount, salt, anvil.timestamp() + 200);
  }

  private PermitDeposit deposit(Channel channel, long amount, int nonce, long deadline) {
    return signed(
        channel,
        PermitDeposit.unsigned(
            channel.config,
            channel.id(),
            BigInteger.valueOf(amount),
            BigInteger.valueOf(nonce),
            BigInteger.valueOf(deadline)));
  }

  private static PermitDeposit signed(Channel channel, PermitDeposit unsigned) {
    return unsigned.signed(channel.payer.sign(unsigned.digest(Anvil.CHAIN_ID)));
  }

  /** A payer with ten dollars that lets Permit2 move them. */
  @Override
  Wallet payer() {
    Wallet payer = rich();
    call(
        payer.address().toString(),
        plain,
        "approve",
        new Address(Contracts.PERMIT2),
        new Uint256(PermitFixture.MOST));
    return payer;
  }

  private Wallet rich() {
    Wallet payer = Wallet.generate();
    anvil.setBalance(payer.address().toString(), ETHER);
    mint(payer.address().toString());
    return payer;
  }

  private void mint(String account) {
    call(anvil.account(0), plain, "mint", new Address(account), new Uint256(FUNDS));
  }

  private String call(String from, String contract, String method, Type<?>... arguments) {
    return anvil
        .execute(
            from,
            contract,
            FunctionEncoder.encode(new Function(method, List.of(arguments), List.of())))
        .path("transactionHash")
        .textValue();
  }

  @Override
  long earned() {
    return balance(SELLER);
  }

  private long balance(EvmAddress account) {
    String said = anvil.ask(plain, Hex.of(TokenCalls.balanceOf(account)));
    return new BigInteger(said.substring(2), 16).longValueExact();
  }

  private String invalid(PaymentPayload payment) {
    return PermitFixture.invalid(facilitator.verify(payment, offer(PRICE)));
  }

  private String late(PaymentPayload payment) {
    return PermitFixture.late(facilitator.verify(payment, offer(PRICE)));
  }

  @Test
  void callsAreClaimedPaidOutAndWhatIsLeftGoesBack() {
    Channel channel = opened();
    channel.calls(9);
    Channel other = opened();

    assertThat(channel.held()).isEqualTo(DEPOSIT);
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.EXCEEDS);
    assertThat(paid(channel.first(), PRICE)).isInstanceOf(Settlement.Settled.class);
    channel.charged += PRICE;
    awaitEarned(claims(AT_ONCE), 12 * PRICE);
    ChannelPayback back =
        facilitator.channelRefunds(NETWORK).orElseThrow().give(asked(other), OptionalLong.empty());

    assertThat(channel.held()).isEqualTo(2 * DEPOSIT);
    assertThat(back.settlement()).isInstanceOf(Settlement.Settled.class);
    assertThat(balance(other.payer.address())).isEqualTo(FUNDS - PRICE);
    assertBooksAgree();
  }

  /** Each rule alone, by the names that the published facilitator has for them. */
  @Test
  void eachBrokenRuleIsToldByItsName() {
    Channel channel = new Channel(payer());
    long deadline = anvil.timestamp() + 200;
    PermitDeposit good = deposit(channel, DEPOSIT, 7, deadline);
    EvmAddress stranger = Wallet.generate().address();
    EvmAddress payer = good.from();
    EvmAddress spender = good.spender();
    assertThat(invalid(channel, with(good, stranger, token(), spender, DEPOSIT)))
        .isEqualTo("permit2_invalid_signature");
    assertThat(invalid(channel, with(good, payer, token(), stranger, DEPOSIT)))
        .isEqualTo("permit2_invalid_spender");
    assertThat(invalid(channel, with(good, payer, stranger, spender, DEPOSIT)))
        .isEqualTo("token_mismatch");
    assertThat(invalid(channel, with(good, payer, token(), spender, DEPOSIT + 1)))
        .isEqualTo("permit2_amount_mismatch");
    Channel other = new Channel(channel.payer, stranger);
    assertThat(invalid(channel, deposit(other, DEPOSIT, 7, deadline)))
        .isEqualTo("channel_id_mismatch");
    assertThat(invalid(channel, good.signed(new byte[65]))).isEqualTo("permit2_invalid_signature");
    assertThat(invalid(channel, deposit(channel, 0, 7, deadline)))
        .isEqualTo("permit2_invalid_signature");
    assertThat(invalid(channel, deposit(channel, DEPOSIT, 7, deadline + 200)))
        .isEqualTo("permit2_deadline_expired");
    assertThat(invalid(channel, super.deposit(channel, DEPOSIT, 7)))
        .isEqualTo("permit2_authorization_required");
    assertThat(late(channel.pays(PRICE, deposit(channel, DEPOSIT, 7, deadline - 197))))
        .endsWith("evm_permit2_deadline_expired");

    PaymentPayload payment = channel.pays(PRICE, good);

    assertThat(EvmPayments.key(restated(payment)).orElseThrow().nonce())
        .as("by which the ledger finds it again")
        .isEqualTo(valid(payment, PRICE).nonce());
  }

  /** As a client sends it, with the offer that it accepts. */
  private PaymentPayload restated(PaymentPayload payment) {
    return new PaymentPayload(
        2,
        null,
        new ObjectMapper().valueToTree(offer(PRICE)),
        payment.scheme(),
        payment.network(),
        payment.payload(),
        null,
        payment.envelope());
  }

  private String invalid(Channel channel, ChannelDeposit deposit) {
    return invalid(channel.pays(PRICE, deposit)).substring(BatchSettlement.PREFIX.length());
  }

  private static PermitDeposit with(
      PermitDeposit good, EvmAddress from, EvmAddress token, EvmAddress spender, long permitted) {
    return new PermitDeposit(
        from,
        token,
        good.amount(),
        BigInteger.valueOf(permitted),
        spender,
        good.nonce(),
        good.deadline(),
        good.channelId(),
        good.signature());
  }

  @Test
  void whatTheChainHasAgainstADepositIsToldByName() {
    Channel unasked = new Channel(rich());
    Channel poor = new Channel(payer());
    Channel channel = opened();

    assertThat(late(unasked.first())).isEqualTo(ChannelUse.NO_ALLOWANCE);
    assertThat(PaymentHeaders.statusOf(ChannelUse.NO_ALLOWANCE)).isEqualTo(412);
    assertThat(late(poor.pays(PRICE, poor.deposit(FUNDS + 1, 0)))).isEqualTo(ChannelUse.NO_FUNDS);
    assertThat(late(channel.pays(PRICE, channel.deposit(DEPOSIT, 0))))
        .as("a nonce that is used")
        .isEqualTo(ChannelUse.NO_DEPOSIT);
  }

  @Test
  void aWalletThatNeedsMoreGasThanItsTransactionHasPutsNothingIn() {
    Channel channel = new Channel(payer());
    String wallet = channel.payer.address().toString();
    Contracts.putGreedyWallet(anvil, wallet, 1_000_000);
    assertThat(late(channel.first())).isEqualTo(ChannelUse.NO_DEPOSIT);

    Contracts.putGreedyWallet(anvil, wallet, 250_000);
    assertThat(paid(channel.first(), PRICE)).isInstanceOf(Settlement.Settled.class);
  }

  @Test
  void aTokensOwnPermitIsBroughtAlongByAPayerWithoutGas() {
    named = Map.of(PaymentOption.TRANSFER_METHOD, Permit2.METHOD, "name", "Plain", "version", "1");
    Channel channel = new Channel(rich());
    long deadline = anvil.timestamp() + 200;
    PermitDeposit deposit = deposit(channel, DEPOSIT, 3, deadline);
    ObjectNode info =
        TokenPermits.info(anvil, plain, channel.payer, deposit.amount(), deposit.deadline());
    PaymentPayload plainly = channel.pays(PRICE, deposit);

    assertThat(late(plainly)).isEqualTo(ChannelUse.NO_ALLOWANCE);
    assertThat(
            invalid(
                TokenPermits.bringing(
                    plainly, info.deepCopy().put("from", Contracts.PERMIT_COLLECTOR))))
        .isEqualTo("eip2612_from_mismatch");
    assertThat(
            invalid(
                TokenPermits.bringing(
                    plainly,
                    TokenPermits.info(
                        anvil, plain, channel.payer, BigInteger.ONE, deposit.deadline()))))
        .endsWith("2612_amount_mismatch");
    assertThat(paid(TokenPermits.bringing(plainly, info), PRICE))
        .isInstanceOf(Settlement.Settled.class);
    assertThat(channel.held()).isEqualTo(DEPOSIT);
  }

  @Override
  Optional<ApprovalFunds> funds(JsonRpc rpc, DataSource store) {
    return Optional.of(new ApprovalFunds(rpc, store, budget, clock()));
  }

  @Test
  void aPayerWithoutGasIsGivenItForTheApprovalThatItBringsAlong() {
    Buyer buyer = Buyer.generate();
    mint(buyer.account());
    Channel channel = new Channel(buyer.wallet());
    PaymentPayload plainly = channel.first();
    PaymentPayload payment =
        TokenApprovals.bringing(
            plainly, plain, buyer, TokenApprovals.approval(anvil, plain, buyer, 0));

    assertThat(late(plainly)).isEqualTo(ChannelUse.NO_ALLOWANCE);
    assertThat(
            invalid(
                TokenApprovals.bringing(
                    plainly, plain, buyer, TokenApprovals.approval(anvil, plain, buyer, 1))))
        .isEqualTo("erc20_approval_tx_wrong_nonce");
    assertThat(paid(payment, PRICE)).isInstanceOf(Settlement.Settled.class);
    channel.charged = PRICE;
    channel.calls(1);

    assertThat(channel.held()).isEqualTo(DEPOSIT);
    assertThat(count("SELECT COUNT(*) FROM sponsored_approval WHERE state = 'DONE'")).isEqualTo(1);
  }

  @Test
  void anApprovalThatTheBudgetDoesNotCoverCountsAsNone() {
    budget = BigInteger.ONE;
    facilitator = channels(reader(), settings());
    Buyer buyer = Buyer.generate();
    Channel channel = new Channel(buyer.wallet());
    mint(buyer.account());

    assertThat(
            late(
                TokenApprovals.bringing(
                    channel.first(),
                    plain,
                    buyer,
                    TokenApprovals.approval(anvil, plain, buyer, 0))))
        .isEqualTo(ChannelUse.NO_ALLOWANCE);
  }

  /** The payer takes a permit back. */
  private void burn(Channel channel, int nonce) {
    call(
        channel.payer.address().toString(),
        Contracts.PERMIT2,
        "invalidateUnorderedNonces",
        new Uint256(0),
        new Uint256(1L << nonce));
  }

  private void pass(UnresolvedPayment open) {
    anvil.timestampOfNextBlock(open.validBefore().getEpochSecond() + 1);
    anvil.mine(3);
  }

  @Test
  @Tag("spec:money.5")
  void aDepositThatAStrangerSubmittedIsFoundByItsLogAndCalldata() {
    Channel channel = opened();
    PaymentPayload payment = channel.pays(PRICE, channel.deposit(DEPOSIT, 5));
    UnresolvedPayment open = inDoubt(payment);
    byte[] other = calldata(channel.pays(PRICE, channel.deposit(DEPOSIT, 6)));
    anvil.execute(anvil.account(5), Contracts.BATCH_SETTLEMENT, Hex.of(other));

    assertThat(evidence.of(open)).as("another permit's deposit").isEmpty();
    anvil.execute(anvil.account(5), Contracts.BATCH_SETTLEMENT, Hex.of(calldata(payment)));
    Settlement proof = evidence.of(open).orElseThrow();

    assertThat(proof).isInstanceOf(Settlement.Settled.class);
    assertThat(ledger.unresolved().close(open, proof)).isTrue();
    assertThat(owed()).isEqualTo(2 * PRICE);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.5")
  void aPermitThatEndedUnusedOrWasBurntIsNotPaid() {
    Channel channel = opened();
    UnresolvedPayment open = inDoubt(channel.pays(PRICE, channel.deposit(DEPOSIT, 5)));
    burn(channel, 5);

    assertThat(evidence.of(open)).isEmpty();
    pass(open);

    assertThat(evidence.of(open))
        .contains(new Settlement.Refused(BatchSettlement.PREFIX + "permit2_deadline_expired"));
  }

  /** The log does not say whose permit it was. */
  @Test
  @Tag("spec:money.5")
  void aDepositThatAnotherContractMadeLeavesThePaymentInDoubt() {
    Channel channel = opened();
    PaymentPayload payment = channel.pays(PRICE, channel.deposit(DEPOSIT, 5));
    UnresolvedPayment open = inDoubt(payment);
    String forwarder = Contracts.deployForwarder(anvil);
    call(
        channel.payer.address().toString(),
        forwarder,
        "forward",
        new Address(Contracts.BATCH_SETTLEMENT),
        new DynamicBytes(calldata(payment)));
    pass(open);

    assertThat(channel.held()).isEqualTo(2 * DEPOSIT);
    assertThat(evidence.of(open)).isEmpty();
  }

  /** Permit2 counts it as used, which is no proof that a payment used it. */
  @Test
  @Tag("spec:money.5")
  void aNonceThatWasBurntAfterTheVerificationProvesNothing() {
    Channel channel = opened();
    PaymentPayload payment = channel.pays(PRICE, channel.deposit(DEPOSIT, 5));
    Claim claim = ((ClaimResult.Claimed) claim(payment, PRICE)).claim();
    burn(channel, 5);

    assertThat(sent(claim, payment, PRICE)).isNotInstanceOf(Settlement.Settled.class);
    assertThat(channel.held()).isEqualTo(DEPOSIT);
  }

  @Test
  @Tag("spec:money.2")
  void aDepositThatADeadNodeStoredIsSentByAnotherOnce() {
    Channel channel = new Channel(payer());
    PaymentPayload payment = channel.first();
    UnresolvedPayment open = inDoubt(payment);
    TransactionStore dying = new TransactionStore(database, NETWORK, "a-dead-node", clock());
    dying.catchUp(relayer.address(), 0);
    Draft draft = Draft.first(TransferCall.of(token(), calldata(payment), Anvil.CHAIN_ID));
    stored(dying, draft);

    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              facilitator.follow(ledger.unresolved());
              return ledger.unresolved().since(clock().instant().plusSeconds(9), 9).isEmpty();
            });

    assertThat(channel.held()).isEqualTo(DEPOSIT);
    assertThat(owed()).isEqualTo(PRICE);
    assertThat(open.key().nonce()).hasSize(2 + 2 * 65);
    assertBooksAgree();
  }
}
