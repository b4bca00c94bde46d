package dev.octroi.payments.evm;

import org.jspecify.annotations.Nullable;

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
