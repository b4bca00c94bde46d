package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.operator.OperatorActions.Action;
import dev.octroi.api.operator.OperatorActions.ActionSearch;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.util.function.Function;

/** What operators did. */
@Path("/admin/v1/actions")
@OperatorOnly
public class ActionsResource {

  private final OperatorServices services;

  public ActionsResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  /** Those that fit what is given, the latest first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] actions(@Context UriInfo uri) {
    Query query = new Query(uri);
    ActionSearch search =
        new ActionSearch(
            query.text("operator"), query.text("path"), query.time("since"), query.time("until"));
    return HouseJson.of(
        query.page(
            (after, most) -> services.actions().find(search, after, most),
            Action::id,
            Function.identity()));
  }
}
