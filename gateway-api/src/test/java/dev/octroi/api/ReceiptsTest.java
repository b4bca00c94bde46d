package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A payer finds its payment again with that payment's own header, and with no other. */
class ReceiptsTest {

  private static final String KEY = "02".repeat(32);
  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  private static GatewayHost host;

  private final Wallet wallet = Wallet.generate();

  @BeforeAll
  static void serve() throws Exception {
    host = new GatewayHost(Map.of("gateway.receipts.signing-key", KEY));
  }

  @AfterAll
  static void stop() throws Exception {
    host.close();
  }

  @Test
  @Tag("spec:x402.receipt.look_up")
  void aPayerFindsItsReceiptByPaymentAndByTransaction() throws Exception {
    String payment = payment();
    HttpResponse<String> bought = get(READ, payment);
    assertThat(bought.statusCode()).isEqualTo(200);
    String id = bought.headers().firstValue("X-Payment-Id").orElseThrow();
    String transaction = bought.headers().firstValue("X-PAYMENT-RECEIPT").orElseThrow();

    await().until(() -> json(get("/v1/receipts/" + id, payment)).path("delivered").booleanValue());
    JsonNode receipt = json(get("/v1/receipts/" + transaction, payment));

    assertThat(receipt.path("id").textValue()).isEqualTo(id);
    assertThat(receipt.path("state").textValue()).isEqualTo("settled");
    assertThat(receipt.path("amount").textValue()).isEqualTo("0.009500");
    assertThat(receipt.path("payer").textValue()).isEqualTo(wallet.address().toString());
    assertThat(receipt.path("transaction").textValue()).isEqualTo(transaction);
    assertThat(receipt.path("method").textValue()).isEqualTo("GET");
    assertThat(receipt.path("path").textValue()).isEqualTo(READ);
    assertThat(Instant.parse(receipt.path("settledAt").textValue())).isBefore(Instant.now());
    assertSigned(receipt.path("receipt"), transaction);
  }

  private static void assertSigned(JsonNode signed, String transaction) {
    JsonNode payload = signed.path("payload");
    assertThat(payload.path("resourceUrl").textValue()).endsWith(READ);
    assertThat(payload.path("transaction").textValue()).isEqualTo(transaction);
    ReceiptSigner.Receipt said =
        new ReceiptSigner.Receipt(
            payload.path("network").textValue(),
            payload.path("resourceUrl").textValue(),
            payload.path("payer").textValue(),
            Instant.ofEpochSecond(payload.path("issuedAt").longValue()),
            payload.path("transaction").textValue());
    assertThat(
            Signatures.pureJava()
                .signer(said.digest(), Hex.parse(signed.path("signature").textValue())))
        .hasValue(new ReceiptSigner(KEY).address());
  }

  @Test
  @Tag("spec:x402.receipt.look_up")
  void nobodyElseFindsIt() {
    HttpResponse<String> bought = get(READ, payment());
    String id = bought.headers().firstValue("X-Payment-Id").orElseThrow();
    String transaction = bought.headers().firstValue("X-PAYMENT-RECEIPT").orElseThrow();
    String other = payment();

    assertThat(host.http().get("/v1/receipts/" + id).statusCode()).isEqualTo(404);
    assertThat(get("/v1/receipts/" + id, other).statusCode()).isEqualTo(404);
    assertThat(get("/v1/receipts/" + transaction, other).statusCode()).isEqualTo(404);
    assertThat(get("/v1/receipts/" + UUID.randomUUID(), other).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%%%", "e30=", "bm90IGpzb24="})
  @Tag("spec:decision.malformed_header")
  void aPaymentThatCannotBeReadIsABadRequest(String payment) {
    assertThat(get("/v1/receipts/" + UUID.randomUUID(), payment).statusCode()).isEqualTo(400);
  }

  private String payment() {
    PaymentRequired challenge =
        PaymentRequired.read(
            host.http().get(READ).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    return new PaymentSigner(wallet, Clock.systemUTC()).sign(challenge, challenge.accepts().get(0));
  }

  private static HttpResponse<String> get(String path, String payment) {
    HttpRequest.Builder request = host.http().request(path).header("PAYMENT-SIGNATURE", payment);
    return host.http().send(request.build());
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body());
  }
}
