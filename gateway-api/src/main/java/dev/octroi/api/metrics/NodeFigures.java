package dev.octroi.api.metrics;

import dev.octroi.api.limit.Limits;
import dev.octroi.api.limit.Limits.Limit;
import dev.octroi.payments.flow.SignIns;
import dev.octroi.payments.flow.SignIns.SignInOutcome;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.setup.Payments;
import dev.octroi.services.read.Reads.CacheFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What this node does at the moment, read from its parts at each scrape, which costs them nothing.
 *
 * @param caches of read answers, by group
 */
public record NodeFigures(
    Payments payments, JdbcLedger ledger, Limits limits, Map<String, Supplier<CacheFigures>> caches)
    implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "octroi.calls.in.flight", "Paid calls in flight", Payments::callsInFlight);
    gauge(
        registry,
        "octroi.credit.micros",
        "What is being delivered to payers that signed a ceiling, in millionths of a dollar",
        one -> one.flow().onCredit().micros());
    ledgerGauge(registry, "octroi.ledger.queue", "Changes that wait", one -> one.pulse().queued());
    ledgerGauge(
        registry,
        "octroi.ledger.alive",
        "Whether this node's heartbeat reaches the database",
        one -> one.pulse().alive() ? 1 : 0);
    ledgerGauge(registry, "octroi.nodes", "Nodes that live", one -> one.pulse().nodes());
    for (Limit limit : Limit.values()) {
      FunctionCounter.builder("octroi.limits.hit", limits, one -> one.hits(limit))
          .description("Calls that a limit refused")
          .tag("limit", limit.word())
          .register(registry);
    }
    payments.signIns().ifPresent(signIns -> bind(registry, signIns));
    FunctionCounter.builder("octroi.requests.broken", limits, Limits::broken)
        .description("Requests that broke off, or that the server could not read")
        .register(registry);
    caches.forEach((group, cache) -> bind(registry, group, cache));
  }

  private static void bind(MeterRegistry registry, SignIns signIns) {
    for (SignInOutcome outcome : SignInOutcome.values()) {
      FunctionCounter.builder("octroi.sign.ins", signIns, one -> one.count(outcome))
          .description("Messages that wallets signed to see what they paid for")
          .tag("outcome", outcome.word())
          .register(registry);
    }
  }

  private static void bind(MeterRegistry registry, String group, Supplier<CacheFigures> cache) {
    reads(registry, group, "hit", cache, CacheFigures::hits);
    reads(registry, group, "miss", cache, CacheFigures::misses);
  }

  private static void reads(
      MeterRegistry registry,
      String group,
      String result,
      Supplier<CacheFigures> cache,
      ToDoubleFunction<CacheFigures> count) {
    FunctionCounter.builder("octroi.cache.reads", cache, one -> count.applyAsDouble(one.get()))
        .description("Reads by whether a fresh answer was in memory")
        .tag("group", group)
        .tag("result", result)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String about, ToDoubleFunction<Payments> value) {
    Gauge.builder(name, payments, value).description(about).register(registry);
  }

  private void ledgerGauge(
      MeterRegistry registry, String name, String about, ToDoubleFunction<JdbcLedger> value) {
    Gauge.builder(name, ledger, value).description(about).register(registry);
  }
}
