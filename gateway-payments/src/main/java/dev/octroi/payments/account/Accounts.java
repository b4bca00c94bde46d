package dev.octroi.payments.account;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.ManagedWallet.WalletAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Accounts, their keys and their managed wallets. Thread-safe; changes are durable on return.
 *
 * <p>All throw {@link dev.octroi.payments.ledger.LedgerUnavailable} when the database does not
 * answer in time. Whatever makes or opens a wallet throws {@link MasterKeys.NoMasterKey} where the
 * gateway has no master key. Pages are in the order of creation, at most {@value #MAX_PAGE} rows.
 */
public interface Accounts {

  int MAX_PAGE = 100;

  /** Opens an account with its wallets and its first key. */
  IssuedKey open(String name, KeyTerms terms);

  /** Makes another key; empty if there is no such account. */
  Optional<IssuedKey> issue(UUID account, KeyTerms terms);

  Optional<Account> account(UUID id);

  /** Finds a key, good or not. */
  Optional<ApiKey> key(UUID id);

  /**
   * Finds the good key of a secret, remembering for 5 seconds which ones are good.
   *
   * @param stranger run for a secret that is not good; and before the look-up where so many unknown
   *     ones are looked up already that the database is spared those of callers over their limit.
   *     What it throws ends the look-up
   */
  Optional<ApiKey> recognise(String secret, Runnable stranger);

  /** What pays for an account's calls, in the order in which it is tried, EVM first. */
  List<ManagedWallet> payers(UUID account);

  /** A page of accounts; {@code after} is the last one of the page before. */
  List<Account> accounts(Optional<UUID> after, int most);

  /** A page of keys; {@code after} is the last one of the page before. */
  List<ApiKey> keys(KeySearch search, Optional<UUID> after, int most);

  /**
   * Which keys are looked for: what is given must all fit.
   *
   * @param name a part of the name, in whatever case
   * @param since made at this time or later
   * @param until made before this time
   */
  record KeySearch(
      Optional<UUID> account,
      Optional<String> name,
      Optional<KeyState> state,
      Optional<Instant> since,
      Optional<Instant> until) {

    /** All keys of an account. */
    public static KeySearch of(UUID account) {
      return new KeySearch(
          Optional.of(account),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
  }

  /** Whether a key is good. */
  enum KeyState {
    ACTIVE,
    EXPIRED,
    REVOKED
  }

  /** Ends a key for good, at once here and within 5 seconds on other nodes; empty if unknown. */
  Optional<ApiKey> revoke(UUID key);

  /**
   * Gives a key a new secret; the secrets before it end after the overlap. Budget, usage and rate
   * go on. Empty if there is no such key or it is revoked.
   *
   * @param overlap 0 to 30 days
   */
  Optional<IssuedKey> rotate(UUID key, Duration overlap);

  /**
   * Changes what the operator grants; empty if there is no such key.
   *
   * @param change of the limits granted so far; two changes of a key follow one another
   */
  Optional<ApiKey> grant(UUID key, UnaryOperator<KeyLimits> change);

  /**
   * Changes what the owner allows, which holds only in so far as it is less.
   *
   * @param change of the limits that the owner set so far
   */
  Optional<ApiKey> restrict(UUID key, UnaryOperator<KeyLimits> change);

  /** What a key has spent today and this month. */
  Optional<Spent> spent(UUID key);

  /** The wallets of an account, EVM first. */
  List<WalletAddress> wallets(UUID account);

  /** Seals every wallet that an older master key sealed under the current one; how many. */
  int reseal();

  /**
   * A page of usage, the latest day first, then by key and group; {@code after} is the last line of
   * the page before.
   */
  List<UsageLine> usage(UsageQuery query, Optional<UsageLine> after, int most);

  /**
   * A key at the only moment when its secret is known here: it is shown once and kept nowhere.
   *
   * @param key the key
   * @param secret {@code sk-} and 43 characters of base64url
   */
  record IssuedKey(ApiKey key, String secret) {

    /** Everything but the secret. */
    @Override
    public String toString() {
      return "IssuedKey[" + key + ", secret ***]";
    }
  }

  /**
   * What a key has spent of its budget, calls in flight included and refunds not. Days and months
   * are UTC.
   *
   * @param today of the daily limit
   * @param thisMonth of the monthly limit
   */
  record Spent(Usd today, Usd thisMonth) {}

  /**
   * What a key bought in a group on a day; only what was charged counts.
   *
   * @param day UTC, of the moment when the call began
   * @param key the key
   * @param group word of the group; empty where the host names none
   * @param calls how many were charged
   * @param spend what they cost together, less what was refunded of them
   */
  record UsageLine(LocalDate day, UUID key, String group, long calls, Usd spend) {}

  /**
   * Which usage to list.
   *
   * @param account whose
   * @param key of which key; empty: of all the account's
   * @param from the first day, UTC
   * @param to the last day, included
   */
  record UsageQuery(UUID account, Optional<UUID> key, LocalDate from, LocalDate to) {}
}
