package dev.octroi.payments.simulation;

import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A chain with a facilitator before it that is as bad as the real ones: it answers after it sent,
 * not at all, or what is not so for long; what it sent lands late or never.
 */
final class SimulatedChain implements Facilitator, Evidence {

  /** The chain cannot be asked. */
  static final class Away extends IllegalStateException {
    private static final long serialVersionUID = 1L;
  }

  private static final long WEALTH = 60_000;
  private static final Duration FINALITY = Duration.ofSeconds(12);

  /** What has become of an authorization, and when. */
  private record Fate(boolean paid, Instant at, String transaction) {}

  private record Pending(Authorization authorization, Instant landsAt, String transaction) {}

  private record Payout(String channel, long amount, Instant landsAt) {}

  private final Random random;
  private final Clock clock;
  private final SimulatedContract contract;
  private final Map<String, Long> spent = new HashMap<>();
  private final Set<String> paid = new HashSet<>();
  private final Map<String, Fate> fates = new HashMap<>();
  private final Map<String, Integer> submissions = new HashMap<>();
  private final List<Pending> pending = new ArrayList<>();
  private final List<Payout> payouts = new ArrayList<>();
  private long received;
  private int transactions;
  private boolean away;

  SimulatedChain(Random random, Clock clock) {
    this.random = random;
    this.clock = clock;
    this.contract = new SimulatedContract(clock);
  }

  /** The contract of channels, which is there as the chain is. */
  SimulatedContract contract() {
    requireThere();
    return contract;
  }

  void away(boolean isAway) {
    away = isAway;
  }

  boolean isAway() {
    return away;
  }

  /** How often money was asked to move by this authorization. */
  int submissions(String nonce) {
    return submissions.getOrDefault(nonce, 0);
  }

  boolean hasMoved(String nonce) {
    Fate fate = fates.get(nonce);
    return fate != null && fate.paid();
  }

  /** What the seller was paid, but for what channels owe. */
  long received() {
    return received;
  }

  /** Whether this payer has paid the seller anything. */
  boolean hasPaid(String payer) {
    return paid.contains(payer);
  }

  /** The payer spends elsewhere what it has. */
  void drain(String payer) {
    land();
    spent.put(payer, WEALTH);
  }

  /** What a payer has. */
  long funds(String payer) {
    requireThere();
    return left(payer);
  }

  /** The payer takes an authorization back, unless it was used. */
  void cancel(Authorization authorization) {
    land();
    fates.putIfAbsent(
        authorization.nonce(), new Fate(false, clock.instant(), "cancel:" + authorization.nonce()));
  }

  /** Everything that is due has happened, in its order. */
  private void land() {
    Instant now = clock.instant();
    List<Pending> due =
        pending.stream()
            .filter(sent -> !sent.landsAt().isAfter(now))
            .sorted(Comparator.comparing(Pending::landsAt))
            .toList();
    pending.removeAll(due);
    due.forEach(sent -> moves(sent.authorization(), sent.landsAt(), sent.transaction()));
    payouts.stream()
        .filter(sent -> !sent.landsAt().isAfter(now))
        .forEach(sent -> contract.refund(sent.channel(), sent.amount()));
    payouts.removeIf(sent -> !sent.landsAt().isAfter(now));
  }

  private boolean moves(Authorization authorization, Instant at, String transaction) {
    if (fates.containsKey(authorization.nonce())
        || !at.isBefore(authorization.validBefore())
        || left(authorization.payer()) < authorization.amount()) {
      return false;
    }
    spent.merge(authorization.payer(), authorization.amount(), Long::sum);
    boolean pays = authorization.into().map(into -> puts(authorization, into)).orElse(true);
    if (authorization.into().isEmpty()) {
      paid.add(authorization.payer());
      received += authorization.amount();
    }
    fates.put(authorization.nonce(), new Fate(pays, at, transaction));
    return pays;
  }

  /** A deposit pays if its channel then holds what the voucher permits. */
  private boolean puts(Authorization deposit, Authorization.Into into) {
    contract.deposit(into.channel(), deposit.amount());
    return contract.of(into.channel()).balance() >= into.permits();
  }

  /** A refund that was sent lands soon, late or never; meanwhile nothing else is paid out. */
  Settlement refund(String channel, long amount) {
    requireThere();
    int luck = random.nextInt(10);
    if (luck < 1) {
      return new Settlement.Unsent("no_gas");
    }
    if (luck < 4) {
      if (random.nextInt(4) > 0) {
        payouts.add(new Payout(channel, amount, clock.instant().plusSeconds(random.nextInt(20))));
      }
      return new Settlement.Unknown("timeout", null);
    }
    contract.refund(channel, amount);
    return new Settlement.Settled("tx" + ++transactions);
  }

  /** Whether a transaction that pays out channels is under way. */
  boolean isPayingOut() {
    requireThere();
    return !payouts.isEmpty();
  }

  private long left(String payer) {
    return WEALTH - spent.getOrDefault(payer, 0L);
  }

  @Override
  public Verification verify(PaymentPayload payload, PaymentRequirements terms) {
    requireThere();
    Authorization authorization = Authorization.of(payload);
    if (authorization.forged()) {
      return new Verification.Invalid("invalid_signature", null);
    }
    Verification.Valid valid =
        new Verification.Valid(
            authorization.payer(),
            authorization.nonce(),
            authorization.validBefore(),
            OptionalLong.of(left(authorization.payer())));
    String obstacle = obstacle(authorization);
    return obstacle == null ? valid : new Verification.Late(obstacle, valid);
  }

  private @Nullable String obstacle(Authorization authorization) {
    if (fates.containsKey(authorization.nonce())) {
      return "nonce_already_used";
    }
    if (!clock.instant().isBefore(authorization.validBefore())) {
      return "valid_before";
    }
    return left(authorization.payer()) < authorization.amount() ? "insufficient_balance" : null;
  }

  @Override
  public Settlement settle(PaymentPayload payload, PaymentRequirements terms) {
    Authorization authorization = Authorization.of(payload).charging(terms.micros());
    land();
    int luck = random.nextInt(100);
    if (luck < 6) {
      return new Settlement.Unsent("no_gas");
    }
    submissions.merge(authorization.nonce(), 1, Integer::sum);
    String transaction = "tx" + ++transactions;
    if (luck < 10) {
      return new Settlement.Unknown("connection_refused", null);
    }
    if (luck < 24) {
      broadcast(authorization, transaction);
      return new Settlement.Unknown("timeout", random.nextBoolean() ? transaction : null);
    }
    if (luck < 30) {
      broadcast(authorization, transaction);
      throw new IllegalStateException("reset by peer");
    }
    if (luck < 46) {
      broadcast(authorization, transaction);
      return new Settlement.Sent(transaction);
    }
    if (moves(authorization, clock.instant(), transaction)) {
      return new Settlement.Settled(transaction);
    }
    // For another node it has used the nonce itself, which is no refusal.
    String obstacle = String.valueOf(obstacle(authorization));
    return hasMoved(authorization.nonce())
        ? new Settlement.Unknown(obstacle, null)
        : new Settlement.Refused(obstacle);
  }

  /** It lands soon, late, too late, or never. */
  private void broadcast(Authorization authorization, String transaction) {
    if (random.nextInt(5) > 0) {
      Duration delay = Duration.ofSeconds(random.nextInt(random.nextBoolean() ? 10 : 400));
      pending.add(new Pending(authorization, clock.instant().plus(delay), transaction));
    }
  }

  @Override
  public Optional<Settlement> of(UnresolvedPayment payment) {
    requireThere();
    Instant finalised = clock.instant().minus(FINALITY);
    Fate fate = fates.get(Voucher.nonce(payment.key()));
    if (fate != null) {
      return fate.at().isAfter(finalised) ? Optional.empty() : Optional.of(end(fate));
    }
    return finalised.isBefore(payment.validBefore())
        ? Optional.empty()
        : Optional.of(new Settlement.Refused("authorization_expired"));
  }

  private static Settlement end(Fate fate) {
    return fate.paid()
        ? new Settlement.Settled(fate.transaction())
        : new Settlement.Refused("authorization_cancelled");
  }

  private void requireThere() {
    land();
    if (away) {
      throw new Away();
    }
  }

  @Override
  public List<String> networks() {
    return List.of(Authorization.NETWORK, Voucher.NETWORK);
  }

  @Override
  public Optional<Evidence> evidence(String network) {
    return Optional.of(this);
  }
}
