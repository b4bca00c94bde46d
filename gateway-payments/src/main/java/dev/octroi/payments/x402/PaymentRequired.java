package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A challenge as a payer reads it, told in the words of x402 v2.
 *
 * @param x402Version the version the server speaks, 1 or 2
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
   * Reads a challenge from the body of a 402, in which version 1 has it.
   *
   * @throws MalformedPayment if it is not a challenge of version 1 or 2
   */
  public static PaymentRequired readBody(byte[] body) {
    if (body.length > MAX_BODY_BYTES) {
      throw new MalformedPayment("The challenge is too long.");
    }
    JsonNode root = Json.readObject(body);
    return Json.integer(root, "x402Version") == 1 ? readFormer(root) : read(root);
  }

  private static PaymentRequired read(JsonNode root) {
    if (Json.integer(root, "x402Version") != 2) {
      throw new MalformedPayment("This x402Version is not spoken here.");
    }
    return new PaymentRequired(
        2,
        Json.optionalText(root, "error"),
        ResourceInfo.read(Json.object(root, "resource")),
        offers(root, PaymentRequirements::read),
        Json.optionalObject(root, "extensions"));
  }

  /** Version 1 names the resource with each offer. */
  private static PaymentRequired readFormer(JsonNode root) {
    List<PaymentRequirements> offers = offers(root, PaymentRequirements::readFormer);
    String resource = Json.text(root.path("accepts").get(0), "resource");
    return new PaymentRequired(
        1, Json.optionalText(root, "error"), ResourceInfo.at(resource), offers, null);
  }

  private static List<PaymentRequirements> offers(
      JsonNode root, Function<JsonNode, PaymentRequirements> reader) {
    JsonNode accepts = root.path("accepts");
    if (!accepts.isArray() || accepts.isEmpty() || accepts.size() > MAX_ACCEPTS) {
      throw new MalformedPayment("The challenge offers no way to pay.");
    }
    List<PaymentRequirements> offers = new ArrayList<>();
    accepts.forEach(offer -> offers.add(reader.apply(offer)));
    return offers;
  }
}
