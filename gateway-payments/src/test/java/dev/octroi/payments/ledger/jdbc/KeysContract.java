package dev.octroi.payments.ledger.jdbc;

import static dev.octroi.payments.account.ApiKey.KeyLimits.NONE;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.AesMasterKeys;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.EvmWallets;
import dev.octroi.payments.account.JdbcAccounts;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.account.MasterKeys;
import dev.octroi.payments.account.SolanaWallets;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.CallOrigin;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Accounts on nodes that share a database, and the claims of their keys. */
abstract class KeysContract extends LedgerContract {

  static final byte[] OLD_KEY = key(1);
  static final byte[] NEW_KEY = key(2);

  KeysContract(TestDatabase kind) {
    super(kind);
  }

  static byte[] key(int filling) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) filling);
    return key;
  }

  JdbcAccounts accounts(JdbcLedger on, byte[]... masterKeys) {
    Optional<MasterKeys> keys =
        masterKeys.length == 0
            ? Optional.empty()
            : Optional.of(new AesMasterKeys(List.of(masterKeys)));
    return new JdbcAccounts(
        on.statements(),
        keys,
        List.of(new EvmWallets(Clock.systemUTC()), new SolanaWallets(wallet -> Optional.empty())),
        clock);
  }

  /** A node that outlives the days which a test lets pass. */
  JdbcLedger longLived(String name) {
    return node(name, it -> it.heartbeat(Duration.ofDays(100), Duration.ofDays(400)));
  }

  /** A key of an account of its own that may spend so much a day, in atomic units. */
  static ApiKey limited(JdbcAccounts accounts, long daily) {
    KeyLimits limits =
        new KeyLimits(Optional.empty(), Optional.of(new Usd(daily)), Optional.empty());
    return open(accounts, limits).key();
  }

  static IssuedKey open(JdbcAccounts accounts, KeyLimits limits) {
    return accounts.open("an account", KeyTerms.of("a key", limits));
  }

  static IssuedKey open(JdbcAccounts accounts) {
    return open(accounts, NONE);
  }

  /** A claim of 10,000 atomic units by a key. */
  static ClaimRequest byKey(ApiKey key) {
    return byKey(key, Sample.fresh());
  }

  static ClaimRequest byKey(ApiKey key, Sample sample) {
    return sample.request().by(new CallOrigin(Optional.of(key.id()), "prediction", "request-1"));
  }
}
