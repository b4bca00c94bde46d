package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the facilitator interface, but for the request that a facilitator reads ({@link
 * FacilitatorRequest}). Sizes are the caller's to bound; depth is bounded here.
 */
public final class FacilitatorMessages {

  private static final int VERSION = 2;
  private static final int MAX_KINDS = 256;

  /** Version 1 insists on an address, and its clients do not tell what they pay for. */
  private static final String UNNAMED = "https://resource.invalid/";

  private FacilitatorMessages() {}

  /**
   * The body of {@code /verify} and {@code /settle}: with this server's own terms, whatever the
   * client's envelope looked like, for only the scheme's object is signed.
   *
   * @param version the one in which the facilitator is asked: 1 or 2
   * @throws IllegalArgumentException if version 1 has no name for the network
   */
  public static byte[] request(int version, PaymentPayload payload, PaymentRequirements terms) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("x402Version", version);
    if (version == VERSION) {
      request.put("paymentPayload", envelope(payload, terms));
      request.put("paymentRequirements", terms);
    } else {
      request.put("paymentPayload", PaymentPayload.formerEnvelope(terms, payload.payload()));
      request.put("paymentRequirements", formerTerms(payload, terms));
    }
    return bytes(request);
  }

  /** What a version calls a network; throws {@link IllegalArgumentException} if it cannot. */
  public static String networkIn(int version, String network) {
    return version == VERSION
        ? network
        : FormerNetwork.word(network)
            .orElseThrow(() -> new IllegalArgumentException("x402 version 1 has no " + network));
  }

  private static Map<String, Object> envelope(PaymentPayload payload, PaymentRequirements terms) {
    Map<String, Object> envelope = new LinkedHashMap<>();
    envelope.put("x402Version", VERSION);
    if (payload.resource() != null) {
      envelope.put("resource", Map.of("url", payload.resource()));
    }
    envelope.put("accepted", terms);
    envelope.put("payload", payload.payload());
    return envelope;
  }

  private static Map<String, Object> formerTerms(
      PaymentPayload payload, PaymentRequirements terms) {
    Map<String, Object> former = new LinkedHashMap<>();
    former.put("scheme", terms.scheme());
    former.put("network", networkIn(1, terms.network()));
    former.put("maxAmountRequired", terms.amount());
    former.put("resource", payload.resource() == null ? UNNAMED : payload.resource());
    former.put("description", "");
    former.put("mimeType", "application/json");
    former.put("payTo", terms.payTo());
    former.put("maxTimeoutSeconds", terms.maxTimeoutSeconds());
    former.put("asset", terms.asset());
    if (terms.extra() != null) {
      former.put("extra", terms.extra());
    }
    return former;
  }

  /**
   * Reads the answer of {@code /verify}.
   *
   * @throws MalformedPayment if it is not one
   */
  public static VerifyResponse readVerification(byte[] body) {
    JsonNode root = Json.readObject(body);
    return new VerifyResponse(
        bool(root, "isValid"),
        Json.optionalText(root, "invalidReason"),
        Json.optionalText(root, "payer"),
        StatedChannel.read(root.path("extra")).orElse(null));
  }

  /**
   * Reads the answer of {@code /settle}; a transaction or network that is not there is empty.
   *
   * @throws MalformedPayment if it is not one
   */
  public static SettlementResponse readSettlement(byte[] body) {
    JsonNode root = Json.readObject(body);
    return new SettlementResponse(
        bool(root, "success"),
        orEmpty(Json.optionalText(root, "transaction")),
        orEmpty(Json.optionalText(root, "network")),
        Json.optionalText(root, "payer"),
        Json.optionalText(root, "errorReason"),
        null,
        null,
        StatedChannel.read(root.path("extra").path(StatedChannel.MEMBER))
            .map(state -> Map.<String, Object>of(StatedChannel.MEMBER, state))
            .orElse(null));
  }

  /**
   * Reads the answer of {@code /supported}.
   *
   * @throws MalformedPayment if it is not one
   */
  public static List<SupportedKind> readSupported(byte[] body) {
    JsonNode kinds = Json.readObject(body).path("kinds");
    if (!kinds.isArray() || kinds.size() > MAX_KINDS) {
      throw new MalformedPayment("The facilitator does not list what it supports.");
    }
    List<SupportedKind> read = new ArrayList<>();
    for (JsonNode kind : kinds) {
      read.add(
          new SupportedKind(
              Json.integer(kind, "x402Version"),
              Json.text(kind, "scheme"),
              Json.text(kind, "network"),
              texts(Json.optionalObject(kind, "extra"))));
    }
    return List.copyOf(read);
  }

  /** The body of an answer to {@code /verify}. */
  public static byte[] answer(VerifyResponse verification) {
    return bytes(verification);
  }

  /** The body of an answer to {@code /settle}. */
  public static byte[] answer(SettlementResponse settlement) {
    return bytes(settlement);
  }

  /**
   * The body of an answer to {@code /supported}; of {@code exact}, each network also by its name in
   * version 1.
   *
   * @param exact what offers say besides, by network
   * @param upto the same of ceilings
   * @param channels the same of payments out of channels
   */
  public static byte[] supported(
      Map<String, Map<String, Object>> exact,
      Map<String, Map<String, Object>> upto,
      Map<String, Map<String, Object>> channels) {
    List<SupportedKind> kinds = new ArrayList<>();
    exact.forEach(
        (network, extra) -> {
          SupportedKind kind = kind(PaymentOption.EXACT, network, extra);
          kinds.add(kind);
          FormerNetwork.word(network)
              .ifPresent(
                  word -> kinds.add(new SupportedKind(1, kind.scheme(), word, kind.extra())));
        });
    upto.forEach((network, extra) -> kinds.add(kind(PaymentOption.UPTO, network, extra)));
    channels.forEach((network, extra) -> kinds.add(kind(PaymentOption.CHANNEL, network, extra)));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("kinds", kinds);
    answer.put("extensions", List.of());
    answer.put("signers", Map.of());
    return bytes(answer);
  }

  private static SupportedKind kind(String scheme, String network, Map<String, Object> extra) {
    Map<String, String> texts = texts(extra.isEmpty() ? null : Json.tree(extra));
    return new SupportedKind(VERSION, scheme, network, texts.isEmpty() ? null : texts);
  }

  private static byte[] bytes(Object message) {
    return Json.write(message).getBytes(StandardCharsets.US_ASCII);
  }

  private static boolean bool(JsonNode object, String name) {
    JsonNode node = object.path(name);
    if (!node.isBoolean()) {
      throw new MalformedPayment("In the answer, " + name + " is not a boolean.");
    }
    return node.booleanValue();
  }

  private static Map<String, String> texts(@Nullable JsonNode extra) {
    Map<String, String> members = new HashMap<>();
    if (extra != null) {
      extra
          .properties()
          .forEach(
              member -> {
                if (member.getValue().isTextual()) {
                  members.put(member.getKey(), member.getValue().textValue());
                }
              });
    }
    return Map.copyOf(members);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  /**
   * One way to pay that a facilitator settles, as {@code /supported} lists it.
   *
   * @param x402Version the version of the protocol in which it is asked
   * @param scheme such as {@code exact}
   * @param network CAIP-2 id, or the short name of version 1
   * @param extra what an offer says besides, such as {@code feePayer}; text members only
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SupportedKind(
      int x402Version, String scheme, String network, @Nullable Map<String, String> extra) {

    /**
     * Whether it settles a scheme on a network, in a version that is spoken here: version 1 knows
     * the exact one alone.
     */
    public boolean settles(String wanted, String caip2) {
      return scheme.equals(wanted)
          && switch (x402Version) {
            case 1 ->
                wanted.equals(PaymentOption.EXACT)
                    && FormerNetwork.word(caip2).filter(network::equals).isPresent();
            case 2 -> network.equals(caip2);
            default -> false;
          };
    }
  }

  /**
   * What a facilitator says of a payment that it was asked to verify (x402, facilitator interface).
   *
   * @param valid whether it would settle
   * @param invalidReason one of the protocol's reason strings, where it would not
   * @param payer the payer's address, where it could be read
   * @param extra the channel out of which it is paid
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record VerifyResponse(
      @JsonProperty("isValid") boolean valid,
      @Nullable String invalidReason,
      @Nullable String payer,
      @Nullable StatedChannel extra) {

    /** Of a payment that is not made out of a channel. */
    public VerifyResponse(boolean valid, @Nullable String invalidReason, @Nullable String payer) {
      this(valid, invalidReason, payer, null);
    }
  }
}
