package dev.octroi.api.receipt;

import dev.octroi.payments.Payments;
import dev.octroi.payments.evm.ReceiptSigner;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;

/**
 * What the receipts' resource works with.
 *
 * @param signer signs receipts; empty where they go unsigned
 * @param publicUrl below which the world reaches the gateway, if that was set
 */
public record ReceiptDesk(
    Payments payments, Optional<ReceiptSigner> signer, Optional<URI> publicUrl, Clock clock) {

  /**
   * The desk of an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  static ReceiptDesk of(Providers providers) {
    ContextResolver<ReceiptDesk> resolver =
        providers.getContextResolver(ReceiptDesk.class, MediaType.WILDCARD_TYPE);
    ReceiptDesk desk = resolver == null ? null : resolver.getContext(ReceiptDesk.class);
    if (desk == null) {
      throw new IllegalStateException("register a GatewayFeature beside the gateway's resources");
    }
    return desk;
  }
}
