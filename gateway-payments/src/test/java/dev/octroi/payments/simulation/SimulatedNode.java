package dev.octroi.payments.simulation;

import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.reconcile.Decisions;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * A gateway process as far as money goes: its ledger, and what decides payments. Each life is a
 * ledger of its own; a dead one's calls never go on, a stalled one's may.
 */
final class SimulatedNode {

  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(30));

  private static final Duration LONGEST_CALL = Duration.ofSeconds(30);

  private final String name;
  private final DataSource database;
  private final SimulatedChain chain;
  private final SimulatedVendor vendor;
  private final Clock clock;
  private final List<JdbcLedger> lives = new ArrayList<>();

  SimulatedNode(
      String name, DataSource database, SimulatedChain chain, SimulatedVendor vendor, Clock clock) {
    this.name = name;
    this.database = database;
    this.chain = chain;
    this.vendor = vendor;
    this.clock = clock;
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
        LedgerSettings.of(name)
            .withHeartbeat(Duration.ofHours(10), Duration.ofHours(30))
            .withAnswers(1 << 10, Duration.ofHours(20));
    lives.add(new JdbcLedger(database, new AnswerVault(new byte[32]), settings, clock));
  }

  void decide() {
    new Decisions(ledger().unresolved(), Map.of(Authorization.NETWORK, chain), BACKOFF, clock)
        .run();
    try {
      runner(ledger()).task().work().run();
    } catch (SimulatedVendor.Killed e) {
      // It dies amid its task, which another run finishes.
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
