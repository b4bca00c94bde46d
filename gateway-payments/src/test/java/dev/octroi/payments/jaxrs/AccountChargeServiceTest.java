package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.PayerPolicy;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.account.AccountCharges.ChargeResult;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.JdbcAccounts;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.flow.Callers;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import dev.octroi.payments.netting.Netting.NettingTerms;
import dev.octroi.payments.setup.Payments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Accounts that are charged without a call, as for a call. */
class AccountChargeServiceTest {

  private static final Usd PRICE = Usd.parse("5");
  private static final String PURPOSE = "phone/lease-1";

  private final Set<String> denied = ConcurrentHashMap.newKeySet();
  private final List<PaymentUse> used = new ArrayList<>();
  private TestMoney money;
  private JdbcAccounts accounts;
  private IssuedKey key;
  private AccountCharges charges;

  @BeforeEach
  void open() {
    money = new TestMoney();
    accounts = money.accounts();
    key = accounts.open("an account", KeyTerms.of("a key", KeyLimits.NONE));
    charges = payments(Optional.empty()).charges().orElseThrow();
  }

  @AfterEach
  void close() {
    money.close();
  }

  private Payments payments(Optional<NettingTerms> netted) {
    Payments.Builder builder = Payments.builder().ledger(money.ledger());
    if (netted.isEmpty()) {
      builder.accept(TestMoney.HERE.payableTo(TestMoney.SELLER, 60));
    }
    builder.accept(TestMoney.ELSEWHERE.payableTo(TestMoney.SELLER, 60));
    money.facilitators().forEach(builder::facilitator);
    netted.ifPresent(builder::netted);
    PayerPolicy policy = (network, payer) -> !denied.contains(payer);
    return builder
        .callers(
            new Callers(
                Optional.of(accounts),
                policy,
                request -> "",
                request -> "",
                (request, status, code, sentence) -> HttpAnswer.error(status, sentence)))
        .build();
  }

  private UUID account() {
    return key.key().account();
  }

  private ChargeResult charge(Usd amount) {
    return charges.charge(account(), amount, PURPOSE, used::add);
  }

  private long balance() {
    return money.balance(accounts.wallets(account()).get(0).address());
  }

  private long spentBy(IssuedKey issued) {
    return accounts.spent(issued.key().id()).orElseThrow().today().micros();
  }

  @Test
  @Tag("spec:decision.api_key_calls")
  void aWalletPaysAndItsKeysBudgetKnows() {
    ChargeResult.Settled settled = (ChargeResult.Settled) charge(PRICE);

    assertThat(settled.transaction()).startsWith("sandbox:");
    assertThat(used).containsExactly(settled.use());
    assertThat(money.ledger().paymentStatuses().of(settled.use())).isEqualTo(PaymentStatus.SETTLED);
    assertThat(balance()).isEqualTo(1_000_000_000L - 5_000_000);
    assertThat(spentBy(key)).isEqualTo(5_000_000);
  }

  @Test
  @Tag("spec:decision.api_key_calls")
  void whatIsNotWantedAnyMoreIsGivenBack() {
    ChargeResult declined =
        charges.charge(
            account(),
            PRICE,
            PURPOSE,
            use -> {
              used.add(use);
              assertThat(money.ledger().paymentStatuses().of(use)).isEqualTo(PaymentStatus.OPEN);
              return false;
            });
    ChargeResult failed =
        charges.charge(
            account(),
            PRICE,
            PURPOSE,
            use -> {
              throw new IllegalStateException("the lease is gone");
            });

    assertThat(declined).isInstanceOf(ChargeResult.Refused.class);
    assertThat(failed).isInstanceOf(ChargeResult.Refused.class);
    assertThat(money.ledger().paymentStatuses().of(used.get(0))).isEqualTo(PaymentStatus.DEAD);
    assertThat(balance()).isEqualTo(1_000_000_000L);
    assertThat(spentBy(key)).isZero();
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void budgetsHoldAndAnotherKeyOfTheAccountMayHaveOne() {
    KeyLimits small =
        new KeyLimits(Optional.empty(), Optional.of(Usd.parse("7")), Optional.empty());
    IssuedKey limited = accounts.open("a careful account", KeyTerms.of("a key", small));
    UUID account = limited.key().account();
    assertThat(charges.charge(account, PRICE, PURPOSE, used::add))
        .isInstanceOf(ChargeResult.Settled.class);

    assertThat(charges.charge(account, PRICE, PURPOSE, used::add))
        .isEqualTo(new ChargeResult.Refused(ChargeResult.Refused.OVER_BUDGET));

    IssuedKey other = accounts.issue(account, KeyTerms.of("another", KeyLimits.NONE)).orElseThrow();
    assertThat(charges.charge(account, PRICE, PURPOSE, used::add))
        .isInstanceOf(ChargeResult.Settled.class);
    assertThat(spentBy(limited)).isEqualTo(5_000_000);
    assertThat(spentBy(other)).isEqualTo(5_000_000);
  }

  @Test
  void aHundredKeysOfBeforeHideNoneThatIsGood() {
    UUID account = account();
    accounts.revoke(key.key().id());
    for (int i = 0; i < Accounts.MAX_PAGE; i++) {
      IssuedKey former =
          accounts.issue(account, KeyTerms.of("former", KeyLimits.NONE)).orElseThrow();
      accounts.revoke(former.key().id());
    }
    accounts.issue(account, KeyTerms.of("good", KeyLimits.NONE)).orElseThrow();

    assertThat(charges.charge(account, PRICE, PURPOSE, used::add))
        .isInstanceOf(ChargeResult.Settled.class);
  }

  @Test
  void withoutAKeyThatMayNothingIsCharged() {
    IssuedKey reader =
        accounts.open(
            "a reader",
            new KeyTerms(
                "a key", Set.of("models"), OptionalInt.empty(), KeyLimits.NONE, Optional.empty()));
    accounts.revoke(key.key().id());

    assertThat(charge(PRICE)).isEqualTo(new ChargeResult.Refused("no_key"));
    assertThat(charges.charge(reader.key().account(), PRICE, PURPOSE, used::add))
        .isEqualTo(new ChargeResult.Refused("no_key"));
    assertThat(used).isEmpty();
  }

  @Test
  @Tag("spec:decision.api_key_calls")
  void aNetworkThatIsShortGivesWayToTheNextAndThenNothingIsCharged() {
    charge(Usd.parse("999.5"));

    assertThat(charge(Usd.parse("0.9")))
        .isInstanceOfSatisfying(
            ChargeResult.Settled.class,
            it -> assertThat(it.transaction()).isEqualTo("0x" + "ab".repeat(32)));
    assertThat(charge(PRICE))
        .isInstanceOfSatisfying(
            ChargeResult.NoFunds.class, it -> assertThat(it.reason()).contains("insufficient"));
  }

  @Test
  void aPayerThatPolicyRefusesIsNotCharged() {
    accounts
        .wallets(account())
        .forEach(wallet -> denied.add(wallet.address().toLowerCase(Locale.ROOT)));

    assertThat(charge(PRICE)).isEqualTo(new ChargeResult.Refused("payer_refused"));
  }

  @Test
  @Tag("spec:money.5")
  void onAChainItIsSettledRefusedUnsentOrInDoubt() {
    charge(Usd.parse("999.5"));
    Usd some = Usd.parse("0.6");

    money.refusesElsewhere();
    assertThat(charge(some)).isInstanceOf(ChargeResult.Refused.class);
    money.cannotSendElsewhere();
    assertThat(charge(some)).isInstanceOf(ChargeResult.NoFunds.class);
    money.losesElsewhere();
    ChargeResult.InDoubt doubt = (ChargeResult.InDoubt) charge(some);
    assertThat(money.ledger().paymentStatuses().of(doubt.use())).isEqualTo(PaymentStatus.OPEN);
    assertThat(charge(some)).as("what is open counts").isInstanceOf(ChargeResult.NoFunds.class);
  }

  @Test
  @Tag("spec:payment.netted")
  void nettedAccountsOweIt() {
    NettingTerms terms = new NettingTerms(Duration.ofHours(1), Usd.parse("10"));
    AccountCharges netted = payments(Optional.of(terms)).charges().orElseThrow();

    ChargeResult.Settled settled =
        (ChargeResult.Settled) netted.charge(account(), Usd.parse("0.5"), PURPOSE, used::add);

    assertThat(settled.transaction()).startsWith("on-account:");
  }
}
