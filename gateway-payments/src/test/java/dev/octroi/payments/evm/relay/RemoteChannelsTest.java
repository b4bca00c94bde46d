package dev.octroi.payments.evm.relay;

import static dev.octroi.payments.facilitator.HostileFacilitator.json;
import static dev.octroi.payments.facilitator.HostileFacilitator.reset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.chain.ChainBalances;
import dev.octroi.payments.evm.chain.ChainChannelVerifier;
import dev.octroi.payments.evm.chain.ChainEvmVerifier;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.RemoteChannels;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.evm.channel.ChannelCalls.ClaimRow;
import dev.octroi.payments.evm.channel.ChannelOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.ClaimOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.PayoutOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.RefundOrder;
import dev.octroi.payments.evm.channel.ChannelRefund;
import dev.octroi.payments.evm.channel.ChannelSettlements;
import dev.octroi.payments.evm.channel.ClaimBatch;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Facilitator.ChannelPayback;
import dev.octroi.payments.facilitator.Facilitator.ChannelRefunds;
import dev.octroi.payments.facilitator.FacilitatorAuth;
import dev.octroi.payments.facilitator.HostileFacilitator;
import dev.octroi.payments.facilitator.HostileFacilitator.Act;
import dev.octroi.payments.facilitator.HostileFacilitator.Asked;
import dev.octroi.payments.facilitator.HttpFacilitator;
import dev.octroi.payments.facilitator.HttpFacilitator.HttpFacilitatorSettings;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Channels.ChannelRefundResult.Begun;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.treasury.VoucherClaims;
import dev.octroi.payments.treasury.VoucherClaims.ClaimTerms;
import dev.octroi.payments.x402.FacilitatorMessages;
import dev.octroi.payments.x402.FacilitatorRequest;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Channels whose transactions another server sends, or says that it has sent. */
class RemoteChannelsTest extends ChannelFixture {

  private static final String NEVER = "0x" + "ab".repeat(32);
  private static final int WITHIN = 60;

  private final HostileFacilitator remote = new HostileFacilitator();
  private HttpFacilitator http;
  private RemoteChannels channels;
  private HttpFacilitator watched;

  @BeforeEach
  void serve() {
    opened(remote);
    remote.on("settle", exchange -> json(200, told(sent(exchange.asked()))).on(exchange));
    name(relayer.address().toString());
    ChannelReader reader = reader();
    ChainEvmVerifier usual =
        new ChainEvmVerifier(clock(), Signatures.fastest(), rpc(anvil.url()), Set.of());
    ChainChannelVerifier verifier =
        new ChainChannelVerifier(clock(), Signatures.fastest(), rpc(anvil.url()), reader, SELLER);
    http =
        new HttpFacilitator(
            new HttpFacilitatorSettings(
                List.of(remote.base()),
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20),
                Duration.ofMillis(50),
                Duration.ofMinutes(5),
                64 << 10),
            FacilitatorAuth.NONE,
            List.of(NETWORK),
            Map.of(
                "eip155",
                Verification.Check.either(
                    PaymentRequirements::isChannel, verifier::verify, usual::verify)),
            clock());
    channels =
        new RemoteChannels(http, rpc(anvil.url()), reader, Duration.ofSeconds(WITHIN), later());
    watched =
        opened(
            http.watching(
                NETWORK, evidence, new ChainBalances(rpc(anvil.url())), Optional.of(channels)));
    await().until(() -> watched.channelExtra(NETWORK).isPresent());
  }

  @Override
  Facilitator settling() {
    return watched;
  }

  @Override
  ChannelSettlements claiming() {
    return channels;
  }

  private void name(String authorizer) {
    remote.on(
        "supported",
        json(
            200,
            """
            {"kinds":[{"x402Version":2,"scheme":"exact","network":"%s"},
            {"x402Version":2,"scheme":"batch-settlement","network":"%s","extra":{"receiverAuthorizer":"%s"}}]}"""
                .formatted(NETWORK, NETWORK, authorizer)));
  }

  private static String told(String transaction) {
    return "{\"success\":true,\"transaction\":\"%s\",\"network\":\"%s\"}"
        .formatted(transaction, NETWORK);
  }

  /** Does what it is asked for, by the receiver's key, and says by which transaction. */
  private String sent(Asked asked) {
    PaymentPayload payment =
        FacilitatorRequest.read(asked.body().getBytes(StandardCharsets.UTF_8)).payload();
    return anvil
        .mined(anvil.account(5), Contracts.BATCH_SETTLEMENT, Hex.of(data(payment)))
        .path("transactionHash")
        .asText();
  }

  private byte[] data(PaymentPayload payment) {
    ChannelOrder order = ChannelOrder.read(payment.payload(), Anvil.CHAIN_ID).orElse(null);
    if (order instanceof ClaimOrder claim) {
      ClaimBatch batch = new ClaimBatch(claim.rows().stream().map(ClaimRow::claim).toList());
      return ChannelCalls.claim(claim.rows(), relayer.sign(batch.digest(Anvil.CHAIN_ID)));
    }
    if (order instanceof PayoutOrder payout) {
      return ChannelCalls.settle(payout.receiver(), payout.token());
    }
    if (order instanceof RefundOrder back) {
      ChannelRefund refund =
          new ChannelRefund(
              back.asked().voucher().channelId(),
              back.nonce(),
              Objects.requireNonNull(back.asked().refund()));
      return ChannelCalls.refund(
          back.asked().config(), refund, relayer.sign(refund.digest(Anvil.CHAIN_ID)));
    }
    return calldata(payment);
  }

  private int settlements() {
    return remote.asked("settle").size();
  }

  @Test
  void vouchersAskNobodyAndTheFacilitatorSendsTheRest() throws Exception {
    Channel channel = opened();
    channel.calls(3);
    assertThat(settlements()).as("the deposit").isEqualTo(1);
    assertThat(remote.asked("verify")).isEmpty();
    assertThat(owed()).isEqualTo(4 * PRICE);

    awaitEarned(claims(AT_ONCE), 4 * PRICE);

    assertThat(settlements()).as("a claim and a payout").isEqualTo(3);
    String id = Hex.of(channel.id());
    Begun begun = (Begun) ledger.channels().hold(NETWORK, id, 4 * PRICE);
    ChannelPayback part = refunds().give(asked(channel), OptionalLong.of(PRICE));
    remote.on(
        "settle",
        exchange -> {
          var unused = sent(exchange.asked());
          json(500, "{}").on(exchange);
        });
    ChannelPayback rest = refunds().give(asked(channel), OptionalLong.empty());
    assertThat(part.settlement()).isInstanceOf(Settlement.Settled.class);
    assertThat(part.amount()).isEqualTo(PRICE);
    assertThat(rest.settlement())
        .as("told by the chain alone")
        .isInstanceOfSatisfying(
            Settlement.Settled.class,
            back ->
                assertThat(anvil.receipt(back.transaction()).path("status").asText())
                    .isEqualTo("0x1"));
    assertThat(ledger.channels().refunded(NETWORK, id, begun.hold(), 6 * PRICE)).isTrue();
    assertThat(coin.balanceOf(channel.payer.address().toString())).isEqualTo(FUNDS - 4 * PRICE);
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.EXCEEDS);
    assertBooksAgree();
  }

  /** Another gateway, with a database of its own, that is paid for its own calls elsewhere. */
  @Test
  void anotherGatewayThatServesSettlesTheSame() {
    DataSource store = emptyDatabase();
    JsonRpc rpc = rpc(anvil.url());
    ChannelReader reader = new ChannelReader(rpc, store, 1, clock());
    EvmFacilitator relay =
        opened(
            new EvmFacilitator(
                new EvmFacilitator.Parts(
                    rpc,
                    new ChainChannelVerifier(
                            clock(), Signatures.fastest(), rpc, reader, relayer.address())
                        ::verify,
                    evidence,
                    List.of(relayer),
                    store,
                    Optional.of(reader),
                    Optional.empty()),
                settings().build(),
                clock()));
    relay.start();
    ChannelOrders orders =
        relay.orders(EvmAddress.parse("0x" + "11".repeat(20)), channel -> false).orElseThrow();
    remote.on(
        "settle",
        exchange -> {
          FacilitatorRequest asked =
              FacilitatorRequest.read(exchange.asked().body().getBytes(StandardCharsets.UTF_8));
          byte[] answer = FacilitatorMessages.answer(orders.settle(asked.payload(), asked.terms()));
          json(200, new String(answer, StandardCharsets.UTF_8)).on(exchange);
        });

    Channel channel = opened();
    channel.calls(3);
    awaitEarned(claims(AT_ONCE), 4 * PRICE);
    ChannelPayback back = refunds().give(asked(channel), OptionalLong.empty());

    assertThat(back.settlement()).isInstanceOf(Settlement.Settled.class);
    assertThat(back.amount()).isEqualTo(6 * PRICE);
    assertThat(settlements()).isEqualTo(4);
    assertThat(mined()).isEqualTo(4);
    assertBooksAgree();
  }

  private ChannelRefunds refunds() {
    return watched.channelRefunds(NETWORK).orElseThrow();
  }

  @Test
  @Tag("spec:money.5")
  void aClaimThatWasOnlyToldIsAskedForAgainAfterItsTimeAndChargesOnce() {
    Channel channel = opened();
    channel.calls(2);
    Act honest = exchange -> json(200, told(sent(exchange.asked()))).on(exchange);
    remote.on("settle", json(200, told(NEVER)));
    VoucherClaims claims = claims(AT_ONCE);

    claims.run();
    claims.run();
    assertThat(settlements()).isEqualTo(2);
    remote.on("settle", reset());
    ahead.addAndGet(WITHIN);
    claims.run();
    claims.run();
    assertThat(settlements()).isEqualTo(3);
    assertThat(owed()).isEqualTo(3 * PRICE);
    remote.on(
        "settle",
        exchange -> {
          var unused = sent(exchange.asked());
          honest.on(exchange);
        });
    ahead.addAndGet(WITHIN);

    awaitEarned(claims, 3 * PRICE);

    assertThat(channel.claimed()).isEqualTo(3 * PRICE);
    assertThat(channel.held()).isEqualTo(DEPOSIT);
    assertThat(owed()).isZero();
    assertBooksAgree();
  }

  /** It is found here, and shown to no facilitator; the others are shown as the contract knows. */
  @Test
  void oneChannelThatCannotBeClaimedHoldsUpNoOther() throws Exception {
    Channel broken = opened();
    Channel other = opened();
    byte[] former = other.signed(PRICE);
    former[64] -= 27;
    sign(other, former);
    sign(broken, new byte[65]);

    awaitEarned(claims(new ClaimTerms(Duration.ofSeconds(2), 1)), PRICE);

    assertThat(other.claimed()).isEqualTo(PRICE);
    assertThat(broken.claimed()).isZero();
    List<JsonNode> claims = new ArrayList<>();
    for (Asked asked : remote.asked("settle")) {
      new ObjectMapper()
          .readTree(asked.body())
          .at("/paymentPayload/payload/claims")
          .forEach(claims::add);
    }
    assertThat(claims).isNotEmpty();
    assertThat(claims)
        .extracting(claim -> claim.path("signature").asText())
        .allMatch(Hex.of(other.signed(PRICE))::equals);
  }

  /** As a database would have it that was changed by hand. */
  private void sign(Channel channel, byte[] signature) {
    jdbi.useHandle(
        handle ->
            handle
                .createUpdate("UPDATE channel SET signature = :signature WHERE id = :id")
                .bind("signature", signature)
                .bind("id", channel.id())
                .execute());
  }

  @Test
  @Tag("spec:money.5")
  void aDepositThatWasSentTwiceAndToldAsNoneIsFoundByTheChain() {
    Channel channel = new Channel(payer());
    remote.on(
        "settle",
        exchange -> {
          var first = sent(exchange.asked());
          var second = sent(exchange.asked());
          json(500, told(first + second)).on(exchange);
        });
    PaymentPayload payment = channel.first();
    Claim claim = ((ClaimResult.Claimed) claim(payment, PRICE)).claim();
    assertThat(ledger.settling(claim, null)).isTrue();

    Settlement told = watched.settle(payment, offer(PRICE));

    assertThat(told).isInstanceOf(Settlement.Unknown.class);
    assertThat(ledger.settled(claim, told)).isTrue();
    UnresolvedPayment open = ledger.unresolved().since(clock().instant().plusSeconds(9), 9).get(0);
    Settlement proof = evidence.of(open).orElseThrow();
    assertThat(ledger.unresolved().close(open, proof)).isTrue();
    assertThat(channel.held()).isEqualTo(DEPOSIT);
    assertThat(owed()).isEqualTo(PRICE);
    assertBooksAgree();
  }

  /** It buys the one call that it was told for, as any payment that a facilitator tells. */
  @Test
  void aDepositThatWasOnlyToldIsNoBalance() {
    Channel channel = new Channel(payer());
    remote.on("settle", json(200, told(NEVER)));

    assertThat(paid(channel.first(), PRICE)).isEqualTo(new Settlement.Settled(NEVER));
    channel.charged = PRICE;

    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.EXCEEDS);
  }

  /** It may be sent later, so that what it gives back must not be spent before. */
  @Test
  void aRefundThatWasOnlyToldHoldsItsChannel() {
    Channel channel = opened();
    String id = Hex.of(channel.id());
    remote.on("settle", json(200, told(NEVER)));
    assertThat(ledger.channels().hold(NETWORK, id, PRICE)).isInstanceOf(Begun.class);

    RemoteChannels quick =
        new RemoteChannels(http, rpc(anvil.url()), reader(), Duration.ofMillis(300), later());

    ChannelPayback told = quick.give(asked(channel), OptionalLong.empty());

    assertThat(told.settlement()).isInstanceOf(Settlement.Unknown.class);
    VoucherClaims claims = claims(LATER);
    ahead.set(3_500);
    claims.run();
    assertThat(refused(channel.pays(PRICE, null), PRICE)).isEqualTo(ChannelUse.BUSY);
    ahead.set(3_700);
    claims.run();
    channel.calls(1);
    remote.on(
        "settle",
        json(
            200,
            "{\"success\":false,\"transaction\":\"\",\"network\":\"%s\",\"errorReason\":\"%s\"}"
                .formatted(NETWORK, "invalid_batch_settlement_evm_authorizer_not_configured")));
    assertThat(refunds().give(asked(channel), OptionalLong.empty()).settlement())
        .isInstanceOf(Settlement.Unsent.class);
  }

  /** The key is part of what a channel is, and a facilitator may take another. */
  @Test
  void whatNoFacilitatorCanClaimIsNotSpentAndIsClaimedOnceItsKeyIsBack() {
    Channel channel = opened();
    channel.calls(1);
    PaymentPayload next = channel.pays(PRICE, null);
    PaymentRequirements terms = offer(PRICE);
    VoucherClaims claims = claims(AT_ONCE);
    String other = Wallet.generate().address().toString();
    name(other);
    await().until(() -> watched.channelExtra(NETWORK).orElseThrow().containsValue(other));
    int before = settlements();

    assertThat(watched.verify(next, terms))
        .isInstanceOfSatisfying(
            Verification.Late.class,
            late -> assertThat(late.reason()).isEqualTo(ChannelUse.NO_AUTHORIZER));
    assertThat(watched.settle(new Channel(payer()).first(), terms))
        .isInstanceOf(Settlement.Unsent.class);
    claims.run();
    assertThat(settlements()).isEqualTo(before);
    assertThat(owed()).isEqualTo(2 * PRICE);
    assertThat(refunds().give(asked(channel), OptionalLong.empty()).settlement())
        .isInstanceOf(Settlement.Unsent.class);
    name(relayer.address().toString());
    await().until(() -> !watched.channelExtra(NETWORK).orElseThrow().containsValue(other));

    awaitEarned(claims, 2 * PRICE);

    channel.calls(1);
  }
}
