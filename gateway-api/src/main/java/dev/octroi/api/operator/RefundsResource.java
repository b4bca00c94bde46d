package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.ledger.Refunds;
import dev.octroi.payments.ledger.Refunds.RefundResult;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Money that goes back to payers, and what is owed to them. */
@Path("/admin/v1/refunds")
@OperatorOnly
@Produces(MediaType.APPLICATION_JSON)
public class RefundsResource {

  private static final int MAX_TRANSACTION = 128;

  private final OperatorServices services;

  public RefundsResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  RefundsResource(OperatorServices services) {
    this.services = services;
  }

  /**
   * What is asked for.
   *
   * @param amount null: all that is left
   * @param requestKey null: the same amount for the same reason is asked once
   */
  record Asked(
      @Nullable UUID payment,
      @Nullable Usd amount,
      @Nullable String reason,
      @Nullable String requestKey) {}

  record Paid(@Nullable String transaction) {}

  record Page(List<Row> data) {}

  record Row(
      UUID id,
      UUID payment,
      String network,
      String payer,
      String asset,
      Usd amount,
      String state,
      String reason,
      @Nullable String transaction,
      @Nullable String note,
      Instant asked) {

    static Row of(Refund refund) {
      return new Row(
          refund.id(),
          refund.payment(),
          refund.network(),
          refund.payer(),
          refund.asset(),
          new Usd(refund.amount()),
          refund.state().name().toLowerCase(Locale.ROOT),
          refund.reason(),
          refund.transaction(),
          refund.note(),
          refund.asked());
    }
  }

  /** What is owed, or all refunds of {@code payment}. */
  @GET
  @Free
  public byte[] refunds(@Context UriInfo uri) {
    Query query = new Query(uri);
    Refunds refunds = services.books().refunds();
    List<Refund> found =
        query.id("payment").map(refunds::of).orElseGet(() -> refunds.open(query.limit()));
    return HouseJson.of(new Page(found.stream().map(Row::of).toList()));
  }

  @POST
  @Free
  public byte[] refund(byte[] body) {
    Asked asked = HouseJson.read(body, Asked.class);
    if (asked.payment() == null || asked.reason() == null) {
      throw Refused.invalid("A refund names its 'payment' and its 'reason'.");
    }
    RefundResult result;
    try {
      result =
          services
              .books()
              .refunds()
              .ask(
                  asked.payment(),
                  asked.amount() == null
                      ? OptionalLong.empty()
                      : OptionalLong.of(asked.amount().micros()),
                  asked.reason(),
                  asked.requestKey() == null ? key(asked) : asked.requestKey());
    } catch (IllegalArgumentException e) {
      throw Refused.invalid("The refund cannot be taken: " + e.getMessage() + ".");
    }
    return HouseJson.of(Row.of(noted(result)));
  }

  /** What is sent again because its answer was lost is the same refund. */
  private static String key(Asked asked) {
    String text = asked.amount() + " " + asked.reason();
    return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Refund noted(RefundResult result) {
    if (result instanceof RefundResult.Noted noted) {
      return noted.refund();
    }
    if (result instanceof RefundResult.Unknown) {
      throw Refused.unknown("There is no payment with this id.");
    }
    if (result instanceof RefundResult.TooMuch tooMuch) {
      throw Refused.of(409, "No more than " + new Usd(tooMuch.rest()) + " is left of the payment.");
    }
    if (result instanceof RefundResult.OtherAmount other) {
      throw Refused.of(
          409,
          "Under this 'requestKey', a refund of "
              + new Usd(other.refund().amount())
              + " was asked for before.");
    }
    if (result instanceof RefundResult.PaysForCalls) {
      throw Refused.of(
          409, "The payment is the transfer that pays for netted calls: refund these calls.");
    }
    throw Refused.of(409, "The payment has not settled, so there is nothing to give back.");
  }

  /** One refund, for those who change it. */
  byte[] show(String id) {
    return HouseJson.of(
        Row.of(
            services
                .books()
                .refunds()
                .find(Query.pathId(id))
                .orElseThrow(() -> Refused.unknown("There is no refund with this id."))));
  }

  /** The operator has paid what was owed, by a transaction of his own. */
  @POST
  @Path("{id}/paid")
  @Free
  public byte[] paid(@PathParam("id") String id, byte[] body) {
    String transaction = HouseJson.read(body, Paid.class).transaction();
    if (transaction == null || transaction.isBlank() || transaction.length() > MAX_TRANSACTION) {
      throw Refused.invalid("The 'transaction' that paid it has 1 to 128 characters.");
    }
    Refunds refunds = services.books().refunds();
    UUID named = Query.pathId(id);
    var unused = refunds.paid(named, transaction.strip());
    Refund refund =
        refunds.find(named).orElseThrow(() -> Refused.unknown("There is no refund with this id."));
    if (refund.state() == Refund.State.OWED) {
      throw Refused.of(
          409,
          "The transaction has paid another refund. Where it paid several, say by which of its"
              + " transfers each was paid, such as 0x12ab#2.");
    }
    if (refund.state() != Refund.State.PAID) {
      throw Refused.of(
          409,
          "The treasury is about to pay it: it is paid, or owed again, once the chain has decided.");
    }
    if (!transaction.strip().equalsIgnoreCase(refund.transaction())) {
      throw Refused.of(409, "It was paid before, by " + refund.transaction() + ".");
    }
    return HouseJson.of(Row.of(refund));
  }
}
