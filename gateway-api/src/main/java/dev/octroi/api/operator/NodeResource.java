package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.evm.Signatures;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Providers;

/**
 * Whether the node that is asked wants calls: a servlet container refuses calls before it tells an
 * application to end, which is too late for load balancers to look elsewhere.
 */
@Path("/admin/v1/node")
@OperatorOnly
@Produces(MediaType.APPLICATION_JSON)
public class NodeResource {

  private final OperatorServices services;

  public NodeResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  NodeResource(OperatorServices services) {
    this.services = services;
  }

  /**
   * @param signatures what makes and verifies them
   */
  record Node(String node, boolean draining, String signatures) {}

  @GET
  @Free
  public byte[] node() {
    String signatures = Signatures.fastest().description();
    return HouseJson.of(
        new Node(services.work().node(), services.readiness().draining(), signatures));
  }

  /** Has {@code /health/ready} say 503 until it is taken back; calls are served all the same. */
  @POST
  @Path("drain")
  @Free
  public byte[] drain() {
    return leaveOut(true);
  }

  /** Takes a drain back; one of a process that ends cannot be. */
  @POST
  @Path("resume")
  @Free
  public byte[] resume() {
    return leaveOut(false);
  }

  private byte[] leaveOut(boolean out) {
    services.readiness().leaveOut(out);
    return node();
  }
}
