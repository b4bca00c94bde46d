package dev.octroi.api.operator;

import dev.octroi.api.house.Refused;
import dev.octroi.api.wallet.WalletResource.LimitChanges;
import dev.octroi.api.wallet.WalletResource.LimitChanges.Limit;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.account.MasterKeys.NoMasterKey;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes keys after looking at what is asked for.
 *
 * @param defaults limits of a key for which none are named
 * @param groups the words of those that a key may be for
 * @param faucet gives sandbox money away
 */
record KeyIssue(
    Accounts accounts,
    KeyLimits defaults,
    Supplier<List<String>> groups,
    Faucet faucet,
    Clock clock) {

  /** Makes a key, and its account where it names none; 400 or 404 where that cannot be done. */
  IssuedKey create(NewKey asked) {
    KeyTerms terms = terms(asked);
    if (asked.fund() != null) {
      faucet.require(asked.fund());
      Optional.ofNullable(asked.account())
          .flatMap(accounts::account)
          .ifPresent(known -> faucet.require(accounts.wallets(known.id())));
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
    List<String> words = groups.get();
    if (!words.containsAll(terms.groups())) {
      throw Refused.invalid("A group is one of " + String.join(", ", words) + ".");
    }
    if (terms.expires().filter(end -> !end.isAfter(clock.instant())).isPresent()) {
      throw Refused.invalid("A key expires in the future.");
    }
    return terms;
  }

  /**
   * A key as the operator asks for it.
   *
   * @param name for people
   * @param account to which it is added; null opens one
   * @param groups words of the groups that it may call; null for all
   * @param requestsPerMinute its own rate; null for the setting's
   * @param perCall limit; null, which is an absent member, for the setting's
   * @param daily limit, in the same way
   * @param monthly limit, in the same way
   * @param expires when it ends by itself; null for never
   * @param fund sandbox money to put into its account's wallets
   */
  record NewKey(
      @Nullable String name,
      @Nullable UUID account,
      @Nullable Set<String> groups,
      @Nullable Integer requestsPerMinute,
      @Nullable Limit perCall,
      @Nullable Limit daily,
      @Nullable Limit monthly,
      @Nullable Instant expires,
      @Nullable Usd fund) {

    /**
     * Throws {@link IllegalArgumentException} with a sentence where a member is out of its range.
     *
     * @param defaults limits in place of those that are not named
     */
    KeyTerms terms(KeyLimits defaults) {
      return new KeyTerms(
          name == null ? "" : name,
          groups == null ? Set.of() : groups,
          requestsPerMinute == null ? OptionalInt.empty() : OptionalInt.of(requestsPerMinute),
          new LimitChanges(perCall, daily, monthly).of(defaults),
          Optional.ofNullable(expires));
    }
  }
}
