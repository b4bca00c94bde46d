package dev.octroi.payments.jaxrs;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PaymentsMisconfigured;
import dev.octroi.payments.flow.PaidCall;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.jaxrs.PaidMethods.MethodTerms;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentHeaders;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Providers;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the {@link dev.octroi.payments.Paid} methods of a JAX-RS application cost what they say.
 *
 * <p>It registers providers and nothing else; resource classes belong to the host's {@code
 * Application}, which returns an instance of this feature from {@code getSingletons} or registers
 * it. The same {@link Payments} may serve several applications.
 */
public final class PaymentsFeature implements Feature {

  private final Payments payments;

  public PaymentsFeature(Payments payments) {
    this.payments = payments;
  }

  /** Throws {@link PaymentsMisconfigured} if a price of the application is wrong. */
  @Override
  public boolean configure(FeatureContext context) {
    PaymentFlow flow = payments.flow();
    PriceTable prices = new PriceTable(flow.settings().tariffs());
    DeploymentCheck check = new DeploymentCheck(prices, flow.settings().strict());
    requireSound(context.getConfiguration(), check);
    context.register(new ReceivedTarget());
    context.register(new ReceivedMethod());
    context.register(new PaidMethods(flow, prices, check));
    context.register(new AnswerFilter(flow, prices));
    context.register(new DeliveryInterceptor(flow));
    context.register(new CallRefusedMapper());
    return true;
  }

  /** What is known of the resources at this point is judged at once, the rest class by class. */
  private static void requireSound(Configuration application, DeploymentCheck check) {
    List<String> problems =
        Stream.concat(
                application.getClasses().stream(),
                application.getInstances().stream().map(Object::getClass))
            .filter(type -> type.isAnnotationPresent(Path.class))
            .distinct()
            .flatMap(type -> check.problems(type).stream())
            .sorted()
            .toList();
    if (!problems.isEmpty()) {
      throw new PaymentsMisconfigured(problems);
    }
  }

  /** Answers what a method throws whose payment could not be settled before its effect. */
  private static final class CallRefusedMapper implements ExceptionMapper<CallRefused> {

    @Override
    public Response toResponse(CallRefused refused) {
      return JaxrsAnswer.response(refused.answer());
    }
  }

  /** The last filter before matching: sees the HTTP method before a container rewrites it. */
  @Priority(Integer.MAX_VALUE)
  @PreMatching
  private static final class ReceivedMethod implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      JaxrsExchange.noteMethod(request);
    }
  }

  /**
   * The first filter of all: notes the path and query that were asked for, before a filter turns an
   * alias into the path that it stands for. A payer knows no other address.
   */
  @Priority(Integer.MIN_VALUE)
  @PreMatching
  static final class ReceivedTarget implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      JaxrsExchange.noteTarget(request);
    }
  }

  /**
   * The outermost writer but for what a gateway puts around it: an answer whose bytes were flushed
   * counts as delivered; one whose writing failed stays to be had with the same payment.
   */
  @Priority(Integer.MIN_VALUE + 1)
  static final class DeliveryInterceptor implements WriterInterceptor {

    private final PaymentFlow flow;

    DeliveryInterceptor(PaymentFlow flow) {
      this.flow = flow;
    }

    @Override
    public void aroundWriteTo(WriterInterceptorContext writing) throws IOException {
      Optional<PaidCall> call = CallProperties.call(writing);
      boolean arrived = false;
      try {
        writing.proceed();
        if (call.isPresent()) {
          writing.getOutputStream().flush();
        }
        arrived = true;
      } finally {
        call.ifPresent(arrived ? flow::delivered : flow::undelivered);
        CallProperties.gated(writing).ifPresent(gated -> gated.call().close());
      }
    }
  }

  /**
   * The last response filter that changes anything: whatever the host's filters made of an answer
   * is what is judged. The priority stands in an annotation because Jersey ignores one below 1 that
   * is given in {@code register}.
   *
   * <p>It also withholds the answer of a paid method that never was looked at by payments, which
   * happens where a container resolves sub-resources without asking dynamic features.
   */
  @Priority(AnswerFilter.LAST)
  static final class AnswerFilter implements ContainerResponseFilter {

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
      CallProperties.again(request).ifPresent(sold -> JaxrsAnswer.replace(response, sold));
      if (paid.isPresent()) {
        takeOff(PaymentHeaders.OF_ANSWERS, response);
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
        if (!response.hasEntity()) {
          gated.get().call().close();
        } else if (!(response.getEntity() instanceof StreamingOutput)) {
          // A stream may wait for what it writes; it has ended once it is written.
          gated.get().call().leaves();
        }
      } else if (isOfPaidMethod(request, response)) {
        LOG.error("A paid method answered without a payment; its answer was withheld");
        JaxrsAnswer.replace(response, HttpAnswer.error(500, "The answer could not be charged."));
      }
      takeOff(Payment.MARKS, response);
    }

    private static void takeOff(List<String> names, ContainerResponseContext response) {
      MultivaluedMap<String, Object> headers = response.getHeaders();
      for (String name : List.copyOf(headers.keySet())) {
        if (names.stream().anyMatch(name::equalsIgnoreCase)) {
          // CXF keeps names that differ in case side by side, shows one, and removes one at a time.
          while (headers.containsKey(name)) {
            headers.remove(name);
          }
        }
      }
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
}
