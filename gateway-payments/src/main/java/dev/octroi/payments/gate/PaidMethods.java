package dev.octroi.payments.gate;

import dev.octroi.payments.PaymentsMisconfigured;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Puts the gate before every paid method at deployment, and fails it where a price is wrong. */
final class PaidMethods implements DynamicFeature {

  private final PaymentGate gate;
  private final PriceTable prices;
  private final DeploymentCheck check;
  private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

  PaidMethods(PaymentGate gate, PriceTable prices, DeploymentCheck check) {
    this.gate = gate;
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
      context.register(new PaidRequestFilter(gate, priced.method()), Priorities.AUTHENTICATION);
    }
  }
}
