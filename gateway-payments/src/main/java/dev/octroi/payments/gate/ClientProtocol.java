package dev.octroi.payments.gate;

import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.x402.ChallengeBody;
import dev.octroi.payments.x402.IdentifierPolicy;
import java.util.Optional;

/**
 * Which parts of the protocol are spoken with clients beside the plain v2.
 *
 * @param body the version of the bodies of challenges
 * @param identifiers whether payers may or must name their payments
 * @param receipts signs receipts; empty where they go unsigned
 */
public record ClientProtocol(
    ChallengeBody body, IdentifierPolicy identifiers, Optional<ReceiptSigner> receipts) {

  /** Bodies of v2, optional identifiers, no signed receipts. */
  public static final ClientProtocol DEFAULT =
      new ClientProtocol(ChallengeBody.V2, IdentifierPolicy.OPTIONAL, Optional.empty());
}
