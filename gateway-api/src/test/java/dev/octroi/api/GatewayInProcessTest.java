package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentRequired;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.function.Function;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.test.JerseyTest;
import org.glassfish.jersey.test.TestProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The resources in a container that is no servlet container, called through the JAX-RS client. */
class GatewayInProcessTest extends JerseyTest {

  private static final String CRYPTO_DATA = "v1/marketplace/cryptodata/";
  private static final String PREDICTION = "v1/marketplace/prediction/";

  private static GatewayUnderTest gateway;

  private final PaymentSigner payer = new PaymentSigner(Wallet.generate(), Clock.systemUTC());

  @BeforeAll
  static void compose() {
    gateway = new GatewayUnderTest(Map.of());
    gateway.vendor().says("/market/etf", 200, "{\"data\":[{\"flow\":1.10}]}");
    gateway.vendor().says("/onchain/sql", 200, "{\"data\":[{\"a\":1}]}");
  }

  @AfterAll
  static void close() {
    gateway.close();
  }

  @Override
  protected Application configure() {
    forceSet(TestProperties.CONTAINER_PORT, "0");
    return ResourceConfig.forApplication(new GatewayApplication(gateway.gateway()));
  }

  @Override
  protected URI getBaseUri() {
    return URI.create("http://127.0.0.1:" + super.getBaseUri().getPort() + "/");
  }

  @Test
  void theBaseAddressIsFree() {
    try (Response answer = target("/").request().get()) {
      assertThat(answer.getStatus()).isEqualTo(200);
      assertThat(answer.readEntity(String.class)).contains("\"name\":\"Octroi\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "market/etf, v1/marketplace/cryptodata/, 9500",
    "venue-a/markets, v1/marketplace/prediction/, 1000",
    "venue-a/wallet/pnl/0x1111111111111111111111111111111111111111, v1/prediction/, 5000",
    "venue-c/trades, v1/prediction/, 9500"
  })
  @Tag("spec:payment.rule.1")
  @Tag("spec:price.prediction")
  void anUnpaidReadIsChallengedForItsPrice(String read, String group, String amount) {
    try (Response answer = target(group + read).request().get()) {
      assertThat(answer.getStatus()).isEqualTo(402);
      assertThat(challenge(answer).accepts())
          .singleElement()
          .satisfies(terms -> assertThat(terms.amount()).isEqualTo(amount));
      assertThat(answer.readEntity(String.class)).contains("\"code\":\"payment_required\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"onchain/sql", "onchain/query"})
  @Tag("spec:price.crypto")
  void aPostOfCryptoDataCostsWhatItsReadsCost(String path) {
    try (Response answer = target(CRYPTO_DATA + path).request().post(Entity.json("{}"))) {
      assertThat(answer.getStatus()).isEqualTo(402);
      assertThat(challenge(answer).accepts().get(0).amount()).isEqualTo("9500");
    }
  }

  @Test
  @Tag("spec:rule.general.1")
  void aPaidReadOfCryptoDataIsTheVendorsAnswerWithItsPrice() {
    try (Response answer = paid(target(CRYPTO_DATA + "market/etf"), Invocation.Builder::get)) {
      assertThat(answer.getStatus()).isEqualTo(200);
      assertThat(answer.getHeaderString(PaymentHeaders.PRICE_AMOUNT)).isEqualTo("0.009500");
      assertThat(answer.readEntity(String.class))
          .isEqualTo(
              "{\"data\":[{\"flow\":1.10}],\"price\":{\"amount\":\"0.009500\",\"currency\":\"USD\"}}");
    }
  }

  @Test
  @Tag("spec:rule.general.1")
  void aPaidReadOfPredictionIsTheVendorsAnswerWithItsPrice() {
    WebTarget read = target(PREDICTION + "venue-a/events");
    try (Response answer = paid(read, Invocation.Builder::get)) {
      assertThat(answer.getStatus()).isEqualTo(200);
      assertThat(answer.readEntity(String.class))
          .isEqualTo(
              "{\"data\":null,\"events\":[],\"markets\":[],\"cohorts\":[],\"price\":{\"amount\":\"0.001000\",\"currency\":\"USD\"}}");
    }
  }

  @Test
  @Tag("spec:endpoint.crypto.onchain_sql")
  void aPaidQuestionIsAnswered() {
    Entity<String> sql = Entity.json("{\"sql\":\"SELECT a FROM ethereum.blocks\"}");
    try (Response answer =
        paid(target(CRYPTO_DATA + "onchain/sql"), request -> request.post(sql))) {
      assertThat(answer.getStatus()).isEqualTo(200);
      assertThat(answer.readEntity(String.class))
          .startsWith("{\"columns\":[\"a\"],\"rows\":[[1]],\"row_count\":1,");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "v1/marketplace/cryptodata/exchange/depth, invalid_params",
    "v1/marketplace/prediction/venue-a/wallet/someone.eth, invalid_address"
  })
  @Tag("spec:error.shape.nested")
  @Tag("spec:decision.uncharged")
  void anErrorOfAGroupIsNestedAndUncharged(String path, String code) {
    try (Response answer = paid(target(path), Invocation.Builder::get)) {
      assertThat(answer.getStatus()).isEqualTo(400);
      assertThat(answer.getHeaderString(PaymentHeaders.PAYMENT_RESPONSE)).isNull();
      assertThat(answer.readEntity(String.class))
          .matches("\\{\"error\":\\{\"code\":\"" + code + "\",\"message\":\"[^\"]+\"}}");
    }
  }

  @Test
  @Tag("spec:error.status.404")
  void aPathThatIsNotThereIsFlat404() {
    assertFlat(target(CRYPTO_DATA + "nothing").request().get(), 404);
    assertFlat(target("nothing").request().get(), 404);
  }

  @Test
  @Tag("spec:error.status.405")
  void anotherMethodIsFlat405() {
    assertFlat(target(PREDICTION + "markets").request().delete(), 405);
  }

  @Test
  @Tag("spec:decision.head")
  void aHeadIs405() {
    try (Response answer = target(PREDICTION + "markets").request().head()) {
      assertThat(answer.getStatus()).isEqualTo(405);
    }
  }

  @Test
  @Tag("spec:error.status.415")
  void aBodyThatIsNotJsonIsFlat415() {
    Entity<String> plain = Entity.entity("SELECT 1", MediaType.TEXT_PLAIN_TYPE);
    assertFlat(target(CRYPTO_DATA + "onchain/sql").request().post(plain), 415);
  }

  private static void assertFlat(Response answer, int status) {
    try (answer) {
      assertThat(answer.getStatus()).isEqualTo(status);
      assertThat(answer.getMediaType()).isEqualTo(MediaType.APPLICATION_JSON_TYPE);
      assertThat(answer.readEntity(String.class)).matches("\\{\"error\":\"[^\"]+\"}");
    }
  }

  /** Asks, signs what the challenge wants, and asks again. */
  private Response paid(WebTarget target, Function<Invocation.Builder, Response> call) {
    PaymentRequired challenge;
    try (Response unpaid = call.apply(target.request())) {
      challenge = challenge(unpaid);
    }
    String payment = payer.sign(challenge, challenge.accepts().get(0));
    return call.apply(target.request().header(PaymentHeaders.PAYMENT_SIGNATURE, payment));
  }

  private static PaymentRequired challenge(Response unpaid) {
    return PaymentRequired.read(unpaid.getHeaderString(PaymentHeaders.PAYMENT_REQUIRED));
  }
}
