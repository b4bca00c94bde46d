package dev.octroi.payments.flow;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.account.AccountCharges.ChargeResult;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.Accounts.KeySearch;
import dev.octroi.payments.account.Accounts.KeyState;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest.CallOrigin;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.x402.ResourceInfo;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Charges accounts by their keys: the oldest good key that may pay for it, and its limits and
 * budgets, as for a call. Thread-safe.
 */
record AccountChargeService(ManagedWallets.Payers wallets, Settler settler, Clock clock)
    implements AccountCharges {

  private static final Logger LOG = LoggerFactory.getLogger(AccountChargeService.class);
  private static final int MAX_PURPOSE = 200;
  private static final String NOTHING = Sha256.hex(new byte[0]);

  /** What is paid for, as the ledger binds payments. */
  private record Purpose(String text) {

    RequestBinding binding() {
      return new RequestBinding("CHARGE", "/" + text, "", NOTHING);
    }

    String group() {
      return text.substring(0, Math.max(0, text.indexOf('/')));
    }

    ResourceInfo resource() {
      return ResourceInfo.at("urn:octroi:" + text);
    }
  }

  @Override
  public ChargeResult charge(
      UUID account, Usd amount, String purpose, Predicate<PaymentUse> beforeSettling) {
    if (purpose.isBlank() || purpose.length() > MAX_PURPOSE || amount.isZero()) {
      throw new IllegalArgumentException("a charge has an amount, and a purpose of 200 characters");
    }
    Purpose what = new Purpose(purpose);
    ChargeResult result = new ChargeResult.Refused("no_key");
    for (ApiKey key : keys(account, what, amount)) {
      result = charge(key, amount, what, beforeSettling);
      if (!(result instanceof ChargeResult.Refused refused && refused.isOverBudget())) {
        return result;
      }
    }
    return result;
  }

  /** Those by which the account could make such a call. */
  private List<ApiKey> keys(UUID account, Purpose what, Usd amount) {
    KeySearch active =
        new KeySearch(
            Optional.of(account),
            Optional.empty(),
            Optional.of(KeyState.ACTIVE),
            Optional.empty(),
            Optional.empty());
    List<ApiKey> found = new ArrayList<>();
    List<ApiKey> page;
    do {
      Optional<UUID> after =
          found.isEmpty() ? Optional.empty() : Optional.of(found.get(found.size() - 1).id());
      page = wallets.accounts().keys(active, after, Accounts.MAX_PAGE);
      found.addAll(page);
    } while (page.size() == Accounts.MAX_PAGE);
    return found.stream()
        .filter(key -> key.isGood(clock.instant()))
        .filter(key -> key.permits(what.group()))
        .filter(key -> key.limits().perCall().filter(most -> amount.compareTo(most) > 0).isEmpty())
        .toList();
  }

  private ChargeResult charge(
      ApiKey key, Usd amount, Purpose what, Predicate<PaymentUse> beforeSettling) {
    ManagedWallets authorization = new ManagedWallets(wallets, key, amount, what.resource());
    CallOrigin origin = new CallOrigin(Optional.of(key.id()), what.group(), "");
    return settler
        .claim(authorization, it -> it.claim(what.binding(), Redelivery.STORED, origin))
        .map(claimed -> settled(claimed.result(), claimed.payment(), what, beforeSettling))
        .orElseGet(() -> new ChargeResult.NoFunds(authorization.reason()));
  }

  private ChargeResult settled(
      ClaimResult result,
      VerifiedPayment verified,
      Purpose what,
      Predicate<PaymentUse> beforeSettling) {
    if (result instanceof ClaimResult.OverBudget) {
      return new ChargeResult.Refused(ChargeResult.Refused.OVER_BUDGET);
    }
    if (result instanceof ClaimResult.Insufficient) {
      return new ChargeResult.NoFunds(Refusals.insufficient(verified.terms()));
    }
    if (!(result instanceof ClaimResult.Claimed claimed)) {
      String reason =
          result instanceof ClaimResult.Failed failed ? failed.reason() : "claim_refused";
      return new ChargeResult.Refused(reason);
    }
    Claim claim = claimed.claim();
    AccountCharge sale = new AccountCharge(verified, claim);
    PaymentUse use = new PaymentUse(claim.id(), what.binding().hash());
    if (!isWanted(sale, use, beforeSettling)) {
      settler.giveBack(sale, ReleaseReason.of("not_wanted"));
      return new ChargeResult.Refused("not_wanted");
    }
    return told(sale, use, settler.settle(sale, Optional.empty()));
  }

  private static boolean isWanted(
      Chargeable sale, PaymentUse use, Predicate<PaymentUse> beforeSettling) {
    try {
      return beforeSettling.test(use);
    } catch (RuntimeException e) {
      LOG.error("Payment {} is given back: what it would pay for failed", sale.id(), e);
      return false;
    }
  }

  private ChargeResult told(Chargeable sale, PaymentUse use, Settlement outcome) {
    Optional<String> transaction = outcome.deliverable();
    if (transaction.isPresent()) {
      settler.ledger().delivered(sale.claim());
      return new ChargeResult.Settled(use, transaction.get());
    }
    if (outcome instanceof Settlement.Refused refused) {
      return new ChargeResult.Refused(refused.reason());
    }
    return outcome instanceof Settlement.Unsent unsent
        ? new ChargeResult.NoFunds(unsent.reason())
        : new ChargeResult.InDoubt(use);
  }

  /** What an account is charged for without a call: the quote, always. */
  record AccountCharge(VerifiedPayment verified, Claim claim) implements Chargeable {

    @Override
    public Usd charge() {
      return quote();
    }

    @Override
    public void chargeQuote() {}

    @Override
    public Settlement settled(Settlement outcome) {
      return outcome;
    }
  }
}
