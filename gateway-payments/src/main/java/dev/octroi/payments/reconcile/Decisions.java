package dev.octroi.payments.reconcile;

import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes unresolved payments by evidence, and by nothing else (money rule 5): neither by time that
 * has passed here nor by a second settlement. Thread-safe.
 *
 * <p>A network without evidence leaves its payments to the operator, who is reminded every hour.
 */
public final class Decisions implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Decisions.class);
  private static final int A_RUN = 100;
  private static final Duration REMINDER = Duration.ofHours(1);

  private final UnresolvedPayments unresolved;
  private final Map<String, Evidence> evidence;
  private final Backoff backoff;
  private final Clock clock;
  private final Map<String, Instant> reminded = new ConcurrentHashMap<>();

  /**
   * Makes what decides.
   *
   * @param evidence by network, as CAIP-2 id; a network without one waits for its operator
   */
  public Decisions(
      UnresolvedPayments unresolved, Map<String, Evidence> evidence, Backoff backoff, Clock clock) {
    this.unresolved = unresolved;
    this.evidence = Map.copyOf(evidence);
    this.backoff = backoff;
    this.clock = clock;
  }

  /** As a recurring task. */
  public RecurringTask task(Duration pause) {
    return new RecurringTask("decide-payments", pause, this);
  }

  /**
   * Looks once at those that are due, at most {@value #A_RUN} of them; at those of a network that
   * does not answer by and by.
   */
  @Override
  public void run() {
    SilentNetworks silent = new SilentNetworks(clock);
    for (UnresolvedPayment payment : unresolved.due(clock.instant(), A_RUN)) {
      if (silent.contain(payment.key().network())) {
        unresolved.later(payment, clock.instant().plus(backoff.shortest()));
      } else {
        decide(payment, silent);
      }
    }
  }

  private void decide(UnresolvedPayment payment, SilentNetworks silent) {
    String network = payment.key().network();
    Evidence known = evidence.get(network);
    silent
        .ask(network, () -> known == null ? withoutEvidence(payment) : asked(known, payment))
        .ifPresentOrElse(
            proof -> close(payment, proof),
            () -> unresolved.later(payment, backoff.after(payment.since(), clock.instant())));
  }

  private static Optional<Settlement> asked(Evidence evidence, UnresolvedPayment payment) {
    try {
      return evidence.of(payment);
    } catch (RuntimeException e) {
      LOG.warn("Payment {}: {} could not be asked", payment.id(), payment.key().network(), e);
      return Optional.empty();
    }
  }

  private void close(UnresolvedPayment payment, Settlement proof) {
    if (unresolved.close(payment, proof)) {
      LOG.info("Payment {} was unresolved since {}: {}", payment.id(), payment.since(), proof);
    }
  }

  private Optional<Settlement> withoutEvidence(UnresolvedPayment payment) {
    String network = payment.key().network();
    Instant now = clock.instant();
    Instant last = reminded.get(network);
    if (last == null || !now.isBefore(last.plus(REMINDER))) {
      reminded.put(network, now);
      LOG.warn(
          "Payments on {} are in doubt ({} since {}, among others), and nothing here can ask that chain:"
              + " configure an RPC address for it, or look the payment up there and settle or write"
              + " it off as operator",
          network,
          payment.id(),
          payment.since());
    }
    return Optional.empty();
  }

  /**
   * Networks that have told nothing for long, in one run of a task that asks several in turn: they
   * must not hold up the others, and have their next question in the next run.
   */
  static final class SilentNetworks {

    private static final Duration LONG = Duration.ofSeconds(5);

    private final Set<String> silent = new HashSet<>();
    private final Clock clock;

    SilentNetworks(Clock clock) {
      this.clock = clock;
    }

    boolean contain(String network) {
      return silent.contains(network);
    }

    /** Asks a network, which is silent from then on if it takes long to tell nothing. */
    <T> Optional<T> ask(String network, Supplier<Optional<T>> question) {
      Instant begun = clock.instant();
      Optional<T> told = Optional.empty();
      try {
        told = question.get();
        return told;
      } finally {
        if (told.isEmpty() && clock.instant().isAfter(begun.plus(LONG))) {
          silent.add(network);
        }
      }
    }
  }

  /**
   * How long a payment is left alone between two questions to its chain: half as long as it has
   * been unresolved, so that the pauses grow with it.
   *
   * @param shortest the first pause
   * @param longest no pause is longer
   */
  public record Backoff(Duration shortest, Duration longest) {

    private static final int SHARE = 2;

    public Backoff {
      if (shortest.isNegative() || shortest.isZero() || shortest.compareTo(longest) > 0) {
        throw new IllegalArgumentException("the shortest pause is above 0 and up to the longest");
      }
    }

    /** Two seconds at first, five minutes in the end. */
    public static Backoff defaults() {
      return new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5));
    }

    /** When to ask again of one that has been unresolved since then. */
    Instant after(Instant since, Instant now) {
      Duration wished = Duration.between(since, now).dividedBy(SHARE);
      if (wished.compareTo(shortest) < 0) {
        return now.plus(shortest);
      }
      return now.plus(wished.compareTo(longest) > 0 ? longest : wished);
    }
  }
}
