package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A payment as a client sent it: well-formed, but nothing in it trusted yet.
 *
 * @param x402Version 1 or 2
 * @param resource the address that the client says it pays for; null where it says none
 * @param accepted the offer that the client says it accepted; absent in v1 and in lenient envelopes
 * @param scheme the scheme named by {@code accepted}, or at top level
 * @param network the CAIP-2 id of the network named by {@code accepted}, or at top level
 * @param payload the scheme's own object
 * @param extensions the extensions object, or null
 * @param envelope the decoded bytes of the header, whose hash binds replays to the identical
 *     envelope
 */
public record PaymentPayload(
    int x402Version,
    @Nullable String resource,
    @Nullable JsonNode accepted,
    String scheme,
    String network,
    JsonNode payload,
    @Nullable JsonNode extensions,
    byte[] envelope) {

  /** Longest payment header, in characters; a longer one is answered with 431. */
  public static final int MAX_HEADER_CHARS = 16 * 1024;

  /** One that this server makes itself, to have a facilitator do what it asks for. */
  public static PaymentPayload of(PaymentRequirements terms, Map<String, Object> payload) {
    return new PaymentPayload(
        2, null, null, terms.scheme(), terms.network(), Json.tree(payload), null, new byte[0]);
  }

  /**
   * Reads a header value.
   *
   * @throws MalformedPayment if it is not padded base64 of the UTF-8 JSON of an envelope whose
   *     version this gateway speaks
   */
  public static PaymentPayload read(String header) {
    return read(Json.decoded(header, MAX_HEADER_CHARS));
  }

  /**
   * Writes the header value of a v2 envelope.
   *
   * @param resource what is paid for, as the challenge told it
   * @param accepted the entry of {@code accepts} that is paid by
   * @param payload the scheme's own object
   */
  public static String header(
      ResourceInfo resource, PaymentRequirements accepted, Map<String, Object> payload) {
    return header(resource, accepted, payload, Map.of());
  }

  /**
   * The same for a challenge, in its version; a new identifier names the payment where the server
   * asks for one.
   */
  public static String header(
      PaymentRequired challenge, PaymentRequirements accepted, Map<String, Object> payload) {
    return challenge.x402Version() == 1
        ? Json.encoded(formerEnvelope(accepted, payload))
        : header(
            challenge.resource(),
            accepted,
            payload,
            PaymentIdentifier.asked(challenge.extensions()));
  }

  /**
   * The name of the header that carries an envelope: each version has its own.
   *
   * @param header the value
   * @throws MalformedPayment if it is no envelope
   */
  public static String headerName(String header) {
    JsonNode envelope = Json.readObject(Json.decoded(header, MAX_HEADER_CHARS));
    return Json.integer(envelope, "x402Version") == 1
        ? PaymentHeaders.X_PAYMENT
        : PaymentHeaders.PAYMENT_SIGNATURE;
  }

  /** An envelope of version 1. */
  static Map<String, Object> formerEnvelope(PaymentRequirements accepted, Object payload) {
    String network = accepted.network();
    Map<String, Object> envelope = new LinkedHashMap<>();
    envelope.put("x402Version", 1);
    envelope.put("scheme", accepted.scheme());
    envelope.put("network", FormerNetwork.word(network).orElse(network));
    envelope.put("payload", payload);
    return envelope;
  }

  private static String header(
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
    return Json.encoded(envelope);
  }

  private static PaymentPayload read(byte[] envelope) {
    JsonNode root = Json.readObject(envelope);
    int version = Json.integer(root, "x402Version");
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
        FormerNetwork.id(Json.text(root, "network"))
            .orElseThrow(() -> new MalformedPayment("x402 version 1 has no such network."));
    return new PaymentPayload(
        1,
        null,
        null,
        Json.text(root, "scheme"),
        network,
        Json.object(root, "payload"),
        Json.optionalObject(root, "extensions"),
        envelope);
  }

  private static PaymentPayload readVersion2(JsonNode root, byte[] envelope) {
    JsonNode accepted = Json.optionalObject(root, "accepted");
    if (accepted != null) {
      requireAcceptedShape(accepted);
    }
    // Lenient: some clients put scheme and network at top level, as version 1 did.
    JsonNode terms = accepted == null ? root : accepted;
    return new PaymentPayload(
        2,
        resource(root),
        accepted,
        Json.text(terms, "scheme"),
        Json.text(terms, "network"),
        Json.object(root, "payload"),
        Json.optionalObject(root, "extensions"),
        envelope);
  }

  private static @Nullable String resource(JsonNode root) {
    JsonNode resource = Json.optionalObject(root, "resource");
    return resource == null || Json.optional(resource, "url") == null
        ? null
        : Json.text(resource, "url");
  }

  private static void requireAcceptedShape(JsonNode accepted) {
    Json.text(accepted, "amount");
    Json.text(accepted, "asset");
    Json.text(accepted, "payTo");
    Json.optionalObject(accepted, "extra");
    if (Json.optional(accepted, "maxTimeoutSeconds") != null) {
      Json.integer(accepted, "maxTimeoutSeconds");
    }
  }
}
