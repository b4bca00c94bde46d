package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.x402.PaymentHeaders;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One payment buys one answer to one request. */
abstract class OnePaymentBehaviour extends Behaviour {

  private static final Call SLOW = Call.get(CRYPTO_DATA + "/search/web?q=octroi-slow-1500");
  private static final String NONCE_USED = "nonce_already_used";
  private static final String RECEIPT = PaymentHeaders.X_PAYMENT_RECEIPT;

  @Test
  @Tag("spec:error.x402.nonce_reuse")
  @Tag("spec:decision.same_payment.in_flight")
  @Tag("spec:decision.same_payment.delivering")
  @Tag("spec:payment.claim.once")
  @Tag("spec:money.1")
  void fiftyUsesOfAPaymentAreOneSale() {
    String payment = deployment().payment(SLOW);
    Call paid = SLOW.with("PAYMENT-SIGNATURE", payment);
    List<CompletableFuture<Reply>> calls =
        Stream.generate(() -> deployment().sendAsync(paid)).limit(50).toList();
    List<Reply> replies = calls.stream().map(CompletableFuture::join).toList();
    assertThat(replies).extracting(Reply::status).contains(200, 409).isSubsetOf(200, 402, 409, 429);
    // From its claim to its last byte the sale is one call's.
    assertThat(replies).filteredOn(reply -> reply.status() == 200).hasSize(1);
    assertThat(replies)
        .filteredOn(reply -> reply.status() == 200)
        .extracting(reply -> reply.header(RECEIPT))
        .doesNotContain("");
    assertThat(replies)
        .filteredOn(reply -> reply.status() == 409)
        .allSatisfy(reply -> assertThat(reply.header("Retry-After")).isEqualTo("1"))
        .allSatisfy(reply -> assertFlat(reply, 409));
    assertThat(replies)
        .filteredOn(reply -> reply.status() == 402)
        .allSatisfy(reply -> assertThat(reply.json().path("error").asText()).isEqualTo(NONCE_USED));
  }

  @Test
  @Tag("spec:error.x402.nonce_reuse")
  @Tag("spec:money.3")
  void aDeliveredPaymentBuysNothingMore() {
    String payment = deployment().payment(TICKER);
    Reply first = deployment().send(TICKER, payment);
    assertThat(first.status()).as(first.toString()).isEqualTo(200);

    // Delivery is noted after the answer has left; who is faster is told that it is in use.
    Reply later =
        Awaitility.await()
            .until(() -> deployment().send(TICKER, payment), reply -> reply.status() != 409);

    assertUsed(later);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/exchange/perp?pair=BTC-USDT",
        "/exchange/price?pair=ETH-USDT",
        "/exchange/price?pair=BTC-USDT&exchange=kraken",
        "/exchange/price?pair=BTC%2DUSDT"
      })
  @Tag("spec:payment.binding")
  @Tag("spec:money.4")
  void aSpentPaymentIsNotTakenForAnotherRequest(String other) {
    String payment = deployment().openPayment(TICKER);
    assertStillGood(payment, TICKER);
    Reply reply = deployment().send(Call.get(CRYPTO_DATA + other), payment);
    assertThat(reply.status()).as(reply.toString()).isBetween(400, 402);
    assertUncharged(reply);
  }

  @Test
  @Tag("spec:payment.binding")
  @ResourceLock(SQL_ENGINE)
  void aSpentPaymentIsNotTakenForAnotherBody() {
    Call sql = Call.post(CRYPTO_DATA + "/onchain/sql", "{\"sql\":\"SELECT 1 AS one\"}");
    String payment = deployment().payment(sql);
    assertStillGood(payment, sql);
    assertUsed(deployment().send(sql.body("{\"sql\":\"SELECT 2 AS two\"}"), payment));
  }

  @Test
  @Tag("spec:payment.binding")
  @ResourceLock(SQL_ENGINE)
  void aSpentPaymentIsNotTakenForAnotherMethod() {
    Call sql = Call.post(CRYPTO_DATA + "/onchain/sql", "{\"sql\":\"SELECT 1 AS one\"}");
    String payment = deployment().openPayment(TICKER);
    assertStillGood(payment, TICKER);
    assertUsed(deployment().send(sql, payment));
  }

  @Test
  @Tag("spec:payment.binding")
  @Tag("spec:payment.binding.resource")
  void aPaymentBuysNothingButThePathThatItNames() {
    Call other = Call.get(CRYPTO_DATA + "/exchange/perp?pair=BTC-USDT");
    String payment = deployment().payment(TICKER);
    Reply reply = deployment().send(other, payment);
    assertThat(reply.status()).as(reply.toString()).isEqualTo(402);
    assertThat(reply.json().path("error").asText()).isEqualTo("resource_mismatch");
    assertUncharged(reply);
    assertStillGood(payment, TICKER);
  }

  @Test
  @Tag("spec:payment.binding")
  void aSpentPaymentIsNotTakenInAnotherGroupOfTheSamePrice() {
    Call search = Call.get(PREDICTION + "/markets/search?q=bitcoin");
    String payment = deployment().openPayment(TICKER);
    assertStillGood(payment, TICKER);
    assertUsed(deployment().send(search, payment));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "octroi-fail-500",
        "octroi-fail-503",
        "octroi-fail-429",
        "octroi-cut",
        "octroi-malformed",
        "octroi-empty"
      })
  @Tag("spec:error.status.502")
  @Tag("spec:error.status.503")
  @Tag("spec:decision.uncharged")
  void anUpstreamThatFailsCostsNothing(String magic) {
    Call bad = Call.get(CRYPTO_DATA + "/search/web?q=" + magic);
    Call good = Call.get(CRYPTO_DATA + "/search/web?q=bitcoin");
    String payment = deployment().payment(bad);
    Reply reply = deployment().send(bad, payment);
    assertThat(reply.status()).as(reply.toString()).isIn(429, 502, 503);
    assertThat(reply.code()).as(reply.toString()).isNotBlank();
    assertThat(reply.message()).doesNotContain("127.0.0.1", "Exception", "java.");
    assertUncharged(reply);
    assertStillGood(payment, good);
  }

  private static void assertUsed(Reply reply) {
    assertThat(reply.status()).as(reply.toString()).isEqualTo(402);
    assertThat(reply.json().path("error").asText()).as(reply.toString()).isEqualTo(NONCE_USED);
    assertUncharged(reply);
  }
}
