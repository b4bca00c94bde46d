package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Metering;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.ChannelSamples;
import dev.octroi.payments.evm.channel.ChannelVerifier;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentRequirements;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a payer of channels pays, gets, and is told, with signatures for real. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChannelMoneyTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final AtomicInteger SALTS = new AtomicInteger();
  private static final long PRICE = 10_000;
  private static final String PREFIX = "invalid_batch_settlement_evm_";

  private final TestMoney money = new TestMoney();
  private final HttpClient http = HttpClient.newHttpClient();
  private Payments payments;
  private JettyHost host;
  private ChannelConfig config = ChannelSamples.config(0);

  /** A cent, or as metered as the query says. */
  public static final class MeterTariff implements Tariff {

    @Override
    public Usd price(PricedRequest request) {
      Map<String, List<String>> query = request.queryParameters();
      if (query.containsKey("used") || query.containsKey("stream")) {
        request.metered(query.containsKey("stream") ? Metering.STREAMED : Metering.HELD);
      }
      return Usd.parse("0.01");
    }
  }

  /** Sells by the meter. */
  @Path("meter")
  public static final class Meter {

    static final AtomicInteger CALLS = new AtomicInteger();
    static volatile CountDownLatch gate = new CountDownLatch(0);

    @GET
    @Paid(by = MeterTariff.class)
    public Response read(
        @QueryParam("used") String used,
        @QueryParam("status") Integer status,
        @QueryParam("stream") String stream,
        @Context SecurityContext security)
        throws InterruptedException {
      CALLS.incrementAndGet();
      gate.await();
      Payment payment = Payment.of(security.getUserPrincipal()).orElseThrow();
      if (used != null) {
        payment.charge(Usd.parse(used));
      }
      if (stream != null) {
        StreamingOutput events = out -> out.write("data\n\n".getBytes(StandardCharsets.US_ASCII));
        return Response.ok(events, "text/event-stream").header(Payment.METERED, "true").build();
      }
      return Response.status(status == null ? 200 : status).entity("answer").build();
    }
  }

  @BeforeAll
  void open() throws Exception {
    RuntimeDelegate.setInstance(new RuntimeDelegateImpl());
    PaymentOption exact = EvmToken.BASE_USDC.payableTo(ChannelSamples.RECEIVER, 60);
    Map<String, Object> extra = new HashMap<>(exact.extra());
    extra.put(PaymentOption.WITHDRAW_DELAY, (int) ChannelSamples.DELAY);
    ExactEvmVerifier usual = new ExactEvmVerifier(Clock.systemUTC(), Signatures.fastest());
    payments =
        Payments.builder()
            .ledger(money.ledger())
            .accept(exact)
            .accept(
                new PaymentOption(
                    PaymentOption.CHANNEL,
                    exact.network(),
                    exact.asset(),
                    exact.payTo(),
                    extra,
                    60,
                    6))
            .facilitator(
                new SandboxFacilitator(
                    Verification.Check.either(
                        PaymentRequirements::isChannel,
                        new ChannelVerifier(Clock.systemUTC(), Signatures.fastest())::verify,
                        usual::verify),
                    List.of(exact.network()),
                    Map.of(),
                    Optional.empty(),
                    Optional.of(
                        Map.of(
                            PaymentOption.RECEIVER_AUTHORIZER,
                            ChannelSamples.AUTHORIZER.toString()))))
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
  void aNewChannel() {
    config = ChannelSamples.config(SALTS.incrementAndGet());
    Meter.gate = new CountDownLatch(0);
  }

  @Test
  void channelsAreOfferedBesideTheUsualWay() throws Exception {
    JsonNode challenge = body(get("meter", null));

    assertThat(challenge.path("accepts").findValuesAsText("scheme"))
        .containsExactly("exact", "batch-settlement");
    JsonNode extra = challenge.at("/accepts/1/extra");
    assertThat(extra.path("withdrawDelay").intValue()).isEqualTo(86_400);
    assertThat(extra.path("receiverAuthorizer").asText())
        .isEqualTo(ChannelSamples.AUTHORIZER.toString());
  }

  @Test
  void aDepositAndVouchersPayForCalls() throws Exception {
    HttpResponse<String> first = deposit("meter", 0, 50_000);
    HttpResponse<String> second = voucher("meter", PRICE);

    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    assertThat(receipt(first).path("amount").asText()).isEqualTo("50000");
    assertThat(receipt(first).path("payer").asText()).isEqualTo(ChannelSamples.PAYER.toString());
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(receipt(second).path("transaction").asText()).isEmpty();
    assertThat(receipt(second).at("/extra/chargedAmount").asText()).isEqualTo("10000");
    assertThat(receipt(second).at("/extra/channelState/chargedCumulativeAmount").asText())
        .isEqualTo("20000");
    assertThat(left()).isEqualTo(30_000);
  }

  @ParameterizedTest
  @CsvSource({"meter?used=0.004, 4000", "meter?used=0.01, 10000", "meter?stream=1, 10000"})
  void whatWasUsedIsChargedUnlessItStreams(String path, long charged) throws Exception {
    HttpResponse<String> answer = deposit(path, 0, 50_000);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(receipt(answer).at("/extra/chargedAmount").asLong()).isEqualTo(charged);
    await().until(() -> left() == 50_000 - charged);
    assertThat(voucher("meter", charged).statusCode()).isEqualTo(200);
    assertThat(left()).isEqualTo(50_000 - charged - PRICE);
  }

  @ParameterizedTest
  @CsvSource({"meter?status=500, 500", "meter?used=0, 200"})
  void whatIsNotChargedTakesNoDepositAndFreesTheChannel(String path, int status) throws Exception {
    HttpResponse<String> answer = deposit(path, 0, 50_000);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE)).isEmpty();
    assertThat(left()).isZero();
    assertThat(deposit("meter", 0, 50_000).statusCode()).isEqualTo(200);
  }

  @Test
  void whoCountsOtherwiseIsToldByTheOfferAlone() throws Exception {
    deposit("meter?used=0.004", 0, 50_000);
    int calls = Meter.CALLS.get();

    HttpResponse<String> refused = voucher("meter", PRICE);

    JsonNode challenge = body(refused);
    assertThat(refused.statusCode()).isEqualTo(402);
    assertThat(challenge.path("error").asText()).isEqualTo(PREFIX + "cumulative_amount_mismatch");
    assertThat(challenge.path("accepts")).hasSize(1);
    assertThat(header(refused).path("accepts")).isEqualTo(challenge.path("accepts"));
    JsonNode extra = challenge.at("/accepts/0/extra");
    assertThat(extra.at("/channelState/channelId").asText()).isEqualTo(id());
    assertThat(extra.at("/channelState/balance").asText()).isEqualTo("50000");
    assertThat(extra.at("/channelState/chargedCumulativeAmount").asText()).isEqualTo("4000");
    assertThat(extra.at("/voucherState/signedMaxClaimable").asText()).isEqualTo("10000");
    assertThat(extra.at("/voucherState/signature").asText())
        .isEqualTo(Hex.of(ChannelSamples.voucher(config, PRICE).signature()));
    assertThat(Meter.CALLS).hasValue(calls);
    assertThat(left()).isEqualTo(46_000);
  }

  @Test
  void aVoucherPaysForOneCall() throws Exception {
    deposit("meter", 0, 50_000);
    String payment = payment(ChannelSamples.voucher(config, 2 * PRICE), "meter");
    assertThat(get("meter", payment).statusCode()).isEqualTo(200);
    int calls = Meter.CALLS.get();

    assertThat(error(get("meter?x=1", payment))).endsWith("cumulative_amount_mismatch");
    await().untilAsserted(() -> assertThat(error(get("meter", payment))).endsWith("already_used"));
    assertThat(Meter.CALLS).hasValue(calls);
    assertThat(left()).isEqualTo(30_000);
  }

  @Test
  void aChannelPaysForOneCallAtATime() throws Exception {
    deposit("meter", 0, 50_000);
    Meter.gate = new CountDownLatch(1);
    int calls = Meter.CALLS.get();
    CompletableFuture<HttpResponse<String>> open =
        http.sendAsync(
            request("meter", payment(ChannelSamples.voucher(config, 2 * PRICE), "meter")),
            BodyHandlers.ofString());
    await().until(() -> Meter.CALLS.get() > calls);

    assertThat(error(voucher("meter?x=1", PRICE))).isEqualTo(PREFIX + "channel_busy");
    assertThat(error(refund("meter", PRICE, null))).isEqualTo(PREFIX + "channel_busy");
    Meter.gate.countDown();

    assertThat(open.get().statusCode()).isEqualTo(200);
    assertThat(voucher("meter?x=1", 2 * PRICE).statusCode()).isEqualTo(200);
    assertThat(left()).isEqualTo(20_000);
  }

  @Test
  void moreThanTheChannelHoldsIsRefused() throws Exception {
    deposit("meter", 0, 15_000);

    assertThat(error(voucher("meter", PRICE))).isEqualTo(PREFIX + "cumulative_exceeds_balance");
    assertThat(error(deposit("meter", PRICE, 2_000_000_000_000L)))
        .isEqualTo(PREFIX + "insufficient_balance");
    assertThat(deposit("meter", PRICE, 15_000).statusCode()).isEqualTo(200);
    assertThat(left()).isEqualTo(10_000);
  }

  @Test
  void whatIsLeftGoesBackWithoutACall() throws Exception {
    deposit("meter", 0, 50_000);
    long before = money.balance(ChannelSamples.PAYER);
    int calls = Meter.CALLS.get();

    HttpResponse<String> part = refund("meter", PRICE, 15_000L);
    HttpResponse<String> rest = refund("meter", PRICE, null);

    assertThat(part.statusCode()).as(part.body()).isEqualTo(200);
    assertThat(receipt(part).path("amount").asText()).isEqualTo("15000");
    assertThat(receipt(rest).path("amount").asText()).isEqualTo("25000");
    assertThat(receipt(rest).at("/extra/channelState/balance").asText()).isEqualTo("10000");
    assertThat(receipt(rest).at("/extra/channelState/refundNonce").asText()).isEqualTo("2");
    assertThat(money.balance(ChannelSamples.PAYER)).isEqualTo(before + 40_000);
    assertThat(error(refund("meter", PRICE, null))).isEqualTo(PREFIX + "refund_no_balance");
    assertThat(error(refund("meter", PRICE, 0L))).isEqualTo(PREFIX + "refund_amount_invalid");
    assertThat(body(refund("meter", 0, null)).at("/accepts/0/extra/channelState")).isNotEmpty();
    assertThat(Meter.CALLS).hasValue(calls);
  }

  private String id() {
    return Hex.of(config.id(ChannelSamples.CHAIN));
  }

  private long left() {
    return money
        .ledger()
        .channels()
        .find(EvmToken.BASE_USDC.network(), id())
        .orElseThrow()
        .left()
        .orElseThrow();
  }

  private HttpResponse<String> deposit(String path, long before, long amount) throws Exception {
    long until = Clock.systemUTC().instant().getEpochSecond() + 50;
    return get(
        path,
        payment(
            ChannelSamples.payload(
                ChannelPayload.Kind.DEPOSIT,
                config,
                before + PRICE,
                ChannelSamples.deposit(config, amount, SALTS.incrementAndGet(), until),
                null),
            path));
  }

  private HttpResponse<String> voucher(String path, long before) throws Exception {
    return get(path, payment(ChannelSamples.voucher(config, before + PRICE), path));
  }

  private HttpResponse<String> refund(String path, long charged, @Nullable Long amount)
      throws Exception {
    return get(
        path,
        payment(
            ChannelSamples.payload(ChannelPayload.Kind.REFUND, config, charged, null, amount),
            path));
  }

  private String payment(ChannelPayload payload, String path) throws Exception {
    ObjectNode envelope = JSON.createObjectNode().put("x402Version", 2);
    JsonNode accepts = body(get(path, null)).path("accepts");
    envelope.set("accepted", accepts.get(accepts.size() - 1));
    envelope.set("payload", ChannelSamples.json(payload));
    return Base64.getEncoder().encodeToString(envelope.toString().getBytes(StandardCharsets.UTF_8));
  }

  private HttpRequest request(String path, @Nullable String payment) {
    HttpRequest.Builder request = HttpRequest.newBuilder(host.base().resolve(path));
    return payment == null
        ? request.build()
        : request.header(PaymentHeaders.PAYMENT_SIGNATURE, payment).build();
  }

  private HttpResponse<String> get(String path, @Nullable String payment) throws Exception {
    return http.send(request(path, payment), BodyHandlers.ofString());
  }

  private static JsonNode body(HttpResponse<String> answer) throws Exception {
    return JSON.readTree(answer.body());
  }

  private static String error(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(402);
    return body(answer).path("error").asText();
  }

  private static JsonNode header(HttpResponse<String> answer) throws Exception {
    return decoded(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED).orElseThrow());
  }

  private static JsonNode receipt(HttpResponse<String> answer) throws Exception {
    return decoded(answer.headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE).orElseThrow());
  }

  private static JsonNode decoded(String header) throws Exception {
    return JSON.readTree(Base64.getDecoder().decode(header));
  }
}
