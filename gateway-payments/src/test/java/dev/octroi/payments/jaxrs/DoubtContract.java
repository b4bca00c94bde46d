package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.x402.PaymentHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a payer sees of a payment whose end is not known, until evidence closes it. */
abstract class DoubtContract extends ShopContract {

  private static final String TRANSACTION = "0x" + "ef".repeat(32);

  DoubtContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  private String payment(String path) {
    return payer.payment(payer.get(path), TestMoney.ELSEWHERE);
  }

  private void provePaid() {
    money.decide(payment -> Optional.of(new Settlement.Settled(TRANSACTION)));
  }

  private void proveUnpaid() {
    money.decide(payment -> Optional.of(new Settlement.Refused("authorization_expired")));
  }

  private static void assertDoubtful(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(header(answer, "Retry-After")).isEqualTo("1");
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isEmpty();
    assertThat(answer.body()).doesNotContain("42.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "reread"})
  @Tag("spec:money.5")
  @Tag("spec:x402.uncertain.4")
  void onceItProvesToBePaidTheSamePaymentGetsItsAnswerAndIsChargedOnce(String path) {
    money.losesElsewhere();
    String payment = payment(path);
    assertDoubtful(payer.get(path, payment));
    assertDoubtful(payer.get(path, payment));

    provePaid();

    HttpResponse<String> answer = payer.get(path, payment);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT)).isEqualTo(TRANSACTION);
    assertThat(shop.runs).hasValue(path.equals("read") ? 1 : 2);
    assertUsedUp(path, payment);
  }

  @Test
  @Tag("spec:money.5")
  void onceItProvesToBeUnpaidTheSamePaymentGetsAFreshChallenge() {
    money.losesElsewhere();
    String payment = payment("read");
    assertDoubtful(payer.get("read", payment));

    proveUnpaid();

    HttpResponse<String> answer = payer.get("read", payment);
    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(error(answer)).isEqualTo("authorization_expired");
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:x402.uncertain.1")
  @Tag("spec:x402.uncertain.3")
  void asLongAsNothingIsProvenItIsNeverAChallengeHoweverLateOrShortOfFunds() {
    money.losesElsewhere();
    String payment = payment("read");
    payer.get("read", payment);

    money.decide(unresolved -> Optional.empty());

    assertDoubtful(payer.get("read", payment));
    money.wouldNotSettleElsewhere("invalid_exact_evm_insufficient_balance");
    assertDoubtful(payer.get("read", payment));
    money.timePasses(Duration.ofMinutes(10));
    assertDoubtful(payer.get("read", payment));
    provePaid();
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:money.5")
  void anotherPaymentOfTheSamePayerIsNotHeldUp() {
    money.losesElsewhere();
    payer.get("read", payment("read"));
    money.settlesElsewhere();

    assertThat(payer.get("read", payment("read")).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:x402.facilitator_failed")
  void aFacilitatorThatDiesWhileSettlingLeavesADoubt() {
    money.settlesElsewhere(
        () -> {
          throw new IllegalStateException("not to be shown");
        });
    String payment = payment("read");

    HttpResponse<String> answer = payer.get("read", payment);

    assertDoubtful(answer);
    assertThat(answer.body()).doesNotContain("not to be shown");
    provePaid();
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:money.2")
  void whatAFacilitatorIsStillSettlingIsNobodyElsesToDecide() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    money.settlesElsewhere(
        () -> {
          await().until(() -> hanging.getCount() == 0);
          return new Settlement.Settled(TRANSACTION);
        });
    String payment = payment("read");
    CompletableFuture<HttpResponse<String>> first =
        CompletableFuture.supplyAsync(() -> payer.get("read", payment));
    await().until(() -> shop.runs.get() == 1);

    proveUnpaid();

    assertThat(payer.get("read", payment).statusCode()).isEqualTo(409);
    hanging.countDown();
    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:money.11")
  void anAnswerLostOnTheWayOfASentPaymentIsHadAgainUntilThatFails() {
    money.sendsElsewhere();
    String lost = payment("read");
    cut("read", lost);
    String failed = payment("read");
    cut("read", failed);

    assertThat(payer.get("read", lost).statusCode()).isEqualTo(200);
    proveUnpaid();

    HttpResponse<String> answer = payer.get("read", failed);
    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(error(answer)).isEqualTo("authorization_expired");
    assertThat(shop.runs).hasValue(2);
  }
}
