package dev.octroi.payments.flow;

import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.ledger.SignInNonces;
import dev.octroi.payments.x402.ChallengeBody;
import dev.octroi.payments.x402.Challenges;
import dev.octroi.payments.x402.Challenges.OfferExtensions;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.PaymentIdentifier.IdentifierPolicy;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SandboxMoney;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which parts of the protocol are spoken with clients beside the plain v2.
 *
 * @param body the version of the bodies of challenges
 * @param identifiers whether payers may or must name their payments
 * @param receipts signs receipts; empty where they go unsigned
 * @param offers signs the offers of each challenge; empty where they go unsigned
 * @param more what challenges announce besides
 * @param signIn whether payers may sign in with their wallets, to have again what they paid for
 */
public record ClientProtocol(
    ChallengeBody body,
    IdentifierPolicy identifiers,
    Optional<ReceiptSigner> receipts,
    Optional<ReceiptSigner> offers,
    Extensions more,
    boolean signIn) {

  /** Bodies of v2, optional identifiers, nothing signed, no signing in. */
  public static final ClientProtocol DEFAULT =
      new ClientProtocol(
          ChallengeBody.V2, IdentifierPolicy.OPTIONAL, Optional.empty(), Optional.empty());

  /** The same with nothing more announced. */
  public ClientProtocol(
      ChallengeBody body,
      IdentifierPolicy identifiers,
      Optional<ReceiptSigner> receipts,
      Optional<ReceiptSigner> offers) {
    this(body, identifiers, receipts, offers, Extensions.NONE, false);
  }

  /** The same with or without signing in. */
  public ClientProtocol withSignIn(boolean allowed) {
    return new ClientProtocol(body, identifiers, receipts, offers, more, allowed);
  }

  /**
   * Writes challenges as this says.
   *
   * @param worthless the networks whose money is a sandbox's
   * @param ofFacilitators what facilitators say besides of the offers of each challenge
   * @param nonces by which wallets sign in
   */
  public Challenges challenges(
      Offers made,
      Collection<String> worthless,
      OfferExtensions ofFacilitators,
      SignInNonces nonces,
      Clock clock) {
    OfferExtensions signed =
        offers
            .<OfferExtensions>map(signer -> new SignedOffers(signer, clock))
            .orElse(OfferExtensions.NONE);
    Extensions standing = identifiers.announced().and(SandboxMoney.announced(worthless)).and(more);
    OfferExtensions signingIn = signIn ? new SignInChallenge(nonces, clock) : OfferExtensions.NONE;
    OfferExtensions inHeader =
        (url, accepts) -> signingIn.of(url, accepts).and(ofFacilitators.of(url, accepts));
    return new Challenges(made, body, standing, inHeader, signed);
  }

  /**
   * Offers that their payer can prove later to have been made (the protocol's extension {@code
   * offer-receipt}). Each stands as long as an authorization for it may live.
   */
  private record SignedOffers(ReceiptSigner signer, Clock clock) implements OfferExtensions {

    private static final Map<String, Object> SCHEMA =
        Map.of("type", "object", "required", List.of("offers"));

    @Override
    public Extensions of(String resourceUrl, List<PaymentRequirements> accepts) {
      List<Map<String, Object>> offers = new ArrayList<>();
      for (PaymentRequirements terms : accepts) {
        Map<String, Object> signed =
            signer.sign(
                new ReceiptSigner.Offer(
                    resourceUrl, terms, clock.instant().plusSeconds(terms.maxTimeoutSeconds())));
        signed.put("acceptIndex", offers.size());
        offers.add(signed);
      }
      return Extensions.of(
          Map.of(
              ReceiptSigner.EXTENSION, Map.of("info", Map.of("offers", offers), "schema", SCHEMA)));
    }
  }
}
