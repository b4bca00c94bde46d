package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentHeaders;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A payment keeps what it has bought, however often the price has changed since. */
abstract class RepricedContract extends ShopContract {

  private static final String TRANSACTION = "0x" + "ef".repeat(32);
  private static final String NO_SUCH_OFFER = "invalid_payment_requirements";

  private final AtomicReference<Optional<PriceQuote>> changed =
      new AtomicReference<>(Optional.empty());

  RepricedContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  @Override
  Payments.Builder builder(TestMoney runtime) {
    return super.builder(runtime)
        .prices((request, list, key) -> changed.get().orElseGet(() -> PriceQuote.of(list)));
  }

  @BeforeEach
  void thePriceIsAsListed() {
    changed.set(Optional.empty());
  }

  /** Neither the price nor the one before it is what anything was bought for until now. */
  private void thePriceChangesTwice() {
    changed.set(
        Optional.of(new PriceQuote(Usd.parse("0.5"), Optional.of(Usd.parse("0.4")), false)));
  }

  @Test
  void aStreamThatCostsNothingKeepsItsPlaceUntilItsEnd() throws Exception {
    String payment = payer.payment("drip");
    changed.set(Optional.of(PriceQuote.of(Usd.ZERO)));
    shop.gate = new CountDownLatch(1);
    try (InputStream in = payer.open("drip", payment).body()) {
      in.readNBytes(9);
      assertThat(admission.places).hasValue(1);
      shop.gate.countDown();
      in.readAllBytes();
    }
    await().until(() -> admission.places.get() == 0);
    assertThat(spent()).isZero();
  }

  private String doubtful(String path) {
    money.losesElsewhere();
    String payment = payer.payment(payer.get(path), TestMoney.ELSEWHERE);
    assertThat(payer.get(path, payment).statusCode()).isEqualTo(503);
    return payment;
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "reread"})
  @Tag("spec:x402.uncertain.1")
  @Tag("spec:money.5")
  void aPaymentInDoubtIsNeverAskedForAnewAndGetsItsAnswerOnceItIsProven(String path) {
    String payment = doubtful(path);
    thePriceChangesTwice();

    HttpResponse<String> waiting = payer.get(path, payment);
    assertThat(waiting.statusCode()).isEqualTo(503);
    assertThat(header(waiting, "Retry-After")).isEqualTo("1");
    assertThat(waiting.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isEmpty();
    money.decide(unresolved -> Optional.of(new Settlement.Settled(TRANSACTION)));

    HttpResponse<String> answer = payer.get(path, payment);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT)).isEqualTo(TRANSACTION);
    assertThat(header(answer, PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.009500");
    assertUsedUp(path, payment);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "reread"})
  @Tag("spec:x402.uncertain.4")
  @Tag("spec:money.3")
  void anAnswerThatWasNotDeliveredIsStillOwed(String path) {
    String payment = payer.payment(path);
    cut(path, payment);
    thePriceChangesTwice();

    assertThat(payer.get(path, payment).statusCode()).isEqualTo(200);
    assertThat(spent()).isEqualTo(9500);
  }

  @Test
  @Tag("spec:x402.uncertain.1")
  void aPaymentThatAnotherRequestHoldsIsNotAskedForAnew() throws Exception {
    String payment = payer.payment("read");
    shop.gate = new CountDownLatch(1);
    CompletableFuture<HttpResponse<String>> first =
        CompletableFuture.supplyAsync(() -> payer.get("read", payment));
    await().until(() -> shop.runs.get() == 1);
    thePriceChangesTwice();

    assertThat(payer.get("read", payment).statusCode()).isEqualTo(409);

    shop.gate.countDown();
    assertThat(first.get().statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:money.4")
  void anotherEnvelopeOfTheSamePaymentLearnsNothing() {
    String payment = doubtful("read");
    String respelled =
        encoded(new String(decoded(payment), StandardCharsets.UTF_8).replaceFirst("\\{", "{ "));
    thePriceChangesTwice();

    HttpResponse<String> answer = payer.get("read", respelled);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(error(answer)).isEqualTo(NO_SUCH_OFFER);
  }

  @Test
  @Tag("spec:money.4")
  @Tag("spec:payment.binding")
  void theSameEnvelopeForAnotherRequestBuysNothing() {
    String payment = payer.payment("read");
    cut("read", payment);
    thePriceChangesTwice();

    HttpResponse<String> answer = payer.get("read?a=1", payment);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(error(answer)).isEqualTo("nonce_already_used");
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
  }

  @Test
  void aPaymentThatBoughtNothingIsAskedForAnewAndCountsAsNone() {
    String payment = payer.payment("read");
    thePriceChangesTwice();

    assertThat(error(payer.get("read", payment))).isEqualTo(NO_SUCH_OFFER);
    assertThat(
            payer
                .send(
                    payer
                        .to("read")
                        .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
                        .header(TestAdmission.REFUSE, "unpaid"))
                .statusCode())
        .isEqualTo(429);
    assertThat(shop.runs).hasValue(0);
  }
}
