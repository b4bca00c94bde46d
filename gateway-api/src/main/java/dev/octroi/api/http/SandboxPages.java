package dev.octroi.api.http;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.group.Addressed;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.Optional;

/**
 * Keeps web pages of other sites from sandbox money that is served on a loopback address: they
 * could drive everything that runs on a developer's machine for it. Before anything is matched, so
 * that nothing is reached. Not registered where money is real: that is taken from every page.
 */
@PreMatching
public final class SandboxPages implements ContainerRequestFilter {

  private final PageRule rule;
  private final ResourceUrl addresses;
  private final InnerCalls inner;

  /**
   * Sets it up.
   *
   * @param addresses tells the host that a trusted proxy was called by
   * @param inner what this process calls of itself
   */
  public SandboxPages(PageRule rule, ResourceUrl addresses, InnerCalls inner) {
    this.rule = rule;
    this.addresses = addresses;
    this.inner = inner;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    Exchange exchange = JaxrsExchange.of(request);
    if (Addressed.isOurs(exchange)) {
      refusal(exchange).ifPresent(refusal -> request.abortWith(answer(refusal).response()));
    }
  }

  /** Why a request is not served; empty if it is. */
  public Optional<PageRule.Refusal> refusal(Exchange request) {
    if (inner.made(request)) {
      return Optional.empty();
    }
    return rule.refusal(request)
        .or(
            () ->
                addresses
                    .forwardedHost(request)
                    .flatMap(host -> rule.refusal(host, request::header)));
  }

  /** What its caller is told. */
  public static ErrorAnswer answer(PageRule.Refusal refusal) {
    return ErrorAnswer.flat(403, message(refusal));
  }

  private static String message(PageRule.Refusal refusal) {
    return switch (refusal) {
      case HOST ->
          "Sandbox money on a loopback address is served by this machine's own names only; list"
              + " further hosts in gateway.http.hosts.";
      case PAGE ->
          "Sandbox money on a loopback address is served to web pages of this machine only; list"
              + " further origins in gateway.sandbox.allowed-origins.";
    };
  }
}
