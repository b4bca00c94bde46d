package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.evm.channel.ChannelCalls.ClaimRow;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.ClaimOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.PayoutOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.RefundOrder;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.ChannelRefund;
import dev.octroi.payments.evm.channel.ChannelSettlements;
import dev.octroi.payments.evm.channel.Voucher;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Facilitator.ChannelPayback;
import dev.octroi.payments.facilitator.Facilitator.ChannelRefunds;
import dev.octroi.payments.facilitator.HttpFacilitator;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a remote facilitator send what channels need: claims, payouts and refunds. Thread-safe.
 *
 * <p>A claim goes to the facilitator whose key is in the channels' terms. What came of it is what
 * the contract says as of a confirmed block, whatever the facilitator answers. A claim or a payout
 * that is sent twice moves nothing the second time, and a refund's nonce is good once: so that
 * nothing needs to be stored.
 */
public final class RemoteChannels implements ChannelSettlements, ChannelRefunds {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteChannels.class);

  /** Some facilitators take no more, and others no longer request. */
  private static final int MOST = 25;

  /** What a facilitator has sent once is in a block by then, if it ever will be. */
  private static final Duration REFUND = Duration.ofHours(1);

  private static final Duration PAUSE = Duration.ofMillis(200);

  private final HttpFacilitator facilitator;
  private final JsonRpc rpc;
  private final ChannelReader reader;
  private final Duration within;
  private final Clock clock;
  private final String network;
  private final ChannelPaybacks paybacks;
  private volatile @Nullable Asked last;

  /**
   * What a facilitator was asked for.
   *
   * @param until when it is asked for again, if the contract does not show it
   */
  private record Asked(String what, Instant until, BooleanSupplier isShown) {}

  /**
   * Makes it.
   *
   * @param reader the one by which payments are verified
   * @param within how long a facilitator may take to settle
   */
  public RemoteChannels(
      HttpFacilitator facilitator,
      JsonRpc rpc,
      ChannelReader reader,
      Duration within,
      Clock clock) {
    this.facilitator = facilitator;
    this.rpc = rpc;
    this.reader = reader;
    this.within = within;
    this.clock = clock;
    this.network = "eip155:" + rpc.chainId();
    // The facilitator says what it gives back: it pays for the gas.
    this.paybacks = new ChannelPaybacks(reader, 1, this::send);
  }

  @Override
  public boolean isAuthorizer(EvmAddress receiverAuthorizer) {
    return facilitator.isAuthorizer(network, receiverAuthorizer.toString());
  }

  /**
   * {@inheritDoc}
   *
   * <p>So it may be here until the contract shows what was asked for, or the facilitator's time is
   * over; and before the facilitators have said whose keys they have.
   */
  @Override
  public boolean isPayingOut() {
    Asked asked = last;
    if (asked == null || asked.isShown().getAsBoolean()) {
      last = null;
      return !facilitator.isAsked();
    }
    if (clock.instant().isBefore(asked.until())) {
      return true;
    }
    LOG.warn("A facilitator was asked for a {}, which the contract does not show", asked.what());
    last = null;
    return false;
  }

  @Override
  public int most() {
    return MOST;
  }

  @Override
  public Duration refundsEnd() {
    return REFUND;
  }

  @Override
  public Settlement claim(List<ClaimRow> rows) {
    if (!succeeds(rows)) {
      return new Settlement.Unsent(CLAIM_FAILS);
    }
    ClaimRow row = rows.get(0);
    String id = Hex.of(row.claim().voucher().channelId());
    long total = row.claim().totalClaimed().longValueExact();
    return ask(
        "claim",
        new ClaimOrder(rows, Optional.empty()),
        terms(row.config()),
        () -> reader.of(id).claimed() >= total);
  }

  /** The receiver's key may claim without a signature, and so it is asked whether it could. */
  @Override
  public boolean succeeds(List<ClaimRow> rows) {
    EvmAddress authorizer = rows.get(0).config().receiverAuthorizer();
    return rpc.call(Optional.of(authorizer), BatchSettlement.ADDRESS, ChannelCalls.claim(rows))
        .isPresent();
  }

  /** {@inheritDoc} Anybody may send it: it is asked of the facilitator that offers are made for. */
  @Override
  public Settlement payOut(EvmAddress receiver, EvmAddress token) {
    return ask(
        "payout",
        new PayoutOrder(receiver, token),
        terms(receiver, token, facilitator.channelExtra(network).orElse(Map.of())),
        () -> reader.unpaid(receiver, token) == 0);
  }

  private Settlement ask(
      String what, ChannelOrder order, PaymentRequirements terms, BooleanSupplier isShown) {
    Settlement said = settle(order, terms);
    last = new Asked(what, clock.instant().plus(within), isShown);
    return said;
  }

  /** What was certainly refused was not sent either. */
  private Settlement settle(ChannelOrder order, PaymentRequirements terms) {
    Settlement said = facilitator.settle(PaymentPayload.of(terms, order.toJson()), terms);
    return said instanceof Settlement.Refused refused
        ? new Settlement.Unsent(refused.reason())
        : said;
  }

  private PaymentRequirements terms(ChannelConfig config) {
    String authorizer = config.receiverAuthorizer().toString();
    return terms(
        config.receiver(), config.token(), Map.of(PaymentOption.RECEIVER_AUTHORIZER, authorizer));
  }

  /** As published servers write them. */
  private PaymentRequirements terms(
      EvmAddress receiver, EvmAddress token, Map<String, Object> extra) {
    return new PaymentRequirements(
        PaymentOption.CHANNEL, network, "0", token.toString(), receiver.toString(), 0, extra);
  }

  @Override
  public ChannelPayback give(ChannelUse channel, OptionalLong most) {
    return paybacks.give(channel, most);
  }

  private Settlement send(ChannelUse channel, ChannelRefund refund) {
    ChannelConfig config = ChannelConfig.parse(channel.terms());
    Voucher voucher = new Voucher(refund.channelId(), BigInteger.valueOf(channel.before()));
    ChannelPayload asked =
        new ChannelPayload(
            ChannelPayload.Kind.REFUND,
            config,
            voucher,
            channel.signature(),
            null,
            refund.amount());
    long head = reader.head();
    Settlement said =
        settle(
            new RefundOrder(asked, refund.nonce(), List.of(), Optional.empty(), Optional.empty()),
            terms(config));
    return said instanceof Settlement.Unsent ? said : proven(said, refund, head);
  }

  /** The money has gone back once the contract says so, whatever the facilitator does. */
  private Settlement proven(Settlement said, ChannelRefund refund, long head) {
    Optional<String> named = said.deliverable();
    if (said instanceof Settlement.Unknown unknown) {
      named = Optional.ofNullable(unknown.transaction());
    }
    Settlement open = new Settlement.Unknown(ChannelUse.REFUND_FAILED, named.orElse(null));
    try {
      long end = System.nanoTime() + within.toNanos();
      while (reader.refundNonce(refund.channelId()).compareTo(refund.nonce()) <= 0) {
        if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
          LOG.warn(
              "A facilitator was asked to refund channel {} and said {}: the contract does not show it",
              Hex.of(refund.channelId()),
              said);
          return open;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      return named
          .or(() -> reader.refund(refund.channelId(), head))
          .<Settlement>map(Settlement.Settled::new)
          .orElse(open);
    } catch (ChainUnavailable e) {
      return open;
    }
  }
}
