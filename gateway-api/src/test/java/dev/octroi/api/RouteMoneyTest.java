package dev.octroi.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No way of a route charges twice, charges for a failure, or serves for nothing. */
class RouteMoneyTest {

  private static final String PATH = "/weather/paris";
  private static final String CHUNKED =
      "HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

  private final Wallet payer = Wallet.generate();
  private RouteTarget target;
  private GatewayHost host;

  @BeforeEach
  void start() {
    target = new RouteTarget();
  }

  private void serve(Map<String, String> more) {
    Map<String, String> all = new HashMap<>();
    all.put("gateway.routes.weather.path", "/weather");
    all.put("gateway.routes.weather.target", target.base().toString());
    all.put("gateway.routes.weather.price", "0.01");
    all.put("gateway.sandbox.starting-balance", "1");
    all.putAll(more);
    host = GatewayHost.routing(all);
  }

  @AfterEach
  void stop() {
    host.close();
    target.close();
  }

  private String payment(HttpRequest request) {
    PaymentRequired challenge =
        PaymentRequired.read(
            host.http().send(request).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    return new PaymentSigner(payer, Clock.systemUTC()).sign(challenge, challenge.accepts().get(0));
  }

  private String payment() {
    return payment(host.http().request(PATH).build());
  }

  private HttpResponse<String> get(String payment) {
    return host.http().send(host.http().request(PATH).header("PAYMENT-SIGNATURE", payment).build());
  }

  private HttpRequest.Builder post() {
    return host.http().request(PATH).POST(BodyPublishers.ofString("{\"a\":1}"));
  }

  private HttpResponse<String> post(String payment) {
    return host.http().send(post().header("PAYMENT-SIGNATURE", payment).build());
  }

  /** What the payer has spent, in the books. */
  private Usd spent() {
    try {
      long in =
          host.count(
              "SELECT COALESCE(SUM(COALESCE(charged, amount)), 0) FROM payment WHERE state ="
                  + " 'SETTLED'");
      long out = host.count("SELECT COALESCE(SUM(amount), 0) FROM refund WHERE state = 'PAID'");
      return new Usd(in - out);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String charged(HttpResponse<?> answer) {
    return answer.headers().firstValue("X-Price-Amount").orElse("nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"after", "before"})
  void anAnswerIsChargedOnce(String settle) {
    serve(Map.of("gateway.routes.weather.settle", settle));
    String payment = payment();

    assertThat(get(payment).statusCode()).isEqualTo(200);
    assertThat(get(payment).statusCode()).isEqualTo(402);
    assertThat(get(payment).body()).contains("nonce_already_used");

    assertThat(target.seen()).hasSize(1);
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
  }

  @ParameterizedTest
  @CsvSource({"after,400", "after,404", "after,500", "after,503", "before,400", "before,500"})
  void aFailureCostsNothingAndIsTheServersOwn(String settle, int status) {
    serve(Map.of("gateway.routes.weather.settle", settle));
    target.says("/paris", RouteTarget.answer(status, "Content-Type: text/plain\nX-Why: 7\n", "no"));

    HttpResponse<String> answer = post(payment(post().build()));

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo("no");
    assertThat(answer.headers().firstValue("X-Why")).contains("7");
    assertThat(spent()).isEqualTo(Usd.ZERO);
    assertThat(answer.headers().firstValue("X-Payment-Refund"))
        .isEqualTo(settle.equals("before") ? Optional.of("paid") : Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({"*,0.0031,0.003100", "x-other,33.33%,0.003333", "*,7,0.000007", "*,1.00,0.010000"})
  void aMeteredServerIsPaidWhatItStatesByWhoSignedACeilingAndItsPriceByOthers(
      String passed, String states, String charged) {
    serve(
        Map.of(
            "gateway.routes.weather.metered",
            "true",
            "gateway.routes.weather.response-headers",
            passed));
    String amount = states.contains(".") && !states.endsWith("%") ? "$" + states : states;
    target.says(
        "/paris",
        RouteTarget.answer(200, "settlement-overrides: {\"amount\":\"" + amount + "\"}\n", "21"));

    HttpResponse<String> upto =
        get(GatewayHost.ceiling(host.http().send(host.http().request(PATH).build())));
    HttpResponse<String> exact = get(payment());

    assertThat(upto.body()).isEqualTo("21");
    assertThat(charged(upto)).isEqualTo(charged);
    assertThat(charged(exact)).isEqualTo("0.010000");
    assertThat(spent()).isEqualTo(Usd.parse("0.01").plus(Usd.parse(charged)));
    for (HttpResponse<String> answer : List.of(upto, exact)) {
      assertThat(answer.headers().firstValue("Settlement-Overrides")).isEmpty();
    }
    assertThat(host.http().get("/discovery/resources?scheme=upto").body())
        .contains("/weather/", "\"scheme\":\"upto\"");
  }

  @Test
  void aServerThatIsNotMeteredStatesNoChargeAndNoCeilingIsOffered() {
    serve(Map.of());
    target.says(
        "/paris", RouteTarget.answer(200, "Settlement-Overrides: {\"amount\":\"1\"}\n", "21"));
    PaymentRequired challenge =
        PaymentRequired.read(
            host.http()
                .send(host.http().request(PATH).build())
                .headers()
                .firstValue("PAYMENT-REQUIRED")
                .orElseThrow());

    assertThat(challenge.accepts()).noneMatch(PaymentRequirements::isUpto);
    HttpResponse<String> answer = get(payment());
    assertThat(charged(answer)).isEqualTo("0.010000");
    assertThat(answer.headers().firstValue("Settlement-Overrides")).isEmpty();
  }

  @Test
  void whatFailedIsPaidForByTheSamePaymentLater() {
    serve(Map.of());
    target.says("/paris", RouteTarget.answer(500, "", "no"));
    String payment = payment(post().build());
    assertThat(post(payment).statusCode()).isEqualTo(500);

    target.says("/paris", RouteTarget.answer(200, "", "21"));

    assertThat(post(payment).body()).isEqualTo("21");
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
  }

  @Test
  void theMoneyHasMovedBeforeTheServerIsAsked() {
    serve(Map.of("gateway.routes.weather.settle", "before"));
    List<Usd> then = new ArrayList<>();
    target.says(
        "/paris",
        out -> {
          then.add(spent());
          out.write(RouteTarget.answer(200, "", "21").getBytes(ISO_8859_1));
        });

    HttpResponse<String> answer = post(payment(post().build()));

    assertThat(answer.body()).isEqualTo("21");
    assertThat(charged(answer)).isEqualTo("0.010000");
    assertThat(then).containsExactly(Usd.parse("0.01"));
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
  }

  @Test
  void aLongAnswerThatWasPaidForBeforeHasTheServersHead() {
    serve(Map.of("gateway.routes.weather.settle", "before"));
    String report = "21 degrees. ".repeat(20_000);
    target.says(
        "/paris", RouteTarget.answer(201, "Content-Type: text/csv\nX-Station: 7\n", report));

    HttpResponse<String> answer = post(payment(post().build()));

    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/csv");
    assertThat(answer.headers().firstValue("X-Station")).contains("7");
    assertThat(answer.body()).isEqualTo(report);
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
  }

  @Test
  void aLongRefusalOfWhatWasPaidForBeforeIsARefusalAndRefunded() {
    serve(Map.of("gateway.routes.weather.settle", "before"));
    String page = "no degrees. ".repeat(20_000);
    target.says("/paris", RouteTarget.answer(500, "X-Station: 7\n", page));

    HttpResponse<String> answer = post(payment(post().build()));

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.headers().firstValue("X-Payment-Refund")).contains("paid");
    assertThat(answer.headers().firstValue("X-Station")).contains("7");
    assertThat(answer.body()).isEqualTo(page);
    assertThat(spent()).isEqualTo(Usd.ZERO);
  }

  @Test
  void aLongAnswerThatWasPaidForBeforeAndBreaksOffIsRefunded() {
    serve(
        Map.of(
            "gateway.routes.weather.settle", "before",
            "gateway.routes.weather.deadline", "1s"));
    target.says(
        "/paris",
        out ->
            out.write(
                ("HTTP/1.1 200 OK\r\nX-Station: 7\r\nContent-Length: 900000\r\n\r\n"
                        + "21 degrees. ".repeat(20_000))
                    .getBytes(ISO_8859_1)));

    HttpResponse<String> answer = post(payment(post().build()));

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.headers().firstValue("X-Payment-Refund")).contains("paid");
    assertThat(answer.headers().firstValue("X-Station")).isEmpty();
    assertThat(answer.body()).doesNotContain("degrees");
    assertThat(spent()).isEqualTo(Usd.ZERO);
  }

  @Test
  void whatWasPaidForBeforeAndGotNoAnswerIsRefundedOnce() {
    serve(
        Map.of(
            "gateway.routes.weather.settle", "before",
            "gateway.routes.weather.deadline", "2s"));
    CountDownLatch never = new CountDownLatch(1);
    target.says("/paris", out -> never.await());
    String payment = payment(post().build());

    HttpResponse<String> answer = post(payment);
    HttpResponse<String> again = post(payment);
    never.countDown();

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.headers().firstValue("X-Payment-Refund")).contains("paid");
    assertThat(again.statusCode()).isEqualTo(502);
    assertThat(target.seen()).hasSize(1);
    assertThat(spent()).isEqualTo(Usd.ZERO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"after", "before"})
  void onePaymentInTwoCallsAtOnceAsksTheServerOnce(String settle) throws Exception {
    serve(Map.of("gateway.routes.weather.settle", settle));
    CountDownLatch go = new CountDownLatch(1);
    target.says(
        "/paris",
        out -> {
          go.await();
          out.write(RouteTarget.answer(200, "", "21").getBytes(ISO_8859_1));
        });
    String payment = payment();

    CompletableFuture<HttpResponse<String>> first =
        CompletableFuture.supplyAsync(() -> get(payment));
    await().until(() -> target.seen().size() == 1);
    HttpResponse<String> second = get(payment);
    go.countDown();

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(target.seen()).hasSize(1);
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"after", "before"})
  void aStreamIsSettledAtItsHeadAndLeavesAsItComes(String settle) throws Exception {
    serve(
        Map.of(
            "gateway.routes.weather.streaming", "true", "gateway.routes.weather.settle", settle));
    CountDownLatch seen = new CountDownLatch(1);
    target.says(
        "/paris",
        out -> {
          out.write((CHUNKED + "7\r\ndata: 1\r\n").getBytes(ISO_8859_1));
          out.flush();
          seen.await();
          out.write("7\r\ndata: 2\r\n0\r\n\r\n".getBytes(ISO_8859_1));
        });
    String payment = payment();

    HttpResponse<InputStream> answer =
        host.http()
            .send(
                host.http().request(PATH).header("PAYMENT-SIGNATURE", payment).build(),
                BodyHandlers.ofInputStream());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(charged(answer)).isEqualTo("0.010000");
    assertThat(answer.headers().firstValue("PAYMENT-RESPONSE")).isPresent();
    assertThat(new String(answer.body().readNBytes(7), ISO_8859_1)).isEqualTo("data: 1");
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
    seen.countDown();
    assertThat(new String(answer.body().readAllBytes(), ISO_8859_1)).isEqualTo("data: 2");
    assertThat(get(payment).statusCode()).isEqualTo(402);
    assertThat(target.seen()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"after", "before"})
  void aStreamThatDoesNotBeginCostsNothing(String settle) {
    serve(
        Map.of(
            "gateway.routes.weather.streaming", "true", "gateway.routes.weather.settle", settle));
    target.says("/paris", RouteTarget.answer(429, "Retry-After: 3\n", "slow down"));

    HttpResponse<String> answer = get(payment());

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.body()).isEqualTo("slow down");
    assertThat(spent()).isEqualTo(Usd.ZERO);
  }

  @Test
  void theAnswerToAPostIsKeptForAPayerWhoDidNotGetIt() throws Exception {
    serve(Map.of());
    target.says(
        "/paris", RouteTarget.answer(200, "Content-Type: text/plain\n", "x".repeat(200_000)));
    HttpRequest.Builder asked = post();
    String payment = payment(asked.build());
    try (Socket socket = new Socket("127.0.0.1", host.http().base().getPort())) {
      socket.setReceiveBufferSize(1024);
      socket
          .getOutputStream()
          .write(
              ("POST "
                      + PATH
                      + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\nPAYMENT-SIGNATURE: "
                      + payment
                      + "\r\n\r\n{\"a\":1}")
                  .getBytes(ISO_8859_1));
      await().until(() -> spent().equals(Usd.parse("0.01")));
      socket.setSoLinger(true, 0);
    }

    await()
        .untilAsserted(
            () -> {
              HttpResponse<String> again = post(payment);
              assertThat(again.statusCode()).isIn(200, 402);
            });
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
    assertThat(target.seen()).hasSize(1);
  }

  @Test
  void aKeptAnswerIsChargedAndCrossesToNoOtherPayerUnlessItIsPublic() {
    serve(Map.of("gateway.routes.weather.cache", "1min"));
    target.says("/paris", RouteTarget.answer(200, "", "of one"));

    assertThat(get(payment()).body()).isEqualTo("of one");
    HttpResponse<String> second = get(payment());
    assertThat(second.body()).isEqualTo("of one");
    assertThat(charged(second)).isEqualTo("0.010000");
    assertThat(second.headers().firstValue("Age")).isPresent();
    assertThat(target.seen()).hasSize(1);
    assertThat(spent()).isEqualTo(Usd.parse("0.02"));

    assertThat(host.paid(PATH).status()).isEqualTo(200);
    assertThat(target.seen()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Cache-Control: public, max-age=60 | 1 | 1",
        "Cache-Control: s-maxage=60 | 1 | 1",
        "Cache-Control: max-age=60 | 1 | 2",
        "Cache-Control: public, max-age=0 | 2 | 3",
        "Cache-Control: public, max-age=60, no-cache | 2 | 3",
        "Cache-Control: private, max-age=60 | 2 | 3",
        "Cache-Control: no-store | 2 | 3",
        "Cache-Control: public\\nSet-Cookie: session=1 | 2 | 3",
        "Cache-Control: public\\nVary: X-Payer | 2 | 3",
        "Cache-Control: public\\nVary: * | 2 | 3",
        "Cache-Control: public\\nVary: Accept | 1 | 1",
        "Cache-Control: public, max-age=60\\nAge: 60 | 2 | 3",
        "Expires: 0 | 2 | 3",
        "Expires: Thu, 01 Jan 1970 00:00:00 GMT | 2 | 3",
        "Expires: Fri, 01 Jan 2100 00:00:00 GMT | 1 | 2",
        "Expires: 0\\nCache-Control: max-age=60 | 1 | 2",
      })
  void whatTheServerSaysOfItsAnswersHolds(String headers, int ofOne, int ofTwo) {
    serve(Map.of("gateway.routes.weather.cache", "1min"));
    target.says("/paris", RouteTarget.answer(200, headers.replace("\\n", "\n") + "\n", "21"));

    assertThat(get(payment()).body()).isEqualTo("21");
    assertThat(get(payment()).body()).isEqualTo("21");
    assertThat(target.seen()).hasSize(ofOne);
    assertThat(host.paid(PATH).status()).isEqualTo(200);
    assertThat(target.seen()).hasSize(ofTwo);
  }

  @ParameterizedTest
  @CsvSource({"Authorization,Basic abc", "Cookie,session=1", "Cache-Control,no-cache"})
  void anAnswerToOneCallersCredentialIsNotKept(String name, String value) {
    serve(Map.of("gateway.routes.weather.cache", "1min"));
    target.says("/paris", RouteTarget.answer(200, "Cache-Control: public\n", "21"));

    for (int i = 0; i < 2; i++) {
      HttpRequest.Builder request = host.http().request(PATH).header(name, value);
      String payment = payment(request.build());
      host.http().send(request.header("PAYMENT-SIGNATURE", payment).build());
    }

    assertThat(target.seen()).hasSize(2);
  }

  @Test
  void whatCallersAskForCountsInTheMemoryOfKeptAnswersToo() {
    serve(Map.of("gateway.routes.weather.cache", "1min", "gateway.cache.size", "2KiB"));
    target.says("/paris", RouteTarget.answer(200, "Cache-Control: public\n", "21"));

    await()
        .until(
            () -> {
              HttpRequest.Builder request =
                  host.http().request(PATH).header("Accept", "text/" + "x".repeat(4000));
              String payment = payment(request.build());
              host.http().send(request.header("PAYMENT-SIGNATURE", payment).build());
              return target.seen().size() > 1;
            });
  }

  @Test
  void aStreamsCallerThatLeavesBeforeItPaysCostsTheServerNothing() {
    serve(Map.of());
    assertThat(host.http().get(PATH).statusCode()).isEqualTo(402);
    assertThat(target.seen()).isEmpty();
  }

  @Test
  void aServerThatFailsOftenIsLeftAloneForAWhile() {
    serve(Map.of("gateway.routes.weather.retries", "0"));
    target.says("/paris", RouteTarget.answer(503, "Retry-After: 1\n", "down"));
    for (int i = 0; i < 20; i++) {
      assertThat(get(payment()).statusCode()).isEqualTo(503);
    }

    HttpResponse<String> answer = get(payment());

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("upstream_unavailable");
    assertThat(target.seen()).hasSize(20);
    assertThat(spent()).isEqualTo(Usd.ZERO);
  }

  @Test
  void noMoreCallsAreMadeAtOnceThanTheServerHasConnections() throws Exception {
    serve(
        Map.of(
            "gateway.routes.weather.connections", "1",
            "gateway.routes.weather.deadline", "10s"));
    CountDownLatch go = new CountDownLatch(1);
    target.says(
        "/paris",
        out -> {
          go.await();
          out.write(RouteTarget.answer(200, "", "21").getBytes(ISO_8859_1));
        });
    String one = payment();
    String other = payment();

    CompletableFuture<HttpResponse<String>> first = CompletableFuture.supplyAsync(() -> get(one));
    await().until(() -> target.seen().size() == 1);
    CompletableFuture<HttpResponse<String>> second =
        CompletableFuture.supplyAsync(() -> get(other));
    await()
        .until(
            () ->
                host.gateway().runtime().groups().context().clients().stream()
                    .anyMatch(client -> client.health().waiting() == 1));
    assertThat(target.seen()).hasSize(1);
    go.countDown();

    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(second.get().statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"1,paid,0", "11,,0.01"})
  void whatLeftAndDidNotArriveIsNotRefundedOnceItIsKeptNoLonger(
      int minutes, String refund, String spent) throws Exception {
    serve(Map.of("gateway.routes.weather.settle", "before"));
    String payment = payment();
    assertThat(get(payment).statusCode()).isEqualTo(200);
    await().until(() -> host.count("SELECT COUNT(*) FROM payment WHERE delivered") == 1);
    // As if its payer had hung up before the last byte, and the answer had been lost since.
    host.change("UPDATE payment SET delivered = FALSE, delivered_at = NULL");
    host.change("DELETE FROM stored_answer");
    host.change("UPDATE effect SET begun_at = begun_at - INTERVAL '" + minutes + "' MINUTE");

    HttpResponse<String> again = get(payment);

    assertThat(again.statusCode()).isEqualTo(502);
    assertThat(again.headers().firstValue("X-Payment-Refund"))
        .isEqualTo(Optional.ofNullable(refund));
    assertThat(spent()).isEqualTo(Usd.parse(spent));
    assertThat(target.seen()).hasSize(1);
  }
}
