package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Deferral;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.ManagedWallet;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.flow.Authorization.KeyCall;
import dev.octroi.payments.flow.Authorizations.AnswerForm;
import dev.octroi.payments.flow.PaymentVerifier.OfferVerification;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.x402.Challenges.NothingOffered;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wallets of an API key's account sign, as a payer would who was challenged; one that is short
 * gives way to the next.
 */
final class ManagedWallets implements Authorization {

  private static final Logger LOG = LoggerFactory.getLogger(ManagedWallets.class);

  /** What wallets pay with. Thread-safe. */
  record Payers(Accounts accounts, Offers offers, Settler settler) {

    private static final int VERSION = 2;

    /** The ways to pay for a call in the order in which they are tried, EVM first. */
    List<KeyCall> ways(ApiKey key, Usd price, ResourceInfo resource) {
      List<PaymentRequirements> accepts = offers.accepts(price);
      PaymentRequired challenge = new PaymentRequired(VERSION, null, resource, accepts, null);
      List<ManagedWallet> wallets = accounts.payers(key.account());
      return accepts.stream()
          .flatMap(
              offer ->
                  wallets.stream()
                      .filter(wallet -> pays(wallet, offer))
                      .map(wallet -> new KeyCall(key, wallet, challenge, offer)))
          .toList();
    }

    private static boolean pays(ManagedWallet wallet, PaymentRequirements offer) {
      return wallet.address().paysOn(offer.network()) && wallet.signer().signs(offer);
    }
  }

  private final Payers payers;
  private final ApiKey key;
  private final Usd price;
  private final ResourceInfo resource;
  private @Nullable String shortOf;

  ManagedWallets(Payers payers, ApiKey key, Usd price, ResourceInfo resource) {
    this.payers = payers;
    this.key = key;
    this.price = price;
    this.resource = resource;
  }

  @Override
  public Admission.Caller caller() {
    return caller(key);
  }

  /** Whose calls those by a key are. */
  static Admission.Caller caller(ApiKey key) {
    return new Admission.Caller(key.id().toString(), key.requestsPerMinute());
  }

  @Override
  public String owner() {
    return Deferral.owner(key.account().toString());
  }

  @Override
  public Iterator<VerifiedPayment> payments() {
    Iterator<KeyCall> ways = orRefuse(this::ways).iterator();
    return new Iterator<>() {
      private Optional<VerifiedPayment> next = Optional.empty();

      @Override
      public boolean hasNext() {
        while (next.isEmpty() && ways.hasNext()) {
          next = orRefuse(() -> signed(ways.next()));
        }
        return next.isPresent();
      }

      @Override
      public VerifiedPayment next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        VerifiedPayment payment = next.orElseThrow();
        next = Optional.empty();
        return payment;
      }
    };
  }

  /** The ways to pay in the order in which they are tried; none if nothing is offered. */
  private List<KeyCall> ways() {
    try {
      return payers.ways(key, price, resource);
    } catch (NothingOffered e) {
      return List.of();
    }
  }

  /** Signs and verifies; every refusal means that this wallet cannot pay. */
  private Optional<VerifiedPayment> signed(KeyCall way) {
    PaymentPayload payload = way.payment();
    Verification verification = payers.settler().verify(payload, way.offer());
    if (verification instanceof Verification.Valid valid) {
      return Optional.of(
          new VerifiedPayment(
              OfferedPrice.of(price),
              payload,
              way.offer(),
              valid,
              AnswerForm.CURRENT,
              payers.settler().trusted(way.offer(), valid),
              null,
              Optional.of(way)));
    }
    cannotPay(way, OfferVerification.reason(verification));
    return Optional.empty();
  }

  @Override
  public boolean givesWay(VerifiedPayment payment, ClaimResult result) {
    if (!(result instanceof ClaimResult.Insufficient) || payment.trusted().isPresent()) {
      return false;
    }
    cannotPay(payment.byKey().orElseThrow(), Refusals.insufficient(payment.terms()));
    return true;
  }

  private void cannotPay(KeyCall way, @Nullable String reason) {
    LOG.debug("Wallet {} cannot pay: {}", way.wallet(), reason);
    shortOf = shortOf == null ? reason : shortOf;
  }

  /** Why the first wallet cannot pay. */
  @Override
  public String reason() {
    return shortOf == null ? Refusals.NO_FUNDS : shortOf;
  }

  private <T> T orRefuse(java.util.function.Supplier<T> step) {
    try {
      return step.get();
    } catch (LedgerUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("A call of key {} cannot be paid", key.id(), e);
      throw new CallRefused(HttpAnswer.busy("The payment cannot be made at the moment."));
    }
  }
}
