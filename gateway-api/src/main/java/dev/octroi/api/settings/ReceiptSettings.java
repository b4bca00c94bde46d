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
        Secret signingKey,
    @Setting(
            about =
                "Signs the offers of each challenge too, by the same key and extension. It costs a"
                    + " signature for each way to pay.",
            value = "false")
        boolean signOffers) {

  public ReceiptSettings {
    if (signOffers && signingKey.value().isEmpty()) {
      throw new IllegalArgumentException("sign-offers needs signing-key");
    }
    if (!signingKey.value().isEmpty()) {
      try {
        var unused = new ReceiptSigner(signingKey.value());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("signing-key: " + e.getMessage(), e);
      }
    }
  }

  /** Signs offers; empty unless that is asked for. */
  public Optional<ReceiptSigner> offerSigner() {
    return signOffers ? signer() : Optional.empty();
  }

  /** Signs receipts; empty if no key is set. */
  public Optional<ReceiptSigner> signer() {
    return signingKey.value().isEmpty()
        ? Optional.empty()
        : Optional.of(new ReceiptSigner(signingKey.value()));
  }
}
