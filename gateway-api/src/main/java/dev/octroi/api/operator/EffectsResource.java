package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What vendors were asked to do that cannot be undone, and what became of it. */
@Path("/admin/v1/effects")
@OperatorOnly
@Produces(MediaType.APPLICATION_JSON)
public class EffectsResource {

  private static final int MAX_REFERENCE = 256;
  private static final int MAX_DETAILS = 4_000;
  private static final int MAX_REASON = 150;

  private final OperatorServices services;

  public EffectsResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  EffectsResource(OperatorServices services) {
    this.services = services;
  }

  /**
   * What the operator has found out.
   *
   * @param outcome {@code done} or {@code not_done}
   * @param reference the vendor's id of what was done
   * @param details what else is known of it, in the form of its connector
   */
  record Close(
      @Nullable String outcome,
      @Nullable String reference,
      @Nullable String details,
      @Nullable String reason) {}

  record Page(List<Row> data) {}

  record Row(
      UUID id,
      UUID payment,
      String kind,
      String intent,
      String vendorKey,
      String outcome,
      @Nullable String reference,
      @Nullable String note,
      Instant begun) {

    static Row of(Effects.Effect effect) {
      return new Row(
          effect.id(),
          effect.payment(),
          effect.kind(),
          effect.intent(),
          effect.vendorKey(),
          effect.outcome().name().toLowerCase(Locale.ROOT),
          stated(effect.vendorReference()),
          stated(effect.note()),
          effect.begun());
    }

    private static @Nullable String stated(String text) {
      return text.isEmpty() ? null : text;
    }
  }

  /** Effects of a payment, or of one outcome, the oldest first; unknown if it is not said. */
  @GET
  @Free
  public byte[] effects(@Context UriInfo uri) {
    Query query = new Query(uri);
    Effects.Outcome outcome =
        query.one("outcome", Effects.Outcome.class).orElse(Effects.Outcome.UNKNOWN);
    Effects effects = services.effects().effects();
    List<Effects.Effect> found =
        query.id("payment").map(effects::of).orElseGet(() -> effects.list(outcome, query.limit()));
    return HouseJson.of(new Page(found.stream().map(Row::of).toList()));
  }

  /** One effect, for those who close it. */
  byte[] show(String id) {
    return HouseJson.of(Row.of(services.effects().find(Query.pathId(id))));
  }

  @POST
  @Path("{id}/close")
  @Free
  public byte[] close(@PathParam("id") String id, byte[] body) {
    UUID effect = Query.pathId(id);
    Close close = HouseJson.read(body, Close.class);
    String reason = Objects.requireNonNullElse(close.reason(), "").strip();
    if (reason.isEmpty() || reason.length() > MAX_REASON) {
      throw Refused.invalid("An effect is closed for a 'reason' of 1 to 150 characters.");
    }
    services.effects().close(effect, told(close, reason), reason);
    return HouseJson.of(Row.of(services.effects().find(effect)));
  }

  private static Attempt told(Close close, String reason) {
    String reference = Objects.requireNonNullElse(close.reference(), "").strip();
    String details = Objects.requireNonNullElse(close.details(), "");
    return switch (Query.one("The 'outcome'", Effects.Outcome.class, close.outcome())) {
      case DONE -> {
        if (reference.isEmpty()
            || reference.length() > MAX_REFERENCE
            || details.length() > MAX_DETAILS) {
          throw Refused.invalid("What was done has the vendor's 'reference', 1 to 256 characters.");
        }
        yield new Attempt.Done(reference, details);
      }
      case NOT_DONE -> new Attempt.NotDone(reason);
      case UNKNOWN -> throw Refused.invalid("The 'outcome' is done or not_done.");
    };
  }
}
