package dev.octroi.examples.hall;

import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import jakarta.inject.Inject;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.SecurityContext;
import java.sql.SQLException;
import java.util.Locale;

/** What the hall sells: ordinary JAX-RS methods with a price. */
@Path("/")
public final class Goods {

  private final Seats seats;

  @Inject
  public Goods(Seats seats) {
    this.seats = seats;
  }

  /** Says what there is. */
  @GET
  @Free
  @Produces(MediaType.TEXT_PLAIN)
  public String index() {
    return "GET /report\nPOST /shout\nPOST /seats\n";
  }

  /** A fixed price, charged when the answer is there. */
  @Produces(MediaType.APPLICATION_JSON)
  @GET
  @Path("/report")
  @Paid("0.01")
  public Report report() {
    return new Report("Lisbon", 4_711);
  }

  /** A price that depends on what is sent. */
  @POST
  @Path("/shout")
  @Paid(by = PerWord.class)
  @Produces(MediaType.TEXT_PLAIN)
  public String shout(String text) {
    return text.strip().toUpperCase(Locale.ROOT) + "\n";
  }

  /**
   * An effect that lasts: paid for before it is final, and found again by the same payment.
   *
   * <p>The seat is held first, so that the payer does not pay for one that is gone.
   */
  @POST
  @Path("/seats")
  @Paid(value = "0.50", settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Produces(MediaType.TEXT_PLAIN)
  public String seat(@Context SecurityContext security) throws SQLException {
    Payment payment = Payment.of(security.getUserPrincipal()).orElseThrow();
    int seat =
        seats
            .hold(payment.id())
            .orElseThrow(() -> new ClientErrorException("sold out", Status.CONFLICT));
    if (!payment.isSettled()) {
      settle(payment);
    }
    return "seat " + seat + "\n";
  }

  /** A payment in doubt (503) keeps its seat, because it may have been charged. */
  private void settle(Payment payment) throws SQLException {
    try {
      payment.settle();
    } catch (WebApplicationException e) {
      if (e.getResponse().getStatus() == Status.PAYMENT_REQUIRED.getStatusCode()) {
        seats.release(payment.id());
      }
      throw e;
    }
  }
}
