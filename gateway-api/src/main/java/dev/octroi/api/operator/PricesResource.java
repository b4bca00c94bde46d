package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.price.PriceBook.RowPrice;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What everything costs, and why. */
@Path("/admin/v1/prices")
@OperatorOnly
@Produces(MediaType.APPLICATION_JSON)
public class PricesResource {

  private final OperatorServices services;

  public PricesResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  record Book(List<Row> data) {}

  record Row(
      String method,
      String path,
      String group,
      @Nullable Usd list,
      @Nullable Usd price,
      String rule,
      String version,
      @Nullable Usd stillTaken,
      @Nullable Change next) {

    static Row of(RowPrice price) {
      return new Row(
          price.row().method(),
          price.row().path(),
          price.row().group().word(),
          price.row().list().orElse(null),
          price.now().price().orElse(null),
          price.now().rule(),
          price.now().version(),
          price.stillTaken().orElse(null),
          price.next().map(Change::of).orElse(null));
    }
  }

  record Change(@Nullable Usd price, String rule, String version, @Nullable Instant from) {

    static Change of(RowPrice.Step step) {
      return new Change(
          step.price().orElse(null), step.rule(), step.version(), step.from().orElse(null));
    }
  }

  @GET
  @Free
  public byte[] prices() {
    return HouseJson.of(new Book(services.prices().listed().stream().map(Row::of).toList()));
  }

  @GET
  @Path("explain")
  @Free
  public byte[] explain(@Context UriInfo uri) {
    Query query = new Query(uri);
    return services
        .prices()
        .explain(
            query.required("method").toUpperCase(Locale.ROOT),
            query.required("path"),
            query.text("key"))
        .map(price -> HouseJson.of(Row.of(price)))
        .orElseThrow(() -> Refused.unknown("Nothing is sold by this method at this path."));
  }
}
