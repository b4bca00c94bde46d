package dev.octroi.payments.ledger;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.PaymentKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A verified payment that asks to be reserved for one request.
 *
 * @param key what the payment is unique by
 * @param binding the request that it pays for
 * @param envelopeHash SHA-256 of the payment envelope in hex: a replay must be byte-identical
 *     (money rule 4)
 * @param amount atomic units
 * @param asset the token's address
 * @param payTo the recipient
 * @param validBefore when the authorization expires
 * @param spendable the payer's verified balance in millionths of a dollar, which must cover all
 *     open claims in this token and this one (money rule 8); empty where the facilitator reserves
 *     in the ledger's own database, and where it did not tell
 * @param trusted what the payer may have unsettled at once in millionths of a dollar, whatever the
 *     tokens; empty where its balance alone bounds that
 * @param redelivery what the payer gets if the answer does not arrive
 * @param origin whose call it is
 * @param identifier what its payer calls it by (the extension payment-identifier), 16 to 128
 *     characters
 * @param channel the channel that it is paid out of, whose id is the key's payer; empty for a
 *     payment of its own
 */
public record ClaimRequest(
    PaymentKey key,
    RequestBinding binding,
    String envelopeHash,
    long amount,
    String asset,
    String payTo,
    Instant validBefore,
    OptionalLong spendable,
    OptionalLong trusted,
    Redelivery redelivery,
    CallOrigin origin,
    Optional<String> identifier,
    Optional<ChannelUse> channel) {

  private static final int MAX_TEXT = 16_384;

  /** A payment of which no more is known than its payer. */
  public ClaimRequest(
      PaymentKey key,
      RequestBinding binding,
      String envelopeHash,
      long amount,
      String asset,
      String payTo,
      Instant validBefore,
      OptionalLong spendable,
      Redelivery redelivery) {
    this(
        key,
        binding,
        envelopeHash,
        amount,
        asset,
        payTo,
        validBefore,
        spendable,
        OptionalLong.empty(),
        redelivery,
        CallOrigin.UNKNOWN,
        Optional.empty(),
        Optional.empty());
  }

  /** The same for a call of which more is known. */
  public ClaimRequest by(CallOrigin caller) {
    return with(trusted, caller, identifier, channel);
  }

  /** The same with what its payer calls it by. */
  public ClaimRequest identifiedBy(Optional<String> given) {
    return with(trusted, origin, given, channel);
  }

  /** The same by a payer that may have so much unsettled at once, in millionths of a dollar. */
  public ClaimRequest trustedWith(OptionalLong micros) {
    return with(micros, origin, identifier, channel);
  }

  /** The same, paid out of a channel. */
  public ClaimRequest outOf(Optional<ChannelUse> used) {
    return with(trusted, origin, identifier, used);
  }

  private ClaimRequest with(
      OptionalLong trust, CallOrigin caller, Optional<String> named, Optional<ChannelUse> used) {
    return new ClaimRequest(
        key,
        binding,
        envelopeHash,
        amount,
        asset,
        payTo,
        validBefore,
        spendable,
        trust,
        redelivery,
        caller,
        named,
        used);
  }

  /** Whether no money moves by it any more at a moment; a voucher alone does not end. */
  public boolean endsBefore(Instant moment) {
    boolean ends = channel.isEmpty() || channel.get().deposit().isPresent();
    return ends && validBefore.isBefore(moment);
  }

  /** Throws {@link IllegalArgumentException} if the ledger cannot keep it. */
  public void check() {
    if (binding.path().length() > MAX_TEXT || binding.query().length() > MAX_TEXT) {
      throw new IllegalArgumentException("a path or query exceeds 16,384 characters");
    }
    KeyBytes.of(key.network(), key.payer());
    KeyBytes.of(key.network(), key.nonce());
    if (channel.isPresent() && !ChannelUse.isChannel(key.network(), key.payer())) {
      throw new IllegalArgumentException("a channel has an id of 32 bytes");
    }
    if (channel.filter(used -> used.terms().length() > ChannelUse.MAX_TERMS).isPresent()) {
      throw new IllegalArgumentException("a channel's terms are too long");
    }
  }

  /**
   * Whose call a payment is for, as far as more is known than its payer.
   *
   * @param key the API key whose budget it is taken from; empty for a payer that signs for itself
   * @param scope the group of endpoints by the host's word, at most 64 characters; empty where it
   *     has none
   * @param requestId the answer's request id, at most 64 characters; empty where it has none
   */
  public record CallOrigin(Optional<UUID> key, String scope, String requestId) {

    /** Nothing is known. */
    public static final CallOrigin UNKNOWN = new CallOrigin(Optional.empty(), "", "");

    private static final int MAX_TEXT = 64;

    /** Throws {@link IllegalArgumentException} where a member is too long. */
    public CallOrigin {
      if (scope.length() > MAX_TEXT || requestId.length() > MAX_TEXT) {
        throw new IllegalArgumentException("a scope and a request id have at most 64 characters");
      }
    }
  }

  /**
   * The request that a payment was made for; a payment is taken for no other.
   *
   * @param method HTTP method
   * @param path canonical path, aliases resolved
   * @param query raw query string, empty where there is none
   * @param bodyHash SHA-256 of the body in hex
   */
  public record RequestBinding(String method, String path, String query, String bodyHash) {

    /** The path of payments that are settled for other servers; nothing is sold there. */
    public static final String SETTLED_FOR_OTHERS = "/facilitator/settle";

    /** One hash of all of it, SHA-256 in hex: a component never runs into the next. */
    public String hash() {
      MessageDigest digest = Sha256.digest();
      for (String part : List.of(method, path, query, bodyHash)) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
      }
      return Sha256.hex(digest);
    }
  }
}
