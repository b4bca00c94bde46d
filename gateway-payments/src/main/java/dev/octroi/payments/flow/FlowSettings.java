package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.PaymentObserver;
import dev.octroi.payments.Prices;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.flow.CreditBounds.CreditTerms;
import dev.octroi.payments.ledger.Debts;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.netting.Netting;
import dev.octroi.payments.netting.Netting.NettingTerms;
import dev.octroi.payments.x402.Challenges;
import dev.octroi.payments.x402.Descriptions;
import dev.octroi.payments.x402.Offers;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the flow works with, complete and consistent.
 *
 * @param facilitators by network; one for each network that is offered
 * @param challenges writes the challenges for the offers
 * @param callers what is known of callers beside their payments
 * @param tariffs instances of tariffs that cannot be constructed from their class
 * @param prices what a call costs, given its list price
 * @param netting when calls by API key are paid for together; empty: each by itself
 * @param unsettledPerPayer what a payer whose balance is not told may have unsettled at once
 * @param credit what payers that sign a ceiling may owe
 * @param priceInBody whether JSON answers of a path get the price as a member
 * @param protocol which parts of the protocol are spoken with clients
 * @param descriptions what challenges say of their resources
 * @param observer is told how the steps of payments ended
 * @param strict whether a method that is neither paid nor free fails the deployment
 */
public record FlowSettings(
    Ledger ledger,
    Map<String, Facilitator> facilitators,
    Offers offers,
    Challenges challenges,
    Map<Class<? extends Tariff>, Tariff> tariffs,
    Prices prices,
    Admission admission,
    Callers callers,
    Clock clock,
    ResourceUrl urls,
    Optional<NettingTerms> netting,
    Usd unsettledPerPayer,
    CreditTerms credit,
    Predicate<String> priceInBody,
    CallLimits limits,
    ClientProtocol protocol,
    Descriptions descriptions,
    PaymentObserver observer,
    boolean strict) {

  public FlowSettings {
    facilitators = Map.copyOf(facilitators);
    tariffs = Map.copyOf(tariffs);
  }

  /**
   * Pays for what is owed, at once where calls by API key are paid for one by one, for which it is
   * what is left of a time when they were not; empty where these are not taken.
   */
  public Optional<Netting> netter(Debts debts) {
    Optional<Accounts> accounts = callers.accounts();
    if (accounts.isEmpty()) {
      return Optional.empty();
    }
    Netting.Parts parts = new Netting.Parts(ledger, debts, accounts.get(), offers, facilitators);
    return Optional.of(new Netting(parts, netting.orElse(NettingTerms.AT_ONCE), clock));
  }
}
