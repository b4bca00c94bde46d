package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of a call that brings no payment, or one that will not do. */
abstract class RefusalContract extends ShopContract {

  RefusalContract(JaxRs jaxRs) {
    super(jaxRs);
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
    var challenge = PaymentRequired.read(header(answer, PaymentHeaders.PAYMENT_REQUIRED));
    assertThat(challenge.resource().url()).isEqualTo(host.base().resolve("read?x=1").toString());
    assertThat(challenge.accepts()).hasSize(2);
    assertThat(shop.runs).hasValue(0);
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
  @Tag("spec:money.challenge_before_body")
  void aFixedPriceIsAskedBeforeTheBodyIsLookedAt() {
    String tooLarge = "x".repeat((1 << 20) + 1);

    var answer = payer.send(payer.to("echo").POST(BodyPublishers.ofString(tooLarge)));

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(header(answer, PaymentHeaders.PAYMENT_REQUIRED)).isNotEmpty();
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

  /** That its tariff refuses the call shows that it was asked. */
  @Test
  @Tag("spec:limit.unpaid")
  void aBadPaymentOverTheLimitHasNoPriceComputed() {
    String good = payer.payment(letters("a"), TestMoney.HERE);
    String genuine = new String(decoded(good), StandardCharsets.UTF_8);
    String forged = encoded(genuine.replace("\"validAfter\":\"1", "\"validAfter\":\"0"));
    String free = encoded(genuine.replace("\"amount\":\"10000\"", "\"amount\":\"0\""));

    for (String bad : List.of(forged, free)) {
      var within = letters("x".repeat((1 << 20) + 1), bad, "none");
      assertThat(within.statusCode()).isEqualTo(413);
      var over = letters("x".repeat((1 << 20) + 1), bad, "unpaid");
      assertThat(over.statusCode()).isEqualTo(429);
    }
    var ofAPayerOverItsLimit = letters("x".repeat((1 << 20) + 1), good, "all");
    assertThat(ofAPayerOverItsLimit.statusCode()).isEqualTo(429);
    assertThat(letters("a", good, "unpaid").statusCode())
        .as("others share the address")
        .isEqualTo(200);
  }

  @Test
  @Tag("spec:limit.unpaid")
  void aPaymentOfARequestThatCannotBePricedCountsAsAnUnpaidCall() {
    String good = payer.payment(letters("a"), TestMoney.HERE);
    int before = admission.unpaid.get();

    assertThat(letters("x".repeat((1 << 20) + 1), good, "none").statusCode()).isEqualTo(413);

    assertThat(admission.unpaid).hasValue(before + 1);
  }

  private HttpResponse<String> letters(String body) {
    return payer.send(payer.to("letters").POST(BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> letters(String body, String payment, String refuses) {
    return payer.send(
        payer
            .to("letters")
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
            .header("Content-Type", "text/plain")
            .header(TestAdmission.REFUSE, refuses)
            .POST(BodyPublishers.ofString(body)));
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
  @Tag("spec:limit.request_body")
  void aBodyOverTheLimitIsRefusedUncharged() {
    var unpaid = payer.send(payer.to("echo").POST(BodyPublishers.ofString("x")));
    String payment = payer.payment(unpaid, TestMoney.HERE);

    assertThat(payer.post("echo", "x".repeat((1 << 20) + 1), payment).statusCode()).isEqualTo(413);
    assertThat(payer.post("echo", "y", payment).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:money.paid_without_payment")
  void aPaidMethodBehindALocatorIsNeverHadForNothing() {
    assertThat(payer.get("sub").statusCode()).isIn(402, 500);
  }
}
