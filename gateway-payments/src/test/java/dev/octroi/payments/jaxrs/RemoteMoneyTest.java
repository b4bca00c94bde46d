package dev.octroi.payments.jaxrs;

import static dev.octroi.payments.facilitator.HostileFacilitator.cutOff;
import static dev.octroi.payments.facilitator.HostileFacilitator.drip;
import static dev.octroi.payments.facilitator.HostileFacilitator.huge;
import static dev.octroi.payments.facilitator.HostileFacilitator.json;
import static dev.octroi.payments.facilitator.HostileFacilitator.redirect;
import static dev.octroi.payments.facilitator.HostileFacilitator.reset;
import static dev.octroi.payments.facilitator.HostileFacilitator.silence;
import static dev.octroi.payments.facilitator.HostileFacilitator.twice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.FacilitatorAuth;
import dev.octroi.payments.facilitator.HostileFacilitator;
import dev.octroi.payments.facilitator.HostileFacilitator.Act;
import dev.octroi.payments.facilitator.HttpFacilitator;
import dev.octroi.payments.facilitator.HttpFacilitator.HttpFacilitatorSettings;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.SettlementResponse;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a payer and the ledger see of a remote facilitator, however it behaves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RemoteMoneyTest {

  private static final String HASH = "0x" + "cd".repeat(32);
  private static final String SETTLED =
      "{\"success\":true,\"transaction\":\"%s\",\"network\":\"%s\"}"
          .formatted(HASH, TestMoney.HERE.network());
  private static final String VALID = "{\"isValid\":true}";

  private final HostileFacilitator remote = new HostileFacilitator();
  private final TestMoney money = new TestMoney();
  private final Shop shop = new Shop();
  private Payments payments;
  private JettyHost host;
  private TestPayer payer;

  @BeforeAll
  void openTheShop() throws Exception {
    RuntimeDelegate.setInstance(new RuntimeDelegateImpl());
    ExactEvmVerifier checks = new ExactEvmVerifier(Clock.systemUTC(), Signatures.fastest());
    HttpFacilitatorSettings settings =
        new HttpFacilitatorSettings(
            List.of(remote.base()),
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            Duration.ofMillis(50),
            Duration.ofMillis(150),
            64 << 10);
    payments =
        Payments.builder()
            .ledger(money.ledger())
            .accept(TestMoney.HERE.payableTo(TestMoney.SELLER, 60))
            .facilitator(
                new HttpFacilitator(
                    settings,
                    FacilitatorAuth.NONE,
                    List.of(TestMoney.HERE.network()),
                    Map.of("eip155", checks::verify),
                    Clock.systemUTC()))
            .unsettledPerPayer(Usd.parse("0.02"))
            .build();
    ShopApplication application = new ShopApplication(shop, payments);
    host =
        JettyHost.start(
            context -> new ServletContainer(ResourceConfig.forApplication(application)));
  }

  @AfterAll
  void closeTheShop() throws Exception {
    host.stop();
    payments.close();
    money.close();
    remote.close();
    RuntimeDelegate.setInstance(null);
  }

  @BeforeEach
  void aNewPayer() {
    payer = new TestPayer(host.base());
    shop.runs.set(0);
    shop.gate = new CountDownLatch(0);
    remote.on("verify", json(200, VALID)).on("settle", json(200, SETTLED));
  }

  @Test
  @Tag("spec:x402.facilitator.settle")
  void aPaidCallIsVerifiedAndSettledThereOnce() {
    int before = remote.asked("settle").size();

    HttpResponse<String> answer = payer.buy("read");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(transaction(answer)).isEqualTo(HASH);
    assertThat(remote.asked("settle")).hasSize(before + 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "late",
        "reset",
        "drip",
        "cut off",
        "redirect",
        "huge",
        "5xx",
        "malformed",
        "wrong type",
        "pending",
        "used",
        "sent and timed out",
        "no funds any more",
        "without a reason"
      })
  @Tag("spec:x402.uncertain.1")
  @Tag("spec:x402.facilitator.indeterminate")
  @Tag("spec:error.status.503")
  void aSettlementInDoubtIs503AndNeverAFreshChallengeAndNeverTriedAgain(String how) {
    remote.on("settle", hostile(how));
    String payment = payer.payment("read");
    int before = remote.asked("settle").size();

    isDoubtful(payer.get("read", payment));
    assertThat(unresolved())
        .singleElement()
        .extracting(UnresolvedPayment::transaction)
        .isEqualTo(how.equals("pending") || how.equals("5xx") ? HASH : null);
    // Whatever the facilitator makes of the same payment now, the ledger remembers the doubt.
    isDoubtful(payer.get("read", payment));
    remote.on("verify", json(200, refusal("invalid_exact_evm_nonce_already_used")));
    isDoubtful(payer.get("read", payment));
    remote.on("verify", json(200, refusal("insufficient_funds")));
    isDoubtful(payer.get("read", payment));

    assertThat(remote.asked("settle")).hasSize(before + 1);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:x402.uncertain.3")
  @Tag("spec:x402.uncertain.4")
  void aDoubtThatWasPaidAfterAllGivesTheAnswerOnceAndIsNotSettledAgain() {
    remote.on("settle", reset());
    String payment = payer.payment("read");
    isDoubtful(payer.get("read", payment));
    int before = remote.asked("settle").size();
    remote.on("verify", json(200, refusal("invalid_exact_evm_nonce_already_used")));
    remote.on("settle", json(200, SETTLED));

    assertThat(money.close(unresolved().get(0), new Settlement.Settled(HASH))).isTrue();

    HttpResponse<String> answer = payer.get("read", payment);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(transaction(answer)).isEqualTo(HASH);
    await().until(() -> payer.get("read", payment).statusCode() == 402);
    assertThat(remote.asked("settle")).hasSize(before);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  @Tag("spec:x402.uncertain.3")
  void onlyADoubtThatWasProvenUnpaidIsChallengedAgain() {
    remote.on("settle", reset());
    String payment = payer.payment("read");
    isDoubtful(payer.get("read", payment));

    assertThat(money.close(unresolved().get(0), new Settlement.Refused("payment_expired")))
        .isTrue();

    HttpResponse<String> answer = payer.get("read", payment);
    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.body()).contains("payment_expired");
  }

  private List<UnresolvedPayment> unresolved() {
    String address = payer.address().toString().toLowerCase(Locale.ROOT);
    return money.unresolved().stream()
        .filter(payment -> payment.key().payer().equals(address))
        .toList();
  }

  private static void isDoubtful(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isEmpty();
    assertThat(answer.body()).doesNotContain("answer\": 42").doesNotContain("accepts");
  }

  private Act hostile(String how) {
    return switch (how) {
      case "late" -> silence();
      case "reset" -> reset();
      case "drip" -> drip();
      case "cut off" -> cutOff(SETTLED);
      case "redirect" -> redirect(URI.create(remote.base() + "/settle"));
      case "huge" -> huge(SETTLED);
      case "5xx" -> json(502, SETTLED);
      case "malformed" -> json(200, "OK");
      case "wrong type" -> json(200, SETTLED.replace("true", "\"true\""));
      case "pending" -> json(200, failure("settlement_pending", HASH));
      case "used" -> json(200, failure("invalid_exact_evm_nonce_already_used", ""));
      case "sent and timed out" -> json(200, failure("invalid_exact_evm_transaction_failed", ""));
      case "no funds any more" -> json(400, failure("insufficient_funds", ""));
      case "without a reason" -> json(402, "{\"success\":false}");
      default -> throw new IllegalArgumentException(how);
    };
  }

  private static String failure(String reason, String transaction) {
    return "{\"success\":false,\"errorReason\":\"%s\",\"transaction\":\"%s\",\"network\":\"%s\"}"
        .formatted(reason, transaction, TestMoney.HERE.network());
  }

  private static String refusal(String reason) {
    return "{\"isValid\":false,\"invalidReason\":\"" + reason + "\"}";
  }

  @Test
  void anAnswerThatComesTwiceIsChargedOnce() {
    remote.on("settle", twice(SETTLED));
    String payment = payer.payment("read");

    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
    await().until(() -> payer.get("read", payment).statusCode() == 402);
  }

  @Test
  @Tag("spec:error.status.402")
  void aCertainRefusalIs402WithTheReasonAndNoAnswer() {
    String reason = "invalid_exact_evm_network_mismatch";
    remote.on("settle", json(200, failure(reason, "")));

    HttpResponse<String> answer = payer.buy("read");

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.body()).contains(reason).doesNotContain("answer\": 42");
    assertThat(unresolved()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"late", "reset", "5xx", "malformed"})
  @Tag("spec:x402.facilitator_failed")
  @Tag("spec:error.status.503")
  void aVerificationThatCannotBeHadIs503AndUncharged(String how) {
    remote.on("verify", hostile(how));
    String payment = payer.payment("read");

    HttpResponse<String> answer = payer.get("read", payment);
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(shop.runs).hasValue(0);

    remote.on("verify", json(200, VALID));
    assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:money.3")
  @Tag("spec:x402.uncertain.4")
  void anAnswerThatWasPaidForAndLostIsGivenThoughTheFacilitatorSaysTheNonceIsUsed() {
    String payment = payer.payment("read");
    payer.send(
        payer
            .to("read")
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
            .header(ShopApplication.CUT, "1"));
    remote.on("verify", json(200, refusal("invalid_exact_evm_nonce_already_used")));
    int before = remote.asked("settle").size();

    HttpResponse<String> again = payer.get("read", payment);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).contains("42");
    assertThat(transaction(again)).isEqualTo(HASH);
    assertThat(remote.asked("settle")).hasSize(before);
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  void aPaymentThatTheFacilitatorRefusesIs402WithItsReason() {
    remote.on("verify", json(200, refusal("insufficient_funds")));

    HttpResponse<String> answer = payer.buy("read");

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.body()).contains("insufficient_funds");
    assertThat(shop.runs).hasValue(0);
  }

  @Test
  @Tag("spec:money.8")
  void aPayerWhoseBalanceNobodyTellsHasOnlySoMuchUnsettledAtOnce() throws Exception {
    shop.gate = new CountDownLatch(1);
    ExecutorService clients = Executors.newFixedThreadPool(3);
    List<Future<HttpResponse<String>>> calls = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        String payment = payer.payment("read");
        calls.add(clients.submit(() -> payer.get("read", payment)));
      }
      await().until(() -> calls.stream().anyMatch(Future::isDone) && shop.runs.get() == 2);
      shop.gate.countDown();
      List<Integer> statuses = new ArrayList<>();
      for (Future<HttpResponse<String>> call : calls) {
        statuses.add(call.get().statusCode());
      }
      assertThat(statuses).containsExactlyInAnyOrder(200, 200, 429);
      assertThat(payer.buy("read").statusCode()).isEqualTo(200);
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  @Tag("spec:money.8")
  void aSingleCallMayCostMoreThanThat() {
    HttpResponse<String> unpaid = payer.send(letters(null));
    String payment = payer.payment(unpaid, TestMoney.HERE);

    assertThat(payer.send(letters(payment)).statusCode()).isEqualTo(200);
  }

  private HttpRequest.Builder letters(@Nullable String payment) {
    HttpRequest.Builder request =
        payer
            .to("letters")
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString("three"));
    return payment == null ? request : request.header(PaymentHeaders.PAYMENT_SIGNATURE, payment);
  }

  @Test
  @Tag("spec:payment.rule.1")
  void whereNobodySettlesACallIs503AndNotFree() {
    remote.on("supported", json(200, "{\"kinds\":[]}"));
    await().until(() -> payer.get("read").statusCode() == 503);
    assertThat(payer.get("read").headers().firstValue("Retry-After")).isPresent();
    assertThat(shop.runs).hasValue(0);

    remote.on("supported", json(404, "{}"));
    await().until(() -> payer.get("read").statusCode() == 402);
  }

  private static String transaction(HttpResponse<String> answer) {
    return SettlementResponse.read(
            answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE).orElseThrow())
        .transaction();
  }
}
