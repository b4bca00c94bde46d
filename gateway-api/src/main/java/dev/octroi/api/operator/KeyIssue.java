package dev.octroi.api.operator;

import dev.octroi.api.house.Refused;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.IssuedKey;
import dev.octroi.payments.account.KeyLimits;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.account.NoMasterKey;
import java.time.Clock;
import java.util.List;

/**
 * Makes keys after looking at what is asked for.
 *
 * @param defaults limits of a key for which none are named
 * @param groups the words of those that a key may be for
 * @param faucet gives sandbox money away
 */
record KeyIssue(
    Accounts accounts, KeyLimits defaults, List<String> groups, Faucet faucet, Clock clock) {

  /** Makes a key, and its account where it names none; 400 or 404 where that cannot be done. */
  IssuedKey create(NewKey asked) {
    KeyTerms terms = terms(asked);
    if (asked.fund() != null) {
      faucet.requireSandbox();
    }
    IssuedKey issued = issued(asked, terms);
    if (asked.fund() != null) {
      faucet.give(accounts.wallets(issued.key().account()), asked.fund());
    }
    return issued;
  }

  private IssuedKey issued(NewKey asked, KeyTerms terms) {
    try {
      return asked.account() == null
          ? accounts.open(terms.name(), terms)
          : accounts
              .issue(asked.account(), terms)
              .orElseThrow(() -> Refused.unknown("There is no such account."));
    } catch (NoMasterKey e) {
      throw Refused.of(
          409, "Without gateway.keys.master-key there are no wallets, so no keys can be made.");
    }
  }

  private KeyTerms terms(NewKey asked) {
    KeyTerms terms;
    try {
      terms = asked.terms(defaults);
    } catch (IllegalArgumentException e) {
      throw Refused.invalid("The key cannot be made: " + e.getMessage() + ".");
    }
    if (!groups.containsAll(terms.groups())) {
      throw Refused.invalid("A group is one of " + String.join(", ", groups) + ".");
    }
    if (terms.expires().filter(end -> !end.isAfter(clock.instant())).isPresent()) {
      throw Refused.invalid("A key expires in the future.");
    }
    return terms;
  }
}
