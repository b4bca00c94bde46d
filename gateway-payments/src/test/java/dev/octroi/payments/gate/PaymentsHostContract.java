package dev.octroi.payments.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payments;
import dev.octroi.payments.x402.PaymentAnswers;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.SettlementResponse;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a host's paid methods do over real HTTP, whatever implements JAX-RS below them; a subclass
 * names the implementation.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PaymentsHostContract {

  private static final Duration CALL_DEADLINE = Duration.ofSeconds(2);

  private final ObjectMapper json = new ObjectMapper();
  private final TestMoney money = new TestMoney();
  private final Shop shop = new Shop();
  private final TestAdmission admission = new TestAdmission();
  private Payments payments;
  private JettyHost host;
  private TestPayer payer;

  /** The implementation that builds responses in this virtual machine from now on. */
  abstract RuntimeDelegate implementation();

  abstract Servlet servlet(Application application, ServletContextHandler context);

  @BeforeAll
  void openTheShop() throws Exception {
    RuntimeDelegate.setInstance(implementation());
    payments = payments(money, false);
    ShopApplication application = new ShopApplication(shop, payments);
    host = JettyHost.start(context -> servlet(application, context));
  }

  @AfterAll
  void closeTheShop() throws Exception {
    host.stop();
    payments.close();
    money.close();
    RuntimeDelegate.setInstance(null);
  }

  @BeforeEach
  void aNewPayer() {
    payer = new TestPayer(host.base());
    shop.runs.set(0);
    shop.broken.set(false);
    shop.gate = new CountDownLatch(0);
    money.settlesElsewhere();
    money.timePasses(Duration.ZERO);
  }

  /** Whatever became of a call, its place among the calls in flight is free in the end. */
  @AfterEach
  void everyPlaceIsGivenBack() {
    await().until(() -> admission.places.get() == 0);
  }

  private Payments payments(TestMoney till, boolean strict) {
    Payments.Builder builder = Payments.builder().ledger(till.ledger()).strict(strict);
    TestMoney.options().forEach(builder::accept);
    till.facilitators().forEach(builder::facilitator);
    CallLimits usual = CallLimits.defaults();
    return builder
        .admission(admission)
        .limits(
            new CallLimits(CALL_DEADLINE, 1 << 20, usual.bodiesInMemory(), 8 << 20, usual.spill()))
        .build();
  }

  @Test
  @Tag("spec:x402.challenge")
  @Tag("spec:payment.rule.1")
  @Tag("spec:error.status.402")
  @Tag("spec:x402.cache")
  void anUnpaidCallIsChallenged() throws Exception {
    HttpResponse<String> answer = payer.get("read?x=1");

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
    JsonNode body = json.readTree(answer.body());
    assertThat(body.at("/code").textValue()).isEqualTo("payment_required");
    assertThat(body.at("/price/amount").textValue()).isEqualTo("0.009500");
    assertThat(body.at("/price/currency").textValue()).isEqualTo("USD");
    assertThat(body.at("/accepts/0/amount").textValue()).isEqualTo("9500");
    var challenge = PaymentAnswers.readChallenge(header(answer, PaymentHeaders.PAYMENT_REQUIRED));
    assertThat(challenge.resource().url()).isEqualTo(host.base().resolve("read?x=1").toString());
    assertThat(challenge.accepts()).hasSize(2);
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  @Tag("spec:rule.general.1")
  @Tag("spec:price.headers")
  @Tag("spec:decision.receipt_headers")
  @Tag("spec:x402.cache")
  void aPaidCallIsSettledOnceAndAnswersWithItsPriceAndReceipt() {
    HttpResponse<String> answer = payer.buy("read");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"answer\": 42.0 ,\"price\":{\"amount\":\"0.009500\",\"currency\":\"USD\"}}\n");
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.009500");
    assertThat(header(answer, PaymentHeaders.PRICE_CURRENCY)).isEqualTo("USD");
    assertThat(header(answer, "Cache-Control")).isEqualTo("private");
    SettlementResponse receipt =
        PaymentAnswers.readSettlement(header(answer, PaymentHeaders.PAYMENT_RESPONSE));
    assertThat(receipt.success()).isTrue();
    assertThat(receipt.payer()).isEqualTo(payer.address().toString());
    assertThat(receipt.transaction()).isEqualTo(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT));
    assertThat(answer.headers().firstValue(PaymentHeaders.X_PAYMENT_RESPONSE)).isEmpty();
    assertThat(spent()).isEqualTo(9500);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:decision.receipt_headers")
  @Tag("spec:decision.header_name")
  void aPaymentByTheOlderHeaderIsAnsweredByTheOlderHeaderToo() {
    String payment = payer.payment("read");

    HttpResponse<String> answer =
        payer.send(payer.to("read").header(PaymentHeaders.X_PAYMENT, payment));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RESPONSE))
        .isEqualTo(header(answer, PaymentHeaders.PAYMENT_RESPONSE));
  }

  @Test
  @Tag("spec:money.1")
  void fiftyConcurrentUsesOfOnePaymentRunTheMethodOnce() throws Exception {
    String payment = payer.payment("read");
    List<Integer> statuses = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(50);
    try {
      List<Future<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        calls.add(pool.submit(() -> payer.get("read", payment).statusCode()));
      }
      for (Future<Integer> call : calls) {
        statuses.add(call.get());
      }
    } finally {
      pool.shutdownNow();
    }

    assertThat(shop.runs).hasValue(1);
    assertThat(statuses).contains(200).allMatch(status -> List.of(200, 402, 409).contains(status));
    assertThat(spent()).isEqualTo(9500);
  }

  @Test
  @Tag("spec:decision.same_payment.in_flight")
  void aPaymentInUseIsAnswered409() throws Exception {
    shop.gate = new CountDownLatch(1);
    String payment = payer.payment("read");
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<HttpResponse<String>> first = pool.submit(() -> payer.get("read", payment));
      await().until(() -> shop.runs.get() == 1);

      HttpResponse<String> second = payer.get("read", payment);

      assertThat(second.statusCode()).isEqualTo(409);
      assertThat(header(second, "Retry-After")).isEqualTo("1");
      shop.gate.countDown();
      assertThat(first.get().statusCode()).isEqualTo(200);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  @Tag("spec:decision.same_payment.delivered")
  @Tag("spec:error.x402.nonce_reuse")
  void anAnswerThatWasDeliveredIsNotSoldTwice() {
    String payment = payer.payment("read");
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);

    // Delivery is written down lazily; until then the payer would get the same answer again.
    await().until(() -> payer.get("read", payment).statusCode() == 402);

    assertThat(error(payer.get("read", payment))).isEqualTo("nonce_already_used");
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(9500);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"mapped", "unmapped", "error", "unwritable", "pending", "elsewhere", "later"})
  @Tag("spec:money.1")
  @Tag("spec:decision.uncharged")
  @Tag("spec:money.gate_twice")
  void aCallThatDidNotSucceedIsNotChargedAndItsSignatureWorksAgain(String path) {
    String payment = payer.payment(path);
    shop.broken.set(true);
    HttpResponse<String> failed = payer.get(path, payment);
    assertThat(failed.statusCode()).isNotEqualTo(200);
    assertThat(failed.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isEmpty();
    assertThat(failed.headers().firstValue(Payments.UNCHARGED)).isEmpty();
    assertThat(spent()).isZero();

    shop.broken.set(false);
    // What no filter concluded is given back by the sweeper, soon after the call's deadline.
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> payer.get(path, payment).statusCode() != 409);

    assertThat(spent()).isPositive();
    assertThat(payments.callsInFlight()).isZero();
  }

  @Test
  void aFailureThatIsMappedIsGivenBackAtOnce() {
    String payment = payer.payment("mapped");
    shop.broken.set(true);
    payer.get("mapped", payment);
    shop.broken.set(false);

    assertThat(payer.get("mapped", payment).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:decision.uncharged")
  void aStatusThatTheHostMadeAFailureIsNotCharged() {
    String payment = payer.payment("read");

    HttpResponse<String> spoiled =
        payer.send(
            payer
                .to("read")
                .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
                .header(ShopApplication.SPOIL, "1"));

    assertThat(spoiled.statusCode()).isEqualTo(500);
    assertThat(spent()).isZero();
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:decision.same_payment.undelivered")
  @Tag("spec:x402.uncertain.4")
  void anAnswerThatWasNotDeliveredIsHadAgainWithoutACharge() {
    String payment = payer.payment("read");
    cut("read", payment);
    assertThat(spent()).isEqualTo(9500);

    HttpResponse<String> again = payer.get("read", payment);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).startsWith("{\"answer\": 42.0 ,\"price\"");
    assertThat(header(again, "Content-Type")).startsWith("application/json");
    assertThat(header(again, PaymentHeaders.X_PAYMENT_RECEIPT)).isNotEmpty();
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(9500);
  }

  @Test
  @Tag("spec:money.3")
  void aReadThatWasNotDeliveredRunsAgainWithoutACharge() {
    String payment = payer.payment("reread");
    cut("reread", payment);
    shop.broken.set(true);
    assertThat(payer.get("reread", payment).statusCode()).isEqualTo(500);
    shop.broken.set(false);

    HttpResponse<String> again = payer.get("reread", payment);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).startsWith("{\"run\":2,\"price\"");
    assertThat(spent()).isEqualTo(9500);
  }

  @Test
  @Tag("spec:decision.same_payment.undelivered")
  void anAnswerWhoseReaderWentAwayIsHadAgain() throws Exception {
    String payment = payer.payment("large");
    shop.gate = new CountDownLatch(1);
    try (Socket socket = new Socket(host.base().getHost(), host.base().getPort())) {
      socket.setSoLinger(true, 0);
      OutputStream out = socket.getOutputStream();
      String request =
          "GET /shop/api/large HTTP/1.1\r\nHost: a\r\nPAYMENT-SIGNATURE: " + payment + "\r\n\r\n";
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      out.flush();
      await().until(() -> shop.runs.get() == 1);
    }
    shop.gate.countDown();
    await().until(() -> spent() == 10_000 && payments.callsInFlight() == 0);

    assertThat(payer.get("large", payment).body()).hasSize(7 << 20);
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:money.4")
  @Tag("spec:payment.binding")
  void aPaymentIsForOneRequestOnly() {
    HttpResponse<String> challenge =
        payer.send(payer.to("echo?a=1").POST(BodyPublishers.ofString("x")));
    String payment = payer.payment(challenge, TestMoney.HERE);
    cut("echo?a=1", "body", payment);

    assertThat(payer.post("echo?a=2", "body", payment).statusCode()).isEqualTo(402);
    assertThat(payer.post("echo?a=1", "other", payment).statusCode()).isEqualTo(402);
    assertThat(payer.get("mapped?a=1", payment).statusCode()).isEqualTo(402);
    assertThat(payer.post("echo?a=1", "body", payment).body()).isEqualTo("body");
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:payment.binding")
  @Tag("spec:payment.binding.resource")
  void anUnspentPaymentIsNotTakenForAnotherResourceOfTheSamePrice() {
    String payment = payer.payment("nothing");

    HttpResponse<String> elsewhere = payer.get("large", payment);

    assertThat(elsewhere.statusCode()).isEqualTo(402);
    assertThat(error(elsewhere)).isEqualTo("resource_mismatch");
    assertThat(shop.runs).hasValue(0);
    assertThat(payer.get("nothing", payment).statusCode()).isBetween(200, 204);
  }

  @Test
  @Tag("spec:x402.verify.signature")
  @Tag("spec:decision.reason")
  void aTamperedSignatureIsChallengedAgain() throws Exception {
    String genuine = new String(decoded(payer.payment("read")), StandardCharsets.UTF_8);
    String payment = encoded(genuine.replace("\"validAfter\":\"1", "\"validAfter\":\"0"));

    HttpResponse<String> answer = payer.get("read", payment);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(error(answer)).isEqualTo("invalid_exact_evm_signature");
    assertThat(json.readTree(answer.body()).at("/code").textValue()).isEqualTo("payment_invalid");
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isPresent();
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  @Tag("spec:error.x402.amount_mismatch")
  void aPaymentOfAnotherPriceIsChallengedAgain() {
    HttpResponse<String> answer = payer.get("read", payer.payment("item"));

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  @Tag("spec:decision.head")
  void headIsNotAllowedAndNeverCharges() {
    var head =
        payer
            .to("read")
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payer.payment("read"))
            .method("HEAD", BodyPublishers.noBody());

    assertThat(payer.send(head).statusCode()).isEqualTo(405);
    assertThat(shop.runs).hasValue(0);
    assertThat(spent()).isZero();
  }

  @Test
  @Tag("spec:limit.payment_header")
  @Tag("spec:error.status.431")
  void aPaymentHeaderOver16KibIsACleanClientError() {
    assertThat(payer.get("read", "A".repeat(16 * 1024 + 4)).statusCode()).isEqualTo(431);
  }

  @Test
  void aHeaderOverTheContainersOwnLimitIsACleanClientError() {
    assertThat(payer.get("read", "A".repeat(100 * 1024)).statusCode()).isBetween(400, 499);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%%%", "bm90IGpzb24=", "e30=", "W10="})
  @Tag("spec:decision.malformed_header")
  void aPaymentThatCannotBeReadIsABadRequest(String payment) throws Exception {
    HttpResponse<String> answer = payer.get("read", payment);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json.readTree(answer.body()).get("error").isTextual()).isTrue();
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  @Tag("spec:decision.header_name")
  void twoDifferentPaymentHeadersAreABadRequest() {
    HttpResponse<String> answer =
        payer.send(
            payer
                .to("read")
                .header(PaymentHeaders.PAYMENT_SIGNATURE, payer.payment("read"))
                .header(PaymentHeaders.X_PAYMENT, payer.payment("read")));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  void anEntityOfTheHostIsWrittenByTheHostsJsonAndGetsItsPrice() {
    HttpResponse<String> answer = payer.buy("item");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"name\":\"scarf\",\"sizes\":[1,2],\"price\":{\"amount\":\"0.002000\",\"currency\":\"USD\"}}");
  }

  @Test
  @Tag("spec:price.headers")
  @Tag("spec:price.other_bodies")
  void anArrayStaysAsItIs() {
    HttpResponse<String> answer = payer.buy("list");

    assertThat(answer.body()).isEqualTo("[1,2]");
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.002000");
  }

  @Test
  @Tag("spec:money.challenge_before_body")
  void aFixedPriceIsAskedBeforeTheBodyIsLookedAt() {
    String tooLarge = "x".repeat((1 << 20) + 1);

    var answer = payer.send(payer.to("echo").POST(BodyPublishers.ofString(tooLarge)));

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(header(answer, PaymentHeaders.PAYMENT_REQUIRED)).isNotEmpty();
  }

  @Test
  void anAnswerWithoutABodyIsSoldAndDelivered() {
    String payment = payer.payment("nothing");

    HttpResponse<String> answer = payer.get("nothing", payment);

    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT)).isNotEmpty();
    await().until(() -> payer.get("nothing", payment).statusCode() == 402);
  }

  @Test
  @Tag("spec:price.other_bodies")
  void aStreamIsSettledAndSentButNotKept() {
    String payment = payer.payment("stream");

    HttpResponse<String> answer = payer.get("stream", payment);

    assertThat(answer.body()).isEqualTo("data: 0\n\ndata: 1\n\ndata: 2\n\n");
    assertThat(header(answer, PaymentHeaders.PAYMENT_RESPONSE)).isNotEmpty();
    assertThat(payer.get("stream", payment).statusCode()).isEqualTo(402);
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  void theMethodSeesWhoPays() {
    assertThat(payer.buy("whoami").body())
        .startsWith(payer.address() + " " + TestMoney.HERE.network() + " 0.010000 USD ");
  }

  @Test
  void aFreeMethodAsksForNothing() {
    assertThat(payer.get("free").body()).isEqualTo("free");
  }

  @Test
  void aTariffMayReadTheBodyWhichTheMethodReadsAgain() {
    String letters = "a".repeat(70_000);
    var unpaid = payer.send(payer.to("letters?cents=3").POST(BodyPublishers.ofString(letters)));
    assertThat(unpaid.statusCode()).isEqualTo(402);
    String payment = payer.payment(unpaid, TestMoney.HERE);

    assertThat(payer.post("letters?cents=3", letters, payment).body()).isEqualTo("70000");
    assertThat(spent()).isEqualTo(30_000);

    var two = payer.send(payer.to("letters").POST(BodyPublishers.ofString("ab")));
    assertThat(payer.post("letters", "ab", payer.payment(two, TestMoney.HERE)).body())
        .isEqualTo("2");
    assertThat(spent()).isEqualTo(50_000);
  }

  @Test
  @Tag("spec:decision.price_zero")
  void aPriceOfZeroNeedsNoPayment() {
    var answer =
        payer.send(
            payer
                .to("letters?cents=0")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("abc")));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("3");
    assertThat(answer.headers().firstValue(PaymentHeaders.PRICE_AMOUNT)).isEmpty();
  }

  @Test
  @Tag("spec:limit.request_body")
  void aBodyOverTheLimitIsRefusedUncharged() {
    var unpaid = payer.send(payer.to("echo").POST(BodyPublishers.ofString("x")));
    String payment = payer.payment(unpaid, TestMoney.HERE);

    assertThat(payer.post("echo", "x".repeat((1 << 20) + 1), payment).statusCode()).isEqualTo(413);
    assertThat(payer.post("echo", "y", payment).statusCode()).isEqualTo(200);
  }

  @Test
  void aMethodThatSettlesBeforeItsEffectKeepsTheMoneyWhenItFailsAfterwards() {
    HttpResponse<String> answer = payer.buy("before?settles=true&status=503");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(header(answer, PaymentHeaders.PAYMENT_RESPONSE)).isNotEmpty();
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  void aMethodThatRefusesBeforeItSettlesIsNotCharged() {
    HttpResponse<String> answer = payer.buy("before?settles=false&status=400");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isEmpty();
    assertThat(spent()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"before?settles=true&status=200", "before?settles=false&status=200"})
  void aMethodThatSucceedsIsSettledOnceWhetherItSettledItselfOrNot(String path) {
    HttpResponse<String> answer = payer.buy(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.PAYMENT_RESPONSE)).isNotEmpty();
    assertThat(spent()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "item", "stream", "before?settles=true&status=200"})
  @Tag("spec:error.status.402")
  @Tag("spec:decision.settlement_failed")
  void aSettlementThatFailedReplacesTheAnswer(String path) throws Exception {
    money.refusesElsewhere();
    String payment = payer.payment(payer.get(path), TestMoney.ELSEWHERE);

    HttpResponse<String> answer = payer.get(path, payment);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(header(answer, "Content-Type")).startsWith("application/json");
    assertThat(json.readTree(answer.body()).at("/code").textValue()).isEqualTo("settlement_failed");
    assertThat(answer.body()).doesNotContain("42.0", "scarf");
    SettlementResponse receipt =
        PaymentAnswers.readSettlement(header(answer, PaymentHeaders.PAYMENT_RESPONSE));
    assertThat(receipt.success()).isFalse();
    assertThat(receipt.errorReason()).isNotNull();
  }

  @Test
  @Tag("spec:money.reset_answer")
  void anAnswerThatIsReplacedLeavesNothingBehind() {
    money.refusesElsewhere();
    String payment = payer.payment(payer.get("dressed"), TestMoney.ELSEWHERE);
    int before = shop.closed.get();

    HttpResponse<String> answer = payer.get("dressed", payment);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.body()).startsWith("{\"x402Version\":2");
    assertThat(header(answer, "Content-Type")).startsWith("application/json");
    assertThat(answer.headers().map())
        .doesNotContainKeys("etag", "content-encoding", "content-disposition");
    assertThat(answer.headers().firstValueAsLong("Content-Length").orElse(answer.body().length()))
        .isEqualTo(answer.body().length());
    assertThat(shop.closed.get()).isGreaterThan(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "before?settles=true&status=200"})
  @Tag("spec:money.5")
  @Tag("spec:decision.settlement_unknown")
  @Tag("spec:x402.uncertain.1")
  void anUnknownSettlementIsNeverAChallenge(String path) {
    money.losesElsewhere();
    String payment = payer.payment(payer.get(path), TestMoney.ELSEWHERE);

    HttpResponse<String> answer = payer.get(path, payment);

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(header(answer, "Retry-After")).isEqualTo("1");
    assertThat(answer.body()).doesNotContain("42.0");
    assertThat(payer.get(path, payment).statusCode()).isEqualTo(503);
    assertThat(shop.runs).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "before?settles=true&status=200"})
  @Tag("spec:money.11")
  void anAnswerLeavesOnATransactionThatIsOnItsWay(String path) {
    money.sendsElsewhere();
    String payment = payer.payment(payer.get(path), TestMoney.ELSEWHERE);

    HttpResponse<String> answer = payer.get(path, payment);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT)).startsWith("0xcdcd");
    assertThat(payer.get(path, payment).statusCode()).isNotEqualTo(200);
    assertThat(shop.runs).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "before?settles=true&status=200"})
  @Tag("spec:money.5")
  void aPaymentThatNobodyCouldSendIsGivenBackAndGoodAgain(String path) {
    money.cannotSendElsewhere();
    String payment = payer.payment(payer.get(path), TestMoney.ELSEWHERE);

    HttpResponse<String> refused = payer.get(path, payment);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(header(refused, "Retry-After")).isEqualTo("1");
    assertThat(refused.body()).doesNotContain("42.0");

    money.settlesElsewhere();
    assertThat(payer.get(path, payment).statusCode()).isEqualTo(200);
    assertThat(shop.runs).hasValue(2);
  }

  @Test
  @Tag("spec:error.x402.insufficient_stablecoin")
  @Tag("spec:error.status.402")
  @Tag("spec:x402.verify.insufficient_balance")
  void aPayerWithoutTheMoneyIsChallengedAgainAndTheMethodDoesNotRun() {
    var unpaid = payer.send(payer.to("letters?cents=100001").POST(BodyPublishers.ofString("a")));

    var answer = payer.post("letters?cents=100001", "a", payer.payment(unpaid, TestMoney.HERE));

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(error(answer)).isEqualTo("invalid_exact_evm_insufficient_balance");
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  void aRequestThatHasNoPriceIsRefusedWithoutAChallenge() {
    var answer = payer.send(payer.to("letters?cents=unknown").POST(BodyPublishers.ofString("a")));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).isEqualTo("no price");
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isEmpty();
  }

  @Test
  @Tag("spec:limit.unpaid")
  void anUnpaidCallOverTheLimitGetsNoChallenge() {
    var answer = payer.send(payer.to("read").header(TestAdmission.REFUSE, "unpaid"));

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(header(answer, "Retry-After")).isEqualTo("60");
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isEmpty();
  }

  @Test
  void aForgedPaymentCountsAsAnUnpaidCall() {
    String genuine = new String(decoded(payer.payment("read")), StandardCharsets.UTF_8);
    String forged = encoded(genuine.replace("\"validAfter\":\"1", "\"validAfter\":\"0"));

    var answer =
        payer.send(
            payer
                .to("read")
                .header(PaymentHeaders.PAYMENT_SIGNATURE, forged)
                .header(TestAdmission.REFUSE, "unpaid"));

    assertThat(answer.statusCode()).isEqualTo(429);
  }

  @Test
  @Tag("spec:limit.payer")
  void aPayerOverTheLimitIsRefusedAndMayUseTheSamePaymentLater() {
    String payment = payer.payment("read");

    var refused =
        payer.send(
            payer
                .to("read")
                .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
                .header(TestAdmission.REFUSE, "paid"));

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:x402.facilitator_failed")
  void aFacilitatorThatIsDownIsNoFaultOfThePayer() {
    String payment = payer.payment(payer.get("read"), TestMoney.ELSEWHERE);
    money.isDownElsewhere();

    HttpResponse<String> answer = payer.get("read", payment);

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(header(answer, "Retry-After")).isEqualTo("1");
    assertThat(answer.body()).doesNotContain("not to be shown");
    money.settlesElsewhere();
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:money.gate_twice")
  @Tag("spec:decision.authorization_life")
  void aCallThatOutlivesItsDeadlineEndsUncharged() throws Exception {
    shop.gate = new CountDownLatch(1);
    String payment = payer.payment("read");
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<HttpResponse<String>> slow = pool.submit(() -> payer.get("read", payment));
      await().until(() -> payments.callsInFlight() == 1);
      await().until(() -> payments.callsInFlight() == 0);
      shop.gate.countDown();

      assertThat(slow.get().statusCode()).isEqualTo(502);
      assertThat(slow.get().body()).doesNotContain("42.0");
      assertThat(spent()).isZero();
      // Given back by the sweeper, which is not the thread that answered.
      await().until(() -> payer.get("read", payment).statusCode() == 200);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void anAnswerThatComesLaterIsSoldLikeAnyOther() {
    HttpResponse<String> answer = payer.buy("later");

    assertThat(answer.body()).isEqualTo("later");
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.010000");
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  void aPaymentSettledElsewhereBuysTheAnswer() {
    String payment = payer.payment(payer.get("read"), TestMoney.ELSEWHERE);

    HttpResponse<String> answer = payer.get("read", payment);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT)).startsWith("0xabab");
  }

  @Test
  @Tag("spec:money.paid_without_payment")
  void aPaidMethodBehindALocatorIsNeverHadForNothing() {
    assertThat(payer.get("sub").statusCode()).isIn(402, 500);
  }

  /** Nothing to complain about. */
  @Path("/")
  public static final class Careful {

    @GET
    @Path("paid")
    @Paid("0.01")
    public String paid() {
      return "paid";
    }

    @GET
    @Path("free")
    @Free
    public String free() {
      return "free";
    }
  }

  @Test
  @Tag("spec:decision.options")
  void aStrictDeploymentStandsWhereEveryMethodIsDeclared() throws Exception {
    try (TestMoney others = new TestMoney();
        Payments strict = payments(others, true)) {
      ShopApplication careful = new ShopApplication(new Careful(), strict);
      JettyHost second = JettyHost.start(context -> servlet(careful, context));
      TestPayer visitor = new TestPayer(second.base());
      try {
        assertThat(visitor.get("free").body()).isEqualTo("free");
        assertThat(visitor.buy("paid").body()).isEqualTo("paid");
        assertThat(
                visitor
                    .send(visitor.to("paid").method("OPTIONS", BodyPublishers.noBody()))
                    .statusCode())
            .isBetween(200, 204);
      } finally {
        second.stop();
      }
    }
  }

  /** A price that is none, and a method that nobody thought of. */
  @Path("/")
  public static final class Careless {

    @GET
    @Path("typo")
    @Paid("0,01")
    public String typo() {
      return "";
    }

    @GET
    @Path("undeclared")
    public String undeclared() {
      return "";
    }
  }

  @Test
  void aWrongPriceFailsTheDeployment() {
    try (TestMoney others = new TestMoney();
        Payments strict = payments(others, true)) {
      ShopApplication careless = new ShopApplication(new Careless(), strict);

      assertThatThrownBy(() -> JettyHost.start(context -> servlet(careless, context)))
          .hasStackTraceContaining("Careless.typo")
          .hasStackTraceContaining("Careless.undeclared is neither @Paid nor @Free");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "reread"})
  @Tag("spec:money.3")
  void anAnswerThatWasPaidForIsStillHadWhenThePaymentsTimeIsOver(String path) {
    String payment = payer.payment(path);
    cut(path, payment);
    final long spent = spent();
    money.timePasses(Duration.ofMinutes(5));

    HttpResponse<String> answer = payer.get(path, payment);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT)).isNotEmpty();
    assertThat(spent()).isEqualTo(spent).isPositive();
    await().until(() -> payer.get(path, payment).statusCode() == 402);
  }

  @Test
  @Tag("spec:x402.verify.valid_before")
  void aLatePaymentThatBoughtNothingBuysNothing() {
    String payment = payer.payment("read");
    money.timePasses(Duration.ofMinutes(5));

    HttpResponse<String> answer = payer.get("read", payment);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(error(answer)).isEqualTo("invalid_exact_evm_payload_authorization_valid_before");
    assertThat(shop.runs).hasValue(0);
    assertThat(
            payer
                .send(
                    payer
                        .to("read")
                        .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
                        .header(TestAdmission.REFUSE, "unpaid"))
                .statusCode())
        .isEqualTo(429);
  }

  /** The method runs and is charged, and its answer breaks on the way. */
  private void cut(String path, String payment) {
    payer.send(
        payer
            .to(path)
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
            .header(ShopApplication.CUT, "1"));
  }

  private void cut(String path, String body, String payment) {
    payer.send(
        payer
            .to(path)
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
            .header("Content-Type", "text/plain")
            .header(ShopApplication.CUT, "1")
            .POST(BodyPublishers.ofString(body)));
  }

  private long spent() {
    return 1_000_000_000L - money.balance(payer.address());
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer
        .headers()
        .firstValue(name)
        .orElseThrow(() -> new AssertionError(name + " in " + answer + answer.headers().map()));
  }

  private String error(HttpResponse<String> answer) {
    try {
      return json.readTree(answer.body()).get("error").textValue();
    } catch (IOException e) {
      throw new AssertionError(answer.body(), e);
    }
  }

  private static byte[] decoded(String payment) {
    return Base64.getDecoder().decode(payment);
  }

  private static String encoded(String envelope) {
    return Base64.getEncoder().encodeToString(envelope.getBytes(StandardCharsets.UTF_8));
  }
}
