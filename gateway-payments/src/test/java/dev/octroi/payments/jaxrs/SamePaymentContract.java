package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.Payment;
import dev.octroi.payments.body.BodyMemory;
import dev.octroi.payments.x402.PaymentHeaders;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one payment buys when it is sent more than once. */
abstract class SamePaymentContract extends ShopContract {

  private static final int CONNECTIONS = 6;
  private static final int PAYMENTS = 120;

  SamePaymentContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  @Test
  @Tag("spec:money.1")
  void fiftyConcurrentUsesOfOnePaymentRunTheMethodOnce() throws Exception {
    String payment = payer.payment("read");
    List<Integer> statuses = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(50);
    try {
      List<Future<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        calls.add(pool.submit(() -> payer.get("read", payment).statusCode()));
      }
      for (Future<Integer> call : calls) {
        statuses.add(call.get());
      }
    } finally {
      pool.shutdownNow();
    }

    assertThat(shop.runs).hasValue(1);
    assertThat(statuses).contains(200).allMatch(status -> List.of(200, 402, 409).contains(status));
    assertThat(spent()).isEqualTo(9500);
  }

  /** Each connection asks again at once until its payment is no longer being served. */
  @ParameterizedTest
  @ValueSource(strings = {"read", "reread", "stream"})
  @Tag("spec:money.3")
  @Tag("spec:decision.same_payment.delivering")
  void sixConnectionsThatRepeatOnePaymentWhileItIsServedGetOneAnswer(String path) throws Exception {
    int twice = 0;
    ExecutorService pool = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      for (int sold = 0; sold < PAYMENTS; sold++) {
        String payment = payer.payment(path);
        List<Callable<Integer>> repeats =
            Collections.nCopies(CONNECTIONS, () -> end(path, payment));
        List<Integer> statuses = new ArrayList<>();
        for (Future<Integer> repeat : pool.invokeAll(repeats)) {
          statuses.add(repeat.get());
        }
        assertThat(statuses).contains(200).isSubsetOf(200, 402);
        twice += Collections.frequency(statuses, 200) > 1 ? 1 : 0;
      }
    } finally {
      pool.shutdownNow();
    }

    assertThat(twice).as("of %d payments had more than one answer", PAYMENTS).isZero();
  }

  private int end(String path, String payment) {
    int status = 409;
    while (status == 409) {
      status = payer.get(path, payment).statusCode();
    }
    return status;
  }

  @Test
  @Tag("spec:decision.same_payment.in_flight")
  void aPaymentInUseIsAnswered409() throws Exception {
    shop.gate = new CountDownLatch(1);
    String payment = payer.payment("read");
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<HttpResponse<String>> first = pool.submit(() -> payer.get("read", payment));
      await().until(() -> shop.runs.get() == 1);

      HttpResponse<String> second = payer.get("read", payment);

      assertThat(second.statusCode()).isEqualTo(409);
      assertThat(header(second, "Retry-After")).isEqualTo("1");
      shop.gate.countDown();
      assertThat(first.get().statusCode()).isEqualTo(200);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  @Tag("spec:decision.same_payment.delivered")
  @Tag("spec:error.x402.nonce_reuse")
  void anAnswerThatWasDeliveredIsNotSoldTwice() {
    String payment = payer.payment("read");
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);

    assertUsedUp("read", payment);
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(9500);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mapped",
        "unmapped",
        "error",
        "unwritable",
        "unlinked",
        "pending",
        "elsewhere",
        "later"
      })
  @Tag("spec:money.1")
  @Tag("spec:decision.uncharged")
  @Tag("spec:money.gate_twice")
  void aCallThatDidNotSucceedIsNotChargedAndItsSignatureWorksAgain(String path) {
    String payment = payer.payment(path);
    shop.broken.set(true);
    HttpResponse<String> failed = payer.get(path, payment);
    assertThat(failed.statusCode()).isNotEqualTo(200);
    assertThat(failed.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isEmpty();
    assertThat(failed.headers().firstValue(Payment.UNCHARGED)).isEmpty();
    assertThat(spent()).isZero();

    shop.broken.set(false);
    // What no filter concluded is given back by the sweeper, soon after the call's deadline.
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> payer.get(path, payment).statusCode() != 409);

    assertThat(spent()).isPositive();
    await().until(() -> payments.callsInFlight() == 0);
  }

  /** Some containers take the caller's charset for the answer's. */
  @Test
  @Tag("spec:money.1")
  void aCharsetThatDoesNotExistTakesNoPaymentAway() {
    String payment = payer.payment("list");

    HttpResponse<String> odd =
        payer.send(
            payer
                .to("list")
                .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
                .header("Accept", "application/json;charset=bogus"));

    if (odd.statusCode() != 200) {
      assertThat(spent()).isZero();
      assertThat(payer.get("list", payment).statusCode()).isEqualTo(200);
    }
    assertThat(spent()).isPositive();
    await().until(() -> payments.callsInFlight() == 0);
  }

  @Test
  void aFailureThatIsMappedIsGivenBackAtOnce() {
    String payment = payer.payment("mapped");
    shop.broken.set(true);
    payer.get("mapped", payment);
    shop.broken.set(false);

    assertThat(payer.get("mapped", payment).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:decision.uncharged")
  void aStatusThatTheHostMadeAFailureIsNotCharged() {
    String payment = payer.payment("read");

    HttpResponse<String> spoiled =
        payer.send(
            payer
                .to("read")
                .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
                .header(ShopApplication.SPOIL, "1"));

    assertThat(spoiled.statusCode()).isEqualTo(500);
    assertThat(spent()).isZero();
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:decision.same_payment.undelivered")
  @Tag("spec:x402.uncertain.4")
  void anAnswerThatWasNotDeliveredIsHadAgainWithoutACharge() {
    String payment = payer.payment("read");
    cut("read", payment);
    assertThat(spent()).isEqualTo(9500);

    HttpResponse<String> again = payer.get("read", payment);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).startsWith("{\"answer\": 42.0 ,\"price\"");
    assertThat(header(again, "Content-Type")).startsWith("application/json");
    assertThat(header(again, PaymentHeaders.X_PAYMENT_RECEIPT)).isNotEmpty();
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(9500);
  }

  @Test
  @Tag("spec:money.3")
  void anAnswerThatIsHadAgainIsNoFailureWhateverTheHostsFiltersMakeOfIt() {
    String payment = payer.payment("read");
    cut("read", payment);

    HttpResponse<String> again = paid("read", payment, ShopApplication.SPOIL);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).startsWith("{\"answer\": 42.0 ,\"price\"");
    assertUsedUp("read", payment);
  }

  @Test
  @Tag("spec:money.3")
  void anAnswerThatIsHadAgainIsInTheHostsEnvelopeOnce() {
    String payment = payer.payment("read");
    paid("read", payment, ShopApplication.WRAP, ShopApplication.CUT);

    HttpResponse<String> again = paid("read", payment, ShopApplication.WRAP);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).startsWith("{\"data\":{\"answer\": 42.0 }");
    assertThat(shop.runs).hasValue(1);
  }

  private HttpResponse<String> paid(String path, String payment, String... marks) {
    HttpRequest.Builder call = payer.to(path).header(PaymentHeaders.PAYMENT_SIGNATURE, payment);
    for (String mark : marks) {
      call.header(mark, "1");
    }
    return payer.send(call);
  }

  @Test
  @Tag("spec:money.3")
  void aPartThatWasNotDeliveredSaysAgainOfWhatItIsOne() {
    String payment = payer.payment("part");
    cut("part", payment);

    HttpResponse<String> again = payer.get("part", payment);

    assertThat(again.statusCode()).isEqualTo(206);
    assertThat(header(again, "Content-Range")).isEqualTo("bytes 0-3/7");
    assertThat(again.body()).isEqualTo("dres");
  }

  @Test
  @Tag("spec:money.3")
  void aReadThatWasNotDeliveredRunsAgainWithoutACharge() {
    String payment = payer.payment("reread");
    cut("reread", payment);
    shop.broken.set(true);
    assertThat(payer.get("reread", payment).statusCode()).isEqualTo(500);
    shop.broken.set(false);

    HttpResponse<String> again = payer.get("reread", payment);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).startsWith("{\"run\":2,\"price\"");
    assertThat(spent()).isEqualTo(9500);
  }

  @Test
  @Tag("spec:decision.same_payment.undelivered")
  void anAnswerThatIsOwedIsHadOnceThereIsMemoryForIt() {
    BodyMemory memory = payments.bodies().working();
    String payment = payer.payment("read");
    cut("read", payment);
    long others = memory.takeForAnswer(memory.whole(), 0);
    try {
      assertThat(payer.get("read", payment).statusCode()).isEqualTo(503);
    } finally {
      memory.give(others);
    }

    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(9500);
    assertUsedUp("read", payment);
  }

  @Test
  @Tag("spec:decision.same_payment.undelivered")
  void anAnswerWhoseReaderWentAwayIsHadAgain() throws Exception {
    String payment = payer.payment("large");
    shop.gate = new CountDownLatch(1);
    try (Socket socket = new Socket(host.base().getHost(), host.base().getPort())) {
      socket.setSoLinger(true, 0);
      OutputStream out = socket.getOutputStream();
      String request =
          "GET /shop/api/large HTTP/1.1\r\nHost: a\r\nPAYMENT-SIGNATURE: " + payment + "\r\n\r\n";
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      out.flush();
      await().until(() -> shop.runs.get() == 1);
    }
    shop.gate.countDown();
    await().until(() -> spent() == 10_000 && payments.callsInFlight() == 0);

    assertThat(payer.get("large", payment).body()).hasSize(7 << 20);
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:decision.same_payment.delivering")
  @Tag("spec:decision.same_payment.undelivered")
  void anAnswerThatIsNotReadIsHadElsewhereOnceItsDeadlineIsOver() throws Exception {
    String payment = payer.payment("large");
    try (Socket stalled = new Socket()) {
      stalled.setReceiveBufferSize(4096);
      stalled.connect(new InetSocketAddress(host.base().getHost(), host.base().getPort()));
      String request =
          "GET /shop/api/large HTTP/1.1\r\nHost: a\r\nPAYMENT-SIGNATURE: " + payment + "\r\n\r\n";
      stalled.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      await().until(() -> spent() == 10_000);
      assertThat(payer.get("large", payment).statusCode()).as("on its way").isEqualTo(409);
      await().until(() -> payments.callsInFlight() == 0);

      // What arrives too late does not count, however much of it does.
      assertThat(stalled.getInputStream().skip(7 << 20)).isEqualTo(7 << 20);

      assertThat(payer.get("large", payment).body()).hasSize(7 << 20);
      assertUsedUp("large", payment);
    }
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:money.4")
  @Tag("spec:payment.binding")
  void aPaymentIsForOneRequestOnly() {
    HttpResponse<String> challenge =
        payer.send(payer.to("echo?a=1").POST(BodyPublishers.ofString("x")));
    String payment = payer.payment(challenge, TestMoney.HERE);
    cut("echo?a=1", "body", payment);

    assertThat(payer.post("echo?a=2", "body", payment).statusCode()).isEqualTo(402);
    assertThat(payer.post("echo?a=1", "other", payment).statusCode()).isEqualTo(402);
    assertThat(payer.get("mapped?a=1", payment).statusCode()).isEqualTo(402);
    assertThat(payer.post("echo?a=1", "body", payment).body()).isEqualTo("body");
    assertThat(shop.runs).hasValue(1);
    assertThat(spent()).isEqualTo(10_000);
  }

  @Test
  @Tag("spec:payment.binding")
  @Tag("spec:payment.binding.resource")
  void anUnspentPaymentIsNotTakenForAnotherResourceOfTheSamePrice() {
    String payment = payer.payment("nothing");

    HttpResponse<String> elsewhere = payer.get("large", payment);

    assertThat(elsewhere.statusCode()).isEqualTo(402);
    assertThat(error(elsewhere)).isEqualTo("resource_mismatch");
    assertThat(shop.runs).hasValue(0);
    assertThat(payer.get("nothing", payment).statusCode()).isBetween(200, 204);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "reread"})
  @Tag("spec:money.3")
  void anAnswerThatWasPaidForIsStillHadWhenThePaymentsTimeIsOver(String path) {
    String payment = payer.payment(path);
    cut(path, payment);
    final long spent = spent();
    money.timePasses(Duration.ofMinutes(5));

    HttpResponse<String> answer = payer.get(path, payment);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, PaymentHeaders.X_PAYMENT_RECEIPT)).isNotEmpty();
    assertThat(spent()).isEqualTo(spent).isPositive();
    await().until(() -> payer.get(path, payment).statusCode() == 402);
  }

  @Test
  @Tag("spec:x402.verify.valid_before")
  void aLatePaymentThatBoughtNothingBuysNothing() {
    String payment = payer.payment("read");
    money.timePasses(Duration.ofMinutes(5));

    HttpResponse<String> answer = payer.get("read", payment);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(error(answer)).isEqualTo("invalid_exact_evm_payload_authorization_valid_before");
    assertThat(shop.runs).hasValue(0);
    assertThat(
            payer
                .send(
                    payer
                        .to("read")
                        .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
                        .header(TestAdmission.REFUSE, "unpaid"))
                .statusCode())
        .isEqualTo(429);
  }
}
