package dev.octroi.payments.jaxrs;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.PaymentsMisconfigured;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.setup.Payments;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.List;
import java.util.stream.Stream;

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
}
