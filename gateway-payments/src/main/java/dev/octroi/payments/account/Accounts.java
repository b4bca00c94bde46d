package dev.octroi.payments.account;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Accounts, their keys and their managed wallets. Thread-safe; changes are durable on return.
 *
 * <p>All throw {@link dev.octroi.payments.ledger.LedgerUnavailable} when the database does not
 * answer in time. Whatever makes or opens a wallet throws {@link NoMasterKey} where the gateway has
 * no master key. Pages are in the order of creation, at most {@value #MAX_PAGE} rows.
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
   * Finds the key of a secret that has not been rotated away; the key itself may be revoked or
   * expired.
   */
  Optional<ApiKey> find(String secret);

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

  /** A page of keys, of all accounts or of one. */
  List<ApiKey> keys(Optional<UUID> account, Optional<UUID> after, int most);

  /** Ends a key for good, at once here and within 5 seconds on other nodes; empty if unknown. */
  Optional<ApiKey> revoke(UUID key);

  /**
   * Gives a key a new secret; the secrets before it end after the overlap. Budget, usage and rate
   * go on. Empty if there is no such key or it is revoked.
   *
   * @param overlap 0 to 30 days
   */
  Optional<IssuedKey> rotate(UUID key, Duration overlap);

  /** Changes what the operator grants. */
  Optional<ApiKey> grant(UUID key, KeyLimits limits);

  /** Changes what the owner allows, which holds only in so far as it is less. */
  Optional<ApiKey> restrict(UUID key, KeyLimits limits);

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
}
