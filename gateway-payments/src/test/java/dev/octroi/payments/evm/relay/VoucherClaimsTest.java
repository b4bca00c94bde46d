package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.books.BookReport.Difference;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.evm.channel.ChannelCalls.ClaimRow;
import dev.octroi.payments.evm.channel.ClaimBatch;
import dev.octroi.payments.evm.channel.ClaimBatch.ChannelClaim;
import dev.octroi.payments.evm.relay.RelaySettings.Wait;
import dev.octroi.payments.evm.relay.TransferCall.PayoutCall;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Facilitator.ChannelPayback;
import dev.octroi.payments.facilitator.Facilitator.ChannelRefunds;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Channels.ChannelRefundResult.Begun;
import dev.octroi.payments.treasury.VoucherClaims;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls that are paid out of channels on a chain: deposits are sent, vouchers are claimed together,
 * and the seller is paid what they come to.
 */
class VoucherClaimsTest extends RelayedChannelFixture {

  private static final String CLAIM = "0xe43ce1f2";
  private static final String PAYOUT = "0x9db32a8f";

  private long transactions() {
    return count("SELECT COUNT(DISTINCT nonce) FROM chain_tx");
  }

  @Test
  void manyCallsAreClaimedByOneTransactionAndPaidOutByTheNext() {
    Channel channel = opened();
    channel.calls(9);
    Channel other = opened();

    assertThat(transactions()).isEqualTo(2);
    assertThat(owed()).isEqualTo(11 * PRICE);
    assertThat(earned()).isZero();
    assertBooksAgree();
    awaitEarned(claims(AT_ONCE), 11 * PRICE);

    assertThat(transactions()).isEqualTo(4);
    assertThat(channel.claimed()).isEqualTo(10 * PRICE);
    assertThat(other.claimed()).isEqualTo(PRICE);
    assertThat(channel.held()).as("gross").isEqualTo(DEPOSIT);
    assertThat(owed()).isZero();
    assertThat(channel.state().claimed()).isEqualTo(10 * PRICE);
    assertBooksAgree();
    claims(AT_ONCE).run();
    assertThat(transactions()).isEqualTo(4);

    other.calls(3);
    awaitEarned(claims(AT_ONCE), 14 * PRICE);

    assertThat(transactions()).as("a claim and a payout more").isEqualTo(6);
    assertBooksAgree();
  }

  /** As a database that was put back, or tables that were changed by hand. */
  @Test
  void theBooksFindWhatTheContractSaysOtherwise() {
    Channel channel = opened();
    channel.calls(3);
    assertThat(books().channels()).isEqualTo(1);

    assertThat(differences("charged = " + (DEPOSIT + 1))).contains("channel-short");
    assertThat(differences("claimed = 1")).contains("channel-not-claimed");
    awaitEarned(claims(AT_ONCE), 4 * PRICE);
    assertBooksAgree();
    assertThat(differences("charged = " + (4 * PRICE - 1))).contains("channel-overclaimed");
    anvil.close();

    assertThat(books().channels()).as("compared, while there is no chain").isZero();
  }

  /** What the books find once the one channel was changed so; it is changed back. */
  private List<String> differences(String change) {
    String column = change.substring(0, change.indexOf(' '));
    long before = count("SELECT " + column + " FROM channel");
    jdbi.useHandle(handle -> handle.execute("UPDATE channel SET " + change));
    List<String> found = books().differences().stream().map(Difference::check).toList();
    jdbi.useHandle(handle -> handle.execute("UPDATE channel SET " + column + " = " + before));
    return found;
  }

  @Test
  void aVoucherAsksNoChainAndPaysNoMoreThanTheContractHolds() {
    Channel channel = opened();
    channel.calls(1);
    anvil.close();

    channel.calls(8);
    assertThat(channel.state().charged()).isEqualTo(DEPOSIT);
    assertThat(channel.state().left()).isEmpty();
  }

  @Test
  void aChannelThatIsUsedUpTakesAnotherDeposit() {
    Channel channel = opened();
    channel.calls(9);

    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.EXCEEDS);
    var unused = valid(channel.first(), PRICE);
    assertThat(count("SELECT COALESCE(MIN(balance), 0) FROM channel_reading"))
        .as("bounds vouchers that were verified before")
        .isEqualTo(DEPOSIT);
    assertThat(paid(channel.first(), PRICE)).isInstanceOf(Settlement.Settled.class);
    channel.charged += PRICE;
    channel.calls(9);

    assertThat(channel.held()).isEqualTo(2 * DEPOSIT);
    assertThat(owed()).isEqualTo(2 * DEPOSIT);
    assertBooksAgree();
  }

  /** Issue 2559 of x402: neither for its own channel nor for the others of a claim. */
  @Test
  void anUnconfirmedDepositIsNoBalanceAndHoldsUpNoClaim() {
    Channel channel = opened();
    channel.calls(9);
    Channel other = opened();
    facilitator = channels(reader(), settings().waiting(Wait.BROADCAST));
    anvil.automine(false);

    assertThat(paid(channel.first(), PRICE)).isInstanceOf(Settlement.Sent.class);
    channel.charged += PRICE;
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.BUSY);
    assertThat(reader().of(Hex.of(channel.id())).balance()).isEqualTo(DEPOSIT);
    VoucherClaims claims = claims(AT_ONCE);
    claims.run();
    assertThat(facilitator.isPayingOut()).isTrue();
    anvil.automine(true);
    anvil.mine(1);

    awaitEarned(claims, 11 * PRICE);
    assertThat(other.claimed()).isEqualTo(PRICE);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              facilitator.follow(ledger.unresolved());
              return channel.state().charged() == 11 * PRICE;
            });
    ahead.set(3);
    channel.calls(1);
    awaitEarned(claims, 13 * PRICE);
    assertBooksAgree();
  }

  /** Issue 3464 of x402: a withdrawal takes nothing that was charged before it ends. */
  @Test
  void whatAPayerBeginsToWithdrawIsClaimedBeforeAndNotSpentAgain() {
    Channel channel = opened();
    channel.calls(4);
    VoucherClaims claims = claims(LATER);
    claims.run();
    assertThat(facilitator.isPayingOut()).isFalse();
    withdraw(channel, INITIATE, DEPOSIT);
    ahead.set(301);

    claims.run();
    awaitQuiet();
    assertThat(channel.claimed()).isEqualTo(5 * PRICE);
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.EXCEEDS);
    anvil.timestampOfNextBlock(anvil.timestamp() + DELAY + 1);
    withdraw(channel, FINALIZE, 0);
    awaitEarned(claims, 5 * PRICE);

    assertThat(channel.held()).isEqualTo(5 * PRICE);
    assertThat(coin.balanceOf(channel.payer.address().toString())).isEqualTo(FUNDS - 5 * PRICE);
    assertBooksAgree();
  }

  /** Issue 2471 of x402. */
  @Test
  void thePayoutWaitsForItsClaimAndNoNonceIsUsedTwice() throws Exception {
    opened().calls(1);
    opened();
    VoucherClaims claims = claims(AT_ONCE);
    List<Wallet> others = List.of(payer(), payer(), payer(), payer());
    anvil.automine(false);
    long before = transactions();

    claims.run();
    claims.run();
    claims(AT_ONCE).run();
    assertThat(transactions()).isEqualTo(before + 1);
    List<Callable<Settlement>> calls = new ArrayList<>();
    for (Wallet other : others) {
      PaymentPayload exact = payment(other);
      calls.add(() -> facilitator.settle(exact, terms()));
    }
    calls.add(
        () -> {
          anvil.automine(true);
          anvil.mine(1);
          awaitEarned(claims, 7 * PRICE);
          return new Settlement.Settled("");
        });
    assertThat(all(calls)).allMatch(Settlement.Settled.class::isInstance);

    Final claim = called(CLAIM).get(0);
    Final payout = called(PAYOUT).get(0);
    assertThat(called(CLAIM)).hasSize(1);
    assertThat(called(PAYOUT)).hasSize(1);
    assertThat(payout.nonce()).isGreaterThan(claim.nonce());
    assertThat(payout.block()).isGreaterThan(claim.block());
    assertThat(
            count(
                "SELECT COUNT(*) FROM chain_tx t WHERE NOT EXISTS"
                    + " (SELECT 1 FROM chain_tx_payment p WHERE p.hash = t.hash)"))
        .as("nonces that were filled")
        .isZero();
  }

  /** A transaction that the chain took for good. */
  private record Final(byte[] hash, long nonce, long block) {}

  /** Those whose calldata begins with this selector. */
  private List<Final> called(String selector) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT t.hash, t.nonce, t.block FROM chain_tx t JOIN chain_tx_payment p ON p.hash = t.hash"
                        + " WHERE t.state = 'FINAL' AND SUBSTRING(p.call FROM 1 FOR 4) = :selector")
                .bind("selector", Hex.parse(selector))
                .map(
                    (row, context) ->
                        new Final(row.getBytes("hash"), row.getLong("nonce"), row.getLong("block")))
                .list());
  }

  @Test
  @Tag("spec:money.2")
  void aClaimThatADeadNodeStoredAndDidNotSendIsSentByAnotherOnce() {
    Channel channel = opened();
    channel.calls(2);
    ClaimRow row =
        new ClaimRow(
            channel.config,
            new ChannelClaim(channel.voucher(3 * PRICE), BigInteger.valueOf(3 * PRICE)),
            channel.signed(3 * PRICE));
    byte[] digest = new ClaimBatch(List.of(row.claim())).digest(Anvil.CHAIN_ID);
    byte[] data = ChannelCalls.claim(List.of(row), relayer.sign(digest));
    TransactionStore dying = new TransactionStore(database, NETWORK, "a-dead-node", clock());
    Draft draft = Draft.first(new PayoutCall(EvmToken.BASE_USDC.address(), data));
    stored(dying, draft);
    assertThat(facilitator.isPayingOut()).isTrue();

    awaitEarned(claims(AT_ONCE), 3 * PRICE);

    assertThat(transactions()).isEqualTo(3);
    assertThat(owed()).isZero();
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.5")
  void aDepositThatAStrangerSubmittedIsFoundByItsLog() {
    Channel channel = new Channel(payer());
    PaymentPayload payment = channel.first();
    UnresolvedPayment open = inDoubt(payment);
    anvil.execute(anvil.account(5), Contracts.BATCH_SETTLEMENT, Hex.of(calldata(payment)));

    Settlement proof = evidence.of(open).orElseThrow();

    assertThat(proof).isInstanceOf(Settlement.Settled.class);
    assertThat(ledger.unresolved().close(open, proof)).isTrue();
    assertThat(owed()).isEqualTo(PRICE);
    assertBooksAgree();
  }

  @ParameterizedTest
  @ValueSource(strings = {"eth_getLogs", "eth_getTransactionReceipt"})
  @Tag("spec:money.5")
  void whatANodeDoesNotHaveDisprovesNoDeposit(String method) {
    Channel channel = new Channel(payer());
    PaymentPayload payment = channel.first();
    UnresolvedPayment open = inDoubt(payment);
    anvil.execute(anvil.account(5), Contracts.BATCH_SETTLEMENT, Hex.of(calldata(payment)));
    anvil.timestampOfNextBlock(open.validBefore().getEpochSecond() + 1);
    anvil.mine(3);

    assertThat(evidence(behind(method)).of(open)).isEmpty();
    assertThat(evidence.of(open)).containsInstanceOf(Settlement.Settled.class);
  }

  /** Of two authorizations with one nonce the token takes the smaller, which brings too little. */
  @Test
  @Tag("spec:money.5")
  void aSmallerDepositWithTheSameNonceProvesNothing() {
    Channel channel = new Channel(payer());
    PaymentPayload payment = channel.first();
    UnresolvedPayment open = inDoubt(payment);
    byte[] less =
        ChannelCalls.deposit(channel.config, channel.deposit(PRICE - 1, 0), Optional.empty());
    anvil.execute(anvil.account(5), Contracts.BATCH_SETTLEMENT, Hex.of(less));

    assertThat(evidence.of(open)).isEmpty();
    anvil.timestampOfNextBlock(open.validBefore().getEpochSecond() + 1);
    anvil.mine(3);

    assertThat(evidence.of(open)).containsInstanceOf(Settlement.Refused.class);
  }

  /** Its account may become a contract, by which the vouchers of before would be worth nothing. */
  @Test
  void aChannelWhoseVouchersNoNamedKeySignsIsRefused() {
    Channel channel = new Channel(payer(), EvmAddress.parse("0x" + "00".repeat(20)));

    assertThat(facilitator.verify(channel.first(), offer(PRICE)))
        .isInstanceOfSatisfying(
            Verification.Invalid.class,
            invalid -> assertThat(invalid.reason()).endsWith("voucher_signature"));
  }

  @Test
  void aDepositThatCannotBeMadeIsRefusedBeforeTheCall() {
    Channel poor = new Channel(Wallet.generate());
    Channel channel = opened();
    PaymentPayload again = channel.pays(PRICE, channel.deposit(DEPOSIT, 0));

    assertThat(facilitator.verify(poor.first(), offer(PRICE)))
        .isInstanceOfSatisfying(
            Verification.Late.class,
            late -> assertThat(late.reason()).isEqualTo(ChannelUse.NO_FUNDS));
    assertThat(facilitator.verify(again, offer(PRICE)))
        .isInstanceOfSatisfying(
            Verification.Late.class,
            late -> assertThat(late.reason()).isEqualTo(ChannelUse.NO_DEPOSIT));
  }

  @Test
  void whatIsLeftGoesBackAndWhatWasChargedStays() {
    Channel channel = opened();
    channel.calls(3);
    String id = Hex.of(channel.id());
    ChannelRefunds refunds = facilitator.channelRefunds(NETWORK).orElseThrow();
    Begun begun = (Begun) ledger.channels().hold(NETWORK, id, 4 * PRICE);
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.BUSY);

    ChannelPayback part = refunds.give(asked(channel), OptionalLong.of(PRICE));
    ChannelPayback rest = refunds.give(asked(channel), OptionalLong.empty());
    ChannelPayback none = refunds.give(asked(channel), OptionalLong.empty());

    assertThat(part.settlement()).isInstanceOf(Settlement.Settled.class);
    assertThat(part.amount()).isEqualTo(PRICE);
    assertThat(rest.amount()).isEqualTo(5 * PRICE);
    assertThat(none.settlement()).isEqualTo(new Settlement.Unsent(ChannelUse.NOTHING_LEFT));
    assertThat(ledger.channels().refunded(NETWORK, id, begun.hold(), 6 * PRICE)).isTrue();
    assertThat(ledger.channels().refunded(NETWORK, id, begun.hold(), 6 * PRICE)).isFalse();
    assertThat(coin.balanceOf(channel.payer.address().toString())).isEqualTo(FUNDS - 4 * PRICE);
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.EXCEEDS);
    awaitEarned(claims(AT_ONCE), 4 * PRICE);
    assertBooksAgree();
  }

  /** Its channel is free again once nothing is under way, and the contract was asked. */
  @Test
  void aRefundWhoseNodeDiedHoldsItsChannelNoLongerThanItsTransaction() {
    Channel channel = opened();
    String id = Hex.of(channel.id());
    assertThat(ledger.channels().hold(NETWORK, id, PRICE)).isInstanceOf(Begun.class);
    VoucherClaims claims = claims(LATER);
    claims.run();
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.BUSY);
    ahead.set(121);
    claims.run();
    assertThat(refused(channel.pays(PRICE, null), PRICE))
        .as("the call may wait to send it yet")
        .isEqualTo(ChannelUse.BUSY);
    ahead.set(182);

    claims.run();

    channel.calls(1);
    assertBooksAgree();
  }

  /** What a call costs at 100 calls a channel and 50 channels a claim. */
  @Test
  void aCallCostsAFractionOfTheGasOfATransfer() throws Exception {
    List<Channel> channels = new ArrayList<>();
    List<Callable<Channel>> openings = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Channel channel = new Channel(payer());
      channels.add(channel);
      openings.add(
          () -> {
            assertThat(paid(channel.pays(PRICE, channel.deposit(100 * PRICE, 0)), PRICE))
                .isInstanceOf(Settlement.Settled.class);
            return channel;
          });
    }
    for (int i = 0; i < openings.size(); i += 10) {
      all(openings.subList(i, i + 10));
    }
    for (Channel channel : channels) {
      channel.charged = PRICE;
      assertThat(paid(channel.pays(99 * PRICE, null), 99 * PRICE))
          .isInstanceOf(Settlement.Settled.class);
    }
    awaitEarned(claims(AT_ONCE), 5_000 * PRICE);
    Settlement exact = facilitator.settle(payment(payer()), terms());

    long deposits = gas("0x140f1e75");
    long claim = gas(CLAIM);
    long payout = gas(PAYOUT);
    long transfer = gas("0xe3ee160e");
    long call = (deposits + claim + payout) / 5_000;
    System.out.printf(
        "GAS of channels: deposit %d, claim of 50 %d (%d a channel), payout %d, a call %d;"
            + " without deposits %d; an exact transfer %d%n",
        deposits / 50, claim, claim / 50, payout, call, (claim + payout) / 5_000, transfer);
    assertThat(exact).isInstanceOf(Settlement.Settled.class);
    assertThat(call).isLessThan(transfer / 20);
    assertThat(called(CLAIM)).hasSize(1);
    assertBooksAgree();
  }

  /** What the chain says that transactions with this selector took together. */
  private long gas(String selector) {
    return called(selector).stream()
        .map(one -> anvil.receipt(Hex.of(one.hash())).path("gasUsed"))
        .map(JsonNode::textValue)
        .mapToLong(Long::decode)
        .sum();
  }
}
