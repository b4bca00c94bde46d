package dev.octroi.api.metrics;

import dev.octroi.payments.Daemons;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.UnresolvedFigures;
import dev.octroi.services.HostThreads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where money stands: payments whose end the gateway has not seen, what channels owe, facilitators,
 * what is left for gas. Read every 15 seconds on a thread of its own, never while a scrape waits
 * for the figures. Thread-safe.
 */
public final class MoneyFigures implements MeterBinder, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MoneyFigures.class);
  private static final Duration PAUSE = Duration.ofSeconds(15);
  private static final int DECIMALS_OF_ETHER = 18;
  private static final List<PaymentState> UNRESOLVED =
      List.of(PaymentState.IN_DOUBT, PaymentState.SETTLING);

  private final UnresolvedFigures unresolved;
  private final List<Facilitator> facilitators;
  private final Clock clock;
  private final ScheduledExecutorService thread = HostThreads.OF_THE_JVM.clock("octroi-figures");
  private volatile Map<PaymentState, UnresolvedFigures.Figure> known = Map.of();
  private volatile UnresolvedFigures.OwedByChannels owed =
      new UnresolvedFigures.OwedByChannels(0, 0);
  private volatile long readAt;

  public MoneyFigures(UnresolvedFigures unresolved, List<Facilitator> facilitators, Clock clock) {
    this.unresolved = unresolved;
    this.facilitators = List.copyOf(facilitators);
    this.clock = clock;
    this.readAt = clock.millis();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (PaymentState state : UNRESOLVED) {
      Tags tags = Tags.of("state", state.name().toLowerCase(Locale.ROOT));
      gauge("octroi.payments.unresolved", tags, figures -> figures.count(state))
          .description("Payments whose end no node has seen")
          .register(registry);
      TimeGauge.builder(
              "octroi.payments.unresolved.oldest",
              this,
              TimeUnit.MILLISECONDS,
              figures -> figures.age(state))
          .description("How long the oldest of them has been so; zero if there is none")
          .tags(tags)
          .register(registry);
    }
    gauge("octroi.channels.unclaimed", Tags.empty(), figures -> figures.owed.channels())
        .description("Channels that owe something which is not claimed yet")
        .register(registry);
    gauge("octroi.channels.owed.micros", Tags.empty(), figures -> figures.owed.micros())
        .description("What they owe, in millionths of a dollar")
        .register(registry);
    TimeGauge.builder(
            "octroi.money.figures.age", this, TimeUnit.MILLISECONDS, figures -> figures.staleness())
        .description("How old the figures about money are")
        .register(registry);
    facilitators.forEach(
        facilitator ->
            facilitator
                .networks()
                .forEach(
                    network ->
                        Gauge.builder(
                                "octroi.facilitator.usable",
                                facilitator,
                                one -> one.isUsable(network) ? 1 : 0)
                            .description(
                                "Whether payments of a network can be verified and settled")
                            .tag("network", network)
                            .register(registry)));
    MultiGauge gas =
        MultiGauge.builder("octroi.relayer.balance")
            .description("What wallets that pay for gas have left, in whole coins of the chain")
            .register(registry);
    MultiGauge given =
        MultiGauge.builder("octroi.approvals.given")
            .description("What payers were given for gas in 24 hours, in whole coins of the chain")
            .register(registry);
    var unused =
        thread.scheduleWithFixedDelay(
            Daemons.guarded("Reading the figures about money", () -> read(gas, given)),
            0,
            PAUSE.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private Gauge.Builder<MoneyFigures> gauge(
      String name, Tags tags, ToDoubleFunction<MoneyFigures> value) {
    return Gauge.builder(name, this, value).tags(tags);
  }

  private double count(PaymentState state) {
    UnresolvedFigures.Figure figure = known.get(state);
    return figure == null ? 0 : figure.count();
  }

  private double age(PaymentState state) {
    UnresolvedFigures.Figure figure = known.get(state);
    return figure == null ? 0 : Math.max(0, clock.millis() - figure.oldest().toEpochMilli());
  }

  private double staleness() {
    return Math.max(0, clock.millis() - readAt);
  }

  private void read(MultiGauge gas, MultiGauge given) {
    try {
      Map<PaymentState, UnresolvedFigures.Figure> now = new EnumMap<>(PaymentState.class);
      unresolved.now().forEach(figure -> now.put(figure.state(), figure));
      known = now;
      owed = unresolved.owed();
      readAt = clock.millis();
    } catch (LedgerUnavailable e) {
      LOG.debug("The figures about money stay as they are", e);
    }
    gas.register(rows("wallet", Facilitator::gasMoney), true);
    given.register(rows("state", Facilitator::gasGiven), true);
  }

  private List<MultiGauge.Row<?>> rows(
      String tag, Function<Facilitator, Map<String, BigInteger>> asked) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (Facilitator facilitator : facilitators) {
      asked
          .apply(facilitator)
          .forEach((value, wei) -> rows.add(MultiGauge.Row.of(Tags.of(tag, value), coins(wei))));
    }
    return rows;
  }

  private static double coins(BigInteger smallest) {
    return new BigDecimal(smallest, DECIMALS_OF_ETHER).doubleValue();
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
