package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.operator.OperatorServices.CreditServices;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.books.PayerLosses.PayerLoss;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.util.List;

/** What is delivered before it is paid for, and what was never paid. */
@Path("/admin/v1/credit")
@OperatorOnly
public class CreditResource {

  private final OperatorServices services;

  public CreditResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  /**
   * @param owed what all payers owe for answers that left or leave before they are paid for, those
   *     lost within a day included
   * @param most what that may come to
   */
  record Credit(Usd owed, Usd most, List<Row> losses) {}

  record Row(String network, String payer, Usd lost) {

    static Row of(PayerLoss loss) {
      return new Row(loss.network(), loss.payer(), new Usd(loss.lost()));
    }
  }

  /** The credit of all nodes, and their losses by payer, the largest first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] credit(@Context UriInfo uri) {
    CreditServices credit = services.credit();
    List<Row> losses =
        credit.losses().largest(new Query(uri).limit()).stream().map(Row::of).toList();
    return HouseJson.of(new Credit(credit.owed().get(), credit.most(), losses));
  }
}
