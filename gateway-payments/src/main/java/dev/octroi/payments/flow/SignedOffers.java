package dev.octroi.payments.flow;

import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.OfferExtensions;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Offers that their payer can prove later to have been made (the protocol's extension {@code
 * offer-receipt}). Each stands as long as an authorization for it may live.
 */
record SignedOffers(ReceiptSigner signer, Clock clock) implements OfferExtensions {

  private static final Map<String, Object> SCHEMA =
      Map.of("type", "object", "required", List.of("offers"));

  @Override
  public Extensions of(String resourceUrl, List<PaymentRequirements> accepts) {
    List<Map<String, Object>> offers = new ArrayList<>();
    for (PaymentRequirements terms : accepts) {
      Map<String, Object> signed =
          signer.sign(
              new ReceiptSigner.Offer(
                  resourceUrl, terms, clock.instant().plusSeconds(terms.maxTimeoutSeconds())));
      signed.put("acceptIndex", offers.size());
      offers.add(signed);
    }
    return Extensions.of(
        Map.of(
            ReceiptSigner.EXTENSION, Map.of("info", Map.of("offers", offers), "schema", SCHEMA)));
  }
}
