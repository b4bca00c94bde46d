package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A challenge as a payer reads it (x402 v2).
 *
 * @param x402Version the version the server speaks
 * @param error why there is no answer yet
 * @param resource what the payment is for
 * @param accepts the ways to pay, at least one
 * @param extensions the extensions object, if there is one
 */
public record PaymentRequired(
    int x402Version,
    @Nullable String error,
    ResourceInfo resource,
    List<PaymentRequirements> accepts,
    @Nullable JsonNode extensions) {

  public PaymentRequired {
    accepts = List.copyOf(accepts);
  }
}
