package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.x402.PaymentHeaders;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A method that is run again for the payment that it settled and gave no answer to. */
abstract class ResumedContract extends ShopContract {

  ResumedContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  @Test
  @Tag("spec:money.3")
  void aFailureAfterTheSettlementIsNoDeliveryAndTheMethodRunsAgainUntilItHasAnAnswer() {
    String payment = payer.payment("resumed");
    shop.broken.set(true);
    for (int run = 1; run <= 5; run++) {
      HttpResponse<String> failed = payer.get("resumed", payment);
      assertThat(failed.statusCode()).isEqualTo(500);
      assertThat(header(failed, PaymentHeaders.PAYMENT_RESPONSE)).isNotEmpty();
      assertThat(shop.runs).hasValue(run);
    }
    shop.broken.set(false);

    HttpResponse<String> answer = payer.get("resumed", payment);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).startsWith("resumed sandbox:");
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT)).startsWith("sandbox:");
    assertUsedUp("resumed", payment);
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:money.3")
  void theAnswerOfARerunIsKeptBeforeItLeavesAndHadAgain() {
    String payment = payer.payment("resumed");
    shop.broken.set(true);
    payer.get("resumed", payment);
    shop.broken.set(false);
    cut("resumed", payment);

    HttpResponse<String> answer = payer.get("resumed", payment);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).startsWith("resumed ");
    assertThat(shop.runs).as("the method did not run for it").hasValue(2);
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:money.3")
  void oneRunAtATime() throws Exception {
    String payment = payer.payment("resumed");
    shop.gate = new CountDownLatch(1);
    CompletableFuture<HttpResponse<String>> first =
        CompletableFuture.supplyAsync(() -> payer.get("resumed", payment));
    await().until(() -> shop.runs.get() == 1);

    HttpResponse<String> second = payer.get("resumed", payment);

    assertThat(second.statusCode()).isEqualTo(409);
    shop.gate.countDown();
    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:money.5")
  void aSettlementInDoubtIsRunAgainOnceItIsProven() {
    money.losesElsewhere();
    String payment = payer.payment(payer.get("resumed"), TestMoney.ELSEWHERE);
    assertThat(payer.get("resumed", payment).statusCode()).isEqualTo(503);
    assertThat(payer.get("resumed", payment).statusCode()).isEqualTo(503);
    assertThat(shop.runs).hasValue(1);

    money.decide(it -> Optional.of(new Settlement.Settled("0x" + "ef".repeat(32))));

    HttpResponse<String> answer = payer.get("resumed", payment);
    assertThat(answer.body()).isEqualTo("resumed 0x" + "ef".repeat(32));
    assertThat(shop.runs).hasValue(2);
  }

  @Test
  void aSettlementThatFailedIs402AndNothingRunsAgain() {
    money.refusesElsewhere();
    String payment = payer.payment(payer.get("resumed"), TestMoney.ELSEWHERE);

    assertThat(payer.get("resumed", payment).statusCode()).isEqualTo(402);
    assertThat(payer.get("resumed", payment).statusCode()).isEqualTo(402);
    assertThat(shop.runs).hasValue(1);
  }
}
