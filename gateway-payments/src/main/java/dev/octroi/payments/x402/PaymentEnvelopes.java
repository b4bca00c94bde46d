package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends in {@code PAYMENT-SIGNATURE} or {@code X-PAYMENT}: what is read is
 * well-formed, and nothing in it is trusted.
 */
public final class PaymentEnvelopes {

  /** Longest payment header, in characters; a longer one is answered with 431. */
  public static final int MAX_HEADER_CHARS = 16 * 1024;

  private PaymentEnvelopes() {}

  /**
   * Reads a header value.
   *
   * @throws MalformedPayment if it is not padded base64 of the UTF-8 JSON of an envelope whose
   *     version this gateway speaks
   */
  public static PaymentPayload read(String header) {
    return read(Base64Json.decode(header, MAX_HEADER_CHARS));
  }

  /**
   * Writes the header value of a v2 envelope.
   *
   * @param resource what is paid for, as the challenge told it
   * @param accepted the entry of {@code accepts} that is paid by
   * @param payload the scheme's own object
   */
  public static String write(
      ResourceInfo resource, PaymentRequirements accepted, Map<String, Object> payload) {
    return write(resource, accepted, payload, Map.of());
  }

  /** The same for a challenge; a new identifier names the payment where the server asks for one. */
  public static String write(
      PaymentRequired challenge, PaymentRequirements accepted, Map<String, Object> payload) {
    return write(
        challenge.resource(), accepted, payload, PaymentIdentifier.asked(challenge.extensions()));
  }

  private static String write(
      ResourceInfo resource,
      PaymentRequirements accepted,
      Map<String, Object> payload,
      Map<String, Object> extensions) {
    Map<String, Object> envelope = new LinkedHashMap<>();
    envelope.put("x402Version", 2);
    envelope.put("resource", resource);
    envelope.put("accepted", accepted);
    envelope.put("payload", payload);
    if (!extensions.isEmpty()) {
      envelope.put("extensions", extensions);
    }
    return Base64Json.encode(Json.write(envelope).getBytes(StandardCharsets.US_ASCII));
  }

  private static PaymentPayload read(byte[] envelope) {
    JsonNode root = Json.readObject(envelope);
    int version = Fields.integer(root, "x402Version");
    return switch (version) {
      case 1 -> readVersion1(root, envelope);
      case 2 -> readVersion2(root, envelope);
      default -> throw new MalformedPayment("This x402Version is not spoken here.");
    };
  }

  /**
   * Version 1 names neither the resource nor the terms: the network decides which offer it fits.
   */
  private static PaymentPayload readVersion1(JsonNode root, byte[] envelope) {
    String network =
        FormerNetwork.id(Fields.text(root, "network"))
            .orElseThrow(() -> new MalformedPayment("x402 version 1 has no such network."));
    return new PaymentPayload(
        1,
        null,
        null,
        Fields.text(root, "scheme"),
        network,
        Fields.object(root, "payload"),
        Fields.optionalObject(root, "extensions"),
        envelope);
  }

  private static PaymentPayload readVersion2(JsonNode root, byte[] envelope) {
    JsonNode accepted = Fields.optionalObject(root, "accepted");
    if (accepted != null) {
      requireAcceptedShape(accepted);
    }
    // Lenient: some clients put scheme and network at top level, as version 1 did.
    JsonNode terms = accepted == null ? root : accepted;
    return new PaymentPayload(
        2,
        resource(root),
        accepted,
        Fields.text(terms, "scheme"),
        Fields.text(terms, "network"),
        Fields.object(root, "payload"),
        Fields.optionalObject(root, "extensions"),
        envelope);
  }

  private static @Nullable String resource(JsonNode root) {
    JsonNode resource = Fields.optionalObject(root, "resource");
    return resource == null || Fields.optional(resource, "url") == null
        ? null
        : Fields.text(resource, "url");
  }

  private static void requireAcceptedShape(JsonNode accepted) {
    Fields.text(accepted, "amount");
    Fields.text(accepted, "asset");
    Fields.text(accepted, "payTo");
    Fields.optionalObject(accepted, "extra");
    if (Fields.optional(accepted, "maxTimeoutSeconds") != null) {
      Fields.integer(accepted, "maxTimeoutSeconds");
    }
  }
}
