package dev.octroi.api.receipt;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/**
 * Hands {@link ReceiptServices} to the receipts' resource, on every implementation and without
 * injection.
 */
public final class ReceiptServicesResolver implements ContextResolver<ReceiptServices> {

  private final ReceiptServices services;

  public ReceiptServicesResolver(ReceiptServices services) {
    this.services = services;
  }

  @Override
  public @Nullable ReceiptServices getContext(Class<?> type) {
    return type == ReceiptServices.class ? services : null;
  }
}
