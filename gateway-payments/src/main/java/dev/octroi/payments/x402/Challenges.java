package dev.octroi.payments.x402;

import dev.octroi.payments.Usd;
import java.nio.charset.StandardCharsets;
import java.util.List;

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
  private static final int TYPICAL_CHARS = 2048;

  /** JSON bytes whose base64 just fits. */
  private static final int MAX_HEADER_JSON = Challenge.MAX_HEADER_CHARS / 4 * 3;

  private final Offers offers;
  private final ChallengeBody bodies;
  private final Extensions common;
  private final OfferExtensions inHeader;
  private final OfferExtensions ofOffers;

  /** Challenges of v2 without extensions. */
  public Challenges(Offers offers) {
    this(offers, ChallengeBody.V2, Extensions.NONE, OfferExtensions.NONE, OfferExtensions.NONE);
  }

  /**
   * Makes challenges.
   *
   * @param bodies the version of the bodies
   * @param common extensions that every challenge announces, in its header too
   * @param inHeader what else each announces that its header has room for before {@code ofOffers}:
   *     clients read nothing but the header
   * @param ofOffers what else is said of the offers of each
   * @throws IllegalArgumentException if the offers alone would overfill the header
   */
  public Challenges(
      Offers offers,
      ChallengeBody bodies,
      Extensions common,
      OfferExtensions inHeader,
      OfferExtensions ofOffers) {
    this.offers = offers;
    this.bodies = bodies;
    this.inHeader = inHeader;
    this.ofOffers = ofOffers;
    this.common = common;
    int fixed =
        offers.priced(new OfferedPrice(new Usd(Usd.MAX_MICROS), true)).json().length()
            + common.member().length();
    if (fixed > MAX_HEADER_JSON / 4 * 3) {
      throw new IllegalArgumentException(
          "too many ways to pay for a challenge header: accept fewer tokens, or fewer schemes");
    }
  }

  /** The challenge to a call that came without payment; throws {@link NothingOffered}. */
  public Challenge first(OfferedPrice price, ResourceInfo resource) {
    return first(price, resource, Extensions.NONE);
  }

  /** The same with extensions for the body only, besides the common ones. */
  public Challenge first(OfferedPrice price, ResourceInfo resource, Extensions extensions) {
    return challenge(price, resource, FIRST_ERROR, PAYMENT_REQUIRED, extensions);
  }

  /**
   * A challenge.
   *
   * @param price above zero; of a ceiling both schemes are offered
   * @param resource what is paid for; what does not fit into the header stands in the body only
   * @param error one of the protocol's reason strings, or a short sentence
   * @param code the machine-readable code of the body
   * @param extensions for the body only, besides the common ones
   * @throws NothingOffered if no facilitator settles on any network at the moment
   */
  public Challenge challenge(
      OfferedPrice price, ResourceInfo resource, String error, String code, Extensions extensions) {
    OffersNow.Priced offered = offers.priced(price);
    if (offered.accepts().isEmpty()) {
      throw new NothingOffered();
    }
    return challenge(offered, price, resource, error, code, extensions);
  }

  /**
   * A challenge that makes one offer alone, such as one that says more than usual.
   *
   * @param offer in place of all that is offered at this price
   */
  public Challenge challenge(
      PaymentRequirements offer,
      OfferedPrice price,
      ResourceInfo resource,
      String error,
      String code,
      Extensions extensions) {
    List<PaymentRequirements> accepts = List.of(offer);
    OffersNow.Priced offered = new OffersNow.Priced(accepts, Json.write(accepts));
    return challenge(offered, price, resource, error, code, extensions);
  }

  private Challenge challenge(
      OffersNow.Priced offered,
      OfferedPrice price,
      ResourceInfo resource,
      String error,
      String code,
      Extensions extensions) {
    Extensions needed = common.and(inHeader.of(resource.url(), offered.accepts()));
    Extensions said = needed.and(ofOffers.of(resource.url(), offered.accepts()));
    String all = said.member();
    StringBuilder json = new StringBuilder(TYPICAL_CHARS);
    ChallengeBody.V2.open(json, error, resource, offered);
    byte[] header =
        json.length() + all.length() < MAX_HEADER_JSON
            ? closed(json, all)
            : fitting(json, error, resource, offered, needed.member());
    if (bodies != ChallengeBody.V2) {
      json.setLength(0);
      bodies.open(json, error, resource, offered);
    }
    json.append(said.and(extensions).member());
    json.append(",\"price\":{\"amount\":\"").append(price.amount().dollars());
    json.append("\",\"currency\":\"USD\"},\"code\":");
    Json.string(json, code);
    byte[] body = json.append('}').toString().getBytes(StandardCharsets.ISO_8859_1);
    return new Challenge(Json.encoded(header), body);
  }

  private byte[] fitting(
      StringBuilder open,
      String error,
      ResourceInfo resource,
      OffersNow.Priced offered,
      String needed) {
    if (open.length() + needed.length() < MAX_HEADER_JSON) {
      return closed(open, needed);
    }
    for (String said : List.of(needed, common.member())) {
      for (ResourceInfo shorter : List.of(bare(resource), origin(resource))) {
        StringBuilder json = new StringBuilder(TYPICAL_CHARS);
        ChallengeBody.V2.open(json, error, shorter, offered);
        if (json.length() + said.length() < MAX_HEADER_JSON) {
          return closed(json, said);
        }
      }
    }
    throw new IllegalArgumentException("the error of a challenge is a short sentence");
  }

  private static byte[] closed(StringBuilder open, String extensions) {
    int length = open.length();
    byte[] json =
        open.append(extensions).append('}').toString().getBytes(StandardCharsets.ISO_8859_1);
    open.setLength(length);
    return json;
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

  /**
   * A 402, ready to send.
   *
   * @param header the value of {@code PAYMENT-REQUIRED}: base64, at most {@value #MAX_HEADER_CHARS}
   *     characters
   * @param body the JSON body: ASCII, the same object with {@code price}, {@code code} and
   *     extensions
   */
  public record Challenge(String header, byte[] body) {

    /** Longest challenge header (decisions, size of the challenge header). */
    public static final int MAX_HEADER_CHARS = 4 * 1024;
  }

  /** What a challenge says besides about the very offers that it makes. Thread-safe. */
  @FunctionalInterface
  public interface OfferExtensions {

    /** Nothing. */
    OfferExtensions NONE = (resourceUrl, accepts) -> Extensions.NONE;

    /**
     * Extensions beside the common ones, of other names; in the header only where they fit.
     *
     * @param resourceUrl what is to be paid for
     * @param accepts the offers, in their order
     */
    Extensions of(String resourceUrl, List<PaymentRequirements> accepts);
  }

  /** There is a price, but no facilitator settles at the moment. */
  public static final class NothingOffered extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NothingOffered() {
      super("no way to pay is offered at the moment", null, false, false);
    }
  }
}
