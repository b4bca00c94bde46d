package dev.octroi.payments.evm;

import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the exact scheme on EVM that need no chain, in the protocol's order; the first that
 * is broken gives the reason. Thread-safe.
 *
 * <p>Whether the payer is a contract, has the money or used the nonce before is the facilitator's
 * to find out.
 */
public final class ExactEvmVerifier {

  /** An authorization must live at least so much longer, in seconds (x402, exact on EVM). */
  private static final long MIN_LIFE_SECONDS = 6;

  /** How far a payer's clock may be ahead, in seconds (decisions, envelope leniency). */
  public static final long SKEW_SECONDS = 10;

  /** Offers are few; a server that takes any terms from outside must not fill the memory. */
  private static final int MAX_CACHED_DOMAINS = 256;

  private static final String VALID_BEFORE = "invalid_exact_evm_payload_authorization_valid_before";

  private final Clock clock;
  private final Signatures signatures;
  private final Map<TokenDomain, byte[]> separators = new ConcurrentHashMap<>();

  public ExactEvmVerifier(Clock clock, Signatures signatures) {
    this.clock = clock;
    this.signatures = signatures;
  }

  /**
   * Verifies a payment of a payer with a key against this server's own terms.
   *
   * @return valid or late, with an unknown balance, or the reason of the first broken rule
   * @throws MalformedPayment if the payload cannot be read
   */
  public Verification verify(PaymentPayload payment, PaymentRequirements terms) {
    return verify(payment, terms, this::brokenEcdsa);
  }

  /**
   * The same, where the signatures of contracts, which do not have a key's 65 bytes, are left to
   * the facilitator, which can ask the chain.
   */
  public Verification verifyLeavingContracts(PaymentPayload payment, PaymentRequirements terms) {
    return verify(
        payment,
        terms,
        (signed, digest) ->
            signed.signature().length == Signatures.BYTES ? brokenEcdsa(signed, digest) : null);
  }

  /**
   * The same, where the caller supplies the check of the signature, in its place among the rules.
   *
   * @param signature asked once at most
   */
  public Verification verify(
      PaymentPayload payment, PaymentRequirements terms, SignatureRule signature) {
    if (!payment.scheme().equals(PaymentOption.EXACT)
        || !terms.scheme().equals(PaymentOption.EXACT)) {
      return new Verification.Invalid("invalid_exact_evm_scheme", null);
    }
    TokenDomain domain = TokenDomain.of(terms).orElse(null);
    if (domain == null) {
      return new Verification.Invalid("invalid_exact_evm_missing_eip712_domain", null);
    }
    if (!domain.isEvm() || !payment.network().equals(terms.network())) {
      return new Verification.Invalid("invalid_exact_evm_network_mismatch", null);
    }
    SignedAuthorization signed = SignedAuthorization.read(payment.payload());
    TransferAuthorization authorization = signed.authorization();
    String payer = authorization.from().toString();
    long now = clock.instant().getEpochSecond();
    String unsigned = signature.broken(signed, authorization.digest(separator(domain)));
    String reason = unsigned == null ? brokenTerm(authorization, terms, now) : unsigned;
    if (reason != null) {
      return new Verification.Invalid(reason, payer);
    }
    Verification.Valid valid =
        new Verification.Valid(
            payer,
            authorization.nonceHex(),
            Instant.ofEpochSecond(authorization.validBefore().longValueExact()),
            OptionalLong.empty());
    return isLate(authorization, now) ? new Verification.Late(VALID_BEFORE, valid) : valid;
  }

  /** Being late is no broken term, but it comes before those that come after it. */
  private static @Nullable String brokenTerm(
      TransferAuthorization authorization, PaymentRequirements terms, long now) {
    if (!authorization.to().equals(EvmAddress.parse(terms.payTo()))) {
      return "invalid_exact_evm_recipient_mismatch";
    }
    long latest = now + terms.maxTimeoutSeconds() + SKEW_SECONDS;
    if (authorization.validBefore().compareTo(BigInteger.valueOf(latest)) > 0) {
      return VALID_BEFORE;
    }
    String rest = brokenStartOrValue(authorization, terms, now);
    return rest != null && isLate(authorization, now) ? VALID_BEFORE : rest;
  }

  private static boolean isLate(TransferAuthorization authorization, long now) {
    return authorization.validBefore().compareTo(BigInteger.valueOf(now + MIN_LIFE_SECONDS)) < 0;
  }

  private static @Nullable String brokenStartOrValue(
      TransferAuthorization authorization, PaymentRequirements terms, long now) {
    if (authorization.validAfter().compareTo(BigInteger.valueOf(now)) > 0) {
      return "invalid_exact_evm_payload_authorization_valid_after";
    }
    if (!authorization.value().equals(new BigInteger(terms.amount()))) {
      return "invalid_exact_evm_payload_authorization_value_mismatch";
    }
    return null;
  }

  private @Nullable String brokenEcdsa(SignedAuthorization signed, byte[] digest) {
    boolean byPayer =
        signatures.isSignedBy(signed.authorization().from(), digest, signed.signature());
    return byPayer ? null : SignatureRule.BROKEN;
  }

  private byte[] separator(TokenDomain domain) {
    byte[] known = separators.get(domain);
    if (known != null) {
      return known;
    }
    byte[] fresh = domain.separator();
    if (separators.size() < MAX_CACHED_DOMAINS) {
      separators.put(domain, fresh);
    }
    return fresh;
  }

  /** Judges whether an authorization was signed by its payer, a key or a contract. */
  @FunctionalInterface
  public interface SignatureRule {

    /** The protocol's reason for a signature that is not the payer's. */
    String BROKEN = "invalid_exact_evm_signature";

    /**
     * Why the signature does not count, as one of the protocol's reasons; null if it does.
     *
     * @param signed what the payment says
     * @param digest the 32 bytes that the payer signs
     */
    @Nullable String broken(SignedAuthorization signed, byte[] digest);
  }
}
