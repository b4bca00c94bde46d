package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.body.BodyMemory;
import dev.octroi.payments.flow.ClientProtocol;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.ChallengeBody;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentIdentifier.IdentifierPolicy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a payment with an identifier of its payer's buys, the first time and again. */
abstract class IdentifiersContract extends ShopContract {

  private static final int LARGE = 7 << 20;

  IdentifiersContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  @Test
  @Tag("spec:x402.identifier.announced")
  void aChallengeAnnouncesIdentifiers() throws Exception {
    HttpResponse<String> answer = payer.get("read");

    JsonNode header = json.readTree(decoded(header(answer, PaymentHeaders.PAYMENT_REQUIRED)));
    for (JsonNode challenge : List.of(header, json.readTree(answer.body()))) {
      JsonNode announced = challenge.at("/extensions/payment-identifier");
      assertThat(announced.at("/info/required").isBoolean()).isTrue();
      assertThat(announced.at("/info/required").booleanValue()).isFalse();
      assertThat(announced.at("/schema/properties/id/minLength").intValue()).isEqualTo(16);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "reread", "nothing"})
  @Tag("spec:x402.identifier.same")
  @Tag("spec:decision.payment_identifier")
  @Tag("spec:decision.same_payment.delivered")
  void theSamePaymentWithAnIdentifierHasItsAnswerAgainUncharged(String path) {
    String payment = identified(payer.payment(path), id());
    HttpResponse<String> first = payer.get(path, payment);
    assertThat(first.statusCode()).isBetween(200, 204);
    final long spent = spent();
    final int runs = shop.runs.get();

    money.timePasses(Duration.ofMinutes(5));
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> again = payer.get(path, payment);

      assertThat(again.statusCode()).isEqualTo(first.statusCode());
      assertThat(again.body()).isEqualTo(first.body());
      for (String name :
          List.of(
              PaymentHeaders.X_PAYMENT_RECEIPT,
              PaymentHeaders.PAYMENT_ID,
              PaymentHeaders.PRICE_AMOUNT)) {
        assertThat(header(again, name)).isEqualTo(header(first, name));
      }
      assertThat(header(again, PaymentHeaders.PAYMENT_RESPONSE)).isNotEmpty();
      assertThat(header(again, "Cache-Control")).isEqualTo("private");
    }
    assertThat(spent()).isEqualTo(spent).isPositive();
    assertThat(shop.runs).hasValue(runs);
  }

  @Test
  @Tag("spec:x402.identifier.same")
  void theAnswerOfAnIdentifierIsInTheHostsEnvelopeOnce() {
    String payment = identified(payer.payment("read"), id());
    HttpResponse<String> first = wrapped(payment);
    assertThat(first.body()).startsWith("{\"data\":{\"answer\"");

    assertThat(wrapped(payment).body()).isEqualTo(first.body());
  }

  private HttpResponse<String> wrapped(String payment) {
    return payer.send(
        payer
            .to("read")
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
            .header(ShopApplication.WRAP, "1"));
  }

  @Test
  @Tag("spec:x402.identifier.other")
  @Tag("spec:money.4")
  void anIdentifierStandsForOnePaymentAndRequest() {
    String id = id();
    HttpResponse<String> challenge =
        payer.send(payer.to("echo?a=1").POST(BodyPublishers.ofString("x")));
    String payment = identified(payer.payment(challenge, TestMoney.HERE), id);
    assertThat(payer.post("echo?a=1", "body", payment).body()).isEqualTo("body");

    assertThat(payer.post("echo?a=1", "other", payment).statusCode()).isEqualTo(409);
    assertThat(payer.post("echo?a=2", "body", payment).statusCode()).isEqualTo(409);
    assertThat(payer.get("mapped?a=1", payment).statusCode()).isEqualTo(409);
    String another = identified(payer.payment("read"), id);
    assertThat(payer.get("read", another).statusCode()).isEqualTo(409);
    TestPayer stranger = new TestPayer(host.base());
    assertThat(stranger.get("read", identified(stranger.payment("read"), id)).statusCode())
        .isEqualTo(200);
    assertThat(payer.post("echo?a=1", "body", payment).body()).isEqualTo("body");
    assertThat(shop.runs).hasValue(2);
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:x402.identifier.concurrent")
  void fiftyConcurrentFirstUsesRunTheMethodOnce() throws Exception {
    String id = id();
    List<String> payments =
        List.of(identified(payer.payment("read"), id), identified(payer.payment("read"), id));
    ExecutorService pool = Executors.newFixedThreadPool(50);
    List<Integer> statuses = new ArrayList<>();
    try {
      List<Future<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String payment = payments.get(i % 2);
        calls.add(pool.submit(() -> payer.get("read", payment).statusCode()));
      }
      for (Future<Integer> call : calls) {
        statuses.add(call.get());
      }
    } finally {
      pool.shutdownNow();
    }

    assertThat(shop.runs).hasValue(1);
    assertThat(statuses).contains(200, 409).allMatch(status -> status == 200 || status == 409);
    assertThat(spent()).isEqualTo(9500);
  }

  @Test
  @Tag("spec:x402.identifier.released")
  void aPaymentThatWasGivenBackIsUsedAgainUnderItsIdentifier() {
    String payment = identified(payer.payment("mapped"), id());
    shop.broken.set(true);
    HttpResponse<String> failed = payer.get("mapped", payment);
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(failed.headers().firstValue(PaymentHeaders.PAYMENT_STATE))
        .hasValue(PaymentHeaders.NOT_CHARGED);
    assertThat(failed.headers().firstValue(PaymentHeaders.PAYMENT_ID)).isPresent();
    shop.broken.set(false);

    HttpResponse<String> served = payer.get("mapped", payment);
    assertThat(served.statusCode()).isEqualTo(200);
    assertThat(served.headers().firstValue(PaymentHeaders.PAYMENT_STATE)).isEmpty();
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:x402.identifier.stream")
  void aStreamIsNotKeptAndItsIdentifierSaysSo() {
    String payment = identified(payer.payment("stream"), id());
    assertThat(payer.get("stream", payment).body()).endsWith("data: 2\n\n");

    await().until(() -> payer.get("stream", payment).statusCode() == 409);

    assertThat(payer.get("stream", payment).body()).contains("not charged again");
    assertThat(spent()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"fifteen-letters\"", "\"with space in between\"", "\"\"", "7", "[]", "{}"})
  @Tag("spec:x402.identifier.malformed")
  void aMalformedIdentifierIsABadRequest(String id) {
    String payment = extended(payer.payment("read"), "{\"info\":{\"id\":" + id + "}}");

    assertThat(payer.get("read", payment).statusCode()).isEqualTo(400);
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  @Tag("spec:x402.identifier.required")
  void aRequiredIdentifierThatIsMissingIsABadRequest() throws Exception {
    ClientProtocol strictly =
        new ClientProtocol(
            ChallengeBody.V2, IdentifierPolicy.REQUIRED, Optional.empty(), Optional.empty());
    try (TestMoney others = new TestMoney();
        Payments demanding = builder(others).protocol(strictly).build()) {
      ShopApplication application = new ShopApplication(shop, demanding);
      JettyHost second = JettyHost.start(context -> jaxRs.servlet(application, context));
      TestPayer visitor = new TestPayer(second.base());
      try {
        HttpResponse<String> challenge = visitor.get("read");
        assertThat(
                json.readTree(challenge.body())
                    .at("/extensions/payment-identifier/info/required")
                    .booleanValue())
            .isTrue();
        String named = visitor.payment(challenge, TestMoney.HERE);
        String payment = withoutExtensions(named);

        assertThat(visitor.get("read", payment).statusCode()).isEqualTo(400);
        assertThat(visitor.get("read", extended(payment, "{}")).statusCode()).isEqualTo(400);
        assertThat(visitor.get("read", named).statusCode())
            .as("a client of ours names its payment")
            .isEqualTo(200);
      } finally {
        second.stop();
      }
    }
  }

  private static String id() {
    return "pay_" + UUID.randomUUID();
  }

  private static String identified(String payment, String id) {
    return extended(payment, "{\"info\":{\"required\":false,\"id\":\"" + id + "\"}}");
  }

  @Test
  void aKeptAnswerIsHadWhereThereIsMemoryForIt() {
    BodyMemory memory = payments.bodies().working();
    String payment = identified(payer.payment("large"), id());
    assertThat(payer.get("large", payment).statusCode()).isEqualTo(200);
    await().until(() -> memory.left() == memory.whole());
    long others = memory.takeForAnswer(memory.whole(), 0);
    try {
      HttpResponse<String> refused = payer.get("large", payment);

      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(header(refused, "Retry-After")).isNotEmpty();
    } finally {
      memory.give(others);
    }
    assertThat(payer.get("large", payment).body()).hasSize(LARGE);
    assertThat(spent()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAnswerTakesMemoryUntilItHasLeft(boolean isKept) throws Exception {
    BodyMemory memory = payments.bodies().working();
    long held = isKept || !leavesFromFile() ? LARGE : 0;
    String payment = identified(payer.payment("large"), id());
    if (isKept) {
      assertThat(payer.get("large", payment).statusCode()).isEqualTo(200);
      await().until(() -> memory.left() == memory.whole());
    }
    try (Socket stalled = new Socket()) {
      stalled.setReceiveBufferSize(4096);
      stalled.connect(new InetSocketAddress(host.base().getHost(), host.base().getPort()));
      String request =
          "GET /shop/api/large HTTP/1.1\r\nHost: a\r\nPAYMENT-SIGNATURE: " + payment + "\r\n\r\n";
      stalled.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      stalled.getInputStream().skipNBytes(1);

      await()
          .during(Duration.ofMillis(500))
          .untilAsserted(
              () -> {
                assertThat(spent()).isEqualTo(10_000);
                assertThat(memory.whole() - memory.left()).isGreaterThanOrEqualTo(held);
              });

      stalled.getInputStream().skipNBytes(LARGE);
      await().until(() -> memory.left() == memory.whole());
    }
  }

  /** Whether an answer that the method wrote leaves from a file, and so takes no memory. */
  boolean leavesFromFile() {
    return false;
  }

  private static String withoutExtensions(String payment) {
    String envelope = new String(decoded(payment), StandardCharsets.UTF_8);
    return encoded(envelope.replaceFirst(",\"extensions\":.*", "}"));
  }

  private static String extended(String payment, String extension) {
    String envelope = new String(decoded(payment), StandardCharsets.UTF_8);
    String open = envelope.substring(0, envelope.length() - 1);
    return encoded(open + ",\"extensions\":{\"payment-identifier\":" + extension + "}}");
  }
}
