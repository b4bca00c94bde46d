package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.channel.ChannelCalls.ClaimRow;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.evm.channel.ChannelOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.ClaimOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.PayoutOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.RefundOrder;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.ChannelPayload.Kind;
import dev.octroi.payments.evm.channel.ChannelRefund;
import dev.octroi.payments.evm.channel.ChannelSamples;
import dev.octroi.payments.evm.channel.ClaimBatch;
import dev.octroi.payments.evm.channel.ClaimBatch.ChannelClaim;
import dev.octroi.payments.evm.channel.Voucher;
import dev.octroi.payments.x402.FacilitatorMessages.VerifyResponse;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import dev.octroi.payments.x402.StatedChannel;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Other servers' channels, which a relay fills, claims, pays out and refunds for them. */
@Tag("spec:x402.facilitator.settle")
class ChannelOrdersTest extends RelayFixture {

  private static final long DELAY = 900;
  private static final long DEPOSIT = 10 * PRICE;
  private static final EvmAddress USDC = EvmToken.BASE_USDC.address();

  /** Of another server. */
  private static final EvmAddress OTHER =
      EvmAddress.parse("0x036CbD53842c5426634e7929541eC2318f3dCF7e");

  private final Set<String> charged = new HashSet<>();
  private EvmFacilitator facilitator;
  private ChannelOrders orders;

  @BeforeEach
  void deploy() {
    Contracts.deployBatchSettlement(anvil);
    facilitator = node(settings());
    orders = served(facilitator);
  }

  private EvmFacilitator node(RelaySettings.Builder settings) {
    return channels(new ChannelReader(rpc(anvil.url()), database, 1, clock()), settings);
  }

  private ChannelOrders served(EvmFacilitator from) {
    return from.orders(SELLER, charged::contains).orElseThrow();
  }

  /** The terms of another server, which may have a key of its own. */
  private PaymentRequirements terms(String amount, EvmAddress payTo, EvmAddress authorizer) {
    return new PaymentRequirements(
        PaymentOption.CHANNEL,
        NETWORK,
        amount,
        USDC.toString(),
        payTo.toString(),
        300,
        Map.of(
            PaymentOption.RECEIVER_AUTHORIZER,
            authorizer.toString(),
            PaymentOption.WITHDRAW_DELAY,
            (int) DELAY,
            "name",
            "USD Coin",
            "version",
            "2"));
  }

  private PaymentRequirements price() {
    return terms(Long.toString(PRICE), OTHER, relayer.address());
  }

  /** As servers say it that order something for themselves. */
  private static PaymentRequirements nothing() {
    return new PaymentRequirements(
        PaymentOption.CHANNEL, NETWORK, "0", USDC.toString(), OTHER.toString(), 0, Map.of());
  }

  private PaymentPayload ordered(ChannelOrder order) {
    return payload(PaymentOption.CHANNEL, order.toJson());
  }

  private SettlementResponse settle(ChannelOrder order) {
    return orders.settle(ordered(order), nothing());
  }

  /** A payer's channel with another server. */
  private final class Channel {

    private final Wallet payer;
    private final ChannelConfig config;

    Channel(EvmAddress receiver, EvmAddress authorizer) {
      this(payer(), receiver, authorizer, USDC);
    }

    Channel(Wallet payer, EvmAddress receiver, EvmAddress authorizer, EvmAddress token) {
      this.payer = payer;
      this.config =
          new ChannelConfig(
              payer.address(),
              payer.address(),
              receiver,
              authorizer,
              token,
              DELAY,
              new byte[Keccak.BYTES]);
    }

    byte[] id() {
      return config.id(Anvil.CHAIN_ID);
    }

    Voucher voucher(long max) {
      return new Voucher(id(), BigInteger.valueOf(max));
    }

    byte[] signed(long max) {
      return payer.sign(voucher(max).digest(Anvil.CHAIN_ID));
    }

    ChannelPayload asks(Kind kind, long max, @Nullable ChannelDeposit deposit, long refund) {
      BigInteger back = kind == Kind.REFUND ? BigInteger.valueOf(refund) : null;
      return new ChannelPayload(kind, config, voucher(max), signed(max), deposit, back);
    }

    PaymentPayload by(long max) {
      return payload(PaymentOption.CHANNEL, asks(Kind.VOUCHER, max, null, 0).toJson());
    }

    PaymentPayload deposits(long amount, int salt, long max) {
      ChannelDeposit signed =
          ChannelSamples.deposit(config, amount, salt, anvil.timestamp() + 200, payer::sign);
      return payload(PaymentOption.CHANNEL, asks(Kind.DEPOSIT, max, signed, 0).toJson());
    }

    ClaimRow row(long max, long total) {
      return new ClaimRow(
          config, new ChannelClaim(voucher(max), BigInteger.valueOf(total)), signed(max));
    }

    RefundOrder back(long amount, long nonce, ClaimRow... claims) {
      return new RefundOrder(
          asks(Kind.REFUND, PRICE, null, amount),
          BigInteger.valueOf(nonce),
          List.of(claims),
          Optional.empty(),
          Optional.empty());
    }
  }

  /** One that holds ten prices. */
  private Channel filled() {
    Channel channel = new Channel(OTHER, relayer.address());
    assertThat(orders.settle(channel.deposits(DEPOSIT, 0, PRICE), price()).success()).isTrue();
    return channel;
  }

  private static ClaimOrder claim(ClaimRow... rows) {
    return new ClaimOrder(List.of(rows), Optional.empty());
  }

  private long paid(EvmAddress account) {
    return coin.balanceOf(account.toString());
  }

  private long transactions() {
    return count("SELECT COUNT(DISTINCT nonce) FROM chain_tx");
  }

  private static StatedChannel state(SettlementResponse answer) {
    return (StatedChannel) Objects.requireNonNull(answer.extra()).get(StatedChannel.MEMBER);
  }

  private static void assertRefused(SettlementResponse answer, String reason) {
    assertThat(answer.success()).isFalse();
    assertThat(answer.errorReason()).isEqualTo("invalid_batch_settlement_evm_" + reason);
    assertThat(answer.transaction()).isEmpty();
  }

  @Test
  void anotherServersChannelIsFilledClaimedPaidOutAndRefundedEachByOneTransaction() {
    Channel channel = new Channel(OTHER, relayer.address());
    PaymentPayload deposit = channel.deposits(DEPOSIT, 0, PRICE);
    VerifyResponse good = orders.verify(deposit, price());
    assertThat(good.valid()).as(good.toString()).isTrue();
    assertThat(Objects.requireNonNull(good.extra()).balance()).isZero();

    SettlementResponse filled = orders.settle(deposit, price());

    assertThat(filled.success()).as(filled.toString()).isTrue();
    assertThat(filled.amount()).isEqualTo(Long.toString(DEPOSIT));
    assertThat(filled.payer()).isEqualTo(channel.payer.address().toString());
    assertThat(state(filled).balance()).isEqualTo(DEPOSIT);
    assertThat(orders.settle(deposit, price())).isEqualTo(filled);
    assertThat(orders.verify(deposit, price()).invalidReason())
        .endsWith("deposit_simulation_failed");
    assertThat(Objects.requireNonNull(orders.verify(channel.by(PRICE), price()).extra()).toJson())
        .isEqualTo(
            Map.of(
                "channelId",
                Hex.of(channel.id()),
                "balance",
                Long.toString(DEPOSIT),
                "totalClaimed",
                "0",
                "withdrawRequestedAt",
                0L,
                "refundNonce",
                "0"));
    assertThat(transactions()).isEqualTo(1);

    PayoutOrder payout = new PayoutOrder(OTHER, USDC);
    assertRefused(settle(payout), "nothing_to_settle");
    SettlementResponse claimed = settle(claim(channel.row(3 * PRICE, 2 * PRICE)));
    assertThat(claimed.success()).as(claimed.toString()).isTrue();
    assertThat(settle(claim(channel.row(3 * PRICE, 2 * PRICE)))).isEqualTo(claimed);
    SettlementResponse less = settle(claim(channel.row(3 * PRICE, PRICE)));
    assertThat(less.success()).isTrue();
    assertThat(less.transaction()).as("nothing of it is left to claim").isEmpty();
    assertThat(transactions()).isEqualTo(2);
    SettlementResponse first = settle(payout);
    assertThat(first.amount()).isEqualTo(Long.toString(2 * PRICE));
    assertThat(paid(OTHER)).isEqualTo(2 * PRICE);
    assertRefused(settle(payout), "nothing_to_settle");
    assertThat(settle(claim(channel.row(3 * PRICE, 3 * PRICE))).success()).isTrue();
    SettlementResponse second = settle(payout);
    assertThat(second.amount()).isEqualTo(Long.toString(PRICE));
    assertThat(second.transaction()).isNotEqualTo(first.transaction());
    assertThat(transactions()).isEqualTo(5);

    RefundOrder back = channel.back(DEPOSIT, 0, channel.row(4 * PRICE, 4 * PRICE));
    SettlementResponse refunded = settle(back);
    assertThat(refunded.success()).as(refunded.toString()).isTrue();
    assertThat(refunded.amount()).as("what is left").isEqualTo(Long.toString(6 * PRICE));
    assertThat(state(refunded).refundNonce()).isEqualTo(1);
    assertThat(state(refunded).totalClaimed()).isEqualTo(4 * PRICE);
    assertThat(paid(channel.payer.address())).isEqualTo(FUNDS - 4 * PRICE);
    assertThat(settle(back)).as("replayed").isEqualTo(refunded);
    assertThat(transactions()).as("with a claim of its own").isEqualTo(7);
    assertThat(count("SELECT COUNT(*) FROM channel")).as("the server's own matter").isZero();
    assertThat(count("SELECT COUNT(*) FROM payment")).isZero();
  }

  @Test
  void whatAServerSignsByItsOwnKeyIsSentAsItIs() {
    RelayerKey theirs = freshKey();
    Channel channel = new Channel(OTHER, theirs.address());
    PaymentRequirements own = terms(Long.toString(PRICE), OTHER, theirs.address());
    assertThat(orders.settle(channel.deposits(DEPOSIT, 0, PRICE), own).success()).isTrue();
    ClaimRow row = channel.row(PRICE, PRICE);
    byte[] claims = theirs.sign(new ClaimBatch(List.of(row.claim())).digest(Anvil.CHAIN_ID));
    ChannelRefund refund =
        new ChannelRefund(channel.id(), BigInteger.ZERO, BigInteger.valueOf(DEPOSIT));
    byte[] back = theirs.sign(refund.digest(Anvil.CHAIN_ID));
    RefundOrder order = channel.back(DEPOSIT, 0, row);

    assertRefused(settle(claim(row)), "authorizer_address_mismatch");
    assertRefused(settle(order), "authorizer_address_mismatch");
    assertRefused(
        settle(new ClaimOrder(List.of(row), Optional.of(back))), "claim_simulation_failed");
    SettlementResponse done =
        settle(
            new RefundOrder(
                order.asked(),
                order.nonce(),
                order.claims(),
                Optional.of(back),
                Optional.of(claims)));

    assertThat(done.amount()).as(done.toString()).isEqualTo(Long.toString(DEPOSIT - PRICE));
    assertThat(settle(new ClaimOrder(List.of(row), Optional.of(claims))).transaction())
        .as("the claim that the refund had made")
        .isNotEmpty();
  }

  @Test
  void eachRuleThatIsBrokenAloneIsToldAndNothingIsSent() {
    Channel channel = filled();
    Channel empty = new Channel(OTHER, relayer.address());
    Channel ours = new Channel(SELLER, relayer.address());
    Channel elsewhere = new Channel(payer(), OTHER, relayer.address(), OTHER);
    Channel foreign = new Channel(OTHER, freshKey().address());
    long before = transactions();

    assertThat(reason(channel.by(11 * PRICE), price())).isEqualTo("cumulative_exceeds_balance");
    assertThat(reason(channel.by(PRICE - 1), price())).isEqualTo("cumulative_amount_mismatch");
    assertThat(reason(empty.by(PRICE), price())).isEqualTo("channel_not_found");
    assertThat(reason(foreign.by(PRICE), price())).isEqualTo("receiver_authorizer_mismatch");
    assertThat(reason(ours.by(PRICE), terms("1000", SELLER, relayer.address())))
        .isEqualTo("receiver_mismatch");
    assertRefused(
        orders.settle(ours.deposits(DEPOSIT, 0, PRICE), terms("1000", SELLER, relayer.address())),
        "receiver_mismatch");
    assertRefused(
        orders.settle(empty.deposits(DEPOSIT, 0, DEPOSIT + 1), price()),
        "cumulative_exceeds_balance");
    assertRefused(orders.settle(channel.by(PRICE), price()), "payload_type");
    assertThat(count("SELECT COUNT(*) FROM channel_reading"))
        .as("no row for what holds nothing")
        .isEqualTo(1);

    ClaimRow good = channel.row(PRICE, PRICE);
    ClaimRow forged =
        new ClaimRow(channel.config, channel.row(9 * PRICE, PRICE).claim(), good.signature());
    assertRefused(settle(claim()), "payload_type");
    assertRefused(settle(claim(good, forged)), "voucher_signature");
    assertRefused(settle(claim(good, elsewhere.row(PRICE, PRICE))), "token_mismatch");
    assertRefused(settle(claim(good, ours.row(PRICE, PRICE))), "receiver_mismatch");
    assertRefused(settle(claim(good, foreign.row(PRICE, PRICE))), "authorizer_address_mismatch");
    assertRefused(settle(claim(channel.row(PRICE, PRICE + 1))), "claim_simulation_failed");
    assertRefused(settle(claim(channel.row(11 * PRICE, 11 * PRICE))), "claim_simulation_failed");
    assertRefused(settle(claim(empty.row(PRICE, PRICE))), "claim_simulation_failed");
    assertThatExceptionOfType(MalformedPayment.class)
        .isThrownBy(() -> settle(new ClaimOrder(Collections.nCopies(101, good), Optional.empty())));
    assertThat(orders.settle(ordered(claim(good)), price()).errorReason())
        .isEqualTo("invalid_payment_requirements");
    assertThat(orders.settle(ordered(new PayoutOrder(OTHER, USDC)), price()).errorReason())
        .isEqualTo("invalid_payment_requirements");
    assertRefused(settle(new PayoutOrder(OTHER, OTHER)), "token_mismatch");

    assertRefused(settle(channel.back(0, 0)), "refund_amount_invalid");
    assertRefused(settle(channel.back(PRICE, 1)), "refund_simulation_failed");
    assertRefused(settle(empty.back(PRICE, 0)), "refund_no_balance");
    assertRefused(
        settle(channel.back(PRICE, 0, channel.row(DEPOSIT, DEPOSIT))), "refund_no_balance");
    assertRefused(settle(channel.back(PRICE, 0, empty.row(PRICE, PRICE))), "refund_payload");
    assertRefused(settle(channel.back(PRICE, 0, forged)), "voucher_signature");
    assertRefused(settle(elsewhere.back(PRICE, 0)), "token_mismatch");
    assertRefused(
        orders.settle(ordered(ours.back(PRICE, 0)), terms("0", SELLER, relayer.address())),
        "receiver_mismatch");
    charged.add(Hex.of(channel.id()));
    assertRefused(settle(channel.back(PRICE, 0)), "receiver_mismatch");
    charged.clear();
    assertThat(transactions()).isEqualTo(before);

    assertThat(settle(claim(good)).success()).isTrue();
    assertThat(reason(channel.by(PRICE), price())).isEqualTo("cumulative_below_claimed");
    PaymentPayload asked =
        payload(PaymentOption.CHANNEL, channel.asks(Kind.REFUND, PRICE, null, 1).toJson());
    assertThat(orders.verify(asked, price()).valid()).as("as a payer asks for it").isTrue();
  }

  private String reason(PaymentPayload payment, PaymentRequirements terms) {
    VerifyResponse answer = orders.verify(payment, terms);
    assertThat(answer.valid()).isFalse();
    return String.valueOf(answer.invalidReason()).replace("invalid_batch_settlement_evm_", "");
  }

  @Test
  @Tag("spec:money.1")
  void askedOnTwoNodesAtOnceAllHearOfOneTransactionThatMovedIt() throws Exception {
    ChannelOrders other = served(node(settings()));
    Channel channel = new Channel(OTHER, relayer.address());
    PaymentPayload deposit = channel.deposits(DEPOSIT, 0, PRICE);

    assertThat(told(orders, other, deposit, price())).hasSize(1);
    assertThat(told(orders, orders, ordered(claim(channel.row(PRICE, PRICE))), nothing()))
        .hasSize(1);
    assertThat(transactions()).as("on one node").isLessThanOrEqualTo(3);
    assertThat(told(orders, other, ordered(channel.back(DEPOSIT, 0)), nothing())).hasSize(1);

    assertThat(paid(channel.payer.address())).isEqualTo(FUNDS - PRICE);
  }

  /** The transactions of which six askers heard, until each heard of a success. */
  private static Set<String> told(
      ChannelOrders one, ChannelOrders two, PaymentPayload payment, PaymentRequirements terms)
      throws Exception {
    Callable<SettlementResponse> here = () -> one.settle(payment, terms);
    Callable<SettlementResponse> there = () -> two.settle(payment, terms);
    Set<String> transactions = new HashSet<>();
    for (SettlementResponse answer : all(List.of(here, there, here, there, here, there))) {
      if (!answer.success()) {
        assertThat(answer.errorReason()).isEqualTo("settlement_pending");
        transactions.add(one.settle(payment, terms).transaction());
      } else {
        transactions.add(answer.transaction());
      }
    }
    return transactions;
  }

  /** By one salt a payer may sign for a small deposit and for a large one: the token takes one. */
  @Test
  @Tag("spec:money.5")
  void aDepositIsToldAsMadeOnlyIfItIsTheOneThatWasMade() {
    Channel channel = new Channel(OTHER, relayer.address());
    assertThat(orders.settle(channel.deposits(PRICE, 0, PRICE), price()).success()).isTrue();

    assertRefused(
        orders.settle(channel.deposits(DEPOSIT, 0, PRICE), price()), "deposit_simulation_failed");
    assertRefused(
        orders.settle(channel.deposits(PRICE, 0, 2 * PRICE), price()),
        "cumulative_exceeds_balance");
    assertThat(orders.settle(channel.deposits(PRICE, 0, PRICE), price()).amount())
        .as("asked again")
        .isEqualTo(Long.toString(PRICE));
    assertThat(transactions()).isEqualTo(1);
  }

  @Test
  @Tag("spec:x402.facilitator.indeterminate")
  void whatIsNotKnownYetIsPendingAndTheGatewaysOwnClaimsDoNotWaitForIt() {
    Channel channel = filled();
    orders =
        served(
            node(
                settings()
                    .within(Duration.ofSeconds(20), Duration.ofSeconds(1))
                    .pausing(Duration.ofSeconds(20), Duration.ofMillis(30))));
    anvil.automine(false);
    ClaimOrder order = claim(channel.row(PRICE, PRICE));

    SettlementResponse pending = settle(order);
    assertThat(pending.errorReason()).isEqualTo("settlement_pending");
    assertThat(pending.transaction()).startsWith("0x");
    assertThat(settle(order).errorReason()).as("again").isEqualTo("settlement_pending");
    assertThat(facilitator.isPayingOut()).isFalse();
    anvil.automine(true);
    anvil.mine(1);

    await().atMost(Duration.ofSeconds(20)).until(() -> settle(order).success());
    String mined = settle(order).transaction();
    assertThat(anvil.receipt(mined).path("status").textValue()).isEqualTo("0x1");
    assertThat(transactions()).as("one for each, whatever it cost").isEqualTo(2);
  }
}
