package dev.octroi.payments.evm.relay;

import dev.octroi.payments.Daemons;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.chain.ApprovalFunds;
import dev.octroi.payments.evm.chain.ChainBalances;
import dev.octroi.payments.evm.chain.ChainPermit2Verifier.PermitSignature;
import dev.octroi.payments.evm.chain.ChannelPaybacks;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.chain.DeployingSignature;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.evm.channel.ChannelCalls.ClaimRow;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.ChannelRefund;
import dev.octroi.payments.evm.channel.ChannelSettlements;
import dev.octroi.payments.evm.channel.ClaimBatch;
import dev.octroi.payments.evm.channel.ClaimBatch.ChannelClaim;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.evm.permit2.TokenApproval;
import dev.octroi.payments.evm.permit2.TokenPermit.Sponsoring;
import dev.octroi.payments.evm.relay.RelaySettings.Wait;
import dev.octroi.payments.evm.relay.Sender.Order;
import dev.octroi.payments.evm.relay.SettlementNotifier.PendingSettlements;
import dev.octroi.payments.evm.relay.SettlementNotifier.Waiting;
import dev.octroi.payments.evm.relay.TransactionSender.Broadcast;
import dev.octroi.payments.evm.relay.TransferCall.PayoutCall;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Facilitator.Balances;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles on an EVM chain by transactions of its own: each is stored before it is sent and followed
 * to its end, on this node or another. Thread-safe.
 *
 * <p>What is settled is proven at the configured depth (money rules 5 and 11): by {@code
 * AuthorizationUsed} and {@code Transfer} in one receipt, by Permit2 by the transaction's calldata
 * and {@code Transfer}. While no relayer can pay for gas nothing is offered.
 */
public final class EvmFacilitator implements Facilitator, ChannelSettlements {

  private static final String REFUND_FAILS = BatchSettlement.PREFIX + "refund_simulation_failed";
  private static final String SETTLE_FAILS = BatchSettlement.PREFIX + "settle_simulation_failed";
  private static final Optional<Map<String, Object>> OFFERED = Optional.of(Map.of());

  /** So far one node of the chain may be behind another one. */
  private static final Duration LAG = Duration.ofMinutes(1);

  private final String network;
  private final JsonRpc rpc;
  private final Verification.Check checks;
  private final Evidence evidence;
  private final Balances balances;
  private final RelaySettings settings;
  private final Optional<ChannelReader> channels;
  private final Optional<ApprovalFunds> approvals;
  private final Clock clock;
  private final TransactionQueries stored;
  private final PendingSettlements pending = new PendingSettlements();
  private final Relayers relayers;
  private final Sender sender;
  private final SettlementNotifier notifier;
  private final Follower follower;
  private final FollowerThread thread;

  /**
   * What it works with.
   *
   * @param rpc the chain
   * @param checks what is asked of a payment, such as {@code ChainEvmVerifier::verify}
   * @param evidence what the chain proves of a payment that a third party submitted
   * @param keys the wallets that pay for gas, at least one; several nodes may share them
   * @param database where transactions are stored; the ledger's, with its schema applied, or
   *     another that all nodes share
   * @param channels what channels hold, out of which calls are paid: the checks know their rules,
   *     and what payers sign for is claimed; empty where none are
   * @param approvals what payers are given for the gas of their approvals, by the checks' rules
   *     too; empty where they are given nothing
   */
  public record Parts(
      JsonRpc rpc,
      Verification.Check checks,
      Evidence evidence,
      List<RelayerKey> keys,
      DataSource database,
      Optional<ChannelReader> channels,
      Optional<ApprovalFunds> approvals) {

    /** No call is paid out of a channel, and no payer given gas. */
    public Parts(
        JsonRpc rpc,
        Verification.Check checks,
        Evidence evidence,
        List<RelayerKey> keys,
        DataSource database) {
      this(rpc, checks, evidence, keys, database, Optional.empty(), Optional.empty());
    }
  }

  /** Makes it; {@link #start} sets it to work. */
  public EvmFacilitator(Parts parts, RelaySettings settings, Clock clock) {
    this.network = "eip155:" + parts.rpc().chainId();
    this.checks = parts.checks();
    this.evidence = parts.evidence();
    this.settings = settings;
    this.channels = parts.channels();
    this.approvals = parts.approvals();
    this.clock = clock;
    rpc = parts.rpc();
    balances = new ChainBalances(rpc);
    String node = UUID.randomUUID().toString();
    TransactionStore store = new TransactionStore(parts.database(), network, node, clock);
    stored = store.read();
    relayers = new Relayers(parts.keys(), network, settings.feeCap());
    TransactionSender transactionSender =
        new TransactionSender(store, new Broadcast(rpc), relayers, rpc.chainId());
    notifier = new SettlementNotifier(store, pending, parts.evidence(), network, clock);
    Conclusion conclusion =
        new Conclusion(
            store, transactionSender, new ReceiptEvaluator(rpc), pending, settings, clock);
    Optional<SponsoredSettlements> sponsored =
        approvals.map(
            funds ->
                new SponsoredSettlements(
                    funds, transactionSender, conclusion, pending, rpc, settings, clock));
    follower =
        new Follower(
            store, transactionSender, relayers, rpc, conclusion, sponsored, settings, clock);
    thread = new FollowerThread(this::followOnce, settings.poll(), settings.takeover());
    sender = new Sender(transactionSender, rpc, relayers, settings, clock, sponsored, thread::wake);
  }

  /** Begins to send and to follow, in threads of its own; waits for nothing. */
  public void start() {
    sender.start();
    thread.start();
  }

  @Override
  public Verification verify(PaymentPayload payload, PaymentRequirements terms) {
    return checks.verify(payload, ofOurKeys(terms));
  }

  /** Terms of upto that name a key which is not here name none. */
  private PaymentRequirements ofOurKeys(PaymentRequirements terms) {
    boolean isSettledHere =
        !terms.isUpto()
            || relayers.addresses().stream().anyMatch(key -> Permit2.isFacilitatorOf(terms, key));
    return isSettledHere
        ? terms
        : new PaymentRequirements(
            terms.scheme(),
            terms.network(),
            terms.amount(),
            terms.asset(),
            terms.payTo(),
            terms.maxTimeoutSeconds(),
            null,
            terms.decimals());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Of a payment out of a channel the deposit is sent; what it is charged is claimed later. A
   * payment of upto is charged the terms' amount, by the relayer that its payer signed for. It may
   * be asked for again, here or on another node: what is stored for it is waited for, whatever
   * amount that moves, and another transaction is not sent.
   */
  @Override
  public Settlement settle(PaymentPayload payload, PaymentRequirements terms) {
    return settle(order(payload, terms, settings.until()));
  }

  /**
   * Sends a transfer of the gateway's own, as often as it is asked to until the chain has taken it,
   * and does not wait for that: {@link Settlement.Settled} once it is proven, {@link
   * Settlement.Sent} while a transaction of any node carries it. It is sent only if it would
   * succeed now; otherwise, and where no relayer can pay for gas, it is {@link Settlement.Unsent}.
   */
  public Settlement forward(PaymentPayload payload, PaymentRequirements terms) {
    Order order = order(payload, terms, Wait.BROADCAST);
    Optional<Settlement> known = known(order.call());
    if (known.isPresent()) {
      return known.get();
    }
    Verification verification = verify(payload, terms);
    if (verification instanceof Verification.Late late) {
      return new Settlement.Unsent(late.reason());
    }
    return verification instanceof Verification.Invalid invalid
        ? new Settlement.Unsent(invalid.reason())
        : settle(order);
  }

  private Optional<Settlement> known(TransferCall call) {
    return stored
        .paidBy(call.owner(), call.nonce())
        .<Settlement>map(Settlement.Settled::new)
        .or(() -> stored.carrier(call).map(Settlement.Sent::new));
  }

  private Settlement settle(Order order) {
    Optional<Waiting> before = pending.enter(order.call(), order.waiting());
    Waiting waiting = before.orElse(order.waiting());
    try {
      if (before.isEmpty()) {
        sender.submit(order);
      }
      return waiting.await(timeout(order.call()));
    } finally {
      pending.leave(order.call(), order.waiting());
    }
  }

  private Order order(PaymentPayload payload, PaymentRequirements terms, Wait until) {
    Waiting waiting = new Waiting(terms.micros());
    if (terms.isChannel()) {
      ChannelPayload paid = ChannelPayload.read(payload.payload()).orElseThrow();
      ChannelDeposit deposit = Objects.requireNonNull(paid.deposit());
      TransferCall call =
          TransferCall.of(
              paid.config(), deposit, deposit.sponsoring(payload, terms, 0).permit(), chainId());
      return new Order(
          call,
          Draft.first(call),
          true,
          until,
          waiting,
          deposit.approval(payload, terms).approval());
    }
    if (Permit2.isMethodOf(terms)) {
      SignedPermit signed = PermitSignature.spelled(SignedPermit.read(payload.payload()), terms);
      TransferCall call =
          TransferCall.of(
              signed,
              new BigInteger(terms.amount()),
              Sponsoring.of(payload, terms, signed.permit(), 0).permit());
      Optional<TokenApproval> approval =
          TokenApproval.Brought.of(payload, terms, signed.permit()).approval();
      return new Order(call, Draft.first(call), true, until, waiting, approval);
    }
    EvmAddress token = EvmAddress.parse(terms.asset());
    SignedAuthorization signed = SignedAuthorization.read(payload.payload());
    byte[] signature = signed.signature();
    if (DeployingSignature.marks(signature)) {
      DeployingSignature wallet =
          DeployingSignature.read(signature)
              .orElseThrow(() -> new IllegalArgumentException("an ERC-6492 signature is cut off"));
      TransferCall call =
          TransferCall.of(
              token, new SignedAuthorization(signed.authorization(), wallet.signature()));
      return new Order(call, Draft.deploying(wallet, call), true, until, waiting);
    }
    TransferCall call = TransferCall.of(token, signed);
    return new Order(call, Draft.first(call), !call.isForBatches(), until, waiting);
  }

  /** No longer than the authorization lives: what comes later is in doubt anyway. */
  private Duration timeout(TransferCall call) {
    Duration left = Duration.between(clock.instant(), call.end());
    return left.compareTo(settings.deadline()) < 0 ? left : settings.deadline();
  }

  @Override
  public List<String> networks() {
    return List.of(network);
  }

  @Override
  public Optional<Map<String, Object>> offerExtra(String asked) {
    return relayers.isReady() ? OFFERED : Optional.empty();
  }

  @Override
  public Optional<Map<String, Object>> uptoExtra(String asked) {
    return relayers.uptoExtra();
  }

  @Override
  public Optional<Map<String, Object>> channelExtra(String asked) {
    return channels.isPresent() ? relayers.channelExtra() : Optional.empty();
  }

  @Override
  public Extensions announced(List<PaymentRequirements> accepts) {
    boolean isGiven = approvals.filter(funds -> !funds.isUsedUp()).isPresent();
    return isGiven && accepts.stream().anyMatch(this::needsApproval)
        ? TokenApproval.announced()
        : Extensions.NONE;
  }

  private boolean needsApproval(PaymentRequirements terms) {
    return terms.network().equals(network) && TokenApproval.isFor(terms);
  }

  @Override
  public boolean isAuthorizer(EvmAddress receiverAuthorizer) {
    return relayers.find(receiverAuthorizer).isPresent();
  }

  @Override
  public boolean isPayingOut() {
    return stored.isPayingOut();
  }

  /** One that is final counts too for a while: the node that is asked next may not have seen it. */
  @Override
  public boolean isRefunding() {
    return stored.isRefunding(clock.instant().minus(settings.resendAfter()).minus(LAG));
  }

  /** A call waits for its refund as long as for a payment. */
  @Override
  public Duration refundsEnd() {
    return ChannelSettlements.super.refundsEnd().plus(settings.deadline());
  }

  @Override
  public Settlement claim(List<ClaimRow> rows) {
    return payOut(rows.get(0).config().token(), calldata(rows), CLAIM_FAILS, Wait.BROADCAST);
  }

  @Override
  public boolean succeeds(List<ClaimRow> rows) {
    return rpc.call(Optional.empty(), BatchSettlement.ADDRESS, calldata(rows)).isPresent();
  }

  private byte[] calldata(List<ClaimRow> rows) {
    RelayerKey key = relayers.find(rows.get(0).config().receiverAuthorizer()).orElseThrow();
    List<ChannelClaim> claims = rows.stream().map(ClaimRow::claim).toList();
    return ChannelCalls.claim(rows, key.sign(new ClaimBatch(claims).digest(chainId())));
  }

  @Override
  public Settlement payOut(EvmAddress receiver, EvmAddress token) {
    return payOut(token, ChannelCalls.settle(receiver, token), SETTLE_FAILS, Wait.BROADCAST);
  }

  private Settlement payOut(EvmAddress token, byte[] data, String otherwise, Wait until) {
    if (rpc.call(Optional.empty(), BatchSettlement.ADDRESS, data).isEmpty()) {
      return new Settlement.Unsent(otherwise);
    }
    TransferCall call = new PayoutCall(token, data);
    return settle(new Order(call, Draft.first(call), true, until, new Waiting(0)));
  }

  @Override
  public Optional<ChannelRefunds> channelRefunds(String asked) {
    return channels.map(
        reader -> new ChannelPaybacks(reader, settings.leastRefund(), this::refund));
  }

  private Settlement refund(ChannelUse channel, ChannelRefund refund) {
    ChannelConfig config = ChannelConfig.parse(channel.terms());
    RelayerKey key = relayers.find(config.receiverAuthorizer()).orElseThrow();
    byte[] data = ChannelCalls.refund(config, refund, key.sign(refund.digest(chainId())));
    return payOut(config.token(), data, REFUND_FAILS, Wait.CONFIRMED);
  }

  /**
   * Serves other servers that are paid out of channels; empty where none are.
   *
   * @param own who is paid for the gateway's own calls
   * @param isCharged whether the gateway itself has charged a channel, by its id in hex
   */
  public Optional<ChannelOrders> orders(EvmAddress own, Predicate<String> isCharged) {
    return channels.map(reader -> new ChannelOrders(this, reader, own, isCharged));
  }

  /** The signature of one of this node's keys; empty for any other. */
  Optional<byte[]> signed(EvmAddress key, byte[] digest) {
    return relayers.find(key).map(found -> found.sign(digest));
  }

  /** Whether a deposit was sent, and has not failed. */
  boolean isKnown(PaymentPayload payload, PaymentRequirements terms) {
    return known(order(payload, terms, Wait.CONFIRMED).call()).isPresent();
  }

  /** Sends a deposit once, however often it is asked to, and waits for its end. */
  Settlement deposit(PaymentPayload payload, PaymentRequirements terms) {
    return once(order(payload, terms, Wait.CONFIRMED));
  }

  /** What became of a call that another server has ordered; empty if it was not sent. */
  Optional<Settlement> known(EvmAddress token, byte[] data) {
    return known(new PayoutCall(token, data));
  }

  /** Makes a call that another server has ordered once, and waits for its end. */
  Settlement order(EvmAddress token, byte[] data, String otherwise) {
    TransferCall call = new PayoutCall(token, data);
    return rpc.call(Optional.empty(), BatchSettlement.ADDRESS, data).isPresent()
        ? once(new Order(call, Draft.first(call), true, Wait.CONFIRMED, new Waiting(0)))
        : known(call).orElse(new Settlement.Unsent(otherwise));
  }

  /** Where it fails, another node may have sent the same at the same moment. */
  private Settlement once(Order order) {
    Settlement outcome = settle(order);
    return outcome instanceof Settlement.Refused ? known(order.call()).orElse(outcome) : outcome;
  }

  long chainId() {
    return rpc.chainId();
  }

  @Override
  public Map<String, BigInteger> gasMoney() {
    Map<String, BigInteger> money = new HashMap<>();
    relayers.balances().forEach((wallet, wei) -> money.put(wallet.toString(), wei));
    return money;
  }

  @Override
  public Map<String, BigInteger> gasGiven() {
    return approvals.map(ApprovalFunds::given).orElse(Map.of());
  }

  @Override
  public Optional<Evidence> evidence(String asked) {
    return Optional.of(evidence);
  }

  @Override
  public Optional<Balances> balances(String asked) {
    return Optional.of(balances);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Its own thread follows as well, more often, what this node has sent; payments whose answer
   * has left, or whose caller has gone, are closed here.
   */
  @Override
  public void follow(UnresolvedPayments unresolved) {
    followOnce();
    notifier.close(unresolved);
  }

  /** One round, as its own thread runs it; returns whether anything is under way or waited for. */
  synchronized boolean followOnce() {
    boolean busy = follower.round();
    notifier.bring();
    return busy || !pending.entries().isEmpty();
  }

  /** Sends what is queued and ends; what is under way is another node's, or the next start's. */
  @Override
  public void close() {
    sender.close();
    thread.close();
  }

  /**
   * Runs the follower's rounds: often while transactions are under way, seldom while none is. Its
   * thread is a daemon and never interrupted. Thread-safe.
   */
  private static final class FollowerThread implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FollowerThread.class);

    private static final long CLOSE_SECONDS = 10;

    private final BooleanSupplier round;
    private final Duration pause;
    private final Duration idle;
    private final BlockingQueue<Boolean> calls = new LinkedBlockingQueue<>();
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private volatile boolean started;
    private volatile boolean closing;

    /**
     * Makes the thread.
     *
     * @param pause between rounds while something is under way
     * @param idle between rounds while nothing is, for others may have left something behind
     */
    FollowerThread(BooleanSupplier round, Duration pause, Duration idle) {
      this.round = round;
      this.pause = pause;
      this.idle = idle;
    }

    void start() {
      started = true;
      new Daemons("octroi-relay-follower").persistent(this::run).start();
    }

    /** Something is under way from now on. */
    void wake() {
      if (calls.isEmpty()) {
        calls.add(true);
      }
    }

    private void run() {
      while (!closing) {
        boolean busy = true;
        try {
          busy = round.getAsBoolean();
        } catch (RuntimeException e) {
          LOG.warn("Transactions could not be followed, and are tried again: {}", e.toString());
          LOG.debug("The follower's failure", e);
        }
        rest(busy);
      }
      end.complete(true);
    }

    private void rest(boolean busy) {
      try {
        if (!busy && calls.poll(idle.toNanos(), TimeUnit.NANOSECONDS) == null) {
          return;
        }
        if (!closing) {
          calls.poll(pause.toNanos(), TimeUnit.NANOSECONDS);
        }
      } catch (InterruptedException e) {
        LOG.error("The follower was interrupted by a stranger and goes on", e);
      }
    }

    @Override
    public void close() {
      closing = true;
      calls.add(true);
      if (started) {
        end.completeOnTimeout(false, CLOSE_SECONDS, TimeUnit.SECONDS).join();
      }
    }
  }
}
