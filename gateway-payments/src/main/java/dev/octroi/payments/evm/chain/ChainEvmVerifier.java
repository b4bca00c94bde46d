package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.ExactEvmVerifier.SignatureRule;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.chain.PaymentReader.PaymentReading;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the exact scheme on EVM, those that need the chain included, in the protocol's order
 * (x402, exact on EVM, verify). Thread-safe.
 *
 * <p>What can be judged here is judged first, so that a payment that breaks a term costs no round
 * trip; whatever is left costs one, or two where a payer that was taken for a key is a contract.
 */
public final class ChainEvmVerifier {

  static final String ASSET = "asset_not_deployed_contract";
  static final String FACTORY = "eip6492_factory_not_allowed";
  static final String NONCE = "invalid_exact_evm_nonce_already_used";
  static final String BALANCE = "invalid_exact_evm_insufficient_balance";
  static final String SIMULATION = "invalid_exact_evm_transaction_simulation_failed";

  private final ExactEvmVerifier local;
  private final Signatures signatures;
  private final PaymentReader reader;
  private final long chainId;
  private final Set<EvmAddress> factories;

  /**
   * Makes the verifier of one chain.
   *
   * @param rpc the chain
   * @param factories the contracts that may deploy a payer's wallet (ERC-6492)
   */
  public ChainEvmVerifier(
      Clock clock, Signatures signatures, JsonRpc rpc, Set<EvmAddress> factories) {
    this.local = new ExactEvmVerifier(clock, signatures);
    this.signatures = signatures;
    this.reader = new PaymentReader(rpc);
    this.chainId = rpc.chainId();
    this.factories = Set.copyOf(factories);
  }

  /**
   * Verifies a payment against this server's own terms.
   *
   * @return valid with the payer's balance; late where only the chain's state is against it, for
   *     then it may have settled here before; else the reason of the first broken rule
   * @throws MalformedPayment if the payload cannot be read
   * @throws ChainUnavailable if the chain cannot be asked
   */
  public Verification verify(PaymentPayload payment, PaymentRequirements terms) {
    TokenDomain domain = TokenDomain.of(terms).orElse(null);
    if (domain == null || !domain.isEvm()) {
      return local.verify(payment, terms);
    }
    if (domain.chainId() != chainId) {
      return new Verification.Invalid("invalid_exact_evm_network_mismatch", null);
    }
    SignatureInquiry inquiry = new SignatureInquiry(reader, signatures, factories, domain.token());
    Verification verification = local.verify(payment, terms, inquiry);
    return verification instanceof Verification.Valid valid
        ? judge(inquiry, valid, new BigInteger(terms.amount()))
        : verification;
  }

  private static Verification judge(
      SignatureInquiry inquiry, Verification.Valid valid, BigInteger amount) {
    if (inquiry.isOverruled()) {
      return new Verification.Invalid(SignatureRule.BROKEN, valid.payer());
    }
    PaymentReading reading = inquiry.reading();
    if (!reading.assetHasCode()) {
      return new Verification.Invalid(ASSET, valid.payer());
    }
    long spendable = reading.balance().min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
    Verification.Valid payment =
        new Verification.Valid(
            valid.payer(), valid.nonce(), valid.validBefore(), OptionalLong.of(spendable));
    String obstacle = obstacle(reading, amount);
    return obstacle == null ? payment : new Verification.Late(obstacle, payment);
  }

  /**
   * What the chain's state has against a transfer. A simulation that succeeds is not enough: some
   * tokens do nothing on a used nonce, silently.
   */
  private static @Nullable String obstacle(PaymentReading reading, BigInteger amount) {
    if (reading.used()) {
      return NONCE;
    }
    if (reading.balance().compareTo(amount) < 0) {
      return BALANCE;
    }
    return reading.transfers() ? null : SIMULATION;
  }

  /**
   * One payment's signature: judged by the key here, and by the chain where no key of the payer's
   * made it. What the chain said is kept for the rules that follow. For one thread.
   */
  static final class SignatureInquiry implements SignatureRule {

    private final PaymentReader reader;
    private final Signatures signatures;
    private final Set<EvmAddress> factories;
    private final EvmAddress asset;

    private boolean byKey;
    private byte[] digest = {};
    private Optional<Multicall3.Call> deployment = Optional.empty();
    private @Nullable SignedAuthorization judged;
    private @Nullable PaymentReading reading;

    SignatureInquiry(
        PaymentReader reader, Signatures signatures, Set<EvmAddress> factories, EvmAddress asset) {
      this.reader = reader;
      this.signatures = signatures;
      this.factories = factories;
      this.asset = asset;
    }

    @Override
    public @Nullable String broken(SignedAuthorization signed, byte[] signedDigest) {
      digest = signedDigest;
      judged = signed;
      if (DeployingSignature.marks(signed.signature())) {
        return brokenDeploying(signed);
      }
      byKey =
          signatures.isSignedBy(signed.authorization().from(), signedDigest, signed.signature());
      return byKey || isAccepted(reading()) ? null : BROKEN;
    }

    private @Nullable String brokenDeploying(SignedAuthorization signed) {
      Optional<DeployingSignature> parts = DeployingSignature.read(signed.signature());
      if (parts.isEmpty()) {
        return BROKEN;
      }
      if (!factories.contains(parts.get().factory())) {
        return ChainEvmVerifier.FACTORY;
      }
      judged = new SignedAuthorization(signed.authorization(), parts.get().signature());
      deployment = parts.map(part -> new Multicall3.Call(part.factory(), part.factoryData()));
      return isAccepted(reading()) ? null : BROKEN;
    }

    /**
     * Some addresses without code answer with what they are asked, so an answer alone is no yes.
     */
    private boolean isAccepted(PaymentReading said) {
      return said.accepted() && (said.payerHasCode() || deployment.isPresent());
    }

    /** Whether the payer has code, which alone decides then, and decided against the signature. */
    boolean isOverruled() {
      return byKey && reading().payerHasCode() && !reading().accepted();
    }

    /** What the chain says, asked once. */
    PaymentReading reading() {
      PaymentReading known = reading;
      if (known == null) {
        if (judged == null) {
          throw new IllegalStateException("the signature comes first");
        }
        known = reader.read(judged, digest, asset, byKey, deployment);
        reading = known;
      }
      return known;
    }
  }
}
