package dev.octroi.payments.flow;

import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.x402.ChallengeBody;
import dev.octroi.payments.x402.Challenges;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.IdentifierPolicy;
import dev.octroi.payments.x402.OfferExtensions;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.SandboxMoney;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;

/**
 * Which parts of the protocol are spoken with clients beside the plain v2.
 *
 * @param body the version of the bodies of challenges
 * @param identifiers whether payers may or must name their payments
 * @param receipts signs receipts; empty where they go unsigned
 * @param offers signs the offers of each challenge; empty where they go unsigned
 */
public record ClientProtocol(
    ChallengeBody body,
    IdentifierPolicy identifiers,
    Optional<ReceiptSigner> receipts,
    Optional<ReceiptSigner> offers) {

  /** Bodies of v2, optional identifiers, nothing signed. */
  public static final ClientProtocol DEFAULT =
      new ClientProtocol(
          ChallengeBody.V2, IdentifierPolicy.OPTIONAL, Optional.empty(), Optional.empty());

  /**
   * Writes challenges as this says.
   *
   * @param worthless the networks whose money is a sandbox's
   */
  public Challenges challenges(Offers made, Collection<String> worthless, Clock clock) {
    OfferExtensions signed =
        offers
            .<OfferExtensions>map(signer -> new SignedOffers(signer, clock))
            .orElse(OfferExtensions.NONE);
    Extensions standing = identifiers.announced().and(SandboxMoney.announced(worthless));
    return new Challenges(made, body, standing, signed);
  }
}
