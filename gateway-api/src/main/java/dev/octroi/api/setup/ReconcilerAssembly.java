package dev.octroi.api.setup;

import dev.octroi.api.settings.ReconcilerSettings;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.ledger.DeferredSettlements;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.reconcile.LedgerTasks;
import dev.octroi.payments.reconcile.Reconciler;
import dev.octroi.payments.reconcile.Reconciler.ScheduleSettings;
import dev.octroi.payments.reconcile.RecurringTask;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects what is to be done beside the calls. */
record ReconcilerAssembly(ReconcilerSettings settings, DataSource database, Clock clock) {

  private static final Logger LOG = LoggerFactory.getLogger(ReconcilerAssembly.class);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  /**
   * What decides payments and follows transactions, at rest until it is started.
   *
   * @param alive whether this node may settle; while it may not, such as for its clock, by which
   *     chores tell what is over, it leaves them to others
   */
  Reconciler reconciler(
      String node,
      UnresolvedPayments unresolved,
      DeferredSettlements deferred,
      List<Facilitator> facilitators,
      List<RecurringTask> more,
      BooleanSupplier alive) {
    LedgerTasks.unread(facilitators)
        .forEach(
            network ->
                LOG.warn(
                    "Payments in doubt on {} will wait for the operator, because no node of that chain"
                        + " is configured. Set gateway.chain.rpc-url (for Solana"
                        + " gateway.solana.rpc-url), so that the gateway asks the chain itself",
                    network));
    List<RecurringTask> tasks = new ArrayList<>(more);
    tasks.addAll(
        new LedgerTasks(unresolved, deferred, facilitators, clock)
            .of(new Backoff(settings.shortestPause(), settings.longestPause()), settings.follow()));
    ScheduleSettings schedule =
        new ScheduleSettings(
            settings.startAfter(),
            settings.polling(),
            settings.heartbeat(),
            settings.threads(),
            STOP_WITHIN);
    return new Reconciler(database, node, LedgerTasks.whileAlive(tasks, alive), schedule);
  }
}
