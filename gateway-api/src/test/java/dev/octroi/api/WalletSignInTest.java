package dev.octroi.api;

import static dev.octroi.api.VoiceHost.VOICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmSignIn;
import dev.octroi.payments.x402.SignInMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a wallet that has paid sees again once it has signed in, and no other does. */
class WalletSignInTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String NUMBERS = "/v1/marketplace/phone/numbers/";
  private static final String LIST = NUMBERS + "list";
  private static final String TOKEN = "operator-token-of-this-test";
  private static final Map<String, String> ON = Map.of("gateway.payments.sign-in", "true");

  private static ImageHost images;

  private final Wallet wallet = Wallet.generate();

  @BeforeAll
  static void start() {
    images =
        new ImageHost(
            Map.of(
                "gateway.payments.sign-in", "true",
                "gateway.admin.token", TOKEN,
                "gateway.images.fast-path", "100ms"));
  }

  @AfterAll
  static void stop() {
    images.close();
  }

  @Test
  void aReadIsSeenAgainThroughEitherFaceAndCostsNothing() throws Exception {
    PaidAnswer bought = images.paid(images.http().request(READ), wallet);

    HttpResponse<String> again = signedIn(images.http(), wallet, images.http().request(READ));

    HttpResponse<String> other =
        signedIn(images.http(), wallet, images.http().request(READ + "?page=2"));

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(GatewayHost.text(bought));
    assertThat(other.statusCode()).isNotEqualTo(200);
    ScrapedMetrics figures = new ScrapedMetrics(images.http().get("/metrics").body());
    assertThat(figures.sum("octroi_sign_ins_total", "outcome=\"shown\"")).isPositive();
    assertThat(figures.sum("octroi_sign_ins_total", "outcome=\"nothing_bought\"")).isPositive();
  }

  @Test
  void aWalletReadsItsMoneyItsUsageAndItsReceipts() throws Exception {
    PaidAnswer bought = images.paid(images.http().request(READ), wallet);
    String receipt = "/v1/receipts/" + bought.headers().firstValue("X-Payment-Id").orElseThrow();

    JsonNode money = json(signedIn("/v1/wallet"));
    JsonNode usage = json(signedIn("/v1/usage"));
    JsonNode paid = json(signedIn(receipt));

    assertThat(money.path("account").isNull()).isTrue();
    assertThat(money.at("/wallets/0/address").asText()).isEqualTo(wallet.address().toString());
    assertThat(money.at("/wallets/0/balance").asText()).isEqualTo("999.990500");
    assertThat(usage.path("data")).hasSize(1);
    assertThat(usage.at("/data/0/day").asText())
        .isEqualTo(LocalDate.now(ZoneOffset.UTC).toString());
    assertThat(usage.at("/data/0/key").isNull()).isTrue();
    assertThat(usage.at("/data/0/group").asText()).isEqualTo("cryptodata");
    assertThat(usage.at("/data/0/calls").asInt()).isEqualTo(1);
    assertThat(usage.at("/data/0/spend").asText()).isEqualTo("0.009500");
    assertThat(paid.path("payer").asText()).isEqualTo(wallet.address().toString());
    assertThat(paid.path("path").asText()).isEqualTo(READ);
  }

  @Test
  void whatWasRefundedIsNotSpent() throws Exception {
    PaidAnswer bought = images.paid(images.http().request(READ), wallet);
    images.paid(images.http().request(READ), wallet);
    String payment = bought.headers().firstValue("X-Payment-Id").orElseThrow();
    for (String amount : List.of("0.004", "0.002")) {
      images
          .http()
          .send(
              images
                  .http()
                  .request("/admin/v1/refunds")
                  .header("Authorization", "Bearer " + TOKEN)
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"payment\":\"%s\",\"amount\":\"%s\",\"reason\":\"it was wrong\"}"
                              .formatted(payment, amount)))
                  .build());
    }

    JsonNode usage = json(signedIn("/v1/usage"));

    assertThat(usage.at("/data/0/calls").asInt()).isEqualTo(2);
    assertThat(usage.at("/data/0/spend").asText()).isEqualTo("0.013000");
  }

  @Test
  void readsOfUsageThatDoNotEndLeaveConnectionsToPaymentsAndOperators() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger reading = new AtomicInteger();
    Map<String, String> settings =
        Map.of(
            "gateway.payments.sign-in", "true",
            "gateway.database.pool-size", "3",
            "gateway.admin.token", TOKEN);
    try (HikariDataSource pool = H2Database.empty()) {
      pool.getHikariConfigMXBean().setMaximumPoolSize(3);
      DataSource database =
          (DataSource)
              intercepted(
                  DataSource.class,
                  pool,
                  connection ->
                      intercepted(
                          Connection.class,
                          connection,
                          statement -> {
                            if (statement.toString().contains("AS on_day")) {
                              reading.incrementAndGet();
                              end.await(20, TimeUnit.SECONDS);
                            }
                            return statement;
                          }));
      try (GatewayHost host = new GatewayHost(settings, database)) {
        host.paid(host.http().request(READ).build(), wallet);
        List<CompletableFuture<HttpResponse<String>>> usages = new ArrayList<>();
        for (int read = 0; read < 4; read++) {
          usages.add(CompletableFuture.supplyAsync(() -> usage(host.http())));
        }
        await().until(() -> reading.get() > 0);

        assertThat(host.paid(READ).status()).isEqualTo(200);
        HttpRequest actions =
            host.http()
                .request("/admin/v1/actions")
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        HttpResponse<String> operators = host.http().send(actions);
        assertThat(operators.statusCode()).as(operators.body()).isEqualTo(200);
        assertThat(reading).as("of three connections").hasValue(1);
        end.countDown();
        assertThat(usages).allMatch(usage -> usage.join().statusCode() / 100 != 5);
      }
    }
  }

  private HttpResponse<String> usage(HttpHost http) {
    try {
      return signedIn(http, wallet, http.request("/v1/usage"));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Looks at a connection or a statement that is had. */
  private interface Look {
    Object at(Object got) throws Exception;
  }

  private static Object intercepted(Class<?> type, Object real, Look look) {
    return Proxy.newProxyInstance(
        WalletSignInTest.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          try {
            Object got = method.invoke(real, arguments);
            return method.getName().matches("getConnection|prepareStatement") ? look.at(got) : got;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  @Test
  void othersSeeNeitherItsReceiptsNorWhatOnlyKeysMay() throws Exception {
    PaidAnswer bought = images.paid(images.http().request(READ), wallet);
    String receipt = "/v1/receipts/" + bought.headers().firstValue("X-Payment-Id").orElseThrow();
    Wallet other = Wallet.generate();
    images.paid(images.http().request(READ), other);

    assertThat(signedIn(images.http(), other, images.http().request(receipt)).statusCode())
        .isEqualTo(404);
    assertThat(signedIn("/v1/receipts/" + UUID.randomUUID()).statusCode()).isEqualTo(404);
    HttpResponse<String> nobody = images.http().get("/v1/wallet");
    assertThat(nobody.statusCode()).isEqualTo(401);
    String header = header(wallet, info(nobody));
    HttpResponse<String> limits =
        images
            .http()
            .send(
                images
                    .http()
                    .request("/v1/wallet/limits")
                    .header(SignInMessage.HEADER, header)
                    .build());
    assertThat(limits.statusCode()).isEqualTo(401);
    assertThat(
            signedIn(images.http(), Wallet.generate(), images.http().request("/v1/wallet"))
                .statusCode())
        .as("never paid")
        .isEqualTo(403);
    assertThat(json(images.byKey(images.http().request("/v1/wallet"), images.key())).path("key"))
        .isNotEmpty();
  }

  @Test
  void aJobIsWatchedAndItsPicturesSeenAgain() throws Exception {
    String body = ImageHost.prompt("held sign-in");
    String payment = images.payment(images.draw(body), wallet, Clock.systemUTC());
    HttpResponse<String> ordered = images.sent(images.draw(body), payment);
    assertThat(ordered.statusCode()).isEqualTo(202);
    String job = json(ordered).path("id").asText();
    Duration patience = Duration.ofSeconds(30);
    await().atMost(patience).until(() -> images.vendor().isAsked("held sign-in"));

    assertThat(signedIn(images.http(), wallet, images.poll(job)).statusCode()).isEqualTo(202);
    assertThat(signedIn(images.http(), Wallet.generate(), images.poll(job)).statusCode())
        .as("another's")
        .isEqualTo(404);

    images.vendor().release();
    await()
        .atMost(patience)
        .until(() -> signedIn(images.http(), wallet, images.poll(job)).statusCode() == 402);
    HttpResponse<String> done = images.sent(images.poll(job), payment);
    assertThat(done.statusCode()).as("the first look at the pictures pays").isEqualTo(200);
    HttpResponse<String> again = signedIn(images.http(), wallet, images.poll(job));
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(json(again).path("data")).isEqualTo(json(done).path("data"));
    assertThat(json(again).at("/payment/status").asText()).isEqualTo("already_settled");
  }

  @Test
  void aLeaseAndACallAreSeenByTheWalletThatPaidForThem() throws Exception {
    try (NumberVendor numbers = new NumberVendor();
        VoiceLine line = new VoiceLine();
        HikariDataSource database = H2Database.empty();
        VoiceHost host = new VoiceHost("one", database, numbers, line, Clock.systemUTC(), ON)) {
      assertThat(signedIn(host, wallet, host.post(LIST, "{}")).statusCode())
          .as("leases nothing")
          .isEqualTo(402);
      String buy = NUMBERS + "buy";
      HttpResponse<String> bought =
          host.send(host.payment(wallet, buy), buy, "{\"country\":\"US\"}");
      String number = json(bought).path("phone_number").asText();

      HttpResponse<String> list = signedIn(host, wallet, host.post(LIST, "{}"));
      assertThat(json(list).at("/numbers/0/phone_number").asText()).isEqualTo(number);
      assertThat(signedIn(host, Wallet.generate(), host.post(LIST, "{}")).statusCode())
          .isEqualTo(402);

      String order =
          "{\"to\":\"+14155550123\",\"from\":\"" + number + "\",\"task\":\"Ask for the way\"}";
      HttpResponse<String> started = host.send(host.payment(wallet, VOICE), VOICE, order);
      String record = VOICE + "/" + json(started).path("call_id").asText();
      assertThat(host.get(record).statusCode()).isEqualTo(402);

      HttpResponse<String> seen = signedIn(host, wallet, get(host, record));
      assertThat(json(seen).path("status").asText()).isEqualTo("initiated");
      assertThat(signedIn(host, Wallet.generate(), get(host, record)).statusCode()).isEqualTo(402);

      String release = NUMBERS + "release";
      HttpResponse<String> released =
          host.send(host.payment(wallet, release), release, "{\"phoneNumber\":\"" + number + "\"}");
      assertThat(released.statusCode()).as(released.body()).isEqualTo(200);
      assertThat(signedIn(host, wallet, host.post(LIST, "{}")).statusCode())
          .as("the lease has ended")
          .isEqualTo(402);
    }
  }

  @Test
  void withoutTheSettingNothingIsSaidOfIt() throws Exception {
    try (GatewayHost plain = new GatewayHost(Map.of())) {
      HttpResponse<String> challenge = plain.http().get(READ);
      assertThat(challenge.body()).doesNotContain(SignInMessage.EXTENSION);
      HttpResponse<String> tried =
          plain.http().send(plain.http().request(READ).header(SignInMessage.HEADER, "!").build());
      assertThat(tried.statusCode()).isEqualTo(402);
      HttpResponse<String> nobody = plain.http().get("/v1/wallet");
      assertThat(nobody.statusCode()).isEqualTo(401);
      assertThat(nobody.body()).doesNotContain(SignInMessage.EXTENSION);
    }
  }

  @Test
  void realMoneyWantsThePublicAddress() {
    assertThatThrownBy(
            () ->
                new GatewayHost(
                    Map.of(
                        "gateway.payments.sign-in", "true",
                        "gateway.payments.mode", "remote",
                        "gateway.payments.pay-to", "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
                        "gateway.facilitator.urls", "http://127.0.0.1:1")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("gateway.http.public-url");
  }

  private HttpResponse<String> signedIn(String target) throws Exception {
    return signedIn(images.http(), wallet, images.http().request(target));
  }

  private static HttpResponse<String> signedIn(
      HttpHost http, Wallet wallet, HttpRequest.Builder request) throws Exception {
    String header = header(wallet, info(http.send(request.build())));
    return http.send(request.copy().header(SignInMessage.HEADER, header).build());
  }

  private static HttpResponse<String> signedIn(
      VoiceHost host, Wallet wallet, HttpRequest.Builder request) throws Exception {
    String header = header(wallet, info(host.send(request.build())));
    return host.send(request.copy().header(SignInMessage.HEADER, header).build());
  }

  private static HttpRequest.Builder get(VoiceHost host, String target) {
    return host.post(target, "").GET();
  }

  private static JsonNode info(HttpResponse<String> challenge) {
    return Admin.json(challenge.body()).at("/extensions/sign-in-with-x/info");
  }

  private static String header(Wallet wallet, JsonNode info) {
    ObjectNode message = info.deepCopy();
    message
        .put("address", wallet.address().toString())
        .put("chainId", "eip155:8453")
        .put("type", "eip191")
        .put("signature", "0x");
    byte[] digest = EvmSignIn.of(SignInMessage.read(encoded(message))).digest();
    return encoded(message.put("signature", "0x" + HexFormat.of().formatHex(wallet.sign(digest))));
  }

  private static String encoded(JsonNode message) {
    return Base64.getEncoder().encodeToString(message.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode json(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isLessThan(400);
    return Admin.json(answer.body());
  }
}
