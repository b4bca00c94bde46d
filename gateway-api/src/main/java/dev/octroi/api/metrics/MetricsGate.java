package dev.octroi.api.metrics;

import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.http.PageRule;
import dev.octroi.api.http.TrustedProxies.KnownAddresses;
import dev.octroi.api.metrics.MetricsGate.MetricsReadersOnly;
import dev.octroi.api.operator.OperatorGate;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

/**
 * Lets those pass who may read figures: listed addresses that call by themselves, and callers with
 * the operator's token. What a proxy forwards comes from the proxy's address, which is often a
 * listed one, and so needs the token; so does a web page of another site in a browser on this
 * machine.
 */
@MetricsReadersOnly
public final class MetricsGate implements ContainerRequestFilter {

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
