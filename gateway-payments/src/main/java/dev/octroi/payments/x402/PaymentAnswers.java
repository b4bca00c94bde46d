package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server says about payments besides the challenge: writes settlement headers, and reads
 * challenges and settlements on the paying side.
 */
public final class PaymentAnswers {

  /**
   * Longest message that a payer reads, in bytes: a server may put discovery data into the body.
   */
  private static final int MAX_BODY_BYTES = 1 << 20;

  private static final int MAX_ACCEPTS = 64;

  private PaymentAnswers() {}

  /** The value of {@code PAYMENT-RESPONSE}. */
  public static String settlementHeader(SettlementResponse settlement) {
    return Base64Json.encode(Json.write(settlement).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reads the value of {@code PAYMENT-RESPONSE}.
   *
   * @throws MalformedPayment if it is not one
   */
  public static SettlementResponse readSettlement(String header) {
    JsonNode root = Json.readObject(Base64Json.decode(header, PaymentEnvelopes.MAX_HEADER_CHARS));
    JsonNode success = root.path("success");
    if (!success.isBoolean()) {
      throw new MalformedPayment("In the payment, success is not a boolean.");
    }
    return new SettlementResponse(
        success.booleanValue(),
        Fields.text(root, "transaction"),
        Fields.text(root, "network"),
        Fields.optionalText(root, "payer"),
        Fields.optionalText(root, "errorReason"),
        Fields.optionalText(root, "amount"),
        extra(Fields.optionalObject(root, "extensions")),
        extra(Fields.optionalObject(root, "extra")));
  }

  /**
   * Reads the value of {@code PAYMENT-REQUIRED}.
   *
   * @throws MalformedPayment if it is not a v2 challenge
   */
  public static PaymentRequired readChallenge(String header) {
    return challenge(Json.readObject(Base64Json.decode(header, PaymentEnvelopes.MAX_HEADER_CHARS)));
  }

  /**
   * Reads a challenge from the body of a 402.
   *
   * @throws MalformedPayment if it is not a v2 challenge
   */
  public static PaymentRequired readChallengeBody(byte[] body) {
    if (body.length > MAX_BODY_BYTES) {
      throw new MalformedPayment("The challenge is too long.");
    }
    return challenge(Json.readObject(body));
  }

  private static PaymentRequired challenge(JsonNode root) {
    if (Fields.integer(root, "x402Version") != 2) {
      throw new MalformedPayment("This x402Version is not spoken here.");
    }
    JsonNode accepts = root.path("accepts");
    if (!accepts.isArray() || accepts.isEmpty() || accepts.size() > MAX_ACCEPTS) {
      throw new MalformedPayment("The challenge offers no way to pay.");
    }
    List<PaymentRequirements> offers = new ArrayList<>();
    accepts.forEach(offer -> offers.add(requirements(offer)));
    return new PaymentRequired(
        2,
        Fields.optionalText(root, "error"),
        resource(Fields.object(root, "resource")),
        offers,
        Fields.optionalObject(root, "extensions"));
  }

  static PaymentRequirements requirements(JsonNode offer) {
    return new PaymentRequirements(
        Fields.text(offer, "scheme"),
        Fields.text(offer, "network"),
        Fields.text(offer, "amount"),
        Fields.text(offer, "asset"),
        Fields.text(offer, "payTo"),
        Fields.integer(offer, "maxTimeoutSeconds"),
        extra(Fields.optionalObject(offer, "extra")));
  }

  static @Nullable Map<String, Object> extra(@Nullable JsonNode extra) {
    if (extra == null) {
      return null;
    }
    Map<String, Object> members = new LinkedHashMap<>();
    extra.properties().forEach(e -> members.put(e.getKey(), plain(e.getValue())));
    return members;
  }

  private static Object plain(JsonNode value) {
    return value.isTextual() ? value.textValue() : value;
  }

  private static ResourceInfo resource(JsonNode resource) {
    List<String> tags = new ArrayList<>();
    resource.path("tags").forEach(tag -> tags.add(tag.asText()));
    try {
      return new ResourceInfo(
          Fields.text(resource, "url"),
          Fields.optionalText(resource, "description"),
          Fields.optionalText(resource, "mimeType"),
          Fields.optionalText(resource, "serviceName"),
          tags.isEmpty() ? null : tags,
          Fields.optionalText(resource, "iconUrl"));
    } catch (IllegalArgumentException e) {
      throw new MalformedPayment("The resource of the challenge breaks a limit of the protocol.");
    }
  }
}
