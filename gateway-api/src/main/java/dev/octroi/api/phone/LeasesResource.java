package dev.octroi.api.phone;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Listing;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Query.Page;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.phone.Lease.LeaseState;
import dev.octroi.payments.Free;
import dev.octroi.payments.NamedStatements;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Phone numbers that are or were leased. */
@Path("/admin/v1/leases")
@OperatorOnly
public class LeasesResource {

  private final LeaseList leases;

  public LeasesResource(@Context Providers providers) {
    leases = Mounted.of(providers, LeaseList.class);
  }

  /** The latest bought first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(leases.page(new Query(uri)));
  }

  /** Leases for the operator to look at. Thread-safe. */
  public record LeaseList(Listing listing) {

    private static final Listing.Table<Row> LEASES =
        new Listing.Table<>(
            """
            SELECT id, phone, country, owner, network, bought_at, state, expires_at, renewal_payment,
              ended_at
            FROM lease
            """,
            "bought_at",
            "state",
            true,
            UUID::fromString,
            (row, context) -> row(row),
            row -> new Listing.Place(row.bought(), row.id().toString()));

    /**
     * A lease.
     *
     * @param id of the effect that bought it
     * @param state active, renewal_due, expired or released
     * @param owner who leases it
     * @param renewalPayment the payment that is to pay for the next term, null if there is none yet
     */
    public record Row(
        UUID id,
        String phone,
        String country,
        String state,
        String owner,
        String network,
        Instant bought,
        Instant expires,
        @Nullable UUID renewalPayment,
        @Nullable Instant ended) {}

    Page<Row> page(Query query) {
      return listing.page(LEASES, query);
    }

    private static Row row(ResultSet row) throws SQLException {
      return new Row(
          row.getObject("id", UUID.class),
          row.getString("phone"),
          row.getString("country"),
          LeaseState.valueOf(row.getString("state")).name().toLowerCase(Locale.ROOT),
          row.getString("owner"),
          row.getString("network"),
          NamedStatements.instant(row, "bought_at").orElseThrow(),
          NamedStatements.instant(row, "expires_at").orElseThrow(),
          row.getObject("renewal_payment", UUID.class),
          NamedStatements.instant(row, "ended_at").orElse(null));
    }
  }
}
