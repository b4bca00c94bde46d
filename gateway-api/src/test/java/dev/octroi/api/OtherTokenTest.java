package dev.octroi.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Payments in a token of eighteen decimals, by Permit2, with sandbox money. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherTokenTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String TOKEN = "gateway.payments.tokens.plain.";
  private static final String ASSET = "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb";
  private static final String AMOUNT = "9500000000000000";

  private GatewayHost host;

  @BeforeAll
  void open() {
    host = new GatewayHost(Map.of(TOKEN + "asset", ASSET, TOKEN + "decimals", "18"));
  }

  @AfterAll
  void close() {
    host.close();
  }

  @Test
  void theReceiptIsInTheTokensUnitsTheFirstTimeAndAgain() {
    String payment = payment();

    HttpResponse<String> first = send(payment);
    HttpResponse<String> again = send(payment);

    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
    assertThat(receipt(again).transaction()).isEqualTo(receipt(first).transaction());
    for (HttpResponse<String> answer : List.of(first, again)) {
      assertThat(receipt(answer).amount()).isEqualTo(AMOUNT);
      assertThat(answer.headers().firstValue("X-Price-Amount")).hasValue("0.009500");
    }
  }

  /** With a name of its payer's, so that its answer may be had again. */
  private String payment() {
    PaymentRequired challenge =
        PaymentRequired.read(
            host.http().get(READ).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    PaymentRequirements offer =
        challenge.accepts().stream()
            .filter(one -> one.asset().equals(ASSET))
            .findFirst()
            .orElseThrow();
    assertThat(offer.amount()).isEqualTo(AMOUNT);
    PaymentRequired plain =
        new PaymentRequired(2, null, challenge.resource(), challenge.accepts(), null);
    String signed = new PaymentSigner(Wallet.generate(), Clock.systemUTC()).sign(plain, offer);
    String json = new String(Base64.getDecoder().decode(signed), UTF_8);
    String named =
        json.substring(0, json.lastIndexOf('}'))
            + ",\"extensions\":{\"payment-identifier\":{\"info\":{\"id\":\"pay_in_another_token\"}}}}";
    return Base64.getEncoder().encodeToString(named.getBytes(UTF_8));
  }

  private HttpResponse<String> send(String payment) {
    return host.http().send(host.http().request(READ).header("PAYMENT-SIGNATURE", payment).build());
  }

  private static SettlementResponse receipt(HttpResponse<String> answer) {
    return SettlementResponse.read(answer.headers().firstValue("PAYMENT-RESPONSE").orElseThrow());
  }
}
