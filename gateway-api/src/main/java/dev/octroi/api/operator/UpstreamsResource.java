package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamClient.UpstreamHealth;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Providers;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** How the upstreams do, as the node sees it that is asked. */
@Path("/admin/v1/upstreams")
@OperatorOnly
public class UpstreamsResource {

  private final OperatorServices services;

  public UpstreamsResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  record Seen(String node, List<Row> data) {}

  record Row(
      String name,
      String address,
      String state,
      int calls,
      int failed,
      int inUse,
      int waiting,
      int connections,
      long deadlineSeconds) {

    static Row of(UpstreamClient client) {
      UpstreamHealth health = client.health();
      return new Row(
          client.settings().name(),
          client.settings().base().getRawAuthority(),
          health.state().name().toLowerCase(Locale.ROOT),
          health.calls(),
          health.failed(),
          health.inUse(),
          health.waiting(),
          client.settings().maxConnections(),
          client.settings().deadline().toSeconds());
    }
  }

  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] upstreams() {
    List<Row> rows =
        services.work().upstreams().stream()
            .map(Row::of)
            .sorted(Comparator.comparing(Row::name))
            .toList();
    return HouseJson.of(new Seen(services.work().node(), rows));
  }
}
