package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.operator.Operators.Operator;
import dev.octroi.api.operator.Operators.Role;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Operators with tokens of their own; only the token of the settings changes them. */
@Path("/admin/v1/operators")
@OperatorOnly
@Produces(MediaType.APPLICATION_JSON)
public class OperatorsResource {

  private final OperatorServices services;

  public OperatorsResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  OperatorsResource(OperatorServices services) {
    this.services = services;
  }

  record Wanted(@Nullable String name, @Nullable String role) {}

  record Issued(String token, Row operator) {}

  record Page(List<Row> data) {}

  /**
   * Who asks.
   *
   * @param role null for the operator with the token of the settings
   * @param may what may be changed, by the first words of paths below the interface
   */
  record Me(String name, @Nullable String role, List<String> may) {}

  record Row(
      UUID id, String name, String role, String state, Instant created, @Nullable Instant revoked) {

    static Row of(Operator operator) {
      return new Row(
          operator.id(),
          operator.name(),
          operator.role().word(),
          operator.revoked() == null ? "active" : "revoked",
          operator.created(),
          operator.revoked());
    }
  }

  @GET
  @Free
  public byte[] list() {
    return HouseJson.of(new Page(services.operators().list().stream().map(Row::of).toList()));
  }

  /** The operator who asks, and what the role permits. */
  @GET
  @Path("me")
  @Free
  public byte[] me(@Context SecurityContext security) {
    Optional<Role> role = OperatorGate.operator(security).role();
    return HouseJson.of(
        new Me(
            OperatorGate.operator(security).name(),
            role.map(Role::word).orElse(null),
            OperatorServices.RESOURCES.stream()
                .map(type -> type.getAnnotation(Path.class).value())
                .map(path -> path.substring(1 + OperatorGate.BASE.length()))
                .filter(what -> role.isEmpty() || role.get().permits(what))
                .toList()));
  }

  /** The token is told this once. */
  @POST
  @Free
  public Response create(byte[] body) {
    Wanted wanted = HouseJson.read(body, Wanted.class);
    Operators.Issued issued =
        services
            .operators()
            .create(wanted.name(), Query.one("The 'role'", Role.class, wanted.role()));
    return Response.status(201)
        .entity(HouseJson.of(new Issued(issued.token(), Row.of(issued.operator()))))
        .build();
  }

  @POST
  @Path("{id}/revoke")
  @Free
  public byte[] revoke(@PathParam("id") String id) {
    return HouseJson.of(Row.of(services.operators().revoke(Query.pathId(id))));
  }

  /** One operator, for those who change it. */
  byte[] show(String id) {
    return HouseJson.of(Row.of(services.operators().find(Query.pathId(id))));
  }
}
