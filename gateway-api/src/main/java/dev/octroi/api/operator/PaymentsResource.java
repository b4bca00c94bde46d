package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.jdbc.PaymentRecords.JournalLine;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
            query.one("state", PaymentState.class),
            word(query, "group"),
            word(query, "path"),
            query.time("since").orElseGet(() -> until.minus(WINDOW)),
            until);
    Optional<PaymentRecord> after = query.cursorId().map(id -> payment(id));
    return HouseJson.of(
        query.page(found(search, after, query.limit()), PaymentRecord::id, PaymentView::of));
  }

  private List<PaymentRecord> found(
      PaymentSearch search, Optional<PaymentRecord> after, int limit) {
    try {
      return services.records().find(search, after, limit);
    } catch (IllegalArgumentException e) {
      throw Refused.invalid("A payer or nonce is 0x-hex, or the text of its chain.");
    }
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

  /**
   * A payment as it is shown, with its timeline; the journal is null in lists.
   *
   * @param state claimed, settling, settled, failed, released or in_doubt
   * @param amount what it is for
   * @param charged what was charged if that is less
   * @param refunded the sum of its refunds, paid or not; null without one
   * @param refundOwed whether one of them is not paid yet
   * @param status HTTP status of the answer that was not charged; null if there is none
   * @param upstream the upstream that was asked last for that answer; null if none was
   */
  record PaymentView(
      UUID id,
      String state,
      String network,
      String payer,
      String nonce,
      Usd amount,
      @Nullable Usd charged,
      String asset,
      String payTo,
      @Nullable UUID key,
      @Nullable String group,
      String method,
      String path,
      @Nullable String requestId,
      @Nullable String transaction,
      @Nullable String reason,
      @Nullable Integer status,
      @Nullable String upstream,
      @Nullable Usd refunded,
      boolean refundOwed,
      boolean delivered,
      int attempt,
      Instant validBefore,
      List<Event> timeline,
      @Nullable List<Movement> journal) {

    record Event(Instant at, String what) {}

    record Movement(Instant at, String debit, String credit, Usd amount) {}

    static PaymentView of(PaymentRecord payment) {
      return of(payment, null);
    }

    static PaymentView with(PaymentRecord payment, List<JournalLine> journal) {
      return of(
          payment,
          journal.stream()
              .map(
                  line ->
                      new Movement(line.at(), line.debit(), line.credit(), new Usd(line.amount())))
              .toList());
    }

    private static PaymentView of(PaymentRecord payment, @Nullable List<Movement> journal) {
      return new PaymentView(
          payment.id(),
          word(payment.state()),
          payment.key().network(),
          payment.key().payer(),
          payment.key().nonce(),
          new Usd(payment.amount()),
          dollars(payment.charged()),
          payment.asset(),
          payment.payTo(),
          payment.apiKey(),
          payment.group(),
          payment.method(),
          payment.path(),
          payment.requestId(),
          payment.transaction(),
          payment.reason(),
          payment.status(),
          payment.upstream(),
          dollars(payment.refunded()),
          payment.refundOwed(),
          payment.delivered(),
          payment.attempt(),
          payment.times().validBefore(),
          timeline(payment),
          journal);
    }

    private static @Nullable Usd dollars(@Nullable Long micros) {
      return micros == null ? null : new Usd(micros);
    }

    private static List<Event> timeline(PaymentRecord payment) {
      PaymentRecord.Times times = payment.times();
      List<Event> events = new ArrayList<>();
      add(events, times.claimed(), "claimed");
      add(events, times.settling(), "settling");
      add(events, payment.doubtSince(), "in doubt");
      add(events, times.settled(), "settled");
      add(events, times.closed(), payment.state().equals("RELEASED") ? "released" : "failed");
      add(events, times.delivered(), "delivered");
      // A stable sort: what happened in one commit stays in the order of the states.
      events.sort(Comparator.comparing(Event::at));
      return events;
    }

    private static void add(List<Event> events, @Nullable Instant at, String what) {
      if (at != null) {
        events.add(new Event(at, what));
      }
    }

    private static String word(String state) {
      return state.toLowerCase(java.util.Locale.ROOT);
    }
  }
}
