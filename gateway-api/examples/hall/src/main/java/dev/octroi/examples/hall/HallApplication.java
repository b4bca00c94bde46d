package dev.octroi.examples.hall;

import dev.octroi.payments.jaxrs.PaymentsFeature;
import dev.octroi.payments.setup.Payments;
import jakarta.ws.rs.core.Application;
import java.util.Set;
import org.glassfish.jersey.internal.inject.AbstractBinder;

/** The hall's resources and, beside them, what makes their prices count. */
final class HallApplication extends Application {

  private final Payments payments;
  private final Seats seats;

  HallApplication(Payments payments, Seats seats) {
    this.payments = payments;
    this.seats = seats;
  }

  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(Goods.class);
  }

  /** The deprecated way is the only one that hands over instances on every implementation. */
  @Override
  @SuppressWarnings("deprecation")
  public Set<Object> getSingletons() {
    return Set.of(new PaymentsFeature(payments), new Stock(seats));
  }

  /** Jersey's own way to give the resources what they work with. */
  private static final class Stock extends AbstractBinder {

    private final Seats seats;

    Stock(Seats seats) {
      this.seats = seats;
    }

    @Override
    protected void configure() {
      bind(seats).to(Seats.class);
    }
  }
}
