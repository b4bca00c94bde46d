package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.ResourceInfo;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A wallet may state the address that it asked for, whatever the address is an alias of. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:payment.binding.resource")
class AskedAddressTest {

  private static final String EVENTS = "/v1/marketplace/prediction/venue-a/events";
  private static final String ETF = "/v1/marketplace/cryptodata/market/etf";

  private final PaymentSigner signer = new PaymentSigner(Wallet.generate(), Clock.systemUTC());
  private GatewayHost host;

  @BeforeAll
  void open() {
    host =
        new GatewayHost(
            Map.of(
                "gateway.aliases.odds", "prediction",
                "gateway.aliases.coins", "cryptodata",
                "gateway.venues.venue-a", "agora"));
  }

  @AfterAll
  void close() {
    host.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        EVENTS,
        "/v1/prediction/venue-a/events",
        "/v1/prediction/venue-a/events?limit=3&q=a%20b",
        "/api/v1/prediction/venue-a/events",
        "/api/v1/marketplace/prediction/venue-a/events",
        "/v1/odds/venue-a/events",
        "/v1/marketplace/odds/agora/events",
        "/api/v1/coins/market/etf",
        ETF
      })
  void theChallengeNamesTheAddressThatWasAskedForAndAPaymentThatStatesItIsTaken(String target) {
    String asked = host.http().base() + target;
    PaymentRequired challenge = challenge(target);

    assertThat(challenge.resource().url()).isEqualTo(asked);
    HttpResponse<String> paid = call(target, payment(challenge, asked));
    assertThat(paid.statusCode()).as(paid.body()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/prediction/venue-a/events, " + EVENTS,
    EVENTS + ", /api/v1/odds/agora/events",
    "/v1/odds/venue-a/events, /v1/prediction/agora/events",
    "/v1/coins/market/etf, " + ETF,
  })
  void everyNameOfAResourceIsTheSameResource(String stated, String called) {
    String payment = payment(challenge(stated), "https://elsewhere.example" + stated);

    assertThat(call(called, payment).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/prediction/venue-b/markets, /v1/prediction/venue-a/events",
    "/v1/coins/market/fear-greed, " + ETF,
    "/v1/coins/venue-a/events, /v1/prediction/venue-a/events",
    "/v1/prediction/venue-a/events/, /v1/prediction/venue-a/events",
    "/v1/prediction/x/../venue-a/events, /v1/prediction/venue-a/events",
    "/v1//prediction/venue-a/events, /v1/prediction/venue-a/events",
    "/v1/prediction/venue-a/events;x, /v1/prediction/venue-a/events",
    "/api/api/v1/prediction/venue-a/events, /v1/prediction/venue-a/events",
  })
  void aPaymentThatStatesAnotherResourceIsNotTaken(String stated, String called) throws Exception {
    String payment = payment(challenge(called), host.http().base() + stated);

    HttpResponse<String> refused = call(called, payment);

    assertThat(refused.statusCode()).isEqualTo(402);
    assertThat(new JsonMapper().readTree(refused.body()).path("error").textValue())
        .isEqualTo("resource_mismatch");
  }

  @Test
  void aPaymentIsSpentUnderEveryNameOfItsResource() {
    String payment =
        payment(
            challenge("/v1/prediction/venue-a/events"),
            host.http().base() + "/v1/prediction/venue-a/events");

    assertThat(call("/v1/odds/agora/events", payment).statusCode()).isEqualTo(200);
    for (String name :
        new String[] {EVENTS, "/v1/prediction/venue-a/events", "/v1/odds/agora/events"}) {
      HttpResponse<String> again = call(name, payment);
      assertThat(again.statusCode()).as(name).isEqualTo(402);
      assertThat(again.body()).contains("nonce_already_used");
    }
  }

  @Test
  void behindAPublicAddressTheStatedOneMayBeThePublicOrTheOneThatWasCalled() {
    Map<String, String> settings =
        Map.of("gateway.http.public-url", "http://127.0.0.1:7/gate", "gateway.database.node", "b");
    try (GatewayHost published = host.beside(settings)) {
      String target = "/v1/prediction/venue-a/events";
      PaymentRequired challenge =
          PaymentRequired.read(
              published.http().get(target).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
      assertThat(challenge.resource().url()).isEqualTo("http://127.0.0.1:7/gate" + target);
      for (String stated :
          new String[] {
            "http://127.0.0.1:7/gate" + target,
            "HTTP://127.0.0.1:7/gate" + EVENTS,
            "https://other.example/gate" + target,
            published.http().base() + target
          }) {
        assertThat(status(published, target, payment(challenge, stated))).as(stated).isEqualTo(200);
      }
      for (String stated :
          new String[] {
            "http://127.0.0.1:7" + target,
            "http://127.0.0.1:7/gate/gate" + target,
            "https://other.example" + target
          }) {
        assertThat(status(published, target, payment(challenge, stated))).as(stated).isEqualTo(402);
      }
    }
  }

  private static int status(GatewayHost called, String target, String payment) {
    return called
        .http()
        .send(called.http().request(target).header("PAYMENT-SIGNATURE", payment).build())
        .statusCode();
  }

  private PaymentRequired challenge(String target) {
    return PaymentRequired.read(
        host.http().get(target).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
  }

  /** Signs as a wallet does that states an address of its own making. */
  private String payment(PaymentRequired challenge, String stated) {
    PaymentRequired told =
        new PaymentRequired(
            challenge.x402Version(),
            challenge.error(),
            ResourceInfo.at(stated),
            challenge.accepts(),
            challenge.extensions());
    return signer.sign(told, told.accepts().get(0));
  }

  private HttpResponse<String> call(String target, String payment) {
    return host.http()
        .send(host.http().request(target).header("PAYMENT-SIGNATURE", payment).build());
  }
}
