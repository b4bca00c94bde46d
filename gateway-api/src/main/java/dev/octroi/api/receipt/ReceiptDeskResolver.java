package dev.octroi.api.receipt;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the desk to the receipts' resource, on every implementation and without injection. */
public final class ReceiptDeskResolver implements ContextResolver<ReceiptDesk> {

  private final ReceiptDesk desk;

  public ReceiptDeskResolver(ReceiptDesk desk) {
    this.desk = desk;
  }

  @Override
  public @Nullable ReceiptDesk getContext(Class<?> type) {
    return type == ReceiptDesk.class ? desk : null;
  }
}
