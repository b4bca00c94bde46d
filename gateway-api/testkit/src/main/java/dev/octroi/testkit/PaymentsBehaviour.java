package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.x402.PaymentHeaders;
import java.math.BigInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payments that are not good: which refusal each of them gets. */
abstract class PaymentsBehaviour extends Behaviour {

  private final Payer payer = new Payer(Wallet.generate());

  @Test
  @Tag("spec:x402.verify.signature")
  @Tag("spec:error.x402.signature_mismatch")
  void aTamperedSignatureIsRefused() {
    String payment = payer.sign(deployment().challenge(TICKER));
    assertReason(Envelopes.tampered(payment), "invalid_exact_evm_signature");
    assertStillGood(payment, TICKER);
  }

  @Test
  @Tag("spec:x402.verify.signature")
  void aSignatureForAnotherTokenIsRefused() {
    String payment = payer.signForAnotherToken(deployment().challenge(TICKER));
    assertReason(payment, "invalid_exact_evm_signature");
  }

  @Test
  @Tag("spec:x402.verify.signature")
  @Tag("spec:error.x402.signature_mismatch")
  void anotherPayersAuthorizationIsRefused() {
    String victim = Wallet.generate().address().toString();
    String payment = payer.sign(deployment().challenge(TICKER));
    assertReason(
        Envelopes.changed(payment, "/payload/authorization", "from", victim),
        "invalid_exact_evm_signature");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1, 1_000_000})
  @Tag("spec:x402.verify.value_mismatch")
  @Tag("spec:error.x402.amount_mismatch")
  @Tag("spec:payment.rule.2")
  void anotherAmountIsRefused(long more) {
    assertReason(
        signed(a -> value(a, a.value().add(BigInteger.valueOf(more)))),
        "invalid_exact_evm_payload_authorization_value_mismatch");
  }

  @Test
  @Tag("spec:x402.verify.valid_before")
  @Tag("spec:error.x402.authorization_expired")
  @Tag("spec:limit.payment_authorization")
  void anExpiredAuthorizationIsRefused() {
    assertReason(
        signed(a -> times(a, a.validAfter(), a.validAfter().add(BigInteger.valueOf(60)))),
        "invalid_exact_evm_payload_authorization_valid_before");
  }

  @Test
  @Tag("spec:x402.verify.valid_after")
  void anAuthorizationThatIsNotYetValidIsRefused() {
    assertReason(
        signed(a -> times(a, a.validAfter().add(BigInteger.valueOf(180)), a.validBefore())),
        "invalid_exact_evm_payload_authorization_valid_after");
  }

  @Test
  @Tag("spec:x402.verify.recipient_mismatch")
  void aPaymentToAnotherPayeeIsRefused() {
    EvmAddress other = Wallet.generate().address();
    assertReason(
        signed(
            a ->
                new TransferAuthorization(
                    a.from(), other, a.value(), a.validAfter(), a.validBefore(), a.nonce())),
        "invalid_exact_evm_recipient_mismatch");
  }

  @Test
  @Tag("spec:x402.verify.network_mismatch")
  @Tag("spec:error.x402.unsupported_network")
  void aNetworkThatIsNotOfferedIsRefused() {
    String payment = payer.sign(deployment().challenge(TICKER));
    assertReason(
        Envelopes.changed(payment, "/accepted", "network", "eip155:1"),
        "invalid_exact_evm_network_mismatch");
  }

  @Test
  @Tag("spec:x402.verify.scheme")
  void aSchemeThatIsNotOfferedIsRefused() {
    String payment = payer.sign(deployment().challenge(TICKER));
    assertReason(
        Envelopes.changed(payment, "/accepted", "scheme", "upto"), "invalid_exact_evm_scheme");
  }

  @Test
  @Tag("spec:decision.envelope_leniency")
  void theTermsThatAClientAcceptedAreNotTrusted() {
    String payment = payer.sign(deployment().challenge(TICKER));
    Reply reply = deployment().send(TICKER, Envelopes.changed(payment, "/accepted", "amount", "1"));
    assertChallengedAgain(reply);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not base64!",
        "AAAA",
        "eyJ4NDAyVmVyc2lvbiI6Mg==",
        "W10=",
        "e30=",
        "eyJ4NDAyVmVyc2lvbiI6Mn0="
      })
  @Tag("spec:decision.malformed_header")
  void aHeaderThatIsNoPaymentIsMalformed(String header) {
    assertFlat(deployment().send(TICKER, header), 400);
  }

  @Test
  @Tag("spec:decision.header_name")
  void twoHeadersThatDifferAreMalformed() {
    Reply challenge = deployment().challenge(TICKER);
    Call both = TICKER.with(PaymentHeaders.X_PAYMENT, payer.sign(challenge));
    assertFlat(deployment().send(both, payer.sign(challenge)), 400);
  }

  @Test
  @Tag("spec:decision.header_name")
  void theOlderHeaderIsTakenAndAnswered() {
    String payment = payer.sign(deployment().challenge(TICKER));
    Reply reply = deployment().send(TICKER.with(PaymentHeaders.X_PAYMENT, payment));
    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    assertThat(reply.header(PaymentHeaders.X_PAYMENT_RESPONSE))
        .isEqualTo(reply.header(PaymentHeaders.PAYMENT_RESPONSE))
        .isNotBlank();
  }

  @Test
  @Tag("spec:decision.header_name")
  void theSamePaymentInBothHeadersIsOnePayment() {
    String payment = payer.sign(deployment().challenge(TICKER));
    Reply reply = deployment().send(TICKER.with(PaymentHeaders.X_PAYMENT, payment), payment);
    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {7_000, 17_000, 100_000})
  @Tag("spec:limit.payment_header")
  void anOversizedHeaderIsRefusedCleanly(int length) {
    Reply reply = deployment().send(TICKER, "A".repeat(length));
    assertThat(reply.status()).as(reply.toString()).isBetween(400, 499).isNotEqualTo(402);
    assertUncharged(reply);
  }

  private String signed(UnaryOperator<TransferAuthorization> change) {
    return payer.sign(deployment().challenge(TICKER), change);
  }

  private static TransferAuthorization value(TransferAuthorization a, BigInteger value) {
    return new TransferAuthorization(
        a.from(), a.to(), value, a.validAfter(), a.validBefore(), a.nonce());
  }

  private static TransferAuthorization times(
      TransferAuthorization a, BigInteger after, BigInteger before) {
    return new TransferAuthorization(a.from(), a.to(), a.value(), after, before, a.nonce());
  }

  private void assertReason(String payment, String reason) {
    Reply reply = deployment().send(TICKER, payment);
    JsonNode body = assertChallengedAgain(reply);
    assertThat(body.path("error").asText()).as(reply.toString()).isEqualTo(reason);
  }

  /** A refused payment gets a fresh challenge, in header and body. */
  private static JsonNode assertChallengedAgain(Reply reply) {
    assertThat(reply.status()).as(reply.toString()).isEqualTo(402);
    assertThat(reply.json().path("code").asText()).isNotBlank();
    assertThat(reply.decoded(PaymentHeaders.PAYMENT_REQUIRED).path("accepts")).isNotEmpty();
    assertThat(reply.header("Cache-Control")).contains("no-store");
    assertUncharged(reply);
    return reply.json();
  }
}
