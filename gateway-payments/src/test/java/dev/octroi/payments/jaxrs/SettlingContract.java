package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.SettlementResponse;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a call whose money moves, does not, or may have. */
abstract class SettlingContract extends ShopContract {

  SettlingContract(JaxRs jaxRs) {
    super(jaxRs);
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
        SettlementResponse.read(header(answer, PaymentHeaders.PAYMENT_RESPONSE));
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
}
