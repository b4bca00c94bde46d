package dev.octroi.api.metrics;

import jakarta.ws.rs.core.MediaType;
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
    ContextResolver<Scrape> resolver =
        providers.getContextResolver(Scrape.class, MediaType.WILDCARD_TYPE);
    Scrape scrape = resolver == null ? null : resolver.getContext(Scrape.class);
    if (scrape == null) {
      throw new IllegalStateException("register a GatewayFeature beside the gateway's resources");
    }
    return scrape;
  }

  @Override
  public @Nullable Scrape getContext(Class<?> type) {
    return type == Scrape.class ? scrape : null;
  }
}
