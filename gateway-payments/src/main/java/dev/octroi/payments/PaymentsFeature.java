package dev.octroi.payments;

import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Makes the {@link Paid} methods of a JAX-RS application cost what they say.
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
    payments.resources().register(context);
    return true;
  }
}
