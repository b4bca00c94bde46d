package dev.octroi.payments.gate;

import dev.octroi.payments.Payments;
import dev.octroi.payments.facilitator.Settlement;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Charges for streams whose cost is known when they end (money rule 7). The quote stays reserved
 * until then, and the wallet is ours to sign with, so that nothing is owed when the stream ends
 * early or this node dies.
 */
record Metering(Settler settler, Receipts receipts, OpenCalls openCalls) {

  private static final Logger LOG = LoggerFactory.getLogger(Metering.class);

  static boolean concerns(PaidCall call, ContainerResponseContext response) {
    return response.getHeaders().containsKey(Payments.METERED)
        && response.getEntity() instanceof StreamingOutput
        && response.getStatus() < 300
        && call.settlement().isEmpty()
        && call.verified().byKey().isPresent();
  }

  /**
   * Lets the stream begin. The call stays open: the stream's end or the sweeper, whichever is
   * first, decides its claim.
   */
  void begin(PaidCall call, ContainerResponseContext response) {
    StreamingOutput stream = (StreamingOutput) response.getEntity();
    receipts.reserve(call, response);
    response.setEntity(
        new SoldStream(stream, () -> {}, () -> end(call)),
        response.getEntityAnnotations(),
        response.getMediaType());
  }

  private void end(PaidCall call) {
    if (!openCalls.take(call)) {
      return;
    }
    try {
      Settlement outcome = settler.settle(call, Optional.empty());
      if (outcome.deliverable().isPresent()) {
        openCalls.delivered(call);
      } else {
        LOG.warn("Payment {} of a stream that was delivered: {}", call.id(), outcome);
      }
    } finally {
      openCalls.concluded(call);
      call.incoming().close();
    }
  }
}
