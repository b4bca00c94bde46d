package dev.octroi.api.setup;

import dev.octroi.api.settings.ReconcilerSettings;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.reconcile.Decisions;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.reconcile.Reconciler;
import dev.octroi.payments.reconcile.Reconciler.ScheduleSettings;
import dev.octroi.payments.reconcile.RecurringTask;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
      List<Facilitator> facilitators,
      List<RecurringTask> more,
      BooleanSupplier alive) {
    List<RecurringTask> tasks = new ArrayList<>(more);
    unread(facilitators)
        .forEach(
            network ->
                LOG.warn(
                    "Payments in doubt on {} will wait for the operator, because no node of that chain"
                        + " is configured. Set gateway.chain.rpc-url (for Solana"
                        + " gateway.solana.rpc-url), so that the gateway asks the chain itself",
                    network));
    Backoff backoff = new Backoff(settings.shortestPause(), settings.longestPause());
    tasks.add(
        new Decisions(unresolved, evidence(facilitators), backoff, clock)
            .task(settings.shortestPause()));
    for (Facilitator facilitator : facilitators) {
      if (!facilitator.settlesInLedger()) {
        tasks.add(following(facilitator, unresolved));
      }
    }
    ScheduleSettings schedule =
        new ScheduleSettings(
            settings.startAfter(),
            settings.polling(),
            settings.heartbeat(),
            settings.threads(),
            STOP_WITHIN);
    return new Reconciler(
        database, node, tasks.stream().map(task -> whileAlive(task, alive)).toList(), schedule);
  }

  private static RecurringTask whileAlive(RecurringTask task, BooleanSupplier alive) {
    return new RecurringTask(
        task.name(),
        task.pause(),
        () -> {
          if (alive.getAsBoolean()) {
            task.work().run();
          }
        });
  }

  private RecurringTask following(Facilitator facilitator, UnresolvedPayments unresolved) {
    String name = "follow-" + String.join(",", facilitator.networks());
    return new RecurringTask(name, settings.follow(), () -> facilitator.follow(unresolved));
  }

  /** Networks whose payments in doubt wait for the operator, because nothing here can ask them. */
  static List<String> unread(List<Facilitator> facilitators) {
    return facilitators.stream()
        .filter(facilitator -> !facilitator.settlesInLedger())
        .flatMap(facilitator -> facilitator.networks().stream())
        .filter(network -> !evidence(facilitators).containsKey(network))
        .toList();
  }

  /** Who can prove what became of payments, by network. */
  static Map<String, Evidence> evidence(List<Facilitator> facilitators) {
    Map<String, Evidence> evidence = new HashMap<>();
    for (Facilitator facilitator : facilitators) {
      for (String network : facilitator.networks()) {
        facilitator.evidence(network).ifPresent(known -> evidence.put(network, known));
      }
    }
    return evidence;
  }
}
