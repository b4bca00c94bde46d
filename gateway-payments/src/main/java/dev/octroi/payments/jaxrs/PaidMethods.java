package dev.octroi.payments.jaxrs;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.PaymentsMisconfigured;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.flow.IncomingCall;
import dev.octroi.payments.flow.PaidCall;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.jaxrs.PriceTable.PricedMethod;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Puts payments before every paid method at deployment, and fails it where a price is wrong. */
final class PaidMethods implements DynamicFeature {

  private final PaymentFlow flow;
  private final PriceTable prices;
  private final DeploymentCheck check;
  private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

  PaidMethods(PaymentFlow flow, PriceTable prices, DeploymentCheck check) {
    this.flow = flow;
    this.prices = prices;
    this.check = check;
  }

  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    Class<?> type = resource.getResourceClass();
    if (checked.add(type)) {
      List<String> problems = check.problems(type);
      if (!problems.isEmpty()) {
        throw new PaymentsMisconfigured(problems);
      }
    }
    if (prices.terms(type, resource.getResourceMethod()) instanceof MethodTerms.Priced priced) {
      context.register(new PaidRequestFilter(flow, priced.method()), Priorities.AUTHENTICATION);
    }
  }

  /** Stands before one paid method. */
  static final class PaidRequestFilter implements ContainerRequestFilter {

    private final PaymentFlow flow;
    private final PricedMethod method;

    PaidRequestFilter(PaymentFlow flow, PricedMethod method) {
      this.flow = flow;
      this.method = method;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      IncomingCall call = flow.incoming(JaxrsExchange.of(request));
      CallProperties.gated(request, new CallProperties.Gated(call, method.produces()));
      try {
        Optional<PaidCall> paid = flow.admit(call, method.endpoint());
        paid.ifPresent(it -> CallProperties.begin(request, it));
        if (request.getProperty(SignedInWallet.PROPERTY) instanceof SignedInWallet wallet) {
          request.setSecurityContext(
              new CallerSecurity(wallet, SignedInWallet.SCHEME, request.getSecurityContext()));
        }
        paid.flatMap(PaidCall::replay).ifPresent(sold -> answer(request, sold));
      } catch (CallRefused refused) {
        answer(request, refused.answer());
      }
    }

    /**
     * Answers in place of the method. What was sold before has been through the host's filters:
     * they see it without its body, which follows them.
     */
    private static void answer(ContainerRequestContext request, HttpAnswer answer) {
      HttpAnswer shown = answer;
      if (answer.status() < 400) {
        CallProperties.again(request, answer);
        shown = new HttpAnswer(answer.status(), answer.headers(), new byte[0]);
      }
      request.abortWith(JaxrsAnswer.response(shown));
    }
  }

  /** What the annotations say of a resource method. */
  sealed interface MethodTerms {

    /** It is {@code @Paid}. */
    record Priced(PricedMethod method) implements MethodTerms {}

    /** It is {@code @Free}. */
    record Free() implements MethodTerms {}

    /** It is neither, which only a lenient deployment accepts. */
    record Undeclared() implements MethodTerms {}

    /** It is annotated wrongly. */
    record Wrong(String problem) implements MethodTerms {}
  }
}
