package dev.octroi.payments.jaxrs;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.flow.PaidCall;
import dev.octroi.payments.flow.PaymentFlow;
import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last response filter that changes anything: whatever the host's filters made of an answer is
 * what is judged. The priority stands in an annotation because Jersey ignores one below 1 that is
 * given in {@code register}.
 *
 * <p>It also withholds the answer of a paid method that never was looked at by payments, which
 * happens where a container resolves sub-resources without asking dynamic features.
 */
@Priority(AnswerFilter.LAST)
final class AnswerFilter implements ContainerResponseFilter {

  /** After it come those that only look. */
  static final int LAST = Integer.MIN_VALUE + 1;

  private static final Logger LOG = LoggerFactory.getLogger(AnswerFilter.class);

  private final PaymentFlow flow;
  private final PriceTable prices;

  /** Injected by the container, which alone knows the host's message body writers. */
  @Context private @Nullable Providers providers;

  @Context private @Nullable ResourceInfo resource;

  AnswerFilter(PaymentFlow flow, PriceTable prices) {
    this.flow = flow;
    this.prices = prices;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    Optional<PaidCall> paid = CallProperties.call(request);
    Optional<CallProperties.Gated> gated = CallProperties.gated(request);
    if (paid.isPresent()) {
      flow.conclude(
          paid.get(),
          new JaxrsAnswer(
              request,
              response,
              Objects.requireNonNull(providers),
              gated.map(CallProperties.Gated::produces).orElse(List.of())));
    } else if (gated.isPresent()) {
      String stated = response.getHeaderString(HttpHeaders.CACHE_CONTROL);
      gated
          .get()
          .call()
          .caching(stated)
          .ifPresent(told -> response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, told));
      gated.get().call().close();
    } else if (isOfPaidMethod(request, response)) {
      LOG.error("A paid method answered without a payment; its answer was withheld");
      JaxrsAnswer.replace(response, HttpAnswer.error(500, "The answer could not be charged."));
    }
    Payment.MARKS.forEach(response.getHeaders()::remove);
  }

  private boolean isOfPaidMethod(
      ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getStatus() >= 400 || request.getUriInfo().getMatchedResources().isEmpty()) {
      return false;
    }
    return resource != null
        && resource.getResourceMethod() != null
        && prices.terms(resource.getResourceClass(), resource.getResourceMethod())
            instanceof MethodTerms.Priced;
  }
}
