package dev.octroi.api.metrics;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.http.PageRule;
import dev.octroi.api.http.TrustedProxies.KnownAddresses;
import dev.octroi.api.metrics.MetricsResource.MetricsGate.MetricsReadersOnly;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.operator.OperatorGate;
import dev.octroi.payments.Free;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
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

  /**
   * Lets those pass who may read figures: listed addresses that call by themselves, and callers
   * with the operator's token. What a proxy forwards comes from the proxy's address, which is often
   * a listed one, and so needs the token; so does a web page of another site in a browser on this
   * machine.
   */
  @MetricsReadersOnly
  public static final class MetricsGate implements ContainerRequestFilter {

    private static final List<String> OF_PROXIES =
        List.of("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via");

    private final KnownAddresses readers;
    private final PageRule pages;
    private final OperatorGate operators;

    /**
     * Sets it up.
     *
     * @param pages which web pages may read what this machine may
     */
    public MetricsGate(KnownAddresses readers, PageRule pages, OperatorGate operators) {
      this.readers = readers;
      this.pages = pages;
      this.operators = operators;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      if (!isReader(request)) {
        operators.filter(request);
      }
    }

    private boolean isReader(ContainerRequestContext request) {
      return OF_PROXIES.stream().allMatch(name -> request.getHeaderString(name) == null)
          && ClientAddress.direct(JaxrsExchange.of(request))
              .filter(readers::contains)
              .filter(
                  address ->
                      !OwnHosts.isLoopback(address)
                          || pages.refusal(JaxrsExchange.of(request)).isEmpty())
              .isPresent();
    }

    /** Puts {@link MetricsGate} before a resource. */
    @NameBinding
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface MetricsReadersOnly {}
  }
}
