package dev.octroi.payments.reconcile;

import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.DeferredSettlements;
import dev.octroi.payments.ledger.DeferredSettlements.DeferredSettlement;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Effects.Ending;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.Refunds.RefundResult;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.reconcile.Decisions.SilentNetworks;
import dev.octroi.payments.x402.SettlementOrder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be done beside the calls for payments whose end is not known yet.
 *
 * @param ledger has what it takes to settle answers that have left, and to refund streams that
 *     failed before their first byte
 * @param unresolved those payments
 * @param facilitators each once
 */
public record LedgerTasks(
    Ledger ledger,
    UnresolvedPayments unresolved,
    Collection<Facilitator> facilitators,
    Clock clock) {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerTasks.class);

  private static final Duration UNBEGUN_PAUSE = Duration.ofSeconds(10);

  /** Longer than a payment's end stays unknown. */
  private static final Duration UNBEGUN_SINCE = Duration.ofDays(90);

  private static final int A_RUN = 100;

  public LedgerTasks {
    facilitators = List.copyOf(facilitators);
  }

  /**
   * Deciding payments, settling what was delivered, refunding streams that never began, and
   * following the transactions of each facilitator that sends some.
   *
   * @param backoff how often a payment's chain is asked
   * @param follow the pause between two looks at transactions
   */
  public List<RecurringTask> of(Backoff backoff, Duration follow) {
    List<RecurringTask> tasks = new ArrayList<>();
    tasks.add(
        new Decisions(unresolved, evidence(facilitators), backoff, clock).task(backoff.shortest()));
    if (facilitators.stream().anyMatch(facilitator -> !facilitator.settlesInLedger())) {
      tasks.add(
          new DeliveredAnswers(ledger.deferredSettlements(), unresolved, facilitators, clock)
              .task(follow));
      tasks.add(new RecurringTask("refund-unbegun", UNBEGUN_PAUSE, this::refundUnbegun));
    }
    for (Facilitator facilitator : facilitators) {
      if (!facilitator.settlesInLedger()) {
        tasks.add(
            new RecurringTask(
                "follow-" + String.join(",", facilitator.networks()),
                follow,
                () -> facilitator.follow(unresolved),
                facilitator.networks().stream().findFirst()));
      }
    }
    return tasks;
  }

  /** Refunds streams that failed before their first byte, whose payments have settled since. */
  private void refundUnbegun() {
    Instant now = clock.instant();
    Effects effects = ledger.effects();
    for (Effects.Open open : effects.due(Effects.UNBEGUN, now, Effects.MAX_PAGE)) {
      // Its node died between the two statements that note it.
      effects.close(open.effect(), Ending.notDone(Effects.UNBEGUN), Effects.Along.NOTHING);
    }
    for (Effect stream : effects.unrefunded(Effects.UNBEGUN, now.minus(UNBEGUN_SINCE), A_RUN)) {
      RefundResult result =
          ledger
              .refunds()
              .ask(stream.payment(), OptionalLong.empty(), stream.note(), stream.refundKey());
      if (!(result instanceof RefundResult.Noted)) {
        LOG.error("Payment {}: {}, not refunded: {}", stream.payment(), stream.note(), result);
      }
    }
  }

  /** Networks whose payments in doubt wait for the operator, because nothing here can ask them. */
  public static List<String> unread(Collection<Facilitator> facilitators) {
    Map<String, Evidence> known = evidence(facilitators);
    return facilitators.stream()
        .filter(facilitator -> !facilitator.settlesInLedger())
        .flatMap(facilitator -> facilitator.networks().stream())
        .filter(network -> !known.containsKey(network))
        .toList();
  }

  /** Who can prove what became of payments, by network. */
  public static Map<String, Evidence> evidence(Collection<Facilitator> facilitators) {
    Map<String, Evidence> evidence = new HashMap<>();
    for (Facilitator facilitator : facilitators) {
      for (String network : facilitator.networks()) {
        facilitator.evidence(network).ifPresent(known -> evidence.put(network, known));
      }
    }
    return evidence;
  }

  /**
   * The tasks as a node does them only while it may settle; while it may not, such as for its
   * clock, by which tasks tell what is over, it leaves them to others.
   */
  public static List<RecurringTask> whileAlive(List<RecurringTask> tasks, BooleanSupplier alive) {
    return tasks.stream()
        .map(
            task ->
                new RecurringTask(
                    task.name(),
                    task.pause(),
                    () -> {
                      if (alive.getAsBoolean()) {
                        task.work().run();
                      }
                    },
                    task.network()))
        .toList();
  }

  /**
   * Settles answers that have left, where the node that delivered them could not, or has died. A
   * facilitator that is asked again for the same payment moves its money once. Thread-safe.
   *
   * @param facilitators each once
   */
  record DeliveredAnswers(
      DeferredSettlements deferred,
      UnresolvedPayments unresolved,
      Collection<Facilitator> facilitators,
      Clock clock)
      implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveredAnswers.class);
    private static final Duration AGAIN = Duration.ofSeconds(10);

    DeliveredAnswers {
      facilitators = List.copyOf(facilitators);
    }

    /** As a recurring task. */
    RecurringTask task(Duration pause) {
      return new RecurringTask("settle-delivered", pause, this);
    }

    /**
     * Settles those that are due, at most {@value #A_RUN} of them; those of a network that does not
     * answer by and by.
     */
    @Override
    public void run() {
      SilentNetworks silent = new SilentNetworks(clock);
      for (DeferredSettlement settlement : deferred.due(clock.instant(), A_RUN)) {
        // First, so that one that breaks this node is not the first of all again.
        deferred.later(settlement, clock.instant().plus(AGAIN));
        settle(settlement, silent);
      }
      int forgotten = deferred.forget();
      if (forgotten > 0) {
        LOG.debug("{} answers that had left are paid for, or will not be", forgotten);
      }
    }

    private void settle(DeferredSettlement settlement, SilentNetworks silent) {
      try {
        SettlementOrder order = SettlementOrder.read(settlement.order());
        String network = order.terms().network();
        if (!silent.contain(network)) {
          var unused = silent.ask(network, () -> settled(settlement, order));
        }
      } catch (RuntimeException e) {
        LOG.warn("Payment {} of an answer that has left is settled later", settlement.payment(), e);
      }
    }

    private Optional<Settlement> settled(DeferredSettlement settlement, SettlementOrder order) {
      Settlement outcome =
          facilitator(order.terms().network())
              .settle(
                  order.payload(),
                  order.terms(),
                  Claim.attemptName(settlement.payment(), settlement.attempt()));
      // That it is refused now proves nothing: an earlier try may have moved the money.
      Optional<Settlement> settled =
          Optional.of(outcome).filter(Settlement.Settled.class::isInstance);
      settled
          .flatMap(proof -> unresolved.find(settlement.payment()))
          .filter(payment -> payment.attempt() == settlement.attempt())
          .ifPresent(payment -> unresolved.close(payment, outcome));
      LOG.info("Payment {} of an answer that has left: {}", settlement.payment(), outcome);
      return settled;
    }

    private Facilitator facilitator(String network) {
      return facilitators.stream()
          .filter(facilitator -> facilitator.networks().contains(network))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      "no facilitator for " + network + ", yet it was offered"));
    }
  }
}
