package dev.octroi.api.settings;

import dev.octroi.payments.evm.ReceiptSigner;
import java.util.Optional;

/** Receipts of payments, {@code gateway.receipts}. */
public record ReceiptSettings(
    @Setting(
            about =
                "Signs receipts (the protocol's extension `offer-receipt`): 64 hex digits of a"
                    + " secp256k1 key of its own, not that of the address that is paid. Without it"
                    + " receipts go unsigned.")
        Secret signingKey) {

  public ReceiptSettings {
    if (!signingKey.value().isEmpty()) {
      try {
        var unused = new ReceiptSigner(signingKey.value());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("signing-key: " + e.getMessage(), e);
      }
    }
  }

  /** Signs receipts; empty if no key is set. */
  public Optional<ReceiptSigner> signer() {
    return signingKey.value().isEmpty()
        ? Optional.empty()
        : Optional.of(new ReceiptSigner(signingKey.value()));
  }
}
