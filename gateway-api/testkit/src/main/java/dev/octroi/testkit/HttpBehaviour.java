package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What HTTP wants besides: browsers, compression, ids. */
abstract class HttpBehaviour extends Behaviour {

  private static final Call MARKETS = Call.get(CRYPTO_DATA + "/exchange/markets");

  @Test
  @Tag("spec:decision.cors")
  void aPreflightIsFreeAndAllowsPayments() {
    Map<String, String> headers =
        Map.of(
            "Origin", "http://localhost:3000",
            "Access-Control-Request-Method", "GET",
            "Access-Control-Request-Headers", "payment-signature");
    Reply reply = deployment().send(new Call("OPTIONS", TICKER.target(), headers, null));
    assertThat(reply.status()).as(reply.toString()).isIn(200, 204);
    assertThat(reply.header("Access-Control-Allow-Origin")).isNotBlank();
    assertThat(reply.header("Access-Control-Allow-Methods")).contains("GET", "POST");
    assertThat(reply.header("Access-Control-Allow-Headers").toLowerCase(Locale.ROOT))
        .contains("payment-signature", "x-payment", "content-type");
  }

  @Test
  @Tag("spec:decision.cors")
  void pagesMayReadThePaymentHeaders() {
    Call call = TICKER.with("Origin", "http://localhost:3000");
    assertExposed(deployment().send(call));
    assertExposed(deployment().buy(call));
    assertExposed(deployment().send(call.target("/v1/marketplace/cryptodata/nothing")));
  }

  @Test
  @Tag("spec:decision.gzip")
  void aLongAnswerIsCompressedWhereThatIsAskedFor() throws IOException {
    Reply plain = deployment().buy(MARKETS);
    Reply packed = deployment().buy(MARKETS.with("Accept-Encoding", "gzip"));
    assertThat(plain.header("Content-Encoding")).isEmpty();
    assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(packed.body().length).isLessThan(plain.body().length);
    assertThat(packed.header("Vary").toLowerCase(Locale.ROOT)).contains("accept-encoding");
    try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
      assertThat(Json.read(unpacked.readAllBytes()).path("price"))
          .isEqualTo(plain.json().path("price"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip;q=0", "br"})
  @Tag("spec:decision.gzip")
  void anAnswerIsPlainWhereCompressionIsNotAskedFor(String encodings) {
    Reply reply = deployment().buy(MARKETS.with("Accept-Encoding", encodings));
    assertThat(reply.header("Content-Encoding")).isEmpty();
    assertThat(reply.json().path("data")).isNotEmpty();
  }

  @Test
  @Tag("spec:rule.general.1")
  @Tag("spec:record.price")
  void bodyHeadersAndReceiptTellOneCharge() {
    Reply reply = deployment().buy(TICKER);
    JsonNode price = reply.json().path("price");
    assertThat(price.path("amount").asText())
        .isEqualTo(reply.header("X-Price-Amount"))
        .isEqualTo("0.009500");
    assertThat(price.path("currency").asText())
        .isEqualTo(reply.header("X-Price-Currency"))
        .isEqualTo("USD");
    JsonNode receipt = reply.decoded("PAYMENT-RESPONSE");
    assertThat(receipt.path("amount").asText("9500")).isEqualTo("9500");
  }

  @Test
  void everyAnswerIsLabelledAndHasAnId() {
    for (Call call : new Call[] {TICKER, Call.get("/v1/prediction/nothing")}) {
      Reply reply = deployment().send(call.with("X-Request-Id", "kit-1"));
      assertThat(reply.header("X-Request-Id")).as(reply.toString()).isEqualTo("kit-1");
      assertThat(reply.header("X-Sandbox")).as(reply.toString()).isEqualTo("octroi");
      assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
    }
  }

  private static void assertExposed(Reply reply) {
    assertThat(reply.header("Access-Control-Allow-Origin")).as(reply.toString()).isNotBlank();
    assertThat(reply.header("Access-Control-Expose-Headers").toUpperCase(Locale.ROOT))
        .contains("PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "X-PAYMENT-RECEIPT", "X-PRICE-AMOUNT");
  }
}
