package dev.octroi.payments.jaxrs;

import dev.octroi.payments.Deferral;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A host whose meals are ordered by one call and paid for by the one that finds them done. */
@Path("/orders")
public final class Kitchen {

  static final Usd PRICE = Usd.parse("0.03");

  /** One meal; its payment is changed by compare-and-set. */
  static final class Order {

    private final String owner;
    private final Optional<String> submitted;
    private volatile boolean done;
    private volatile Optional<PaymentUse> active = Optional.empty();

    Order(String owner, Optional<String> submitted) {
      this.owner = owner;
      this.submitted = submitted;
    }

    synchronized boolean take(PaymentUse use, PaymentStatuses paymentStatuses) {
      boolean free =
          active
              .filter(held -> !held.equals(use) && paymentStatuses.of(held) != PaymentStatus.DEAD)
              .isEmpty();
      active = free ? Optional.of(use) : active;
      return free;
    }

    void done() {
      done = true;
    }
  }

  /** Prices what was ordered. */
  static final class Menu implements Tariff {

    private final Kitchen kitchen;

    Menu(Kitchen kitchen) {
      this.kitchen = kitchen;
    }

    @Override
    public Usd price(PricedRequest request) {
      Order order = kitchen.orders.get(request.pathParameters().get("id").get(0));
      if (order == null) {
        throw new NotFoundException(Response.status(404).entity("no such order").build());
      }
      boolean due = order.done && kitchen.paid(order).isEmpty();
      request.note(new Deferral(order.owner, PRICE, due, order.submitted, order.active));
      return PRICE;
    }
  }

  final Map<String, Order> orders = new ConcurrentHashMap<>();
  final AtomicInteger runs = new AtomicInteger();
  volatile CountDownLatch gate = new CountDownLatch(0);
  private final PaymentStatuses paymentStatuses;

  Kitchen(PaymentStatuses paymentStatuses) {
    this.paymentStatuses = paymentStatuses;
  }

  private Optional<String> paid(Order order) {
    return order.active.flatMap(paymentStatuses::transaction);
  }

  @POST
  @Paid("0.03")
  @Produces(MediaType.TEXT_PLAIN)
  public Response order(@Context SecurityContext security) {
    Payment payment = Payment.of(security.getUserPrincipal()).orElseThrow();
    String id = UUID.randomUUID().toString();
    orders.put(id, new Order(payment.owner(), payment.envelope()));
    return Response.accepted(id).header(Payment.UNCHARGED, "true").build();
  }

  @GET
  @Path("{id}")
  @Paid(by = Menu.class, settle = Settle.LATER)
  @Produces(MediaType.TEXT_PLAIN)
  public Response poll(@PathParam("id") String id, @Context SecurityContext security)
      throws InterruptedException {
    runs.incrementAndGet();
    Order order = orders.get(id);
    Optional<Payment> payment = Payment.of(security.getUserPrincipal());
    if (payment.isEmpty()) {
      return paid(order)
          .map(transaction -> Response.ok("already " + transaction).build())
          .orElseGet(() -> Response.accepted("cooking").build());
    }
    gate.await();
    if (!order.take(payment.get().use(), paymentStatuses)) {
      return Response.status(503).header("Retry-After", 1).entity("taken").build();
    }
    payment.get().settle();
    return Response.ok("settled " + payment.get().transaction()).build();
  }
}
