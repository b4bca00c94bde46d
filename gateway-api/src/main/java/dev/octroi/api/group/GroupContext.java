package dev.octroi.api.group;

import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.effect.AlikeEffects;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.ledger.jdbc.Outbox;
import dev.octroi.payments.ledger.jdbc.Statements;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.Deadline;
import dev.octroi.services.HostThreads;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamClient.UpstreamHost;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * What groups are opened with. Groups open one after the other, so {@link #once} and {@link
 * #effects} are for one thread; everything else is thread-safe.
 */
public final class GroupContext implements AutoCloseable {

  /**
   * The money behind the groups.
   *
   * @param charges charge managed wallets without a request; not before the gateway is built
   * @param longestCall how long a paid call may last
   */
  public record Money(
      JdbcLedger ledger, AccountCharges charges, AnswerVault vault, Duration longestCall) {}

  /**
   * Where the gateway runs.
   *
   * @param host what upstreams' clients run with
   * @param bodies reads what is asked
   * @param prices what a row costs at this moment without an API key, by method and path template
   */
  public record Surroundings(
      UpstreamHost host,
      BodyReader bodies,
      BiFunction<String, String, Optional<Usd>> prices,
      Clock clock) {}

  private final Money money;
  private final Surroundings around;
  private final CallDeadlines deadlines;
  private final List<UpstreamClient> clients = new CopyOnWriteArrayList<>();
  private final Map<Class<?>, Object> shared = new HashMap<>();
  private final List<AutoCloseable> closing = new ArrayList<>();
  private final Map<String, EffectRunner> runners = new ConcurrentHashMap<>();

  /**
   * @param given what the gateway has for groups besides, each found by its class
   */
  public GroupContext(Money money, Surroundings around, Object... given) {
    this.money = money;
    for (Object part : given) {
      shared.put(part.getClass(), part);
    }
    this.around = around;
    this.deadlines = new CallDeadlines(around.clock());
  }

  public Clock clock() {
    return around.clock();
  }

  /** By when calls must have ended. */
  public CallDeadlines deadlines() {
    return deadlines;
  }

  /** Reads the records that bodies hold. */
  public BodyReader bodies() {
    return around.bodies();
  }

  /** Makes the threads of work that groups begin. */
  public HostThreads threads() {
    return around.host().threads();
  }

  /** The same work for another thread, which asks upstreams for the call of this one then. */
  public Runnable carried(Runnable work) {
    return around.host().observer().carried(work);
  }

  /** Opens connections to an upstream; the gateway shows how it does, and closes it. */
  public UpstreamClient client(Upstream upstream) {
    UpstreamClient client = new UpstreamClient(upstream.settings(), around.host());
    clients.add(client);
    return client;
  }

  /** Closes the connections to an upstream that is asked no more. */
  public void close(UpstreamClient client) {
    clients.remove(client);
    client.close();
  }

  /**
   * What several groups work with, made by whichever group asks first; closed after the groups if
   * it can be.
   */
  public <T> T once(Class<T> type, Supplier<T> made) {
    Object known = shared.get(type);
    if (known == null) {
      known = made.get();
      shared.put(type, known);
      if (known instanceof AutoCloseable open) {
        closing.add(open);
      }
    }
    return type.cast(known);
  }

  /**
   * A part of the gateway, such as the keeper of files that answers link to.
   *
   * @throws IllegalStateException if it has none of that class
   */
  public <T> T given(Class<T> type) {
    return once(
        type,
        () -> {
          throw new IllegalStateException("there is no " + type);
        });
  }

  /** What a row costs at this moment without an API key; empty where a tariff counts it. */
  public Optional<Usd> price(String method, String path) {
    return around.prices().apply(method, path);
  }

  /** Runs statements in the ledger's database. */
  public Statements statements() {
    return money.ledger().statements();
  }

  /** Takes events that are sent to others, in the transactions of what they tell. */
  public Outbox outbox() {
    return money.ledger().outbox();
  }

  /** What became of payments. */
  public PaymentStatuses paymentStatuses() {
    return money.ledger().paymentStatuses();
  }

  /** Charges managed wallets without a request; not before the gateway is built. */
  public AccountCharges charges() {
    return money.charges();
  }

  /** Seals what is private. */
  public AnswerVault vault() {
    return money.vault();
  }

  /** Whose the work is that this node begins now; others take it over when that life is over. */
  public Owner life() {
    return money.ledger().owner();
  }

  /** How long a paid call may last, and how long its vendor may take in it. */
  public Duration longestCall() {
    return money.longestCall();
  }

  /** This node's name among those that share the database. */
  public String node() {
    return money.ledger().settings().node();
  }

  /**
   * Lays out a runner for effects that cannot be undone; what calls leave open there is closed by a
   * task without further ado.
   *
   * @throws IllegalStateException if there is one for its kind
   */
  public EffectRunner effects(EffectVendor vendor) {
    EffectRunner runner =
        new EffectRunner(vendor, money.ledger(), around.clock(), money.longestCall());
    if (runners.putIfAbsent(vendor.kind(), runner) != null) {
      throw new IllegalStateException("there are two vendors of " + vendor.kind());
    }
    return runner;
  }

  /**
   * What tells effects apart that their vendor does not.
   *
   * @param over how long after its noting nothing of an effect can be on its way any more
   */
  public AlikeEffects alike(Duration over) {
    return new AlikeEffects(money.ledger().effects(), over, around.clock());
  }

  /** The runner of a kind of effects. */
  public Optional<EffectRunner> runner(String kind) {
    return Optional.ofNullable(runners.get(kind));
  }

  /** What closes the effects that calls leave open. */
  public List<RecurringTask> tasks() {
    return runners.values().stream().map(EffectRunner::task).toList();
  }

  /**
   * The upstreams that are called, in the order in which they were opened; where a route's server
   * has changed, the latest.
   */
  public List<UpstreamClient> clients() {
    Map<String, UpstreamClient> latest = new LinkedHashMap<>();
    clients.forEach(client -> latest.put(client.settings().name(), client));
    return List.copyOf(latest.values());
  }

  /** Closes what groups share and the connections to upstreams. */
  @Override
  public void close() {
    for (AutoCloseable open : closing) {
      try {
        open.close();
      } catch (Exception e) {
        throw new IllegalStateException("a group's part does not close", e);
      }
    }
    clients.forEach(UpstreamClient::close);
  }

  /** By when a call must have ended: its own limit, or its payment's, whichever comes first. */
  public record CallDeadlines(Clock clock) {

    /** The deadline of a call with this payment, or without any. */
    public Deadline of(Optional<Payment> payment, Duration limit) {
      Duration paidFor =
          payment
              .map(paid -> Duration.between(clock.instant(), paid.deadline()))
              .filter(life -> life.compareTo(limit) < 0)
              .orElse(limit);
      return Deadline.in(paidFor);
    }

    public Deadline of(SecurityContext security, Duration limit) {
      return of(Payment.of(security.getUserPrincipal()), limit);
    }
  }
}
