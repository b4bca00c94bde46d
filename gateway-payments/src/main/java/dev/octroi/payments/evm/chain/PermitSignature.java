package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.x402.PaymentRequirements;

/**
 * A permit with its signature as Permit2 takes it.
 *
 * @param permit without what would deploy the payer's wallet (ERC-6492), and with the last byte of
 *     a key's signature as contracts know it
 * @param byKey whether the payer's key made the signature
 */
public record PermitSignature(SignedPermit permit, boolean byKey) {

  static PermitSignature of(Signatures signatures, SignedPermit given, byte[] digest) {
    SignedPermit signed =
        new SignedPermit(given.permit(), DeployingSignature.stripped(given.signature()));
    boolean byKey =
        signatures
            .signer(digest, signed.signature())
            .filter(given.permit().from()::equals)
            .isPresent();
    return new PermitSignature(byKey ? signed.ofKey() : signed, byKey);
  }

  /** The permit of a payment as it is settled. */
  public static SignedPermit spelled(SignedPermit given, PaymentRequirements terms) {
    byte[] digest = given.permit().digest(TokenDomain.chainId(terms.network()));
    return of(Signatures.fastest(), given, digest).permit();
  }
}
