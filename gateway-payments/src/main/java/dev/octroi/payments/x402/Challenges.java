package dev.octroi.payments.x402;

import dev.octroi.payments.Usd;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes challenges. Thread-safe.
 *
 * <p>The 402 is the cheapest thing to ask a gateway for, so it must be the cheapest to make: the
 * offers at a price are encoded once, and the rest is joined as text.
 */
public final class Challenges {

  /** The reason at the first sight of a call without payment. */
  public static final String PAYMENT_REQUIRED = "payment_required";

  private static final String FIRST_ERROR = "Payment required";
  private static final int TYPICAL_CHARS = 1024;

  /** JSON bytes whose base64 just fits. */
  private static final int MAX_HEADER_JSON = Challenge.MAX_HEADER_CHARS / 4 * 3;

  private final Offers offers;

  /** Throws {@link IllegalArgumentException} if the offers alone would overfill the header. */
  public Challenges(Offers offers) {
    this.offers = offers;
    if (offers.priced(new Usd(Usd.MAX_MICROS)).json().length() > MAX_HEADER_JSON / 2) {
      throw new IllegalArgumentException("too many ways to pay for a challenge header");
    }
  }

  /** The challenge to a call that came without payment; throws {@link NothingOffered}. */
  public Challenge first(Usd price, ResourceInfo resource) {
    return challenge(price, resource, FIRST_ERROR, PAYMENT_REQUIRED, null);
  }

  /**
   * A challenge.
   *
   * @param price above zero
   * @param resource what is paid for; what does not fit into the header stands in the body only
   * @param error one of the protocol's reason strings, or a short sentence
   * @param code the machine-readable code of the body
   * @param extensions for the body only
   * @throws NothingOffered if nobody settles on any network at the moment
   */
  public Challenge challenge(
      Usd price,
      ResourceInfo resource,
      String error,
      String code,
      @Nullable Map<String, Object> extensions) {
    OffersNow.Priced offered = offers.priced(price);
    if (offered.accepts().isEmpty()) {
      throw new NothingOffered();
    }
    String accepts = offered.json();
    StringBuilder json = new StringBuilder(TYPICAL_CHARS);
    open(json, error, resource, accepts);
    byte[] inHeader = fitting(json, error, resource, accepts);
    if (extensions != null) {
      json.append(",\"extensions\":").append(Json.write(extensions));
    }
    json.append(",\"price\":{\"amount\":\"").append(price.dollars());
    json.append("\",\"currency\":\"USD\"},\"code\":");
    AsciiJson.string(json, code);
    byte[] body = json.append('}').toString().getBytes(StandardCharsets.ISO_8859_1);
    return new Challenge(Base64Json.encode(inHeader), body);
  }

  private static byte[] fitting(
      StringBuilder open, String error, ResourceInfo resource, String accepts) {
    if (open.length() < MAX_HEADER_JSON) {
      return closed(open);
    }
    for (ResourceInfo shorter : new ResourceInfo[] {bare(resource), origin(resource)}) {
      StringBuilder json = new StringBuilder(TYPICAL_CHARS);
      open(json, error, shorter, accepts);
      if (json.length() < MAX_HEADER_JSON) {
        return closed(json);
      }
    }
    throw new IllegalArgumentException("the error of a challenge is a short sentence");
  }

  private static byte[] closed(StringBuilder open) {
    byte[] json = open.append('}').toString().getBytes(StandardCharsets.ISO_8859_1);
    open.setLength(open.length() - 1);
    return json;
  }

  private static void open(
      StringBuilder json, String error, ResourceInfo resource, String accepts) {
    json.append("{\"x402Version\":2,\"error\":");
    AsciiJson.string(json, error);
    json.append(",\"resource\":");
    AsciiJson.resource(json, resource);
    json.append(",\"accepts\":").append(accepts);
  }

  private static ResourceInfo bare(ResourceInfo resource) {
    return new ResourceInfo(resource.url(), null, resource.mimeType(), null, null, null);
  }

  /** An address of some kilobytes: the server's own address still says whom the payment is for. */
  private static ResourceInfo origin(ResourceInfo resource) {
    String url = resource.url();
    int authority = url.indexOf("://") + 3;
    int path = url.indexOf('/', authority);
    return ResourceInfo.at(path < 0 ? url : url.substring(0, path + 1));
  }
}
