package dev.octroi.payments.treasury;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.chain.ChannelReader.ChannelReading;
import dev.octroi.payments.evm.channel.ChannelCalls.ClaimRow;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelOrder;
import dev.octroi.payments.evm.channel.ChannelSettlements;
import dev.octroi.payments.evm.channel.ClaimBatch.ChannelClaim;
import dev.octroi.payments.evm.channel.Voucher;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.ledger.Channels.UnclaimedChannel;
import dev.octroi.payments.ledger.LedgerUnavailable;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims what payers of channels have signed for, many channels by one transaction, and has the
 * seller paid. Run again and again; bears to be run twice at once.
 *
 * <p>What is known to be claimed is what the contract says as of a confirmed block, from whichever
 * sender. So a claim that a dead node has stored or sent, or that the chain took back, needs no
 * state of its own: as long as a transaction is under way none follows, and what is still owed
 * afterwards is claimed again. The payout follows once no claim is due. Refunds are waited for by
 * none of them: they leave what was charged.
 */
public final class VoucherClaims implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(VoucherClaims.class);

  /** In one transaction (x402, batch-settlement). */
  static final int MOST = ChannelOrder.MOST;

  private static final int READ_A_RUN = 5 * MOST;

  /** A third of the shortest delay of a withdrawal. */
  private static final Duration WATCH = Duration.ofMinutes(5);

  /** To find what is held, the ledger reads all channels of the network. */
  private static final Duration FREE = Duration.ofMinutes(1);

  /**
   * What it works with.
   *
   * @param network the chain, as CAIP-2 id
   * @param relay has the transactions sent
   * @param receiver who is paid now, besides those for whom claims are made
   * @param tokens in what, each of six decimals; empty where no channels are offered any more
   */
  public record Parts(
      Channels channels,
      String network,
      ChannelReader reader,
      ChannelSettlements relay,
      EvmAddress receiver,
      List<EvmAddress> tokens) {

    public Parts {
      tokens = List.copyOf(tokens);
    }
  }

  /**
   * When to claim.
   *
   * @param after so old is a charge at most
   * @param least so much is claimed by age, in millionths of a dollar; less only once its payer
   *     begins to withdraw
   */
  public record ClaimTerms(Duration after, long least) {}

  /** Whom the contract owes what was claimed. */
  private record Account(EvmAddress receiver, EvmAddress token) {}

  private final Parts parts;
  private final ClaimTerms terms;
  private final Clock clock;
  private final Set<Account> unpaid = new HashSet<>();
  private Instant paidAt = Instant.MIN;
  private Instant freedAt = Instant.MIN;

  public VoucherClaims(Parts parts, ClaimTerms terms, Clock clock) {
    this.parts = parts;
    this.terms = terms;
    this.clock = clock;
  }

  /** Looks once: for withdrawals, for what was claimed, for what is to be claimed and paid out. */
  @Override
  public synchronized void run() {
    try {
      watch();
      Instant now = clock.instant();
      if (!now.isBefore(freedAt.plus(FREE)) && !parts.relay().isRefunding()) {
        free(now);
        freedAt = now;
      }
      if (!parts.relay().isPayingOut() && !claim()) {
        payOut();
      }
    } catch (ChainUnavailable | LedgerUnavailable e) {
      LOG.warn("What channels owe is left for the next run: {}", e.getMessage());
    }
  }

  private void watch() {
    Instant before = clock.instant().minus(WATCH);
    List<UnclaimedChannel> unread = parts.channels().unread(parts.network(), before, READ_A_RUN);
    for (int i = 0; i < unread.size(); i += MOST) {
      var unused = readings(unread.subList(i, Math.min(i + MOST, unread.size())));
    }
  }

  /** Of a refund whose end the call that asked for it did not see nothing is under way any more. */
  private void free(Instant now) {
    Instant before = now.minus(parts.relay().refundsEnd());
    Map<String, UUID> refunds = parts.channels().refunding(parts.network(), before);
    refunds.forEach(
        (channel, hold) -> {
          var unusedReading = parts.reader().of(channel);
          var unused = parts.channels().refunded(parts.network(), channel, hold, 0);
        });
  }

  private Map<String, ChannelReading> readings(List<UnclaimedChannel> channels) {
    return parts.reader().read(channels.stream().map(UnclaimedChannel::id).toList());
  }

  /** Whether a claim was sent. */
  private boolean claim() {
    Instant before = clock.instant().minus(terms.after());
    List<UnclaimedChannel> due =
        parts.channels().unclaimed(parts.network(), before, terms.least(), MOST);
    if (due.isEmpty()) {
      return false;
    }
    Map<String, ChannelReading> readings = readings(due);
    List<Due> claims = new ArrayList<>();
    for (UnclaimedChannel channel : due) {
      ChannelReading reading = readings.get(channel.id());
      if (reading != null) {
        look(channel, reading, claims);
      }
    }
    return !claims.isEmpty() && claim(claims);
  }

  /** A channel whose claim is due, and what is claimed. */
  private record Due(UnclaimedChannel channel, ClaimRow row) {

    /** Channels of one authorizer, in one token, go into one transaction. */
    boolean goesWith(Due other) {
      ChannelConfig config = row.config();
      ChannelConfig others = other.row().config();
      return config.receiverAuthorizer().equals(others.receiverAuthorizer())
          && config.token().equals(others.token());
    }
  }

  private void look(UnclaimedChannel channel, ChannelReading reading, List<Due> claims) {
    ChannelConfig config = ChannelConfig.parse(channel.terms());
    if (reading.claimed() > channel.claimed()) {
      parts.channels().claimed(parts.network(), channel.id(), reading.claimed());
      unpaid.add(new Account(config.receiver(), config.token()));
    }
    long total = Math.min(Math.min(channel.charged(), channel.signed()), reading.balance());
    if (total > reading.claimed() && parts.relay().isAuthorizer(config.receiverAuthorizer())) {
      Voucher voucher = new Voucher(Hex.parse(channel.id()), BigInteger.valueOf(channel.signed()));
      ChannelClaim claim = new ChannelClaim(voucher, BigInteger.valueOf(total));
      claims.add(new Due(channel, new ClaimRow(config, claim, channel.signature())));
    } else if (channel.charged() > reading.claimed()) {
      LOG.error(
          "Channel {} owes {} millionths that cannot be claimed: it holds {}, its payer has signed {}"
              + " and key {} claims for it",
          channel.id(),
          channel.charged() - reading.claimed(),
          reading.balance(),
          channel.signed(),
          config.receiverAuthorizer());
      parts.channels().postpone(parts.network(), channel.id());
    }
  }

  private boolean claim(List<Due> claims) {
    List<Due> together =
        claims.stream().filter(claims.get(0)::goesWith).limit(parts.relay().most()).toList();
    Settlement outcome = parts.relay().claim(rows(together));
    if (outcome instanceof Settlement.Unsent unsent) {
      LOG.warn("A claim of {} channels was not sent: {}", together.size(), unsent.reason());
      if (unsent.reason().equals(ChannelSettlements.CLAIM_FAILS)) {
        leaveOut(together);
      }
      return false;
    }
    LOG.info("What {} channels owe is claimed: {}", together.size(), outcome);
    return true;
  }

  private static List<ClaimRow> rows(List<Due> claims) {
    return claims.stream().map(Due::row).toList();
  }

  /** One channel that cannot be claimed must not keep the others waiting. */
  private void leaveOut(List<Due> claims) {
    for (Due due : claims) {
      if (!parts.relay().succeeds(List.of(due.row()))) {
        LOG.error("Channel {} cannot be claimed, and is tried again later", due.channel().id());
        parts.channels().postpone(parts.network(), due.channel().id());
      }
    }
  }

  /** From time to time what another node, which died, has claimed is looked for as well. */
  private void payOut() {
    Instant now = clock.instant();
    if (!now.isBefore(paidAt.plus(WATCH))) {
      paidAt = now;
      parts.tokens().forEach(token -> unpaid.add(new Account(parts.receiver(), token)));
    }
    for (Account account : List.copyOf(unpaid)) {
      if (parts.reader().unpaid(account.receiver(), account.token()) == 0) {
        unpaid.remove(account);
        continue;
      }
      Settlement outcome = parts.relay().payOut(account.receiver(), account.token());
      LOG.info("What was claimed for {} is paid out: {}", account.receiver(), outcome);
      return;
    }
  }
}
