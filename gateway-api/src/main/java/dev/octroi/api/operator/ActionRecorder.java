package dev.octroi.api.operator;

import dev.octroi.api.error.RequestId;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.operator.OperatorActions.Asked;
import dev.octroi.api.operator.OperatorGate.Admitted;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import dev.octroi.payments.ledger.LedgerUnavailable;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down everything that operators change: it stands before and behind all resources of the
 * admin interface, so that none can be forgotten. Runs after {@link OperatorGate}, and sees nothing
 * of requests that it refused. An action is written down before it is done, so that none is without
 * a name (money rule 6); what came of it is added to that. One that cannot be written down is not
 * done: 503.
 */
@OperatorOnly
public final class ActionRecorder implements ContainerRequestFilter, ContainerResponseFilter {

  private static final Logger LOG = LoggerFactory.getLogger("dev.octroi.operator");

  private static final String BEGUN = "dev.octroi.api.operator.action";
  private static final byte[] NOTHING = {};

  private final OperatorServices services;

  public ActionRecorder(OperatorServices services) {
    this.services = services;
  }

  /** An action that is written down, and not yet done. */
  private record Begun(UUID id, Asked action) {}

  @Override
  public void filter(ContainerRequestContext request) throws IOException {
    Optional<Admitted> operator = OperatorGate.operator(request);
    if (operator.isEmpty() || !OperatorGate.changes(request)) {
      return;
    }
    byte[] asked = request.hasEntity() ? request.getEntityStream().readAllBytes() : NOTHING;
    request.setEntityStream(new ByteArrayInputStream(asked));
    String path = OperatorGate.below(request);
    Asked action =
        new Asked(
            operator.get().name(),
            ClientAddress.readable(JaxrsExchange.of(request)),
            RequestId.of(JaxrsExchange.of(request)),
            request.getMethod(),
            path,
            asked,
            before(path));
    request.setProperty(BEGUN, new Begun(services.actions().begin(action), action));
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (request.getProperty(BEGUN) instanceof Begun begun) {
      byte[] after = response.getEntity() instanceof byte[] body ? body : NOTHING;
      try {
        services.actions().end(begun.id(), begun.action(), response.getStatus(), after);
      } catch (LedgerUnavailable e) {
        LOG.error("What came of the action {} was not written down", begun.id(), e);
      }
    }
  }

  /** How it stands, as the interface itself shows it. */
  private byte[] before(String path) {
    String[] parts = path.split("/", -1);
    String id = parts.length > 1 ? parts[1] : "";
    try {
      return switch (parts[0]) {
        case "keys" -> id.isEmpty() ? NOTHING : new KeysResource(services).show(id);
        case "accounts" -> id.isEmpty() ? NOTHING : new AccountsResource(services).show(id);
        case "payments" -> id.isEmpty() ? NOTHING : new PaymentsResource(services).show(id);
        case "effects" -> id.isEmpty() ? NOTHING : new EffectsResource(services).show(id);
        case "operators" -> id.isEmpty() ? NOTHING : new OperatorsResource(services).show(id);
        case "refunds" -> id.isEmpty() ? NOTHING : new RefundsResource(services).show(id);
        case "webhooks" ->
            id.equals("deliveries") && parts.length > 2
                ? new WebhooksResource(services).show(parts[2])
                : NOTHING;
        case "node" -> new NodeResource(services).node();
        default -> NOTHING;
      };
    } catch (WebApplicationException | LedgerUnavailable e) {
      return NOTHING;
    }
  }
}
