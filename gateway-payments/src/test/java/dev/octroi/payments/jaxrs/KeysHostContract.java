package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.PayerPolicy;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.JdbcAccounts;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.flow.Callers;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an API key buys, and what it does not (decisions, credentials). */
abstract class KeysHostContract extends ShopContract {

  private final Set<String> denied = ConcurrentHashMap.newKeySet();
  private JdbcAccounts accounts;
  IssuedKey key;

  KeysHostContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  @Override
  Payments.Builder builder(TestMoney runtime) {
    accounts = runtime.changingAccounts();
    PayerPolicy policy = (network, payer) -> !denied.contains(payer);
    return super.builder(runtime)
        .callers(
            new Callers(
                Optional.of(accounts),
                policy,
                request -> request.path().contains("item") ? "items" : "reads",
                request -> "request-1",
                (request, status, code, sentence) ->
                    HttpAnswer.error(status, code + ": " + sentence)));
  }

  @BeforeEach
  void aKey() {
    denied.clear();
    key = key(KeyLimits.NONE, Set.of());
  }

  private IssuedKey key(KeyLimits limits, Set<String> groups) {
    return accounts.open(
        "an account", new KeyTerms("a key", groups, OptionalInt.empty(), limits, Optional.empty()));
  }

  private HttpResponse<String> call(String path, String secret) {
    return payer.send(payer.to(path).header("Authorization", "Bearer " + secret));
  }

  HttpResponse<String> call(String path) {
    return call(path, key.secret());
  }

  long spentBy(IssuedKey issued) {
    return accounts.spent(issued.key().id()).orElseThrow().today().micros();
  }

  @Test
  @Tag("spec:auth.api_key")
  void aKeyBuysOutOfItsManagedWallet() {
    HttpResponse<String> answer = call("read");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.009500");
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isPresent();
    assertThat(money.balance(accounts.wallets(key.key().account()).get(0).address()))
        .isEqualTo(1_000_000_000L - 9500);
    assertThat(spentBy(key)).isEqualTo(9500);
  }

  @Test
  @Tag("spec:money.7")
  void aStreamIsChargedForWhatItCostWhenItEnds() {
    HttpResponse<String> answer = call("taxi");

    assertThat(answer.body()).isEqualTo("data: 1\n\ndata: 2\n\n");
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.010000");
    assertThat(answer.headers().firstValue(Payment.METERED)).isEmpty();
    await().untilAsserted(() -> assertThat(spentBy(key)).isEqualTo(4000));
    assertThat(money.balance(accounts.wallets(key.key().account()).get(0).address()))
        .isEqualTo(1_000_000_000L - 4000);
  }

  @Test
  @Tag("spec:money.7")
  void aStreamThatBreaksOffIsChargedForWhatItHadCost() {
    // Whether the caller sees the break is up to the container.
    var unused = CompletableFuture.runAsync(() -> call("taxi?broken=true"));

    await().untilAsserted(() -> assertThat(spentBy(key)).isEqualTo(4000));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("spec:money.7")
  void aStreamThatIsNotReadToItsEndIsChargedForWhatItHadCost(boolean onAChain) {
    if (onAChain) {
      letters(100_000);
    }
    long before = spentBy(key);
    shop.gate = new CountDownLatch(1);
    var unused = CompletableFuture.runAsync(() -> call("taxi?unread=true"));

    await().untilAsserted(() -> assertThat(spentBy(key) - before).isEqualTo(4000));
    shop.gate.countDown();
    if (onAChain) {
      assertThat(money.lastSettled.get().payload().at("/authorization/value").textValue())
          .isEqualTo("4000");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("spec:money.7")
  void whatCameToNothingIsNotCharged(boolean stream) {
    HttpResponse<String> answer = call("in-vain?stream=" + stream);

    assertThat(answer.statusCode()).isEqualTo(200);
    String wallet = accounts.wallets(key.key().account()).get(0).address();
    await().untilAsserted(() -> assertThat(spentBy(key)).isZero());
    assertThat(money.balance(wallet)).isEqualTo(1_000_000_000L);
  }

  @Test
  @Tag("spec:money.7")
  void aMeteredStreamThatFailsBeforeItsFirstByteIsNotCharged() {
    long before = spentBy(key);
    var unused = CompletableFuture.runAsync(() -> call("unbegun?metered=true"));

    await().until(() -> shop.runs.get() == 1 && payments.callsInFlight() == 0);
    assertThat(spentBy(key)).isEqualTo(before);
  }

  @Test
  @Tag("spec:decision.streaming")
  void whoSignsForHimselfPaysTheQuoteOfAStreamBeforeItsFirstByte() {
    HttpResponse<String> answer = payer.buy("taxi");

    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.010000");
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isPresent();
  }

  @Test
  @Tag("spec:auth.x_api_key")
  void theOtherHeaderDoesAsWellAndBothTogetherIfTheyAgree() {
    HttpRequest.Builder one = payer.to("read").header("x-api-key", key.secret());
    HttpRequest.Builder both =
        payer
            .to("read")
            .header("X-API-Key", key.secret())
            .header("Authorization", "bearer " + key.secret());

    assertThat(payer.send(one).statusCode()).isEqualTo(200);
    assertThat(payer.send(both).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:decision.credentials.two")
  void twoKeysThatDifferAreAContradiction() {
    HttpRequest.Builder both =
        payer
            .to("read")
            .header("x-api-key", key.secret())
            .header("Authorization", "Bearer " + key(KeyLimits.NONE, Set.of()).secret());

    assertThat(payer.send(both).statusCode()).isEqualTo(400);
    assertThat(shop.runs).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sk-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "sk-short",
        "eyJhbGciOiJub25lIn0.e30.",
        "x"
      })
  @Tag("spec:decision.credentials.unknown")
  void anUnknownKeyAndAnyOtherBearerIs401(String bearer) {
    HttpResponse<String> answer = call("read", bearer);

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(error(answer)).startsWith("invalid_api_key");
    assertThat(header(answer, "WWW-Authenticate")).isEqualTo("Bearer");
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  @Tag("spec:decision.credentials.unknown")
  void aRevokedKeyIs401() {
    assertThat(call("read").statusCode()).isEqualTo(200);

    accounts.revoke(key.key().id());

    assertThat(call("read").statusCode()).isEqualTo(401);
  }

  @Test
  @Tag("spec:decision.credentials.placeholder")
  void anApiKeyThatIsNoneOfOursGetsTheChallenge() {
    HttpRequest.Builder request = payer.to("read").header("x-api-key", "placeholder");

    assertThat(payer.send(request).statusCode()).isEqualTo(402);
  }

  @Test
  @Tag("spec:limit.unpaid")
  void guessingCountsAsUnpaidAndAGoodKeyDoesNot() {
    assertThat(call("read").statusCode()).isEqualTo(200);
    HttpRequest.Builder good =
        payer.to("read").header("x-api-key", key.secret()).header(TestAdmission.REFUSE, "unpaid");
    HttpRequest.Builder guess =
        payer
            .to("read")
            .header("x-api-key", "sk-" + "C".repeat(43))
            .header(TestAdmission.REFUSE, "unpaid");

    assertThat(payer.send(good).statusCode()).isEqualTo(200);
    assertThat(payer.send(guess).statusCode()).isEqualTo(429);
  }

  @Test
  @Tag("spec:decision.credentials.both")
  void ofAKeyAndAPaymentThePaymentPays() {
    HttpRequest.Builder both =
        payer
            .to("read")
            .header("x-api-key", key.secret())
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payer.payment("read"));

    assertThat(payer.send(both).statusCode()).isEqualTo(200);
    assertThat(spent()).isEqualTo(9500);
    assertThat(spentBy(key)).isZero();
  }

  @Test
  @Tag("spec:decision.credentials.forbidden")
  void aKeyCallsOnlyTheGroupsThatItMay() {
    IssuedKey reader = key(KeyLimits.NONE, Set.of("reads"));

    assertThat(call("read", reader.secret()).statusCode()).isEqualTo(200);
    HttpResponse<String> refused = call("item", reader.secret());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(error(refused)).startsWith("group_not_allowed");
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void aCallDearerThanTheKeyMayPayIs403() {
    KeyLimits limits =
        new KeyLimits(Optional.of(new Usd(9_499)), Optional.empty(), Optional.empty());
    IssuedKey poor = key(limits, Set.of());

    assertThat(call("item", poor.secret()).statusCode()).isEqualTo(200);
    HttpResponse<String> refused = call("read", poor.secret());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(error(refused)).startsWith("spend_limit_exceeded");
  }

  @Test
  @Tag("spec:limit.managed_spend")
  void of200ConcurrentCallsABudgetForTenLetsTenThrough() throws Exception {
    KeyLimits limits =
        new KeyLimits(Optional.empty(), Optional.of(new Usd(95_000)), Optional.empty());
    IssuedKey limited = key(limits, Set.of());
    List<Integer> statuses = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(50);
    try {
      List<Future<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        calls.add(pool.submit(() -> statusOnceTaken(limited.secret())));
      }
      for (Future<Integer> answer : calls) {
        statuses.add(answer.get());
      }
    } finally {
      pool.shutdownNow();
    }

    assertThat(statuses).filteredOn(status -> status == 200).hasSize(10);
    assertThat(statuses).filteredOn(status -> status == 403).hasSize(190);
    assertThat(shop.runs).hasValue(10);
    assertThat(spentBy(limited)).isEqualTo(95_000);
  }

  /** A crowd on a ledger that has just started is told to come again. */
  private int statusOnceTaken(String secret) {
    int status = call("read", secret).statusCode();
    while (status == 429) {
      status = call("read", secret).statusCode();
    }
    return status;
  }

  @Test
  @Tag("spec:money.7")
  void aCallThatFailsCostsItsKeyNothing() {
    shop.broken.set(true);

    assertThat(call("mapped").statusCode()).isEqualTo(500);

    assertThat(spentBy(key)).isZero();
  }

  @Test
  @Tag("spec:decision.credentials.short")
  void aKeyWhoseWalletsAreShortIs402WithTheChallenge() {
    assertThat(letters(100_000).statusCode()).isEqualTo(200);

    // The first network's wallet is empty now, and the second one's holds a dollar.
    HttpResponse<String> answer = letters(200);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(error(answer)).contains("insufficient");
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isPresent();
    assertThat(spentBy(key)).isEqualTo(1_000_000_000L);
  }

  @Test
  @Tag("spec:decision.api_key_calls")
  void aNetworkThatIsShortGivesWayToTheNext() {
    assertThat(header(letters(100_000), PaymentHeaders.X_PAYMENT_RECEIPT)).startsWith("sandbox:");

    HttpResponse<String> answer = letters(50);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT)).isEqualTo("0x" + "ab".repeat(32));
  }

  @Test
  @Tag("spec:money.7")
  void aKeyIsChargedWhatTheCallReallyCostAndItsBudgetGetsTheRest() {
    HttpResponse<String> answer = call("metered");

    assertThat(answer.body()).isEqualTo("0.004000");
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.004000");
    assertThat(spentBy(key)).isEqualTo(4_000);
    assertThat(money.balance(accounts.wallets(key.key().account()).get(0).address()))
        .isEqualTo(1_000_000_000L - 4_000);
    assertThat(payer.buy("metered").body()).isEqualTo("0.010000");
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:money.7")
  void whatIsSentToAChainIsSignedForTheCharge() {
    letters(100_000);

    HttpResponse<String> answer = call("metered");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(money.lastSettled.get().payload().at("/authorization/value").textValue())
        .isEqualTo("4000");
    assertThat(spentBy(key)).isEqualTo(1_000_000_000L + 4_000);
  }

  @Test
  @Tag("spec:money.7")
  void aChargeThatTheFacilitatorDoesNotTakeIsNotSentAndTheKeyHasItsMoneyBack() {
    letters(100_000);
    long before = spentBy(key);
    money.lastSettled.set(null);
    money.wouldNotSettleElsewhere("too_late", "4000");

    HttpResponse<String> answer = call("metered");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(money.lastSettled).hasNullValue();
    await().untilAsserted(() -> assertThat(spentBy(key)).isEqualTo(before));
  }

  @Test
  @Tag("spec:money.7")
  void aKeyIsChargedTheQuoteOnAChainThatTakesNoPaymentForLessInItsPlace() {
    money.nonceless.set(true);
    key = key(KeyLimits.NONE, Set.of());
    letters(100_000);

    HttpResponse<String> answer = call("metered");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(money.lastSettled.get().payload().at("/authorization/value").textValue())
        .isEqualTo("10000");
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.010000");
    assertThat(spentBy(key)).isEqualTo(1_000_000_000L + 10_000);
  }

  private HttpResponse<String> letters(int cents) {
    return payer.send(
        payer
            .to("letters?cents=" + cents)
            .header("Authorization", "Bearer " + key.secret())
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString("abc")));
  }

  @Test
  void theMethodIsToldTheAccount() {
    assertThat(call("account").body()).isEqualTo(key.key().account().toString());
    assertThat(payer.buy("account").body()).isEqualTo("none");
  }

  @Test
  @Tag("spec:decision.credentials.forbidden")
  void aPayerThatPolicyRefusesIs403AndNotCharged() {
    denied.add(payer.address().toString().toLowerCase(Locale.ROOT));

    HttpResponse<String> answer = payer.buy("read");

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(error(answer)).startsWith("payer_refused");
    assertThat(spent()).isZero();
  }
}
