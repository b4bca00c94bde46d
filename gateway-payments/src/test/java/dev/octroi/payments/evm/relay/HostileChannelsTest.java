package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Facilitator.ChannelPayback;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Channels.ChannelRefundResult.Begun;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.treasury.VoucherClaims;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Payers who would have their money out of a channel twice, and what they were sold with it. */
class HostileChannelsTest extends RelayedChannelFixture {

  /** A channel that a payer has filled by its own transaction, and of which no call was charged. */
  private Channel filled() {
    Channel channel = new Channel(payer());
    anvil.execute(anvil.account(5), Contracts.BATCH_SETTLEMENT, Hex.of(calldata(channel.first())));
    ClaimResult result = claim(channel.pays(PRICE, null), PRICE);
    assertThat(ledger.release(((ClaimResult.Claimed) result).claim())).isTrue();
    return channel;
  }

  private ChannelPayback refund(Channel channel) {
    return refund(channel, OptionalLong.empty());
  }

  private ChannelPayback refund(Channel channel, OptionalLong most) {
    return facilitator.channelRefunds(NETWORK).orElseThrow().give(asked(channel), most);
  }

  private Begun held(Channel channel) {
    return (Begun) ledger.channels().hold(NETWORK, Hex.of(channel.id()), channel.charged);
  }

  /** Each refund costs the relay gas, and the payer nothing. */
  @Test
  void aPayerDoesNotGetBackAUnitAtATime() {
    Channel channel = filled();
    long sent = count("SELECT COUNT(*) FROM chain_tx");
    assertThat(refund(channel, OptionalLong.of(LEAST_REFUND - 1)).settlement())
        .isEqualTo(new Settlement.Unsent(ChannelUse.NO_AMOUNT));
    assertThat(refund(channel, OptionalLong.of(0)).settlement())
        .isEqualTo(new Settlement.Unsent(ChannelUse.NO_AMOUNT));
    assertThat(count("SELECT COUNT(*) FROM chain_tx")).isEqualTo(sent);

    assertThat(refund(channel, OptionalLong.of(DEPOSIT - 1)).amount()).isEqualTo(DEPOSIT - 1);
    ChannelPayback rest = refund(channel, OptionalLong.of(1));
    assertThat(rest.settlement()).as("all that is left").isInstanceOf(Settlement.Settled.class);
    assertThat(rest.amount()).isEqualTo(1);
  }

  @Test
  @Tag("spec:money.8")
  void whatWentBackInFullBuysNothingMore() {
    Channel channel = filled();
    Begun begun = held(channel);

    ChannelPayback back = refund(channel);

    assertThat(back.settlement()).isInstanceOf(Settlement.Settled.class);
    assertThat(back.amount()).isEqualTo(DEPOSIT);
    String id = Hex.of(channel.id());
    assertThat(ledger.channels().refunded(NETWORK, id, begun.hold(), DEPOSIT)).isTrue();
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.EXCEEDS);
    assertThat(count("SELECT balance FROM channel_reading")).as("on all nodes").isZero();
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.8")
  void aWithdrawalIsNoticedAlthoughANodeWhoseClockWasAheadReadTheChannelBefore() {
    Channel channel = opened();
    channel.calls(1);
    withdraw(channel, INITIATE, 5 * PRICE);
    jdbi.useHandle(
        handle ->
            handle.execute("UPDATE channel_reading SET read_at = read_at + INTERVAL '1' DAY"));
    ahead.set(301);
    channel.calls(3);

    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.EXCEEDS);
    assertThat(count("SELECT withdrawing FROM channel_reading"))
        .as("on all nodes")
        .isEqualTo(5 * PRICE);
  }

  /** Both take what is not claimed yet, so that together they took what was charged. */
  @Test
  @Tag("spec:money.8")
  void whatAPayerWithdrawsIsNotGivenBackAsWell() {
    Channel channel = opened();
    withdraw(channel, INITIATE, 5 * PRICE);
    ahead.set(301);
    channel.calls(4);

    assertThat(refund(channel).settlement())
        .isEqualTo(new Settlement.Unsent(ChannelUse.NOTHING_LEFT));

    anvil.timestampOfNextBlock(anvil.timestamp() + DELAY + 1);
    withdraw(channel, FINALIZE, 0);
    awaitEarned(claims(AT_ONCE), 5 * PRICE);
    assertBooksAgree();
  }

  /** The node of the chain that is asked next may not have seen it yet. */
  @Test
  @Tag("spec:money.8")
  void aChannelWhoseRefundNoCallSawIsNotFreeAsSoonAsThatIsFinal() {
    Channel channel = filled();
    assertThat(held(channel).hold()).isNotNull();
    assertThat(refund(channel).settlement()).isInstanceOf(Settlement.Settled.class);
    ahead.set(182);
    VoucherClaims claims = claims(LATER);

    claims.run();
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.BUSY);

    jdbi.useHandle(
        handle -> handle.execute("UPDATE chain_tx SET sent_at = DATEADD(MINUTE, -2, sent_at)"));
    claims.run();
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.EXCEEDS);
  }

  /** A token's nonce is used once: by the payment or by the deposit. */
  @Test
  @Tag("spec:money.1")
  void oneNonceSignedForAPaymentAndForADepositSettlesOneOfThem() {
    Channel channel = new Channel(payer());
    ChannelDeposit deposit = channel.deposit(DEPOSIT, 7);
    PaymentPayload filling = channel.pays(PRICE, deposit);
    TransferAuthorization authorization =
        new TransferAuthorization(
            channel.payer.address(),
            SELLER,
            BigInteger.valueOf(PRICE),
            BigInteger.ZERO,
            BigInteger.valueOf(anvil.timestamp() + 200),
            deposit.nonce(channel.id()));
    byte[] signature = channel.payer.sign(authorization.digest(EvmToken.BASE_USDC.domain()));
    PaymentPayload plain = payload(new SignedAuthorization(authorization, signature).toJson());
    anvil.automine(false);

    CompletableFuture<Settlement> first =
        CompletableFuture.supplyAsync(() -> facilitator.settle(plain, terms()));
    awaitStored(1);
    CompletableFuture<Settlement> second =
        CompletableFuture.supplyAsync(() -> facilitator.settle(filling, offer(PRICE)));
    awaitStored(2);
    anvil.automine(true);
    anvil.mine(1);

    assertThat(List.of(first.join(), second.join()))
        .filteredOn(Settlement.Settled.class::isInstance)
        .hasSize(1);
  }

  /** A payer may ask for refunds again and again, while the delay of its withdrawal runs. */
  @Test
  void refundsHoldUpNoClaim() {
    Channel charged = opened();
    charged.calls(2);
    Channel back = opened();
    Begun begun = held(back);
    anvil.automine(false);
    long before = count("SELECT COUNT(DISTINCT nonce) FROM chain_tx");
    CompletableFuture<ChannelPayback> refund = CompletableFuture.supplyAsync(() -> refund(back));
    awaitStored(before + 1);

    ahead.set(121);
    claims(AT_ONCE).run();

    awaitStored(before + 2);
    assertThat(refused(back.pays(PRICE, null), PRICE)).as("held").isEqualTo(ChannelUse.BUSY);
    anvil.automine(true);
    anvil.mine(1);
    long amount = refund.join().amount();
    String id = Hex.of(back.id());
    assertThat(ledger.channels().refunded(NETWORK, id, begun.hold(), amount)).isTrue();
    awaitEarned(claims(AT_ONCE), 4 * PRICE);
    assertThat(amount).isEqualTo(DEPOSIT - PRICE);
    assertBooksAgree();
  }

  private void awaitStored(long count) {
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> count("SELECT COUNT(DISTINCT nonce) FROM chain_tx") == count);
  }
}
