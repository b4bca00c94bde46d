package dev.octroi.api;

import dev.octroi.api.asset.Assets;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.JdbcLedger;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.Statements;
import dev.octroi.payments.reconcile.RecurringTask;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What {@link BackgroundService} work with. Thread-safe. */
public final class JobContext {

  private final JdbcLedger ledger;
  private final AccountCharges charges;
  private final Assets assets;
  private final AnswerVault vault;
  private final Duration longestCall;
  private final Clock clock;
  private final Map<String, EffectRunner> runners = new ConcurrentHashMap<>();

  JobContext(
      JdbcLedger ledger,
      AccountCharges charges,
      Assets assets,
      AnswerVault vault,
      Duration longestCall,
      Clock clock) {
    this.ledger = ledger;
    this.charges = charges;
    this.assets = assets;
    this.vault = vault;
    this.longestCall = longestCall;
    this.clock = clock;
  }

  /** Runs statements in the ledger's database. */
  public Statements statements() {
    return ledger.statements();
  }

  /** What became of payments. */
  public PaymentStatuses paymentStatuses() {
    return ledger.paymentStatuses();
  }

  /** Charges managed wallets without a request; not before the gateway is built. */
  public AccountCharges charges() {
    return charges;
  }

  /** Files that answers link to. */
  public Assets assets() {
    return assets;
  }

  /** Seals what is private. */
  public AnswerVault vault() {
    return vault;
  }

  /** Whose the work is that this node begins now; others take it over when that life is over. */
  public Owner life() {
    return ledger.owner();
  }

  /** How long a paid call may last, and how long its vendor may take in it. */
  public Duration longestCall() {
    return longestCall;
  }

  public Clock clock() {
    return clock;
  }

  /** This node's name among those that share the database. */
  public String node() {
    return ledger.settings().node();
  }

  /**
   * Lays out a runner for effects that cannot be undone; what calls leave open there is closed by a
   * chore without further ado.
   *
   * @throws IllegalStateException if there is one for its kind
   */
  public EffectRunner effects(EffectVendor vendor) {
    EffectRunner runner = new EffectRunner(vendor, ledger, clock, longestCall);
    if (runners.putIfAbsent(vendor.kind(), runner) != null) {
      throw new IllegalStateException("there are two vendors of " + vendor.kind());
    }
    return runner;
  }

  /** The runner of a kind of effects. */
  Optional<EffectRunner> runner(String kind) {
    return Optional.ofNullable(runners.get(kind));
  }

  List<RecurringTask> tasks() {
    return runners.values().stream().map(EffectRunner::task).toList();
  }
}
