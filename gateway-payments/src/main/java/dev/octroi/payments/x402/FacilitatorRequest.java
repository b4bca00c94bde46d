package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;

/**
 * What a facilitator is asked about, in version 1 or 2, told in the words of version 2.
 *
 * @param x402Version the version in which it was asked
 * @param payload the payment; its envelope is the scheme's object, for only that is signed
 * @param terms what it is to be verified and settled by, as the asker says
 */
public record FacilitatorRequest(
    int x402Version, PaymentPayload payload, PaymentRequirements terms) {

  /**
   * Reads the body of {@code /verify} or {@code /settle}. Its size is the caller's to bound.
   *
   * @throws MalformedPayment if it is not such a request
   */
  public static FacilitatorRequest read(byte[] body) {
    JsonNode root = Json.readObject(body);
    JsonNode envelope = Json.object(root, "paymentPayload");
    JsonNode requirements = Json.object(root, "paymentRequirements");
    int version = Json.integer(envelope, "x402Version");
    return switch (version) {
      case 1 -> of(1, envelope, envelope, PaymentRequirements.readFormer(requirements));
      case 2 -> {
        JsonNode accepted = Json.optionalObject(envelope, "accepted");
        yield of(
            2,
            envelope,
            accepted == null ? requirements : accepted,
            PaymentRequirements.read(requirements));
      }
      default -> throw new MalformedPayment("This x402Version is not spoken here.");
    };
  }

  /** The name that the asker's version has for a network. */
  public String word(String network) {
    return x402Version == 1 ? FormerNetwork.word(network).orElse(network) : network;
  }

  private static FacilitatorRequest of(
      int version, JsonNode envelope, JsonNode named, PaymentRequirements terms) {
    JsonNode payload = Json.object(envelope, "payload");
    return new FacilitatorRequest(
        version,
        new PaymentPayload(
            version,
            null,
            null,
            Json.text(named, "scheme"),
            id(Json.text(named, "network"), version),
            payload,
            null,
            Json.write(payload).getBytes(StandardCharsets.US_ASCII)),
        terms);
  }

  private static String id(String network, int version) {
    return version == 1 ? FormerNetwork.id(network).orElse(network) : network;
  }
}
