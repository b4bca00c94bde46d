package dev.octroi.payments.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.Accounts.Spent;
import dev.octroi.payments.account.Accounts.UsageLine;
import dev.octroi.payments.account.Accounts.UsageQuery;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.ManagedWallet.WalletAddress;
import dev.octroi.payments.account.MasterKeys.NoMasterKey;
import dev.octroi.payments.account.WalletRows.Row;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;

/** Accounts in the ledger's database, H2 or PostgreSQL. */
public final class JdbcAccounts implements Accounts {

  private static final String INSERT =
      "INSERT INTO account (id, name, created_at) VALUES (:id, :name, :now)";

  private static final String PAGE =
      """
      SELECT * FROM account c WHERE EXISTS (SELECT 1 FROM account a WHERE a.id = :after
        AND (c.created_at > a.created_at OR (c.created_at = a.created_at AND c.id > a.id)))
      ORDER BY c.created_at, c.id LIMIT :most
      """;

  private static final String FIRST_PAGE =
      "SELECT * FROM account ORDER BY created_at, id LIMIT :most";

  private static final String USAGE =
      """
      SELECT u.key_id, u.on_day, u.scope, u.calls, u.spend - u.refunded AS spend
      FROM key_usage u JOIN api_key k ON k.id = u.key_id
      WHERE k.account_id = :account AND u.on_day BETWEEN :from AND :to
      """;

  private static final String USAGE_OF_KEY = " AND u.key_id = :key";

  private static final String USAGE_AFTER =
      """
       AND (u.on_day < :day OR (u.on_day = :day AND
        (u.key_id > :after OR (u.key_id = :after AND u.scope > :scope))))
      """;

  private static final String USAGE_ORDER =
      " ORDER BY u.on_day DESC, u.key_id, u.scope LIMIT :most";

  private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final int OPEN_WALLETS = 10_000;

  private final Statements database;
  private final Vault vault;
  private final Clock clock;
  private final KeyRing ring;

  /** Opening may ask a key management service; the keys of a wallet never change. */
  private final Cache<UUID, List<ManagedWallet>> payers =
      Caffeine.newBuilder().maximumSize(OPEN_WALLETS).expireAfterAccess(IDLE).build();

  /**
   * @param masterKeys seal the wallets; empty: no account can be opened, and no wallet signs
   * @param kinds of the wallets that every account gets
   */
  public JdbcAccounts(
      Statements database, Optional<MasterKeys> masterKeys, List<WalletKind> kinds, Clock clock) {
    this.database = database;
    this.vault = new Vault(masterKeys, kinds);
    this.clock = clock;
    this.ring = new KeyRing(this::find, clock);
  }

  @Override
  public IssuedKey open(String name, KeyTerms terms) {
    KeyTerms.requireName(name);
    UUID account = UUID.randomUUID();
    UUID key = UUID.randomUUID();
    KeySecret secret = KeySecret.fresh();
    List<Row> wallets = vault.fresh(account);
    Instant now = now();
    return database.run(
        handle -> {
          if (account(handle, account).isEmpty()) {
            insert(handle, new Account(account, name, now));
            wallets.forEach(wallet -> WalletRows.insert(handle, wallet, now));
          }
          KeyRows.insert(handle, key, account, terms, secret, now);
          return issued(KeyRows.find(handle, key), secret).orElseThrow();
        });
  }

  @Override
  public Optional<IssuedKey> issue(UUID account, KeyTerms terms) {
    UUID key = UUID.randomUUID();
    KeySecret secret = KeySecret.fresh();
    Instant now = now();
    vault.masterKeys();
    return database.run(
        handle -> {
          if (account(handle, account).isEmpty()) {
            return Optional.empty();
          }
          KeyRows.insert(handle, key, account, terms, secret, now);
          return issued(KeyRows.find(handle, key), secret);
        });
  }

  private static Optional<IssuedKey> issued(Optional<ApiKey> key, KeySecret secret) {
    return key.map(it -> new IssuedKey(it, secret.text()));
  }

  @Override
  public Optional<Account> account(UUID id) {
    return database.run(handle -> account(handle, id));
  }

  @Override
  public Optional<ApiKey> key(UUID id) {
    return database.run(handle -> KeyRows.find(handle, id));
  }

  private Optional<ApiKey> find(KeySecret secret) {
    Instant now = now();
    return database.run(handle -> KeyRows.find(handle, secret, now));
  }

  @Override
  public Optional<ApiKey> recognise(String secret, Runnable stranger) {
    return ring.find(secret, stranger);
  }

  @Override
  public List<ManagedWallet> payers(UUID account) {
    List<ManagedWallet> known = payers.getIfPresent(account);
    if (known != null) {
      return known;
    }
    List<Row> wallets = database.run(handle -> WalletRows.of(handle, account));
    List<ManagedWallet> opened =
        wallets.stream().map(vault::open).flatMap(Optional::stream).toList();
    payers.put(account, opened);
    return opened;
  }

  @Override
  public List<Account> accounts(Optional<UUID> after, int most) {
    return database.run(
        handle -> {
          var query = handle.createQuery(after.isPresent() ? PAGE : FIRST_PAGE);
          after.ifPresent(id -> query.bind("after", id));
          return query.bind("most", page(most)).map((row, context) -> account(row)).list();
        });
  }

  @Override
  public List<ApiKey> keys(KeySearch search, Optional<UUID> after, int most) {
    Instant now = now();
    return database.run(handle -> KeyRows.page(handle, search, after, page(most), now));
  }

  @Override
  public Optional<ApiKey> revoke(UUID key) {
    Instant now = now();
    return changed(key, handle -> KeyRows.revoke(handle, key, now));
  }

  @Override
  public Optional<IssuedKey> rotate(UUID key, Duration overlap) {
    if (overlap.isNegative() || overlap.compareTo(LONGEST_OVERLAP) > 0) {
      throw new IllegalArgumentException("an overlap is 0 to 30 days");
    }
    KeySecret secret = KeySecret.fresh();
    Instant now = now();
    return changed(
        key, handle -> issued(KeyRows.rotate(handle, key, secret, now, now.plus(overlap)), secret));
  }

  @Override
  public Optional<ApiKey> grant(UUID key, UnaryOperator<KeyLimits> change) {
    return changed(
        key,
        handle ->
            KeyRows.forChange(handle, key)
                .map(
                    now ->
                        KeyRows.limit(handle, now.id(), "granted", change.apply(now.granted()))));
  }

  @Override
  public Optional<ApiKey> restrict(UUID key, UnaryOperator<KeyLimits> change) {
    return changed(
        key,
        handle ->
            KeyRows.forChange(handle, key)
                .map(now -> KeyRows.limit(handle, now.id(), "own", change.apply(now.own()))));
  }

  private <T> T changed(UUID key, Statements.Body<T> change) {
    T result = database.run(change);
    ring.forget(key);
    return result;
  }

  @Override
  public Optional<Spent> spent(UUID key) {
    Instant now = now();
    return database.run(handle -> KeyRows.spent(handle, key, now));
  }

  @Override
  public List<WalletAddress> wallets(UUID account) {
    return database.run(
        handle -> WalletRows.of(handle, account).stream().map(Row::address).toList());
  }

  @Override
  public int reseal() {
    String current = vault.masterKeys().current();
    int resealed = 0;
    Optional<UUID> after = Optional.empty();
    List<Row> stale = stale(current, after);
    while (!stale.isEmpty()) {
      for (Row wallet : stale) {
        MasterKeys.Sealed sealed = vault.reseal(wallet);
        resealed += database.run(handle -> WalletRows.reseal(handle, wallet, sealed));
      }
      after = Optional.of(stale.get(stale.size() - 1).address().id());
      stale = stale(current, after);
    }
    return resealed;
  }

  private List<Row> stale(String current, Optional<UUID> after) {
    return database.run(handle -> WalletRows.stale(handle, current, after, MAX_PAGE));
  }

  @Override
  public List<UsageLine> usage(UsageQuery query, Optional<UsageLine> after, int most) {
    return database.run(handle -> usage(handle, query, after, page(most)));
  }

  private static List<UsageLine> usage(
      Handle handle, UsageQuery query, Optional<UsageLine> after, int most) {
    String sql =
        USAGE
            + (query.key().isPresent() ? USAGE_OF_KEY : "")
            + (after.isPresent() ? USAGE_AFTER : "")
            + USAGE_ORDER;
    var lines =
        handle
            .createQuery(sql)
            .bind("account", query.account())
            .bind("from", query.from())
            .bind("to", query.to())
            .bind("most", most);
    query.key().ifPresent(key -> lines.bind("key", key));
    after.ifPresent(
        line ->
            lines.bind("day", line.day()).bind("after", line.key()).bind("scope", line.group()));
    return lines
        .map(
            (row, context) ->
                new UsageLine(
                    row.getObject("on_day", LocalDate.class),
                    row.getObject("key_id", UUID.class),
                    row.getString("scope"),
                    row.getLong("calls"),
                    new Usd(row.getLong("spend"))))
        .list();
  }

  private static Optional<Account> account(Handle handle, UUID id) {
    return handle
        .createQuery("SELECT * FROM account WHERE id = :id")
        .bind("id", id)
        .map((row, context) -> account(row))
        .findOne();
  }

  private static void insert(Handle handle, Account account) {
    handle
        .createUpdate(INSERT)
        .bind("id", account.id())
        .bind("name", account.name())
        .bind("now", account.created())
        .execute();
  }

  private static Account account(ResultSet row) throws SQLException {
    return new Account(
        row.getObject("id", UUID.class),
        row.getString("name"),
        NamedStatements.instant(row, "created_at").orElseThrow());
  }

  private static int page(int most) {
    return Math.max(1, Math.min(most, MAX_PAGE));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /**
   * Makes managed wallets and opens them; a private key leaves it sealed or inside of a signer.
   * Thread-safe.
   */
  static final class Vault {

    private final Optional<MasterKeys> masterKeys;
    private final List<WalletKind> kinds;

    Vault(Optional<MasterKeys> masterKeys, List<WalletKind> kinds) {
      this.masterKeys = masterKeys;
      this.kinds = List.copyOf(kinds);
    }

    MasterKeys masterKeys() {
      return masterKeys.orElseThrow(NoMasterKey::new);
    }

    /** A new wallet of each kind. */
    List<Row> fresh(UUID account) {
      MasterKeys keys = masterKeys();
      return kinds.stream().map(kind -> fresh(account, kind, keys)).toList();
    }

    private static Row fresh(UUID account, WalletKind kind, MasterKeys keys) {
      UUID id = UUID.randomUUID();
      byte[] privateKey = kind.generate();
      MasterKeys.Sealed sealed = keys.seal(privateKey, context(id, kind.kind()));
      WalletAddress address =
          new WalletAddress(id, account, kind.kind(), kind.address(privateKey), sealed.keyId());
      return new Row(address, sealed.bytes());
    }

    /** The wallet with its signer; empty where nothing is paid on its kind of chain. */
    Optional<ManagedWallet> open(Row wallet) {
      return kinds.stream()
          .filter(kind -> kind.kind().equals(wallet.address().kind()))
          .findFirst()
          .flatMap(kind -> kind.signer(privateKey(wallet)))
          .map(signer -> new ManagedWallet(wallet.address(), signer));
    }

    /** The same private key under the current master key. */
    MasterKeys.Sealed reseal(Row wallet) {
      WalletAddress address = wallet.address();
      return masterKeys().seal(privateKey(wallet), context(address.id(), address.kind()));
    }

    private byte[] privateKey(Row wallet) {
      WalletAddress address = wallet.address();
      return masterKeys()
          .open(
              new MasterKeys.Sealed(address.sealedUnder(), wallet.sealed()),
              context(address.id(), address.kind()));
    }

    /** A sealed key that is copied into another wallet's row does not open there. */
    private static byte[] context(UUID wallet, String kind) {
      byte[] network = kind.getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.allocate(2 * Long.BYTES + network.length)
          .putLong(wallet.getMostSignificantBits())
          .putLong(wallet.getLeastSignificantBits())
          .put(network)
          .array();
    }
  }
}
