package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.ExactEvmVerifier.SignatureRule;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.chain.PaymentReader.PaymentReading;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One payment's signature: judged by the key here, and by the chain where no key of the payer's
 * made it. What the chain said is kept for the rules that follow. For one thread.
 */
final class SignatureInquiry implements SignatureRule {

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
        signatures
            .signer(signedDigest, signed.signature())
            .filter(signed.authorization().from()::equals)
            .isPresent();
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

  /** Some addresses without code answer with what they are asked, so an answer alone is no yes. */
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
