package dev.octroi.api.cryptodata;

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
import dev.octroi.services.cryptodata.CryptoDataMethods;
import dev.octroi.services.cryptodata.CryptoDataRead;
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

/** The crypto-data group: its rows, and the two on-chain methods that are none. */
@Path(CryptoDataGroup.BASE)
public class CryptoDataResource {

  private final CryptoDataService service;

  public CryptoDataResource(@Context Providers providers) {
    service = Mounted.of(providers, CryptoDataService.class);
  }

  @GET
  @Path("{read: .+}")
  @Paid(by = CryptoDataTariff.class, redelivery = Redelivery.REREAD)
  @Described(rows = CryptoDataRead.class)
  public Response read(@Context UriInfo uri, @Context SecurityContext security) {
    return service.reads().answer(uri, security);
  }

  @POST
  @Path("onchain/sql")
  @Sold(
      about = "Crypto data: runs one SELECT over tables of chain data.",
      schema = "sql",
      example = "{\"sql\":\"SELECT 42 AS answer\"}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Paid(ListPrices.ONCHAIN)
  @Described(
      more =
          "Tables lag the chain's tip by about 5 minutes; a query that runs for over 30 seconds is"
              + " 408 `query_timeout`.",
      answerSchema = "SqlResult")
  public Response sql(byte[] body, @Context SecurityContext security) {
    return service
        .posted()
        .answer(body, security, CryptoDataMethods.QUERY_LIMIT, service.methods()::sql);
  }

  @POST
  @Path("onchain/query")
  @Sold(
      about = "Crypto data: answers a question in plain words from tables of chain data.",
      schema = "query",
      example = "{\"question\":\"Which blocks of base are the latest?\",\"limit\":5}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Paid(ListPrices.ONCHAIN)
  @Described(answerSchema = "UpstreamAnswer")
  public Response query(byte[] body, @Context SecurityContext security) {
    return service
        .posted()
        .answer(body, security, CryptoDataMethods.QUERY_LIMIT, service.methods()::query);
  }

  /** What the group's resource works with. */
  record CryptoDataService(
      ReadService<CryptoDataRead> reads, CryptoDataMethods methods, PostedJson posted) {}

  /** The price of a crypto-data read: its row's. */
  public static final class CryptoDataTariff implements Tariff {

    /** What the vendor's public contract has. */
    static final OfferedReads<CryptoDataRead> CONTRACT =
        new OfferedReads<>(
            CryptoDataGroup.BASE, new RowMatcher<>(List.of(CryptoDataRead.values())), Set.of());

    private final OfferedReads<CryptoDataRead> offered;

    public CryptoDataTariff() {
      this(CONTRACT);
    }

    CryptoDataTariff(OfferedReads<CryptoDataRead> offered) {
      this.offered = offered;
    }

    @Override
    public Usd price(PricedRequest request) {
      return offered.price(request.path());
    }
  }
}
