package dev.octroi.payments.evm.permit2;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.PermitNonce;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the schemes exact and upto by Permit2 that need no chain, in the protocol's order;
 * the first that is broken gives the reason. The terms say the scheme. Thread-safe.
 */
public final class Permit2Verifier {

  /** The protocol's reason for a facilitator that the terms do not name. */
  public static final String FACILITATOR = "upto_facilitator_mismatch";

  static final String EXPIRED = "permit2_deadline_expired";
  private static final String SPENDER = "invalid_permit2_spender";
  private static final String RECIPIENT = "invalid_permit2_recipient_mismatch";
  private static final String UNSUPPORTED = "unsupported_payload_type";

  /** A permit must live at least so much longer, in seconds (x402, exact by Permit2). */
  private static final long MIN_LIFE_SECONDS = 6;

  /**
   * The longest life of a permit, whatever the terms: evidence searches it from its begin to its
   * end, and takes it as not paid where nothing is found.
   */
  private static final long LONGEST_SECONDS = 3600;

  private final Clock clock;
  private final Signatures signatures;

  public Permit2Verifier(Clock clock, Signatures signatures) {
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
   * The same, where the caller supplies the last rules, of the asset's code and the signature.
   *
   * @param signature asked once at most
   */
  public Verification verify(
      PaymentPayload payment, PaymentRequirements terms, PermitRule signature) {
    boolean upto = terms.isUpto();
    String scheme = upto ? PaymentOption.UPTO : PaymentOption.EXACT;
    if (!SignedPermit.isIn(payment.payload(), upto)) {
      return new Verification.Invalid(UNSUPPORTED, null);
    }
    if (!payment.scheme().equals(scheme) || !terms.scheme().equals(scheme)) {
      return new Verification.Invalid(upto ? "invalid_upto_evm_scheme" : UNSUPPORTED, null);
    }
    long chainId = TokenDomain.chainId(terms.network());
    if (chainId == 0 || !payment.network().equals(terms.network())) {
      return ofAnotherNetwork(terms);
    }
    SignedPermit signed = SignedPermit.read(payment.payload());
    TransferPermit permit = signed.permit();
    String payer = permit.from().toString();
    long now = clock.instant().getEpochSecond();
    String broken = brokenTerm(permit, terms, now);
    if (broken == null) {
      broken = signature.broken(signed, permit.digest(chainId));
    }
    boolean late = isLate(permit, now);
    if (broken != null) {
      return new Verification.Invalid(late && comesLater(broken) ? EXPIRED : broken, payer);
    }
    Verification.Valid valid =
        new Verification.Valid(
            payer,
            PermitNonce.key(permit.nonce()),
            Instant.ofEpochSecond(permit.deadline().longValueExact()).plusSeconds(1),
            OptionalLong.empty());
    return late ? new Verification.Late(EXPIRED, valid) : valid;
  }

  /** What is said of a payment on another chain than the terms', or than can be asked. */
  public static Verification ofAnotherNetwork(PaymentRequirements terms) {
    return new Verification.Invalid(
        "invalid_" + (terms.isUpto() ? "upto" : "exact") + "_evm_network_mismatch", null);
  }

  private static @Nullable String brokenTerm(
      TransferPermit permit, PaymentRequirements terms, long now) {
    boolean upto = terms.isUpto();
    if (!permit.spender().equals(Permit2.proxy(upto))) {
      return SPENDER;
    }
    if (!permit.payTo().equals(EvmAddress.parse(terms.payTo()))) {
      return RECIPIENT;
    }
    EvmAddress facilitator = permit.facilitator();
    if (upto && (facilitator == null || !Permit2.isFacilitatorOf(terms, facilitator))) {
      return FACILITATOR;
    }
    long latest =
        now + Math.min(terms.maxTimeoutSeconds(), LONGEST_SECONDS) + ExactEvmVerifier.SKEW_SECONDS;
    if (permit.deadline().compareTo(BigInteger.valueOf(latest)) > 0) {
      return EXPIRED;
    }
    if (permit.validAfter().compareTo(BigInteger.valueOf(now)) > 0) {
      return "permit2_not_yet_valid";
    }
    if (!permit.amount().equals(new BigInteger(terms.amount()))) {
      return "permit2_amount_mismatch";
    }
    return permit.token().equals(EvmAddress.parse(terms.asset())) ? null : "permit2_token_mismatch";
  }

  /** Whether a rule comes after that of the deadline; being late alone breaks none. */
  private static boolean comesLater(String broken) {
    return !Set.of(SPENDER, RECIPIENT, FACILITATOR).contains(broken);
  }

  private static boolean isLate(TransferPermit permit, long now) {
    return permit.deadline().compareTo(BigInteger.valueOf(now + MIN_LIFE_SECONDS)) < 0;
  }

  private @Nullable String brokenEcdsa(SignedPermit signed, byte[] digest) {
    boolean byPayer = signatures.isSignedBy(signed.permit().from(), digest, signed.signature());
    return byPayer ? null : PermitRule.BROKEN;
  }

  /** Judges whether a permit was signed by its payer, a key or a contract. */
  @FunctionalInterface
  public interface PermitRule {

    /** The protocol's reason for a signature that is not the payer's. */
    String BROKEN = "invalid_permit2_signature";

    /**
     * Why the permit does not count, as one of the protocol's reasons; null if it does.
     *
     * @param signed what the payment says
     * @param digest the 32 bytes that the payer signs
     */
    @Nullable String broken(SignedPermit signed, byte[] digest);
  }
}
