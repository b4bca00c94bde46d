package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
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

  /** A server may put discovery data into the body. */
  private static final int MAX_BODY_BYTES = 1 << 20;

  private static final int MAX_ACCEPTS = 64;

  public PaymentRequired {
    accepts = List.copyOf(accepts);
  }

  /**
   * Reads the value of {@code PAYMENT-REQUIRED}.
   *
   * @throws MalformedPayment if it is not a v2 challenge
   */
  public static PaymentRequired read(String header) {
    return read(Json.readObject(Json.decoded(header, PaymentPayload.MAX_HEADER_CHARS)));
  }

  /**
   * Reads a challenge from the body of a 402.
   *
   * @throws MalformedPayment if it is not a v2 challenge
   */
  public static PaymentRequired readBody(byte[] body) {
    if (body.length > MAX_BODY_BYTES) {
      throw new MalformedPayment("The challenge is too long.");
    }
    return read(Json.readObject(body));
  }

  private static PaymentRequired read(JsonNode root) {
    if (Json.integer(root, "x402Version") != 2) {
      throw new MalformedPayment("This x402Version is not spoken here.");
    }
    JsonNode accepts = root.path("accepts");
    if (!accepts.isArray() || accepts.isEmpty() || accepts.size() > MAX_ACCEPTS) {
      throw new MalformedPayment("The challenge offers no way to pay.");
    }
    List<PaymentRequirements> offers = new ArrayList<>();
    accepts.forEach(offer -> offers.add(PaymentRequirements.read(offer)));
    return new PaymentRequired(
        2,
        Json.optionalText(root, "error"),
        ResourceInfo.read(Json.object(root, "resource")),
        offers,
        Json.optionalObject(root, "extensions"));
  }
}
