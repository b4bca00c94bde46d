package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.PaymentObserver.PaymentStep;
import dev.octroi.payments.body.BodyBudgets;
import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.flow.CallLimits;
import dev.octroi.payments.flow.ClientProtocol;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.ChallengeBody;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentIdentifier.IdentifierPolicy;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * What a host's paid methods do over real HTTP, whatever implements JAX-RS below them; a subclass
 * is one theme of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ShopContract {

  private static final Duration CALL_DEADLINE = Duration.ofSeconds(2);

  /** Signs receipts with a key that is no secret. */
  static final ReceiptSigner RECEIPTS = new ReceiptSigner("0x" + "01".repeat(32));

  final ObjectMapper json = new ObjectMapper();
  final TestMoney money = new TestMoney();
  final Shop shop = new Shop();
  final TestAdmission admission = new TestAdmission();
  final List<PaymentStep> steps = new CopyOnWriteArrayList<>();

  /** Whether the observer fails at every step. */
  final AtomicBoolean clumsy = new AtomicBoolean();

  Payments payments;
  ShopHost host;
  TestPayer payer;
  final JaxRs jaxRs;

  ShopContract(JaxRs jaxRs) {
    this.jaxRs = jaxRs;
  }

  @BeforeAll
  void openTheShop() throws Exception {
    RuntimeDelegate.setInstance(jaxRs.delegate());
    payments = payments(money, false);
    ShopApplication application = new ShopApplication(shop, payments);
    host = jaxRs.start(application);
  }

  @AfterAll
  void closeTheShop() throws Exception {
    host.stop();
    payments.close();
    money.close();
    RuntimeDelegate.setInstance(null);
  }

  @BeforeEach
  void aNewPayer() {
    payer = new TestPayer(host.base(), host.keepsConnections());
    shop.runs.set(0);
    shop.broken.set(false);
    steps.clear();
    clumsy.set(false);
    shop.gate = new CountDownLatch(0);
    money.settlesElsewhere();
    money.timePasses(Duration.ZERO);
  }

  /** Whatever became of a call, its place and the memory of its bodies are free in the end. */
  @AfterEach
  void allThatCallsTookUpIsGivenBack() {
    await().until(() -> admission.places.get() == 0 && payments.callsInFlight() == 0);
    await().until(() -> BodyBudgets.areWhole(payments.flow().bodies()));
  }

  Payments payments(TestMoney runtime, boolean strict) {
    return builder(runtime).strict(strict).build();
  }

  Payments.Builder builder(TestMoney runtime) {
    Payments.Builder builder = Payments.builder().ledger(runtime.ledger());
    TestMoney.options().forEach(builder::accept);
    runtime.facilitators().forEach(builder::facilitator);
    CallLimits usual = CallLimits.defaults();
    return builder
        .admission(admission)
        .observer(this::observe)
        .protocol(
            new ClientProtocol(
                ChallengeBody.V2,
                IdentifierPolicy.OPTIONAL,
                Optional.of(RECEIPTS),
                Optional.of(RECEIPTS)))
        .limits(
            new CallLimits(
                CALL_DEADLINE,
                1 << 20,
                usual.bodiesInMemory(),
                usual.pace(),
                usual.bodiesAwaited(),
                8 << 20,
                usual.spill()));
  }

  private void observe(PaymentStep step) {
    steps.add(step);
    if (clumsy.get()) {
      throw new IllegalStateException("an observer's own trouble");
    }
  }

  /** The method runs and is charged, and its answer breaks on the way. */
  void cut(String path, String payment) {
    payer.send(
        payer
            .to(path)
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
            .header(ShopApplication.CUT, "1"));
  }

  void cut(String path, String body, String payment) {
    payer.send(
        payer
            .to(path)
            .header(PaymentHeaders.PAYMENT_SIGNATURE, payment)
            .header("Content-Type", "text/plain")
            .header(ShopApplication.CUT, "1")
            .POST(BodyPublishers.ofString(body)));
  }

  long spent() {
    return 1_000_000_000L - money.balance(payer.address());
  }

  static String header(HttpResponse<String> answer, String name) {
    return answer
        .headers()
        .firstValue(name)
        .orElseThrow(() -> new AssertionError(name + " in " + answer + answer.headers().map()));
  }

  /** Delivery is written down lazily; until then the payer would get the same answer again. */
  void assertUsedUp(String path, String payment) {
    await().until(() -> payer.get(path, payment).statusCode() == 402);
    assertThat(error(payer.get(path, payment))).isEqualTo("nonce_already_used");
  }

  String error(HttpResponse<String> answer) {
    try {
      return json.readTree(answer.body()).get("error").textValue();
    } catch (IOException e) {
      throw new AssertionError(answer.body(), e);
    }
  }

  static byte[] decoded(String payment) {
    return Base64.getDecoder().decode(payment);
  }

  static String encoded(String envelope) {
    return Base64.getEncoder().encodeToString(envelope.getBytes(StandardCharsets.UTF_8));
  }
}
