package dev.octroi.api.prediction;

import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.read.OfferedReads;
import dev.octroi.api.read.PostedJson;
import dev.octroi.api.read.ReadService;
import dev.octroi.payments.Paid;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.prediction.PredictionMethods;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.read.RowMatcher;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.Set;

/** The prediction group: its rows, and the look-up of several wallets at once. */
@Path(PredictionGroup.BASE)
public class PredictionResource {

  private final PredictionService service;

  public PredictionResource(@Context Providers providers) {
    service = Mounted.of(providers, PredictionService.class);
  }

  @GET
  @Path("{read: .+}")
  @Paid(by = PredictionTariff.class, redelivery = Redelivery.REREAD)
  @Described(rows = PredictionRead.class)
  public Response read(@Context UriInfo uri, @Context SecurityContext security) {
    return service.reads().answer(uri, security);
  }

  @POST
  @Path("venue-a/wallet/identities")
  @Sold(
      about = "Prediction markets: who several wallets are.",
      schema = "identities",
      example = "{\"addresses\":[\"0x857b06519E91e3A54538791bDbb0E22373e36b66\"]}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Paid(ListPrices.IDENTITIES)
  @Described(answerSchema = "UpstreamAnswer")
  public Response identities(byte[] body, @Context SecurityContext security) {
    return service
        .posted()
        .answer(body, security, service.reads().limit(), service.methods()::identities);
  }

  /** The price of a prediction read: its row's. */
  public static final class PredictionTariff implements Tariff {

    /** What the vendor's public contract has. */
    static final OfferedReads<PredictionRead> CONTRACT =
        new OfferedReads<>(
            PredictionGroup.BASE, new RowMatcher<>(List.of(PredictionRead.values())), Set.of());

    private final OfferedReads<PredictionRead> offered;

    public PredictionTariff() {
      this(CONTRACT);
    }

    PredictionTariff(OfferedReads<PredictionRead> offered) {
      this.offered = offered;
    }

    @Override
    public Usd price(PricedRequest request) {
      return offered.price(request.path());
    }
  }

  /** What the group's resource works with. */
  record PredictionService(
      ReadService<PredictionRead> reads, PredictionMethods methods, PostedJson posted) {}
}
