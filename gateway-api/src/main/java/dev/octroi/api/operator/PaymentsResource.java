package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Page;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.PaymentRecords.PaymentRecord;
import dev.octroi.payments.ledger.jdbc.PaymentRecords.PaymentSearch;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Payments: finding them, and deciding those whose end the gateway has not seen. */
@Path("/admin/v1/payments")
@OperatorOnly
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class PaymentsResource {

  private static final Duration WINDOW = Duration.ofDays(7);
  private static final int LONGEST = 256;

  private final OperatorServices services;

  public PaymentsResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  PaymentsResource(OperatorServices services) {
    this.services = services;
  }

  record Why(@Nullable String reason) {}

  /** What is open, and the networks that the gateway cannot ask about it. */
  record OpenPage(List<Open> data, List<String> unread) {}

  record Open(
      UUID id,
      Instant since,
      boolean sent,
      String network,
      String payer,
      String nonce,
      dev.octroi.payments.Usd amount,
      Instant validBefore,
      @Nullable String transaction) {

    static Open of(UnresolvedPayment payment) {
      return new Open(
          payment.id(),
          payment.since(),
          payment.sent(),
          payment.key().network(),
          payment.key().payer(),
          payment.key().nonce(),
          new dev.octroi.payments.Usd(payment.amount()),
          payment.validBefore(),
          payment.transaction());
    }
  }

  /** Those claimed in the last 7 days unless {@code since} and {@code until} say otherwise. */
  @GET
  @Free
  public byte[] find(@Context UriInfo uri) {
    Query query = new Query(uri);
    Instant until = query.time("until").orElseGet(() -> services.clock().instant().plusSeconds(1));
    PaymentSearch search =
        new PaymentSearch(
            word(query, "payer"),
            word(query, "nonce"),
            word(query, "transaction"),
            word(query, "requestId"),
            query.id("key"),
            query.text("state").map(PaymentsResource::state),
            word(query, "group"),
            word(query, "path"),
            query.time("since").orElseGet(() -> until.minus(WINDOW)),
            until);
    Optional<PaymentRecord> after = query.cursorId().map(id -> payment(id));
    return HouseJson.of(
        Page.of(
            found(search, after, query.limit()),
            query.limit(),
            payment -> Query.cursorOf(payment.id()),
            PaymentView::of));
  }

  private List<PaymentRecord> found(
      PaymentSearch search, Optional<PaymentRecord> after, int limit) {
    try {
      return services.records().find(search, after, limit);
    } catch (IllegalArgumentException e) {
      throw Refused.invalid("A payer or nonce is 0x-hex, or the text of its chain.");
    }
  }

  private static PaymentState state(String word) {
    for (PaymentState state : PaymentState.values()) {
      if (state.name().toLowerCase(Locale.ROOT).equals(word)) {
        return state;
      }
    }
    throw Refused.invalid(
        "The parameter 'state' must be claimed, settling, settled, failed, released or in_doubt.");
  }

  private static Optional<String> word(Query query, String name) {
    return query
        .text(name)
        .map(
            text -> {
              if (text.length() > LONGEST) {
                throw Refused.invalid("The parameter '" + name + "' is too long.");
              }
              return text;
            });
  }

  @GET
  @Path("unresolved")
  @Free
  public byte[] unresolved(@Context UriInfo uri) {
    int limit = new Query(uri).limit();
    Instant now = services.clock().instant().plusSeconds(1);
    OpenEnds ends = services.unresolved();
    return HouseJson.of(
        new OpenPage(
            ends.payments().since(now, limit).stream().map(Open::of).toList(), ends.unread()));
  }

  @GET
  @Path("{id}")
  @Free
  public byte[] show(@PathParam("id") String id) {
    return shown(Query.pathId(id));
  }

  /** Asks the chain now what became of a payment; why may be said. */
  @POST
  @Path("{id}/redrive")
  @Free
  public byte[] redrive(@PathParam("id") String id, byte[] body) {
    UUID payment = Query.pathId(id);
    services
        .unresolved()
        .redrive(payment, body.length == 0 ? null : HouseJson.read(body, Why.class).reason());
    return shown(payment);
  }

  /** Gives up a payment that can settle no more, and says why. */
  @POST
  @Path("{id}/write-off")
  @Free
  public byte[] writeOff(@PathParam("id") String id, byte[] body) {
    UUID payment = Query.pathId(id);
    services.unresolved().writeOff(payment, HouseJson.read(body, Why.class).reason());
    return shown(payment);
  }

  private byte[] shown(UUID id) {
    PaymentRecord payment = payment(id);
    return HouseJson.of(PaymentView.with(payment, services.records().journal(payment)));
  }

  private PaymentRecord payment(UUID id) {
    return services
        .records()
        .payment(id)
        .orElseThrow(() -> Refused.unknown("There is no such payment."));
  }
}
