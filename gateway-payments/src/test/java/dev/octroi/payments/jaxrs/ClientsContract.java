package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.flow.ClientProtocol;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.ChallengeBody;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentIdentifier.IdentifierPolicy;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is spoken with clients of x402 v1, and what receipts say. */
abstract class ClientsContract extends ShopContract {

  ClientsContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  @Test
  @Tag("spec:x402.v1.envelope")
  @Tag("spec:decision.receipt_headers")
  void aVersionOnePaymentInTheOlderHeaderBuysTheAnswer() throws Exception {
    String payment = versionOne(payer.payment("read"), "base");

    HttpResponse<String> answer =
        payer.send(payer.to("read").header(PaymentHeaders.X_PAYMENT, payment));

    assertThat(answer.statusCode()).isEqualTo(200);
    SettlementResponse former =
        SettlementResponse.read(header(answer, PaymentHeaders.X_PAYMENT_RESPONSE));
    assertThat(former.success()).isTrue();
    assertThat(former.network()).isEqualTo("base");
    assertThat(former.transaction()).isEqualTo(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT));
    assertThat(SettlementResponse.read(header(answer, PaymentHeaders.PAYMENT_RESPONSE)).network())
        .isEqualTo("eip155:8453");
    assertThat(spent()).isEqualTo(9500);
  }

  @Test
  @Tag("spec:x402.v1.envelope")
  void aVersionOnePaymentOfAnotherPriceIsChallengedAgain() throws Exception {
    String payment = versionOne(payer.payment("item"), "base");

    HttpResponse<String> answer =
        payer.send(payer.to("read").header(PaymentHeaders.X_PAYMENT, payment));

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(shop.runs).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"eip155:8453", "ethereum", "Base", ""})
  @Tag("spec:x402.v1.envelope")
  void aNetworkThatVersionOneDoesNotKnowIsABadRequest(String network) throws Exception {
    String payment = versionOne(payer.payment("read"), network);

    assertThat(payer.send(payer.to("read").header(PaymentHeaders.X_PAYMENT, payment)).statusCode())
        .isEqualTo(400);
  }

  @Test
  @Tag("spec:decision.header_name")
  void aVersionOnePaymentInTheNewerHeaderIsABadRequest() throws Exception {
    String payment = versionOne(payer.payment("read"), "base");

    assertThat(payer.get("read", payment).statusCode()).isEqualTo(400);
    assertThat(
            payer
                .send(
                    payer
                        .to("read")
                        .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
                        .header(PaymentHeaders.X_PAYMENT, payment))
                .statusCode())
        .isEqualTo(400);
    assertThat(shop.runs).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {PaymentHeaders.PAYMENT_SIGNATURE, PaymentHeaders.X_PAYMENT})
  @Tag("spec:decision.header_name")
  void aPaymentHeaderThatIsThereTwiceIsABadRequest(String name) {
    String payment = payer.payment("read");

    HttpResponse<String> answer =
        payer.send(payer.to("read").header(name, payment).header(name, payment));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  @Tag("spec:x402.v1.body")
  @Tag("spec:decision.challenge_v1")
  void aChallengesBodyCanBeOfVersionOneWhileItsHeaderIsOfVersionTwo() throws Exception {
    ClientProtocol former =
        new ClientProtocol(
            ChallengeBody.V1, IdentifierPolicy.OFF, Optional.empty(), Optional.empty());
    try (TestMoney others = new TestMoney();
        Payments old = builder(others).protocol(former).build()) {
      ShopApplication application = new ShopApplication(shop, old);
      JettyHost second = JettyHost.start(context -> jaxRs.servlet(application, context));
      try {
        HttpResponse<String> answer = new TestPayer(second.base()).get("read");

        assertThat(answer.statusCode()).isEqualTo(402);
        JsonNode body = json.readTree(answer.body());
        assertThat(body.at("/x402Version").intValue()).isEqualTo(1);
        assertThat(body.at("/accepts/0/network").textValue()).isEqualTo("base");
        assertThat(body.at("/accepts/1/network").textValue()).isEqualTo("base-sepolia");
        assertThat(body.at("/accepts/0/maxAmountRequired").textValue()).isEqualTo("9500");
        assertThat(body.at("/accepts/0/resource").textValue())
            .isEqualTo(second.base().resolve("read").toString());
        assertThat(body.at("/accepts/0/extra/name").textValue()).isEqualTo("USD Coin");
        assertThat(body.at("/accepts/0/description").isTextual()).isTrue();
        assertThat(body.at("/price/amount").textValue()).isEqualTo("0.009500");
        assertThat(PaymentRequired.read(header(answer, PaymentHeaders.PAYMENT_REQUIRED)).accepts())
            .hasSize(2);
      } finally {
        second.stop();
      }
    }
  }

  @Test
  @Tag("spec:x402.extension.offer_receipt")
  void aReceiptIsSignedByTheServersOwnKey() throws Exception {
    HttpResponse<String> answer = payer.buy("read");

    String value = header(answer, PaymentHeaders.PAYMENT_RESPONSE);
    JsonNode receipt = json.readTree(decoded(value)).at("/extensions/offer-receipt/info/receipt");
    assertThat(receipt.path("format").textValue()).isEqualTo("eip712");
    JsonNode payload = receipt.path("payload");
    ReceiptSigner.Receipt said =
        new ReceiptSigner.Receipt(
            payload.path("network").textValue(),
            payload.path("resourceUrl").textValue(),
            payload.path("payer").textValue(),
            Instant.ofEpochSecond(payload.path("issuedAt").longValue()),
            payload.path("transaction").textValue());
    assertThat(said.resourceUrl()).isEqualTo(host.base().resolve("read").toString());
    assertThat(said.payer()).isEqualTo(payer.address().toString());
    assertThat(said.transaction()).isEqualTo(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT));
    byte[] signature = Hex.parse(receipt.path("signature").textValue());
    assertThat(Signatures.pureJava().signer(said.digest(), signature)).hasValue(RECEIPTS.address());
  }

  @Test
  @Tag("spec:x402.extension.offer_receipt")
  void eachOfferIsSignedInTheHeaderAndInTheBody() throws Exception {
    HttpResponse<String> answer = payer.get("read");

    JsonNode body = json.readTree(answer.body());
    JsonNode header = json.readTree(decoded(header(answer, PaymentHeaders.PAYMENT_REQUIRED)));
    JsonNode offers = header.at("/extensions/offer-receipt/info/offers");
    assertThat(offers).hasSize(2).isEqualTo(body.at("/extensions/offer-receipt/info/offers"));
    for (JsonNode offer : offers) {
      PaymentRequirements terms =
          PaymentRequired.read(header(answer, PaymentHeaders.PAYMENT_REQUIRED))
              .accepts()
              .get(offer.path("acceptIndex").intValue());
      ReceiptSigner.Offer said =
          new ReceiptSigner.Offer(
              host.base().resolve("read").toString(),
              terms,
              Instant.ofEpochSecond(offer.at("/payload/validUntil").longValue()));
      byte[] signature = Hex.parse(offer.path("signature").textValue());
      assertThat(Signatures.pureJava().signer(said.digest(), signature))
          .hasValue(RECEIPTS.address());
    }
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:money.6")
  void anUndeliveredAnswerOfAMethodThatSettledBeforeItsEffectIsHadAgain() {
    String path = "before?settles=true&status=200";
    String payment = payer.payment(path);
    cut(path, payment);
    assertThat(spent()).isEqualTo(10_000);

    HttpResponse<String> again = payer.get(path, payment);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).isEqualTo("done");
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(10_000);
  }

  /** The same payment as a client of version 1 would send it. */
  private String versionOne(String payment, String network) throws IOException {
    JsonNode envelope = json.readTree(decoded(payment));
    String former =
        json.createObjectNode()
            .put("x402Version", 1)
            .put("scheme", "exact")
            .put("network", network)
            .set("payload", envelope.path("payload"))
            .toString();
    return encoded(former);
  }
}
