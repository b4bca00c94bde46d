package dev.octroi.api.metrics;

import dev.octroi.api.house.Mounted;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Hands the figures to their resource, on every implementation and without injection. */
public final class MetricsResolver implements ContextResolver<Scrape> {

  private final Scrape scrape;

  /**
   * @param metrics empty where nothing is counted
   */
  public MetricsResolver(Optional<GatewayMetrics> metrics) {
    this.scrape = new Scrape(metrics);
  }

  static Scrape of(Providers providers) {
    return Mounted.of(providers, Scrape.class);
  }

  @Override
  public @Nullable Scrape getContext(Class<?> type) {
    return type == Scrape.class ? scrape : null;
  }
}
