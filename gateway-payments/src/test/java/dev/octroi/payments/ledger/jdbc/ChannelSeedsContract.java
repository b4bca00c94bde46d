package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.ChannelUse.Deposit;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Channels.ChannelRefundResult;
import dev.octroi.payments.ledger.Channels.ChannelState;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.ReleaseReason;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A payer of one channel who tries everything, and nodes that die: what was charged is what was
 * sold, never more than was signed, and no voucher that was charged by is lost.
 */
abstract class ChannelSeedsContract extends LedgerContract {

  private static final int EVENTS = 90;

  private final String payer = Sample.random(20);
  private final String channel = Sample.random(32);
  private final List<OpenCall> open = new ArrayList<>();
  private final List<ClaimRequest> sent = new ArrayList<>();
  private Random random = new Random(0);
  private JdbcLedger here;
  private int nodes;

  /** What a bookkeeper outside of the ledger would have. */
  private long charged;

  private long signed;
  private long deposited;
  private long refunded;

  private record OpenCall(JdbcLedger node, Claim claim, ClaimRequest request) {}

  ChannelSeedsContract(TestDatabase kind) {
    super(kind);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whateverHappensToAChannelItIsChargedWhatWasSold(long seed) {
    random = new Random(seed);
    here = ledger;
    for (int i = 0; i < EVENTS; i++) {
      event();
      assertThat(open).as("calls that hold the channel").hasSizeLessThanOrEqualTo(1);
      state().ifPresent(this::compare);
    }
    assertBooksAgree();
  }

  private void event() {
    int what = random.nextInt(100);
    if (what < 55) {
      send();
    } else if (what < 85) {
      open.stream().findFirst().ifPresent(this::end);
    } else if (what < 92) {
      refund();
    } else {
      die();
    }
  }

  /** A voucher for the next call, for another sum, or one that was sent before. */
  private void send() {
    int kind = random.nextInt(10);
    ClaimRequest request =
        kind == 0 && !sent.isEmpty()
            ? sent.get(random.nextInt(sent.size()))
            : call(kind == 1 ? charged + random.nextInt(5) - 2 : charged);
    sent.add(request);
    if (here.claim(request) instanceof Claimed claimed) {
      open.add(new OpenCall(here, claimed.claim(), request));
      assertThat(request.channel().orElseThrow().before()).isEqualTo(charged);
    }
  }

  private ClaimRequest call(long before) {
    long price = 1 + random.nextInt(4);
    Optional<Deposit> deposit =
        random.nextInt(4) == 0
            ? Optional.of(
                new Deposit(
                    "0x" + String.format("%04x", random.nextInt(40)), 10 + random.nextInt(9)))
            : Optional.empty();
    String nonce =
        ChannelNonce.key(
            BigInteger.valueOf(Math.max(0, before + price)),
            BigInteger.valueOf(price),
            deposit.map(put -> ChannelNonce.ofSalt(new BigInteger(put.nonce().substring(2), 16))));
    return new ClaimRequest(
            new PaymentKey(Sample.NETWORK, channel, nonce),
            new RequestBinding("GET", "/read/" + random.nextInt(2), "", "00".repeat(32)),
            "11".repeat(32),
            price,
            Sample.ASSET,
            Sample.PAY_TO,
            Instant.parse("2030-01-01T00:00:00Z"),
            OptionalLong.empty(),
            Redelivery.STORED)
        .outOf(
            Optional.of(
                new ChannelUse(
                    channel,
                    payer,
                    "terms",
                    before,
                    ("signed " + (before + price)).getBytes(StandardCharsets.US_ASCII),
                    deposit)));
  }

  private void end(OpenCall call) {
    open.clear();
    if (random.nextInt(4) == 0) {
      assertThat(call.node().release(call.claim(), ReleaseReason.NONE)).isTrue();
      return;
    }
    long charge = 1 + random.nextInt((int) call.claim().amount());
    call.node().charge(call.claim(), charge);
    assertThat(call.node().settleHere(call.claim(), Sample.ANSWER))
        .isInstanceOf(Settlement.Settled.class);
    call.node().delivered(call.claim());
    ChannelUse use = call.request().channel().orElseThrow();
    charged += charge;
    signed = Math.max(signed, use.before() + call.claim().amount());
    deposited += use.deposit().map(Deposit::amount).orElse(0L);
  }

  private void refund() {
    OptionalLong amount =
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt(12));
    ChannelRefundResult result = here.channels().refund(Sample.NETWORK, channel, charged, amount);
    if (result instanceof ChannelRefundResult.Refunded back) {
      assertThat(open).isEmpty();
      refunded += back.amount();
    }
  }

  /** The heir closes what the dead node left open; the dead node cannot charge it any more. */
  private void die() {
    String name = nodes == 0 ? "a" : "n" + nodes;
    expire(name);
    JdbcLedger dead = here;
    here = node("n" + ++nodes);
    for (OpenCall call : open) {
      assertThat(dead.settleHere(call.claim(), Sample.ANSWER))
          .isInstanceOf(Settlement.Unknown.class);
    }
    open.clear();
  }

  private Optional<ChannelState> state() {
    return here.channels().find(Sample.NETWORK, channel);
  }

  private void compare(ChannelState state) {
    assertThat(state.charged()).isEqualTo(charged);
    assertThat(state.signed()).isEqualTo(signed).isGreaterThanOrEqualTo(charged);
    if (charged > 0) {
      assertThat(state.signature()).asString().isEqualTo("signed " + signed);
    }
    assertThat(state.left()).hasValue(deposited - refunded - charged);
    assertThat(here.sandboxBank().balance(Sample.NETWORK, payer, Sample.ASSET))
        .isEqualTo(START - deposited + refunded);
  }
}
