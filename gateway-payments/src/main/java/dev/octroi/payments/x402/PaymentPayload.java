package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
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

  /** One that this server makes itself, to have a facilitator do what it asks for. */
  public static PaymentPayload of(PaymentRequirements terms, Map<String, Object> payload) {
    return new PaymentPayload(
        2, null, null, terms.scheme(), terms.network(), Json.tree(payload), null, new byte[0]);
  }
}
