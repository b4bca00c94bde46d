package dev.octroi.api.voice;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Listing;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Query.Page;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.voice.CallStore.CallRows;
import dev.octroi.payments.Free;
import dev.octroi.payments.NamedStatements;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls that were placed, without what was said on them. */
@Path("/admin/v1/calls")
@OperatorOnly
public class CallsResource {

  private final CallList calls;

  public CallsResource(@Context Providers providers) {
    calls = Mounted.of(providers, CallList.class);
  }

  /** The latest placed first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(calls.page(new Query(uri)));
  }

  /** Calls for the operator to look at, without what was said on them. Thread-safe. */
  public record CallList(Listing listing) {

    private static final Listing.Table<Row> CALLS =
        new Listing.Table<>(
            """
            SELECT id, owner, effect_id, vendor_ref, caller, callee, max_minutes, status, minutes,
              placed_at, ended_at
            FROM voice_call
            """,
            "placed_at",
            "status",
            true,
            id -> id,
            (row, context) -> row(row),
            row -> new Listing.Place(row.placed(), row.id()));

    /**
     * A call.
     *
     * @param effect what placed it
     * @param reference the vendor's id of it
     * @param minutes how long it lasted, null until the vendor has told
     */
    public record Row(
        String id,
        String status,
        String from,
        String to,
        String owner,
        UUID effect,
        String reference,
        int maxMinutes,
        @Nullable BigDecimal minutes,
        Instant placed,
        @Nullable Instant ended) {}

    Page<Row> page(Query query) {
      return listing.page(CALLS, query);
    }

    private static Row row(ResultSet row) throws SQLException {
      return new Row(
          row.getString("id"),
          row.getString("status"),
          row.getString("caller"),
          row.getString("callee"),
          row.getString("owner"),
          row.getObject("effect_id", UUID.class),
          row.getString("vendor_ref"),
          row.getInt("max_minutes"),
          Optional.ofNullable(row.getBigDecimal("minutes")).map(CallRows::plain).orElse(null),
          NamedStatements.instant(row, "placed_at").orElseThrow(),
          NamedStatements.instant(row, "ended_at").orElse(null));
    }
  }
}
