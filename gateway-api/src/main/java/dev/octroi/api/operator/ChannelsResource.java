package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Listing;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Query.Page;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.ledger.KeyBytes;
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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The channels that calls are paid out of. */
@Path("/admin/v1/channels")
@OperatorOnly
public class ChannelsResource {

  private final OperatorServices services;

  public ChannelsResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  /**
   * The latest used first; {@code state}, {@code payer}, {@code since} and {@code until} narrow it.
   */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(services.credit().channels().page(new Query(uri)));
  }

  /** Channels for the operator to look at. Thread-safe. */
  public record ChannelList(Listing listing) {

    private static final Listing.Table<Row> CHANNELS =
        new Listing.Table<>(
            """
            SELECT * FROM (SELECT c.network, c.id, c.asset, c.payer, c.charged, c.signed, c.refunds, c.used_at, a.balance,
                CASE WHEN c.payment_id IS NULL THEN 'free' ELSE 'in_use' END AS state
              FROM channel c LEFT JOIN book_account a
                ON a.network = c.network AND a.owner = c.id AND a.asset = c.asset AND a.kind = 'PAYER') found
            """,
            "used_at",
            "state",
            false,
            Hex::parse,
            (row, context) -> row(row),
            row -> new Listing.Place(row.used(), row.id()));

    /**
     * A channel.
     *
     * @param asset its token
     * @param state {@code free}, or {@code in_use} while a call is paid out of it
     * @param charged what all calls so far were charged
     * @param signed what the highest voucher permits that a call was charged by
     * @param left what is left in it; null where a chain holds it
     * @param refunds how often money went back to the payer
     * @param used when a call last came with a voucher
     */
    public record Row(
        String id,
        String network,
        String asset,
        String payer,
        String state,
        Usd charged,
        Usd signed,
        @Nullable Usd left,
        int refunds,
        Instant used) {}

    Page<Row> page(Query query) {
      Map<String, byte[]> columns =
          query.address("payer").map(address -> Map.of("payer", address.bytes())).orElse(Map.of());
      return listing.page(CHANNELS, query, columns);
    }

    private static Row row(ResultSet row) throws SQLException {
      String network = row.getString("network");
      Long left = row.getObject("balance", Long.class);
      return new Row(
          KeyBytes.text(network, row.getBytes("id")),
          network,
          row.getString("asset"),
          KeyBytes.text(network, row.getBytes("payer")),
          row.getString("state"),
          new Usd(row.getLong("charged")),
          new Usd(row.getLong("signed")),
          left == null ? null : new Usd(left),
          row.getInt("refunds"),
          NamedStatements.instant(row, "used_at").orElseThrow());
    }
  }
}
