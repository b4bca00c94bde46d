package dev.octroi.payments.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PayingClient.AnswerLost;
import dev.octroi.payments.client.PayingClient.PaymentDeclined;
import dev.octroi.payments.client.PayingClient.RetryPause;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayingClientTest {

  private final Wallet wallet = Wallet.generate();
  private Seller seller;

  @BeforeEach
  void open() throws IOException {
    seller = new Seller(EvmToken.BASE_USDC);
  }

  @AfterEach
  void close() {
    seller.close();
  }

  @Test
  void aChallengeIsAnsweredWithAPaymentThatVerifies() throws Exception {
    PaidAnswer answer = client("1").send(get("/paid"));

    assertThat(answer.body()).asString().isEqualTo("sold");
    assertThat(answer.quote().price()).isEqualTo(Seller.PRICE);
    assertThat(answer.receipt().success()).isTrue();
    assertThat(answer.receipt().payer()).isEqualTo(wallet.address().toString());
    assertThat(answer.payment()).isEqualTo(seller.payments.peek());
  }

  @Test
  void whatIsFreeIsNotPaid() throws Exception {
    PaidAnswer answer = client("1").send(get("/free"));

    assertThat(answer.isSuccess()).isTrue();
    assertThat(answer.quote()).isNull();
  }

  @Test
  void aQuotePaysNothing() throws Exception {
    PaidAnswer answer = client("0.001").quote(get("/paid"));

    assertThat(answer.quote().price()).isEqualTo(Seller.PRICE);
    assertThat(seller.payments).isEmpty();
  }

  @Test
  void aChallengeMayStandInTheBodyOnly() throws Exception {
    assertThat(client("1").quote(get("/body-only")).quote().price()).isEqualTo(Seller.PRICE);
  }

  @Test
  @Tag("spec:x402.v1.body")
  @Tag("spec:x402.v1.envelope")
  void aServerOfVersion1IsPaidInItsOwnWords() throws Exception {
    PaidAnswer answer = client("1").send(get("/former"));

    assertThat(answer.body()).asString().isEqualTo("sold");
    assertThat(answer.quote().price()).isEqualTo(Seller.PRICE);
    assertThat(answer.quote().terms().network()).isEqualTo("eip155:8453");
    assertThat(answer.receipt().payer()).isEqualTo(wallet.address().toString());
    assertThat(new String(Base64.getDecoder().decode(answer.payment())))
        .startsWith("{\"x402Version\":1,\"scheme\":\"exact\",\"network\":\"base\",\"payload\":{")
        .doesNotContain("accepted", "resource");
    assertThat(client("1").sendAgain(get("/former"), answer.payment()).isSuccess()).isTrue();
  }

  @Test
  @Tag("spec:x402.v1.body")
  void aServerOfVersion1ThatRefusesIsNotPaidAgain() throws Exception {
    seller.faults.add(402);

    PaidAnswer answer = client("1").send(get("/former"));

    assertThat(answer.refusal()).isEqualTo("insufficient_funds");
    assertThat(seller.payments).hasSize(1);
  }

  @Test
  void aPriceOverTheLimitIsDeclinedAndNothingIsSigned() {
    assertThatExceptionOfType(PaymentDeclined.class)
        .isThrownBy(() -> client("0.009999").send(get("/paid")))
        .satisfies(declined -> assertThat(declined.quote().price()).isEqualTo(Seller.PRICE));
    assertThat(seller.payments).isEmpty();
  }

  @Test
  void aPriceAtTheLimitIsPaid() throws Exception {
    assertThat(client("0.01").send(get("/paid")).isSuccess()).isTrue();
  }

  @Test
  void anUnknownTokenIsDeclinedHoweverCheapItLooks() throws Exception {
    EvmToken unknown =
        new EvmToken("eip155:8453", EvmAddress.parse("0x" + "11".repeat(20)), "Gold", "1");
    try (Seller other = new Seller(unknown)) {
      HttpRequest request = HttpRequest.newBuilder(other.at("/paid")).build();

      assertThatExceptionOfType(PaymentDeclined.class).isThrownBy(() -> client("1").send(request));
      SpendingLimit known = new SpendingLimit(Usd.parse("1"), List.of(unknown));
      assertThat(client(known).send(request).isSuccess()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {409, 502, 503, 0})
  @Tag("spec:x402.uncertain.1")
  void theSamePaymentIsSentOnceMoreAfterAPassingFault(int fault) throws Exception {
    seller.faults.add(fault);

    assertThat(client("1").send(get("/paid")).body()).asString().isEqualTo("sold");
    assertThat(seller.payments)
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(seller.payments.peek()::equals);
  }

  @Test
  void aLastingFaultIsTheAnswer() throws Exception {
    seller.faults.addAll(List.of(503, 503, 503));

    assertThat(client("1").send(get("/paid")).status()).isEqualTo(503);
    assertThat(seller.payments).hasSize(2);
  }

  @Test
  void aRefusedPaymentIsNotReplacedByAnother() throws Exception {
    seller.faults.add(402);

    PaidAnswer answer = client("1").send(get("/paid"));

    assertThat(answer.status()).isEqualTo(402);
    assertThat(answer.refusal()).isEqualTo("insufficient_funds");
    assertThat(seller.payments).hasSize(1);
  }

  @Test
  @Tag("spec:x402.uncertain.1")
  void aLostAnswerCanBeAskedForWithTheSamePayment() throws Exception {
    seller.faults.addAll(List.of(0, 0, 0, 0));
    PayingClient client = client("1");
    AnswerLost lost = catchThrowableOfType(AnswerLost.class, () -> client.send(get("/paid")));
    seller.faults.clear();

    PaidAnswer answer = client.sendAgain(get("/paid"), lost.payment());

    assertThat(answer.body()).asString().isEqualTo("sold");
    assertThat(seller.payments).allMatch(lost.payment()::equals);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "3,3000",
    "10,10000",
    "11,10000",
    "999999999,10000",
    "x,200",
    "-1,200",
    "'',200"
  })
  void retryAfterIsHonouredUpToTenSeconds(String said, long millis) {
    assertThat(RetryPause.of(said).toMillis()).isEqualTo(millis);
  }

  @Test
  void anAnswerThatNeverEndsIsLostAndItsPaymentIsKnown() {
    HttpRequest request =
        HttpRequest.newBuilder(seller.at("/dripping")).timeout(Duration.ofMillis(500)).build();

    AnswerLost lost =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20),
            () -> catchThrowableOfType(AnswerLost.class, () -> client("1").send(request)));

    assertThat(lost.payment()).isEqualTo(seller.payments.peek());
    assertThat(seller.payments).as("the same again").containsOnly(lost.payment());
  }

  private HttpRequest get(String path) {
    return HttpRequest.newBuilder(seller.at(path)).build();
  }

  private PayingClient client(String max) {
    return client(SpendingLimit.of(Usd.parse(max)));
  }

  private PayingClient client(SpendingLimit limit) {
    PaymentSigner signer = new PaymentSigner(wallet, Clock.systemUTC());
    return new PayingClient(HttpClient.newHttpClient(), signer, limit);
  }
}
