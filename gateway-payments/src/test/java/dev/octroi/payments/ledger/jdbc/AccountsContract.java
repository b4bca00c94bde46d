package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Account;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.Accounts.KeySearch;
import dev.octroi.payments.account.Accounts.KeyState;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.JdbcAccounts;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.account.ManagedWallet;
import dev.octroi.payments.account.ManagedWallet.WalletAddress;
import dev.octroi.payments.account.MasterKeys.NoMasterKey;
import dev.octroi.payments.solana.Base58;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys from their making to their end, and the wallets behind them. */
abstract class AccountsContract extends KeysContract {

  private final AtomicInteger strangers = new AtomicInteger();
  private JdbcAccounts accounts;

  AccountsContract(TestDatabase kind) {
    super(kind);
  }

  @BeforeEach
  void openAccounts() {
    accounts = accounts(ledger, OLD_KEY);
  }

  @Test
  @Tag("spec:key.secret")
  void aKeyIsShownOnceAndStoredAsItsHash() {
    IssuedKey issued = open(accounts);

    assertThat(issued.secret()).matches("sk-[A-Za-z0-9_-]{43}");
    assertThat(issued.secret()).startsWith(issued.key().prefix());
    assertThat(issued.toString()).doesNotContain(issued.secret());
    assertThat(accounts.recognise(issued.secret(), () -> {})).contains(issued.key());
    assertThat(number("SELECT count(*) FROM key_secret WHERE octet_length(hash) = 32"))
        .isEqualTo(1);
    assertThat(number("SELECT count(*) FROM api_key WHERE prefix = '" + issued.secret() + "'"))
        .isZero();
    assertThat(accounts.recognise(issued.secret() + "x", () -> {})).isEmpty();
    assertThat(accounts.recognise("sk-" + "A".repeat(43), () -> {})).isEmpty();
  }

  @Test
  void aKeyKeepsWhatWasGrantedToIt() {
    KeyLimits limits =
        new KeyLimits(Optional.of(new Usd(5)), Optional.of(new Usd(6)), Optional.of(new Usd(7)));
    KeyTerms terms =
        new KeyTerms(
            "research",
            Set.of("prediction", "cryptodata"),
            OptionalInt.of(12),
            limits,
            Optional.of(clock.instant().plusSeconds(60)));
    ApiKey key = accounts.open("an account", terms).key();

    assertThat(key.name()).isEqualTo("research");
    assertThat(key.groups()).containsExactlyInAnyOrder("prediction", "cryptodata");
    assertThat(key.requestsPerMinute()).hasValue(12);
    assertThat(key.limits()).isEqualTo(limits);
    assertThat(key.isGood(clock.instant())).isTrue();
    clock.forward(Duration.ofMinutes(2));
    assertThat(key.isGood(clock.instant())).isFalse();
    assertThat(accounts.key(key.id())).contains(key);
  }

  @Test
  @Tag("spec:key.end")
  void aRevokedKeyIsGoodForNothingAtOnceHereAndSoonOnOtherNodes() {
    JdbcAccounts other = accounts(node("b"), OLD_KEY);
    IssuedKey issued = open(accounts);
    assertThat(recognised(accounts, issued)).isPresent();
    assertThat(recognised(other, issued)).isPresent();

    accounts.revoke(issued.key().id());

    assertThat(recognised(accounts, issued)).isEmpty();
    clock.forward(Duration.ofSeconds(5));
    assertThat(recognised(other, issued)).isEmpty();
    assertThat(accounts.rotate(issued.key().id(), Duration.ZERO)).isEmpty();
  }

  @Test
  @Tag("spec:key.rotation")
  void aRotatedKeyHasTwoSecretsUntilTheOverlapEnds() {
    IssuedKey first = open(accounts);
    IssuedKey second = accounts.rotate(first.key().id(), Duration.ofMinutes(10)).orElseThrow();

    assertThat(second.key().id()).isEqualTo(first.key().id());
    assertThat(second.secret()).isNotEqualTo(first.secret()).startsWith(second.key().prefix());
    assertThat(recognised(accounts, first)).isPresent();
    assertThat(recognised(accounts, second)).isPresent();
    clock.forward(Duration.ofMinutes(10));
    assertThat(recognised(accounts, first)).isEmpty();
    assertThat(recognised(accounts, second)).isPresent();
  }

  @Test
  @Tag("spec:key.rotation")
  void ofRotationsAtOnceOneSecretStays() throws Exception {
    IssuedKey first = open(accounts);
    JdbcAccounts other = accounts(node("b"), OLD_KEY);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<IssuedKey>> rotations =
          IntStream.range(0, 24)
              .mapToObj(number -> number % 2 == 0 ? accounts : other)
              .<Callable<IssuedKey>>map(
                  node -> () -> node.rotate(first.key().id(), Duration.ZERO).orElseThrow())
              .toList();
      for (Future<IssuedKey> rotated : threads.invokeAll(rotations)) {
        rotated.get();
      }
    } finally {
      threads.shutdown();
    }

    assertThat(number("SELECT count(*) FROM key_secret")).isEqualTo(25);
    assertThat(number("SELECT count(*) FROM key_secret WHERE ends_at IS NULL")).isEqualTo(1);
  }

  @Test
  @Tag("spec:key.guess")
  void onlyASecretThatIsNotGoodIsAStranger() {
    IssuedKey issued = open(accounts);
    assertThat(recognised(accounts, issued)).isPresent();
    clock.forward(Duration.ofSeconds(6));
    assertThat(recognised(accounts, issued)).isPresent();
    assertThat(strangers).hasValue(0);

    String guess = "sk-" + "B".repeat(43);
    assertThat(accounts.recognise(guess, strangers::incrementAndGet)).isEmpty();
    assertThat(accounts.recognise(guess, strangers::incrementAndGet)).isEmpty();
    assertThat(strangers).hasValue(2);
  }

  @Test
  @Tag("spec:key.wallets")
  void anAccountHasAWalletOnBothChains() {
    IssuedKey issued = open(accounts);

    List<WalletAddress> wallets = accounts.wallets(issued.key().account());

    assertThat(wallets).extracting(WalletAddress::kind).containsExactly("eip155", "solana");
    assertThat(wallets.get(0).address()).matches("0x[0-9a-fA-F]{40}");
    assertThat(Base58.decode(wallets.get(1).address())).hasSize(32);
    ManagedWallet payer = accounts.payers(issued.key().account()).get(0);
    assertThat(payer.signer().account()).isEqualTo(wallets.get(0).address());
  }

  @Test
  @Tag("spec:key.sealed")
  void privateKeysAreSealedEachForItself() {
    open(accounts);
    open(accounts);

    assertThat(number("SELECT count(DISTINCT sealed) FROM wallet")).isEqualTo(4);
    assertThat(number("SELECT min(octet_length(sealed)) FROM wallet")).isEqualTo(12 + 32 + 16);
    // A sealed key in another wallet's row would let one account spend another's money.
    change(
        """
        UPDATE wallet SET sealed = (SELECT o.sealed FROM wallet o
          WHERE o.kind = wallet.kind AND o.id <> wallet.id LIMIT 1)
        """);
    UUID account = accounts.accounts(Optional.empty(), 1).get(0).id();
    assertThatThrownBy(() -> accounts.payers(account))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a wallet does not open with its master key");
  }

  @Test
  @Tag("spec:key.master")
  void aNewMasterKeySealsAnewAndTheOldOneCanGo() {
    IssuedKey issued = open(accounts);
    UUID account = issued.key().account();
    String address = accounts.payers(account).get(0).signer().account();

    JdbcAccounts changing = accounts(ledger, NEW_KEY, OLD_KEY);
    assertThat(changing.payers(account).get(0).signer().account()).isEqualTo(address);
    assertThat(changing.reseal()).isEqualTo(2);
    assertThat(changing.reseal()).isZero();

    assertThat(accounts(ledger, NEW_KEY).payers(account).get(0).signer().account())
        .isEqualTo(address);
    assertThatThrownBy(() -> accounts(ledger, OLD_KEY).payers(account))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Tag("spec:key.master")
  void withoutAMasterKeyNoAccountIsOpenedAndNoneIsLeftBehind() {
    JdbcAccounts without = accounts(ledger);

    assertThatThrownBy(() -> open(without))
        .isInstanceOf(NoMasterKey.class)
        .hasMessageContaining("gateway.keys.master-key");
    assertThat(without.accounts(Optional.empty(), 10)).isEmpty();
  }

  @Test
  void accountsAndKeysAreReadInPagesInTheOrderOfTheirMaking() {
    List<UUID> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.add(open(accounts).key().account());
    }
    accounts.issue(made.get(2), KeyTerms.of("second", KeyLimits.NONE)).orElseThrow();

    List<Account> page = accounts.accounts(Optional.empty(), 3);
    List<Account> next = accounts.accounts(Optional.of(page.get(2).id()), 3);
    assertThat(page).extracting(Account::id).isEqualTo(made.subList(0, 3));
    assertThat(next).extracting(Account::id).isEqualTo(made.subList(3, 5));

    KeySearch all = search("", null);
    List<ApiKey> keys = accounts.keys(all, Optional.empty(), 4);
    assertThat(accounts.keys(all, Optional.of(keys.get(3).id()), 100)).hasSize(2);
    assertThat(accounts.keys(KeySearch.of(made.get(2)), Optional.empty(), 100)).hasSize(2);
    assertThat(accounts.issue(UUID.randomUUID(), KeyTerms.of("without account", KeyLimits.NONE)))
        .isEmpty();
  }

  private static KeySearch search(String name, @Nullable KeyState state) {
    return new KeySearch(
        Optional.empty(),
        Optional.of(name),
        Optional.ofNullable(state),
        Optional.of(Instant.EPOCH),
        Optional.of(Instant.parse("9000-01-01T00:00:00Z")));
  }

  private List<String> names(KeySearch search) {
    return accounts.keys(search, Optional.empty(), 100).stream().map(ApiKey::name).toList();
  }

  @Test
  void keysAreFoundByAPartOfTheirNameAndByTheirState() {
    UUID account = open(accounts).key().account();
    for (String name : List.of("Shop 100%", "shopper", "other")) {
      accounts.issue(account, KeyTerms.of(name, KeyLimits.NONE)).orElseThrow();
    }
    ApiKey ended = accounts.keys(search("shopper", null), Optional.empty(), 1).iterator().next();
    accounts.revoke(ended.id());

    assertThat(names(search("SHOP", null))).containsExactly("Shop 100%", "shopper");
    assertThat(names(search("%", null))).containsExactly("Shop 100%");
    assertThat(names(search("shop", KeyState.REVOKED))).containsExactly("shopper");
    assertThat(names(search("shop", KeyState.ACTIVE))).containsExactly("Shop 100%");
    assertThat(names(search("shop", KeyState.EXPIRED))).isEmpty();
  }

  private Optional<ApiKey> recognised(JdbcAccounts on, IssuedKey key) {
    return on.recognise(key.secret(), strangers::incrementAndGet);
  }
}
