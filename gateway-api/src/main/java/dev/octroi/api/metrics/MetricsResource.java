package dev.octroi.api.metrics;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.metrics.MetricsGate.MetricsReadersOnly;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.util.Optional;

/** What this node counts, in Prometheus's text form; 404 where nothing is counted. */
@Path("/metrics")
@MetricsReadersOnly
public class MetricsResource {

  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final Scrape scrape;

  public MetricsResource(@Context Providers providers) {
    scrape = Mounted.of(providers, Scrape.class);
  }

  @GET
  @Free
  @Produces("text/plain;charset=utf-8")
  @Described(value = "What this node counts, for Prometheus", answerTypes = "text/plain")
  public Response metrics() {
    return scrape
        .metrics()
        .map(
            known ->
                Response.ok(known.scrape(), TEXT)
                    .header(HttpHeaders.CACHE_CONTROL, "no-store")
                    .build())
        .orElseGet(() -> ErrorAnswer.flat(404, "There is no such path.").response());
  }

  /**
   * What there is to read.
   *
   * @param metrics empty where nothing is counted
   */
  public record Scrape(Optional<GatewayMetrics> metrics) {}
}
