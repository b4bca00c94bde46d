package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.PaymentObserver.PaymentStep;
import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.SettlementResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sold, and how its answer looks. */
abstract class SaleContract extends ShopContract {

  SaleContract(JaxRs jaxRs) {
    super(jaxRs);
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
        SettlementResponse.read(header(answer, PaymentHeaders.PAYMENT_RESPONSE));
    assertThat(receipt.success()).isTrue();
    assertThat(receipt.payer()).isEqualTo(payer.address().toString());
    assertThat(receipt.transaction()).isEqualTo(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT));
    assertThat(answer.headers().firstValue(PaymentHeaders.X_PAYMENT_RESPONSE)).isEmpty();
    assertThat(spent()).isEqualTo(9500);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:x402.cache")
  void whatAnAnswerTellsSharedCachesAloneIsTakenBack() {
    HttpResponse<String> answer = payer.buy("dressed");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, "CDN-Cache-Control")).isEqualTo("no-store");
    assertThat(header(answer, "Surrogate-Control")).isEqualTo("no-store");
    assertThat(header(answer, "X-Accel-Expires")).isEqualTo("0");

    money.refusesElsewhere();
    HttpResponse<String> challenge =
        payer.get("dressed", payer.payment(payer.get("dressed"), TestMoney.ELSEWHERE));
    assertThat(challenge.statusCode()).isEqualTo(402);
    assertThat(challenge.headers().allValues("CDN-Cache-Control")).doesNotContain("max-age=600");
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
  void anEntityOfTheHostIsWrittenByTheHostsJsonAndGetsItsPrice() {
    HttpResponse<String> answer = payer.buy("item");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"name\":\"scarf\",\"sizes\":[1,2],\"price\":{\"amount\":\"0.002000\",\"currency\":\"USD\"}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Digest", "Repr-Digest", "Digest", "Content-MD5"})
  @Tag("spec:price.other_bodies")
  void anAnswerThatStatesItsHashStaysAsItIs(String header) {
    HttpResponse<String> answer = payer.buy("hashed?by=" + header);

    assertThat(answer.body()).isEqualTo("{}");
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.010000");
  }

  @Test
  @Tag("spec:price.headers")
  @Tag("spec:price.other_bodies")
  void anArrayStaysAsItIs() {
    HttpResponse<String> answer = payer.buy("list");

    assertThat(answer.body()).isEqualTo("[1,2]");
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.002000");
  }

  /** Whatever part of JAX-RS completes it: it is paid for, or it fails and is not charged. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "suspended/at-once",
        "suspended/text",
        "suspended/response",
        "suspended/stream",
        "suspended/refusal",
        "suspended/failure",
        "suspended/unmapped",
        "suspended/time",
        "suspended/cancelled",
        "staged/at-once",
        "staged/text",
        "staged/stream",
        "staged/refusal",
        "staged/failure"
      })
  void anAnswerThatComesLaterIsPaidForOrFails(String path) {
    HttpResponse<String> answer = payer.buy(path);
    await().until(() -> payments.callsInFlight() == 0);

    if (answer.statusCode() == 200) {
      assertThat(answer.body()).contains("late");
      assertThat(spent()).isEqualTo(10_000);
    } else {
      assertThat(answer.statusCode()).isBetween(400, 599);
      assertThat(answer.body()).doesNotContain("late");
      assertThat(spent()).isZero();
    }
  }

  @Test
  void whatTellsOfThePaymentIsSaidByTheGatewayAlone() {
    HttpResponse<String> sold = payer.buy("poses");
    shop.broken.set(true);
    HttpResponse<String> failed = payer.buy("poses");

    assertThat(sold.statusCode()).isEqualTo(200);
    assertThat(header(sold, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.010000");
    assertThat(sold.headers().map())
        .doesNotContainKeys("x-payment-state", "payment-required", "x-payment-response");
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(header(failed, PaymentHeaders.PAYMENT_STATE)).isEqualTo(PaymentHeaders.NOT_CHARGED);
    assertThat(failed.headers().map()).doesNotContainKeys("payment-response", "x-price-amount");
    for (HttpResponse<String> answer : List.of(sold, failed)) {
      assertThat(answer.headers().map().values()).noneMatch(values -> values.contains("theirs"));
    }
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
  @Tag("spec:money.6")
  void aStreamThatFailsBeforeItsFirstByteIsRefunded() {
    // Whether the caller sees the failure is up to the container.
    String payment = payer.payment("unbegun");
    var unused = CompletableFuture.runAsync(() -> payer.get("unbegun", payment));

    // What holds an answer until it is whole has charged nothing.
    await()
        .until(
            () ->
                stepsTold().contains("settle settled") || stepsTold().contains("release released"));
    await().until(() -> spent() == 0);
  }

  @Test
  @Tag("spec:decision.streaming")
  void eachPieceOfAStreamLeavesWhenItIsWritten() throws IOException {
    shop.gate = new CountDownLatch(1);
    try (InputStream in = payer.open("drip", payer.payment("drip")).body()) {
      assertThat(new String(in.readNBytes(9), StandardCharsets.US_ASCII)).isEqualTo("data: 1\n\n");
      shop.gate.countDown();
      assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).isEqualTo("data: 2\n\n");
    }
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

  private List<String> stepsTold() {
    return steps.stream().map(step -> step.kind().word() + " " + step.outcome()).toList();
  }

  @Test
  void eachStepOfAPaymentIsToldWithItsTimePayerAndCharge() {
    HttpResponse<String> answer = payer.buy("read");

    assertThat(stepsTold()).containsExactly("verify valid", "claim claimed", "settle settled");
    assertThat(steps).allMatch(step -> step.ended() >= step.began());
    assertThat(steps.get(0).payer()).isEqualTo(payer.address().toString());
    PaymentStep last = steps.get(2);
    assertThat(last.payer()).isEqualTo(payer.address().toString());
    assertThat(last.charge()).isEqualTo(Usd.parse("0.0095"));
    assertThat(last.transaction()).isEqualTo(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT));
    assertThat(last.payment()).isEqualTo(steps.get(1).payment()).isNotNull();
  }

  @Test
  void aPaymentThatIsGivenBackIsToldAsThat() {
    shop.broken.set(true);

    assertThat(payer.buy("reread").statusCode()).isEqualTo(500);

    assertThat(stepsTold()).containsExactly("verify valid", "claim claimed", "release released");
    assertThat(steps.get(2).charge()).isNull();
  }

  @Test
  void anObserverThatFailsHarmsNoCall() {
    clumsy.set(true);

    assertThat(payer.buy("read").statusCode()).isEqualTo(200);

    assertThat(spent()).isEqualTo(9500);
    assertThat(steps).hasSize(3);
  }
}
