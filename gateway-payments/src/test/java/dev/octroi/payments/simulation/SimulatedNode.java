package dev.octroi.payments.simulation;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.flow.CreditBounds;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.ledger.Channels.UnclaimedChannel;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.reconcile.Decisions;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.reconcile.LedgerTasks;
import dev.octroi.payments.simulation.SimulatedContract.Held;
import dev.octroi.payments.simulation.Simulation.World;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A gateway process as far as money goes: its ledger, and what decides payments. Each life is a
 * ledger of its own; a dead one's calls never go on, a stalled one's may.
 */
final class SimulatedNode {

  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(30));

  private static final Duration LONGEST_CALL = Duration.ofSeconds(30);

  /** Longer than a call waits for a refund. */
  static final Duration REFUND = Duration.ofSeconds(30);

  private static final Duration CLAIM_AFTER = Duration.ofSeconds(15);
  private static final int MOST = 100;

  private final String name;
  private final DataSource database;
  private final SimulatedChain chain;
  private final SimulatedVendor vendor;
  private final Clock clock;
  private final World world;
  private final SimulatedReadings readings;
  private final List<JdbcLedger> lives = new ArrayList<>();
  private CreditBounds credit;

  SimulatedNode(
      String name,
      DataSource database,
      SimulatedChain chain,
      SimulatedVendor vendor,
      Clock clock,
      World world) {
    this.name = name;
    this.database = database;
    this.chain = chain;
    this.vendor = vendor;
    this.world = world;
    this.clock = clock;
    this.readings = new SimulatedReadings(NamedStatements.of(database), chain, clock);
    start();
  }

  String name() {
    return name;
  }

  JdbcLedger ledger() {
    return lives.get(lives.size() - 1);
  }

  /** Whether a life of this node has been taken over by the next. */
  boolean isOver(JdbcLedger life) {
    return life != ledger();
  }

  /** A new life, which ends the one before it and closes what dead nodes left open. */
  void start() {
    LedgerSettings settings =
        LedgerSettings.builder(name)
            .heartbeat(Duration.ofHours(10), Duration.ofHours(30))
            .maxAnswer(1 << 10)
            .answerRetention(Duration.ofHours(20))
            .build();
    JdbcLedger ledger = new JdbcLedger(database, new AnswerVault(new byte[32]), settings, clock);
    lives.add(ledger);
    credit = new CreditBounds(SimulatedDebtors.TERMS, ledger);
  }

  /** What this life gives on credit. */
  CreditBounds credit() {
    return credit;
  }

  SimulatedReadings readings() {
    return readings;
  }

  /** What is to be done beside the calls. */
  void decide() {
    if (world.hasCredit()) {
      new LedgerTasks(ledger(), ledger().unresolved(), List.of(chain), clock)
          .of(BACKOFF, LONGEST_CALL)
          .forEach(task -> task.work().run());
    } else {
      new Decisions(ledger().unresolved(), LedgerTasks.evidence(List.of(chain)), BACKOFF, clock)
          .run();
    }
    if (world.hasChannels()) {
      claim();
    }
    try {
      runner(ledger()).task().work().run();
    } catch (SimulatedVendor.Killed e) {
      // It dies amid its task, which another run finishes.
    }
  }

  /** What channels owe is claimed, in the steps of the task that does it on a chain. */
  void claim() {
    Channels channels = ledger().channels();
    Instant now = clock.instant();
    try {
      channels
          .unread(Voucher.NETWORK, now.minus(SimulatedReadings.FRESH), MOST)
          .forEach(channel -> readings.read(channel.id()));
      if (chain.isPayingOut()) {
        return;
      }
      channels
          .refunding(Voucher.NETWORK, now.minus(REFUND))
          .forEach(
              (channel, hold) -> {
                readings.read(channel);
                channels.refunded(Voucher.NETWORK, channel, hold, 0);
              });
      channels
          .unclaimed(Voucher.NETWORK, now.minus(CLAIM_AFTER), 1, MOST)
          .forEach(due -> claim(channels, due, readings.read(due.id())));
    } catch (SimulatedChain.Away e) {
      // The next run does it.
    }
  }

  private void claim(Channels channels, UnclaimedChannel due, Held held) {
    if (held.claimed() > due.claimed()) {
      channels.claimed(Voucher.NETWORK, due.id(), held.claimed());
    }
    long total = Math.min(Math.min(due.charged(), due.signed()), held.balance());
    if (total <= held.claimed()
        || !chain.contract().claim(due.id(), total, due.signed(), due.signature())) {
      channels.postpone(Voucher.NETWORK, due.id());
    }
  }

  SimulatedVendor vendor() {
    return vendor;
  }

  /** Where a life's calls have their effects done. */
  EffectRunner runner(JdbcLedger life) {
    return new EffectRunner(vendor, life, clock, LONGEST_CALL);
  }

  void close() {
    lives.forEach(JdbcLedger::close);
  }
}
