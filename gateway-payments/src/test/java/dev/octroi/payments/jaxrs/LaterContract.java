package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.PayerPolicy;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.JdbcAccounts;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.flow.Callers;
import dev.octroi.payments.flow.StatedKey;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentPayload;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work that one call orders and a later one pays for (decisions, job ownership; money rule 9). */
abstract class LaterContract extends ShopContract {

  private JdbcAccounts accounts;
  private Kitchen kitchen;
  private Payments restaurant;
  private JettyHost diner;
  private TestPayer guest;

  LaterContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  @BeforeAll
  void openTheKitchen() throws Exception {
    accounts = money.accounts();
    kitchen = new Kitchen(money.ledger().paymentStatuses());
    restaurant =
        builder(money)
            .tariff(new Kitchen.Menu(kitchen))
            .callers(
                new Callers(
                    Optional.of(accounts),
                    PayerPolicy.EVERYBODY,
                    request -> "orders",
                    request -> "request-1",
                    (request, status, code, sentence) -> HttpAnswer.error(status, code)))
            .build();
    ShopApplication application = new ShopApplication(kitchen, restaurant);
    diner = JettyHost.start(context -> jaxRs.servlet(application, context));
  }

  @AfterAll
  void closeTheKitchen() throws Exception {
    diner.stop();
    restaurant.close();
  }

  @BeforeEach
  void aNewGuest() {
    guest = new TestPayer(diner.base());
    kitchen.gate = new CountDownLatch(0);
  }

  private HttpResponse<String> order(String payment) {
    HttpResponse<String> ordered = guest.post("orders", "soup", payment);
    assertThat(ordered.statusCode()).as(ordered.body()).isEqualTo(202);
    return ordered;
  }

  private String sign(TestPayer by) {
    return by.payment(by.send(by.to("orders").POST(BodyPublishers.noBody())), TestMoney.HERE);
  }

  private String poll(String order) {
    return "orders/" + order;
  }

  /** A fresh signature for the poll itself. */
  private String fresh(String order) {
    return guest.payment(guest.get(poll(order)), TestMoney.HERE);
  }

  private void cook(String order) {
    kitchen.orders.get(order).done();
  }

  private long paid() {
    return 1_000_000_000L - money.balance(guest.address());
  }

  @Test
  @Tag("spec:payment.rule.5")
  void aPollWithoutCredentialIsChallengedAndAnotherPayersIsTold404() {
    String payment = sign(guest);
    String id = order(payment).body();
    TestPayer other = new TestPayer(diner.base());

    assertThat(guest.get(poll(id)).statusCode()).isEqualTo(402);
    HttpResponse<String> foreign =
        other.get(poll(id), other.payment(other.get(poll(id)), TestMoney.HERE));
    assertThat(foreign.statusCode()).isEqualTo(404);
    assertThat(guest.get(poll("nothing"), payment).statusCode()).isEqualTo(404);
    cook(id);
    assertThat(other.get(poll(id), sign(other)).statusCode()).as("made elsewhere").isEqualTo(402);
    assertThat(paid()).isZero();
  }

  @Test
  @Tag("spec:payment.rule.5")
  void workThatIsNotDoneIsLookedAtForNothing() {
    String payment = sign(guest);
    String id = order(payment).body();

    for (String credential : List.of(payment, fresh(id), payment)) {
      HttpResponse<String> pending = guest.get(poll(id), credential);
      assertThat(pending.statusCode()).isEqualTo(202);
      assertThat(pending.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isEmpty();
    }
    assertThat(paid()).isZero();
  }

  @Test
  @Tag("spec:money.9")
  void thePollThatFindsItDonePaysAndTheNextOnesPayNothing() {
    String payment = sign(guest);
    String id = order(payment).body();
    cook(id);

    HttpResponse<String> first = guest.get(poll(id), payment);

    assertThat(first.body()).startsWith("settled sandbox:");
    assertThat(header(first, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.030000");
    for (String credential : List.of(payment, fresh(id), payment)) {
      HttpResponse<String> again = guest.get(poll(id), credential);
      assertThat(again.body()).startsWith("already sandbox:");
      assertThat(again.statusCode()).isEqualTo(200);
    }
    assertThat(paid()).isEqualTo(30_000);
  }

  @Test
  @Tag("spec:money.9")
  void theOrdersOwnAuthorizationPaysAlthoughThePollBringsAnother() {
    String payment = sign(guest);
    String id = order(payment).body();
    cook(id);
    String other = fresh(id);

    assertThat(guest.get(poll(id), other).body()).startsWith("settled ");

    assertThat(restaurantHas(payment)).isTrue();
    assertThat(restaurantHas(other)).isFalse();
    assertThat(paid()).isEqualTo(30_000);
  }

  @Test
  @Tag("spec:money.9")
  void afterTheOrdersAuthorizationHasExpiredAFreshOneIsAskedForAndPays() {
    Clock past = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-5));
    String expired =
        guest.payment(
            guest.send(guest.to("orders").POST(BodyPublishers.noBody())), TestMoney.HERE, past);
    kitchen.orders.put("old", new Kitchen.Order(guest.address().toString(), Optional.of(expired)));
    assertThat(guest.get(poll("old"), expired).statusCode()).as("still its owner").isEqualTo(202);
    cook("old");

    HttpResponse<String> late = guest.get(poll("old"), expired);

    assertThat(late.statusCode()).isEqualTo(402);
    assertThat(error(late)).contains("valid_before");
    assertThat(guest.get(poll("old"), fresh("old")).body()).startsWith("settled ");
    assertThat(guest.get(poll("old"), expired).body()).startsWith("already ");
    assertThat(paid()).isEqualTo(30_000);
  }

  @Test
  @Tag("spec:money.9")
  void ofPollersAtTheSameMomentOnePays() {
    String payment = sign(guest);
    String id = order(payment).body();
    List<String> credentials = new ArrayList<>(List.of(payment, payment));
    for (int i = 0; i < 4; i++) {
      credentials.add(fresh(id));
    }
    cook(id);
    kitchen.gate = new CountDownLatch(1);
    int before = kitchen.runs.get();

    List<CompletableFuture<HttpResponse<String>>> polls =
        credentials.stream()
            .map(it -> CompletableFuture.supplyAsync(() -> guest.get(poll(id), it)))
            .toList();
    await().until(() -> kitchen.runs.get() > before);
    kitchen.gate.countDown();

    List<HttpResponse<String>> answers = polls.stream().map(CompletableFuture::join).toList();
    assertThat(answers).filteredOn(it -> it.body().startsWith("settled ")).hasSize(1);
    assertThat(answers)
        .filteredOn(it -> it.statusCode() != 200)
        .allSatisfy(it -> assertThat(it.statusCode()).isIn(409, 503))
        .allSatisfy(it -> assertThat(header(it, "Retry-After")).isEqualTo("1"));
    assertThat(guest.get(poll(id), payment).body()).startsWith("already ");
    assertThat(paid()).isEqualTo(30_000);
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:money.9")
  void whileItsPaymentIsInDoubtNobodyIsAskedForAnother() {
    HttpResponse<String> unpaid = guest.send(guest.to("orders").POST(BodyPublishers.noBody()));
    String payment = guest.payment(unpaid, TestMoney.ELSEWHERE);
    String id = order(payment).body();
    String other = fresh(id);
    cook(id);
    money.losesElsewhere();
    assertDoubtful(guest.get(poll(id), payment));

    assertDoubtful(guest.get(poll(id), payment));
    assertDoubtful(guest.get(poll(id), other));
    assertDoubtful(guest.get(poll(id), unsigned(other)));
    assertDoubtful(guest.get(poll(id)));

    money.decide(it -> Optional.of(new Settlement.Settled("0x" + "ef".repeat(32))));
    assertThat(guest.get(poll(id), other).body()).isEqualTo("already 0x" + "ef".repeat(32));
    assertThat(paid()).as("nothing of the other one").isZero();
  }

  /** The payment with another nonce than was signed. */
  private static String unsigned(String payment) {
    String envelope = new String(Base64.getDecoder().decode(payment), StandardCharsets.UTF_8);
    String other = envelope.replaceFirst("(\"nonce\":\"0x)[0-9a-f]{8}", "$100000000");
    assertThat(other).isNotEqualTo(envelope);
    return Base64.getEncoder().encodeToString(other.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  @Tag("spec:money.9")
  void onceItsPaymentHasFailedAFreshOneIsAskedForAndPays() {
    HttpResponse<String> unpaid = guest.send(guest.to("orders").POST(BodyPublishers.noBody()));
    String payment = guest.payment(unpaid, TestMoney.ELSEWHERE);
    String id = order(payment).body();
    cook(id);
    money.refusesElsewhere();

    assertThat(guest.get(poll(id), payment).statusCode()).isEqualTo(402);
    assertThat(guest.get(poll(id), payment).statusCode()).isEqualTo(402);
    assertThat(guest.get(poll(id), fresh(id)).body()).startsWith("settled sandbox:");
    assertThat(paid()).isEqualTo(30_000);
  }

  @Test
  @Tag("spec:payment.rule.5")
  void aKeysWorkIsItsAccountsAndPaidByIt() {
    IssuedKey key = accounts.open("an account", KeyTerms.of("a key", KeyLimits.NONE));
    IssuedKey other = accounts.open("another", KeyTerms.of("a key", KeyLimits.NONE));
    String id = byKey("orders", key, true).body();
    assertThat(byKey(poll(id), key, false).statusCode()).isEqualTo(202);
    cook(id);

    assertThat(byKey(poll(id), other, false).statusCode()).isEqualTo(404);
    assertThat(byKey(poll(id), key, false).body()).startsWith("settled sandbox:");
    assertThat(byKey(poll(id), key, false).body()).startsWith("already sandbox:");
    assertThat(accounts.spent(key.key().id()).orElseThrow().today().micros()).isEqualTo(30_000);
  }

  private HttpResponse<String> byKey(String path, IssuedKey key, boolean post) {
    var request = guest.to(path).header("Authorization", "Bearer " + key.secret());
    return guest.send(post ? request.POST(BodyPublishers.noBody()) : request);
  }

  private boolean restaurantHas(String payment) {
    return StatedKey.of(PaymentPayload.read(payment))
        .flatMap(money.ledger().purchases()::find)
        .isPresent();
  }

  private static void assertDoubtful(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(header(answer, "Retry-After")).isEqualTo("1");
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isEmpty();
  }
}
