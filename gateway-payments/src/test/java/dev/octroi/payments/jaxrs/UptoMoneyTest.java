package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.Metering;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.flow.Callers;
import dev.octroi.payments.flow.CreditBounds.CreditTerms;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.reconcile.LedgerTasks;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.io.IOException;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a payer that signs a ceiling pays, gets, and may owe; its signature is not looked at. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UptoMoneyTest {

  /** What four calls owe, and the losses that two tests leave. */
  private static final Usd ALL = Usd.parse("0.048");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String NETWORK = TestMoney.ELSEWHERE.network();
  private static final String OTHER_TOKEN = "0x" + "0a".repeat(20);
  private static final String HASH = "0x" + "ab".repeat(32);
  private static final String STREAM = "meter?used=0.01&stream=whole";
  private static final String SETTLER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

  private final TestMoney money = new TestMoney();
  private final UptoChain chain = new UptoChain();
  private final HttpClient http = HttpClient.newHttpClient();
  private Payments payments;
  private JettyHost host;
  private volatile Runnable beforeClaim = () -> {};
  private String payer = "";

  /** Takes any signature, and settles as the test says. */
  private static final class UptoChain implements Facilitator {

    private final Map<String, Object> extra = Map.of(PaymentOption.FACILITATOR, SETTLER);
    private final Optional<Map<String, Object>> upto = Optional.of(extra);
    private final List<PaymentRequirements> settled =
        Collections.synchronizedList(new ArrayList<>());
    private volatile Duration life = Duration.ofSeconds(50);
    private volatile Supplier<Settlement> how = () -> new Settlement.Settled(HASH);

    @Override
    public Verification verify(PaymentPayload payload, PaymentRequirements terms) {
      PaymentKey key = EvmPayments.key(payload).orElseThrow();
      return new Verification.Valid(
          key.payer(), key.nonce(), Instant.now().plus(life), OptionalLong.of(5_000_000));
    }

    @Override
    public Settlement settle(PaymentPayload payload, PaymentRequirements terms) {
      settled.add(terms);
      return how.get();
    }

    @Override
    public List<String> networks() {
      return List.of(NETWORK);
    }

    @Override
    public Optional<Map<String, Object>> uptoExtra(String network) {
      return upto;
    }
  }

  /** A cent at most, and as metered as the query says. */
  public static final class MeterTariff implements Tariff {

    @Override
    public Usd price(PricedRequest request) {
      Map<String, List<String>> query = request.queryParameters();
      if (!query.containsKey("fixed")) {
        request.metered(query.containsKey("stream") ? Metering.STREAMED : Metering.HELD);
      }
      return Usd.parse(query.getOrDefault("most", List.of("0.01")).get(0));
    }
  }

  /** Sells by the meter. */
  @Path("meter")
  public static final class Meter {

    static volatile CountDownLatch gate = new CountDownLatch(0);

    @GET
    @Paid(by = MeterTariff.class)
    public Response read(
        @QueryParam("used") String used,
        @QueryParam("stated") String stated,
        @QueryParam("status") Integer status,
        @QueryParam("stream") String stream,
        @Context SecurityContext security) {
      Payment payment = Payment.of(security.getUserPrincipal()).orElseThrow();
      if (stream != null) {
        StreamingOutput events = out -> write(out, stream, used, payment);
        return Response.ok(events, "text/event-stream").header(Payment.METERED, "true").build();
      }
      if (used != null) {
        payment.charge(Usd.parse(used));
      }
      Response.ResponseBuilder answer = Response.status(status == null ? 200 : status);
      return answer.entity("answer").type("text/plain").header(Payment.OVERRIDES, stated).build();
    }

    private static void write(java.io.OutputStream out, String stream, String used, Payment payment)
        throws IOException {
      try {
        out.write("data: 1\n\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        payment.charge(Usd.parse(used));
        gate.await();
        if (stream.equals("broken")) {
          throw new IOException("the caller is gone");
        }
        out.write("data: 2\n\n".getBytes(StandardCharsets.US_ASCII));
      } catch (InterruptedException e) {
        throw new IOException(e);
      } finally {
        payment.charge(Usd.parse(used));
      }
    }
  }

  @BeforeAll
  void open() throws Exception {
    RuntimeDelegate.setInstance(new RuntimeDelegateImpl());
    PaymentOption exact = TestMoney.ELSEWHERE.payableTo(TestMoney.SELLER, 60);
    PaymentOption here = TestMoney.HERE.payableTo(TestMoney.SELLER, 60);
    payments =
        Payments.builder()
            .ledger(money.ledger())
            .accept(exact)
            .accept(ceiling(exact))
            .accept(ceiling(otherToken(exact)))
            .accept(ceiling(here))
            .facilitator(chain)
            .facilitator(
                new SandboxFacilitator(
                    chain::verify, List.of(here.network()), Map.of(), chain.upto, Optional.empty()))
            .callers(callers())
            .credit(new CreditTerms(Usd.parse("0.05"), Usd.parse("0.02"), ALL))
            .build();
    ResourceConfig application =
        new ResourceConfig().registerInstances(new Meter(), new PaymentsFeature(payments));
    host = JettyHost.start(context -> new ServletContainer(application));
  }

  @AfterAll
  void close() throws Exception {
    host.stop();
    payments.close();
    money.close();
    RuntimeDelegate.setInstance(null);
  }

  @BeforeEach
  void aNewPayer() {
    aPayer();
    chain.settled.clear();
    chain.life = Duration.ofSeconds(50);
    chain.how = () -> new Settlement.Settled(HASH);
    beforeClaim = () -> {};
    Meter.gate = new CountDownLatch(0);
  }

  @Test
  void bothSchemesAreOfferedOnlyWhereTheChargeIsKnownAfterwards() throws Exception {
    assertThat(schemes("meter?used=0")).containsExactly("exact", "upto", "upto", "upto");
    assertThat(schemes("meter?used=0&fixed=1")).containsExactly("exact");
    assertThat(offer("meter?used=0", "upto").path("extra").path("facilitatorAddress").asText())
        .isEqualTo(SETTLER);
  }

  @Test
  void aCeilingIsNotTakenWhereItIsNotOffered() throws Exception {
    JsonNode offer = offer("meter?used=0.001", "upto");

    HttpResponse<String> answer = pay("meter?used=0.001&fixed=1", offer);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(chain.settled).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "meter?used=0.004, 4000",
    "meter?used=0.01, 10000",
    "meter?x=1, 10000",
    "meter?stated={\"amount\":\"500\"}, 500",
    "meter?stated={\"amount\":\"33.33%\"}, 3333",
    "meter?stated={\"amount\":\"$0.0051\"}, 5100",
    "meter?stated={\"amount\":\"10001\"}, 10000",
    "meter?stated={\"amount\":\"-1\"}, 10000",
    "meter?stated={\"amount\":0.5}, 10000",
    "meter?stated=none, 10000"
  })
  void whatWasUsedIsChargedAndNeverMoreThanTheCeiling(String path, String units) throws Exception {
    HttpResponse<String> answer = buy(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue(Payment.OVERRIDES)).isEmpty();
    JsonNode receipt = receipt(answer);
    assertThat(receipt.path("amount").asText()).isEqualTo(units);
    assertThat(receipt.path("transaction").asText()).isEqualTo(HASH);
    assertThat(chain.settled).extracting(PaymentRequirements::amount).containsExactly(units);
    assertThat(purchase(answer).charged()).isEqualTo(Long.parseLong(units));
  }

  @ParameterizedTest
  @ValueSource(strings = {"meter?used=0", "meter?stated={\"amount\":\"0\"}"})
  void nothingUsedIsNothingCharged(String path) throws Exception {
    HttpResponse<String> answer = buy(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(receipt(answer).path("success").asBoolean()).isTrue();
    assertThat(receipt(answer).path("amount").asText()).isEqualTo("0");
    assertThat(receipt(answer).path("transaction").asText()).isEmpty();
    assertThat(chain.settled).isEmpty();
  }

  @Test
  void aFailureChargesNothingWhateverItStates() throws Exception {
    HttpResponse<String> answer = buy("meter?status=500&stated={\"amount\":\"500\"}");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.headers().firstValue(Payment.OVERRIDES)).isEmpty();
    assertThat(chain.settled).isEmpty();
  }

  @Test
  void whatIsHeldLeavesOnlyPaid() throws Exception {
    chain.how = () -> new Settlement.Refused("upto_amount_exceeds_permitted");

    HttpResponse<String> answer = buy("meter?used=0.004");

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(answer.body()).doesNotContain("answer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "broken"})
  void aStreamIsSettledOnceAtItsEndHoweverItEnds(String stream) throws Exception {
    String payment = payment(offer("meter?used=0.003&stream=" + stream, "upto"));
    Future<?> call = later(() -> send("meter?used=0.003&stream=" + stream, payment));

    await().until(() -> !chain.settled.isEmpty());
    call.get();

    assertThat(chain.settled).extracting(PaymentRequirements::amount).containsExactly("3000");
    await().until(() -> payments.flow().onCredit().isZero());
    assertThat(send("meter?used=0.003&stream=" + stream, payment).statusCode()).isEqualTo(402);
    assertThat(chain.settled).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unsent", "unknown", "sent"})
  void whatCouldNotBeSettledAtItsEndIsSettledLaterByAnyNode(String first) throws Exception {
    chain.how =
        () ->
            switch (first) {
              case "unsent" -> new Settlement.Unsent("relayer_out_of_gas");
              case "sent" -> new Settlement.Sent(HASH);
              default -> new Settlement.Unknown("timeout", null);
            };
    HttpResponse<String> answer = buy("meter?used=0.003&stream=whole");
    assertThat(answer.body()).isEqualTo("data: 1\n\ndata: 2\n\n");
    await().until(() -> !chain.settled.isEmpty());
    assertThat(mine()).hasSize(1);

    chain.how = () -> new Settlement.Settled(HASH);
    Clock soon = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(31));
    reconcile(Clock.systemUTC());
    assertThat(chain.settled).hasSize(1);
    reconcile(soon);

    assertThat(chain.settled)
        .extracting(PaymentRequirements::amount)
        .containsExactly("3000", "3000");
    assertThat(mine()).isEmpty();
    reconcile(Clock.offset(soon, Duration.ofHours(1)));
    assertThat(chain.settled).hasSize(2);
  }

  /** What has left on other chains would wait for all that it does not answer. */
  @Test
  void aChainThatIsSilentIsAskedForOneOfItsPaymentsARun() throws Exception {
    chain.how = () -> new Settlement.Unsent("relayer_out_of_gas");
    for (int call = 1; call <= 3; call++) {
      aPayer();
      buy("meter?used=0.003&stream=whole");
      int tried = call;
      await().until(() -> chain.settled.size() == tried);
    }
    AtomicReference<Instant> now = new AtomicReference<>(Instant.now().plusSeconds(31));
    Clock clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
    chain.how =
        () -> {
          now.set(now.get().plusSeconds(30));
          return new Settlement.Unknown("timeout", null);
        };
    reconcile(clock);

    assertThat(chain.settled).hasSize(4);
    chain.how = () -> new Settlement.Settled(HASH);
    now.set(now.get().plusSeconds(60));
    reconcile(clock);
    assertThat(chain.settled).hasSize(7);
    assertThat(mine()).isEmpty();
  }

  @Test
  void whoDoesNotReadToTheEndBeforeItsPaymentEndsPaysForWhatHasLeft() throws Exception {
    Meter.gate = new CountDownLatch(1);
    chain.life = Duration.ofSeconds(12);
    String path = "meter?used=0.003&stream=whole";
    String payment = payment(offer(path, "upto"));
    Future<?> call = later(() -> send(path, payment));

    await().until(() -> mine().size() == 1);
    assertThat(chain.settled).isEmpty();
    reconcile(Clock.systemUTC());

    assertThat(chain.settled).extracting(PaymentRequirements::amount).containsExactly("3000");
    assertThat(mine()).isEmpty();
    assertThat(payments.flow().onCredit()).isEqualTo(Usd.ZERO);
    Meter.gate.countDown();
    call.get();
    assertThat(chain.settled).hasSize(1);
  }

  @Test
  void whoDoesNotReadToTheEndPaysForWhatHasLeftInSandboxMoneyToo() throws Exception {
    Meter.gate = new CountDownLatch(1);
    chain.life = Duration.ofSeconds(12);
    String path = "meter?used=0.003&stream=whole";
    JsonNode offer =
        offers(path, "upto").stream()
            .filter(one -> one.path("network").asText().equals(TestMoney.HERE.network()))
            .findFirst()
            .orElseThrow();
    Future<?> call = later(() -> send(path, payment(offer)));

    await().untilAsserted(() -> assertThat(money.balance(payer)).isEqualTo(1_000_000_000L - 3000));
    assertThat(mine()).isEmpty();
    Meter.gate.countDown();
    call.get();
    assertThat(money.balance(payer)).isEqualTo(1_000_000_000L - 3000);
  }

  @Test
  void whoDrainedItsWalletIsALossInTheBooksAndIsOfferedExactPaymentAlone() throws Exception {
    chain.how = () -> new Settlement.Refused("permit2_insufficient_balance");
    HttpResponse<String> answer = buy("meter?used=0.003&stream=whole");
    assertThat(answer.statusCode()).isEqualTo(200);
    await().until(() -> money.ledger().history(NETWORK, payer).hasFailed());

    chain.how = () -> new Settlement.Settled(HASH);
    HttpResponse<String> again = buy("meter?used=0.003&stream=whole");

    assertThat(again.statusCode()).isEqualTo(402);
    assertThat(again.body()).contains("upto_credit_refused");
    assertThat(schemes(again)).containsExactly("exact");
    assertThat(buy("meter?used=0.003").statusCode()).isEqualTo(200);
  }

  /** Its limit is known and its claim is not made yet when an earlier stream is not paid for. */
  @Test
  void whoseCreditEndsBeforeItsClaimIsOfferedExactPaymentAlone() throws Exception {
    Meter.gate = new CountDownLatch(1);
    chain.how = () -> new Settlement.Refused("permit2_insufficient_balance");
    String path = "meter?used=0.003&stream=whole";
    String first = payment(offer(path, "upto"));
    Future<?> unpaid = later(() -> send(path, first));
    await().until(() -> !payments.flow().onCredit().isZero());
    beforeClaim =
        () -> {
          Meter.gate.countDown();
          await().until(() -> money.ledger().history(NETWORK, payer).hasFailed());
        };

    HttpResponse<String> second = buy(path);

    assertThat(second.statusCode()).isEqualTo(402);
    assertThat(second.body()).contains("upto_credit_refused");
    assertThat(schemes(second)).containsExactly("exact");
    unpaid.get();
    assertThat(chain.settled).hasSize(1);
    assertThat(payments.flow().onCredit()).isEqualTo(Usd.ZERO);
  }

  @Test
  void aStrangerMayOweLessThanWhoHasPaidBefore() throws Exception {
    assertThat(buy("meter?used=0.001&stream=whole&most=0.03").statusCode()).isEqualTo(402);

    assertThat(buy("meter?used=0.001").statusCode()).isEqualTo(200);
    assertThat(buy("meter?used=0.001&stream=whole&most=0.03").statusCode()).isEqualTo(200);
    assertThat(buy("meter?used=0.001&stream=whole&most=0.06").statusCode()).isEqualTo(402);
  }

  @Test
  void aHundredStreamsAtOnceOweNoMoreThanThePayerMay() throws Exception {
    oweNoMoreThanThePayerMay(List.of(offer(STREAM, "upto")));
  }

  @Test
  @Tag("spec:money.8")
  void streamsInTwoTokensAtOnceOweNoMoreThanThePayerMay() throws Exception {
    List<JsonNode> offers =
        offers(STREAM, "upto").stream()
            .filter(offer -> offer.path("network").asText().equals(NETWORK))
            .toList();
    assertThat(offers).hasSize(2);
    oweNoMoreThanThePayerMay(offers);
  }

  private void oweNoMoreThanThePayerMay(List<JsonNode> offers) throws Exception {
    Meter.gate = new CountDownLatch(1);
    List<Future<Integer>> calls =
        IntStream.range(0, 20)
            .mapToObj(i -> payment(offers.get(i % offers.size())))
            .map(payment -> later(() -> send(STREAM, payment).statusCode()))
            .toList();
    await().until(() -> calls.stream().filter(Future::isDone).count() >= 18);
    assertThat(payments.flow().onCredit()).isEqualTo(Usd.parse("0.02"));
    Meter.gate.countDown();

    List<Integer> statuses = new ArrayList<>();
    for (Future<Integer> call : calls) {
      statuses.add(call.get());
    }
    assertThat(statuses).filteredOn(status -> status == 200).hasSize(2);
    assertThat(statuses).filteredOn(status -> status == 429).hasSize(18);
  }

  @Test
  void manyStrangersAtOnceOweNoMoreThanAllMay() throws Exception {
    Meter.gate = new CountDownLatch(1);
    String path = "meter?used=0.01&stream=whole";
    JsonNode offer = offer(path, "upto");
    List<Future<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      aPayer();
      String payment = payment(offer);
      calls.add(later(() -> send(path, payment).statusCode()));
    }
    await().until(() -> calls.stream().filter(Future::isDone).count() >= 4);
    await().until(() -> payments.flow().onCredit().equals(Usd.parse("0.04")));
    assertThat(payments.flow().owed()).isBetween(Usd.parse("0.04"), ALL);
    Meter.gate.countDown();

    int paid = 0;
    for (Future<Integer> call : calls) {
      paid += call.get() == 200 ? 1 : 0;
    }
    assertThat(paid).isEqualTo(4);
  }

  @Test
  @Tag("spec:money.3")
  void whatHasLeftAndIsNotPaidForCountsForAllUntilItIs() throws Exception {
    String path = "meter?used=0.01&stream=whole";
    chain.how = () -> new Settlement.Unknown("timeout", null);
    int given = 0;
    while (buy(path).statusCode() == 200 && given < 9) {
      given++;
      aPayer();
    }
    assertThat(given).isEqualTo(4);
    assertThat(buy(path).statusCode()).isEqualTo(429);
    await().until(() -> payments.flow().onCredit().isZero());
    assertThat(payments.flow().owed()).isBetween(Usd.parse("0.04"), ALL);

    chain.how = () -> new Settlement.Settled(HASH);
    reconcile(Clock.offset(Clock.systemUTC(), Duration.ofSeconds(31)));

    assertThat(buy(path).statusCode()).isEqualTo(200);
  }

  private Callers callers() {
    Callers anybody = Callers.anybody();
    return new Callers(
        anybody.accounts(),
        (network, who) -> {
          beforeClaim.run();
          return true;
        },
        anybody.scopes(),
        anybody.requestIds(),
        anybody.errors());
  }

  private static PaymentOption ceiling(PaymentOption exact) {
    Map<String, Object> extra = new HashMap<>(exact.extra());
    extra.put(PaymentOption.TRANSFER_METHOD, "permit2");
    return new PaymentOption(
        PaymentOption.UPTO, exact.network(), exact.asset(), exact.payTo(), extra, 60, 6);
  }

  private static PaymentOption otherToken(PaymentOption usual) {
    return new PaymentOption(
        usual.scheme(), usual.network(), OTHER_TOKEN, usual.payTo(), usual.extra(), 60, 6);
  }

  private void aPayer() {
    payer = "0x" + String.format("%040x", new BigInteger(150, RANDOM));
  }

  private List<UnresolvedPayment> mine() {
    return money.unresolved().stream()
        .filter(payment -> payment.key().payer().equalsIgnoreCase(payer))
        .toList();
  }

  private void reconcile(Clock clock) {
    new LedgerTasks(money.ledger(), money.unresolvedPayments(), List.of(chain), clock)
        .of(Backoff.defaults(), Duration.ofSeconds(1)).stream()
            .filter(task -> task.name().equals("settle-delivered"))
            .map(RecurringTask::work)
            .forEach(Runnable::run);
  }

  private dev.octroi.payments.ledger.Purchases.Purchase purchase(HttpResponse<String> answer) {
    String id = answer.headers().firstValue(PaymentHeaders.PAYMENT_ID).orElseThrow();
    return money.ledger().purchases().find(java.util.UUID.fromString(id)).orElseThrow();
  }

  private HttpResponse<String> buy(String path) throws Exception {
    return pay(path, offer(path, "upto"));
  }

  private HttpResponse<String> pay(String path, JsonNode offer) throws Exception {
    return send(path, payment(offer));
  }

  private String payment(JsonNode offer) {
    Map<String, Object> authorization =
        Map.of(
            "from",
            payer,
            "permitted",
            Map.of("token", offer.path("asset"), "amount", offer.path("amount")),
            "spender",
            SETTLER,
            "nonce",
            new BigInteger(250, RANDOM).toString(),
            "deadline",
            String.valueOf(Instant.now().getEpochSecond() + 50),
            "witness",
            Map.of("to", offer.path("payTo"), "facilitator", SETTLER, "validAfter", "0"));
    Map<String, Object> envelope =
        Map.of(
            "x402Version",
            2,
            "accepted",
            offer,
            "payload",
            Map.of("signature", "0x" + "11".repeat(65), "permit2Authorization", authorization));
    return Base64.getEncoder()
        .encodeToString(JSON.valueToTree(envelope).toString().getBytes(StandardCharsets.UTF_8));
  }

  private HttpResponse<String> send(String path, String payment) throws IOException {
    return send(request(path).header(PaymentHeaders.PAYMENT_SIGNATURE, payment).build());
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest.Builder request(String path) {
    String encoded =
        path.replace("%", "%25").replace("{", "%7B").replace("}", "%7D").replace("\"", "%22");
    return HttpRequest.newBuilder(host.base().resolve(encoded));
  }

  private List<String> schemes(String path) throws IOException {
    return schemes(send(request(path).build()));
  }

  private static List<String> schemes(HttpResponse<String> challenged) {
    return accepts(challenged).stream().map(offer -> offer.path("scheme").asText()).toList();
  }

  private JsonNode offer(String path, String scheme) throws IOException {
    return offers(path, scheme).get(0);
  }

  private List<JsonNode> offers(String path, String scheme) throws IOException {
    return accepts(send(request(path).build())).stream()
        .filter(offer -> offer.path("scheme").asText().equals(scheme))
        .toList();
  }

  private static List<JsonNode> accepts(HttpResponse<String> challenged) {
    String header = challenged.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED).orElseThrow();
    List<JsonNode> accepts = new ArrayList<>();
    decoded(header).path("accepts").forEach(accepts::add);
    return accepts;
  }

  private static JsonNode receipt(HttpResponse<String> answer) {
    return decoded(answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE).orElseThrow());
  }

  private static JsonNode decoded(String header) {
    try {
      return JSON.readTree(Base64.getDecoder().decode(header));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static <T> Future<T> later(java.util.concurrent.Callable<T> call) {
    var executor = Executors.newSingleThreadExecutor();
    try {
      return executor.submit(call);
    } finally {
      executor.shutdown();
    }
  }
}
