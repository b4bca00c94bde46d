package dev.octroi.reference;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes in the server that is shipped, to a server that has its root. */
@Timeout(120)
class RoutesOnJettyTest {

  private static final int VIRTUAL_THREADS = 21;

  @TempDir private Path data;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final CountDownLatch cut = new CountDownLatch(1);
  private HttpServer target;
  private ReferenceGateway gateway;

  @BeforeEach
  void start() throws IOException {
    target = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    target.setExecutor(Executors.newCachedThreadPool());
    target.createContext(
        "/",
        exchange -> {
          seen.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          byte[] body = ("theirs " + exchange.getRequestURI()).getBytes(ISO_8859_1);
          if (exchange.getRequestURI().getPath().endsWith("/broken")) {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(body);
            out.flush();
            try {
              cut.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            throw new IOException("cut off");
          }
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    target.start();
  }

  private void serve(Map<String, String> more) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("gateway.http.port", "0");
    settings.put("gateway.groups", "");
    settings.put("gateway.routes.all.path", "/");
    settings.put("gateway.routes.all.target", "http://127.0.0.1:" + target.getAddress().getPort());
    settings.put("gateway.routes.all.price", "0.01");
    settings.putAll(more);
    gateway =
        ReferenceGateway.start(
            new ServeOptions(
                new DataDirectory(data), SettingsSources.none().values("test", settings)));
  }

  @AfterEach
  void stop() {
    cut.countDown();
    gateway.close();
    target.stop(0);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(gateway.baseUrl() + path))
        .timeout(Duration.ofSeconds(60));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(request(path).build(), BodyHandlers.ofString());
  }

  private PaymentRequired challenge(String path) throws Exception {
    return PaymentRequired.read(get(path).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
  }

  private String payment(String path) throws Exception {
    PaymentRequired challenge = challenge(path);
    return new PaymentSigner(Wallet.generate(), Clock.systemUTC())
        .sign(challenge, challenge.accepts().get(0));
  }

  private HttpResponse<String> paid(String path) throws Exception {
    return http.send(
        request(path).header("PAYMENT-SIGNATURE", payment(path)).build(), BodyHandlers.ofString());
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", gateway.baseUrl().getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  @Test
  void aRouteMayHaveTheRootAndTheGatewayKeepsItsOwnPaths() throws Exception {
    serve(Map.of());

    assertThat(get("/").statusCode()).isEqualTo(402);
    assertThat(paid("/").body()).isEqualTo("theirs /");
    assertThat(paid("/a/b?c=%2F").body()).isEqualTo("theirs /a/b?c=%2F");
    assertThat(paid("/v1/chat/completions").body()).isEqualTo("theirs /v1/chat/completions");
    assertThat(get("/health/live").body()).contains("live");
    assertThat(get("/docs").body()).contains("<html");
    assertThat(get("/.well-known/x402").statusCode()).isEqualTo(200);
    assertThat(get("/admin/v1/keys").statusCode()).isEqualTo(401);
    assertThat(seen).containsExactly("GET /", "GET /a/b?c=%2F", "GET /v1/chat/completions");
  }

  @Test
  void theGatewaysOwnPathsMoveBelowAPrefix() throws Exception {
    serve(Map.of("gateway.http.own-prefix", "/octroi"));

    assertThat(paid("/docs").body()).isEqualTo("theirs /docs");
    assertThat(paid("/health/live").body()).isEqualTo("theirs /health/live");
    assertThat(get("/octroi/health/live").body()).contains("live");
    assertThat(get("/octroi/docs").body()).contains("<html");
    assertThat(get("/octroi/docs/docs.js").statusCode()).isEqualTo(200);
    assertThat(get("/octroi/openapi.json").body()).contains("\"openapi\"");
    assertThat(get("/octroi/.well-known/x402").body())
        .contains(gateway.baseUrl() + "/octroi/discovery/resources");
    assertThat(get("/octroi").body()).contains("Octroi");
    assertThat(get("/octroi/nothing").statusCode()).isEqualTo(404);
    assertThat(get("/octroise").statusCode()).isEqualTo(402);
    assertThat(get("/octroi/%2e%2e/docs").statusCode()).isEqualTo(400);
    HttpResponse<String> page =
        http.send(request("/a").header("Accept", "text/html").build(), BodyHandlers.ofString());
    assertThat(page.body()).contains("data-base=\"" + gateway.baseUrl() + "/octroi\"");
    assertThat(get("/octroi/openapi.json").body())
        .contains("\"servers\":[{\"url\":\"" + gateway.baseUrl() + "/octroi\"}]")
        .contains("\"servers\":[{\"url\":\"" + gateway.baseUrl() + "\"}]");
  }

  @Test
  void withoutARouteNothingLiesBesideThePrefix() throws Exception {
    serve(
        Map.of(
            "gateway.http.own-prefix", "/octroi",
            "gateway.routes.all.path", "/weather"));

    HttpResponse<String> answer = get("/health/live");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("{\"error\":\"There is no such path.\"}");
    assertThat(get("/weather").statusCode()).isEqualTo(402);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/../docs | 400",
        "/a/../b | 400",
        "/%2e%2e/a | 400",
        "/a/..%2fb | 400",
        "/a/..;/b | 400",
        "/a;x=1 | 400",
        "/a//b | 400",
        "//a | 400",
        "/a%2fb | 400",
        "/a%5cb | 400",
        "/a%00 | 400",
        "/a%252fb | 400",
        "/%61 | 400",
        "/a\\b | 400",
      })
  void noTrickReachesTheServer(String path, int status) throws Exception {
    serve(Map.of());

    String answer =
        raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 " + status);
    assertThat(answer.toLowerCase(Locale.ROOT)).doesNotContain("payment-required:");
    assertThat(seen).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Content-Length: +5\r\n\r\nhello",
        "Content-Length : 5\r\n\r\nhello",
        "X: 1\r\n Content-Length: 5\r\n\r\nhello"
      })
  void aRequestOfAmbiguousLengthIsRefused(String rest) throws Exception {
    serve(Map.of("gateway.routes.all.free", "/free"));

    String answer = raw("POST /free HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + rest);

    assertThat(seen).allMatch(line -> line.equals("POST /free")).hasSizeLessThan(2);
    assertThat(answer).doesNotContain("theirs /x");
  }

  @Test
  void aStreamThatBreaksOffDoesNotLookWhole() throws Exception {
    serve(Map.of("gateway.routes.all.streaming", "true"));
    String payment = payment("/broken");

    try (Socket socket = new Socket("127.0.0.1", gateway.baseUrl().getPort())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              ("GET /broken HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                      + "PAYMENT-SIGNATURE: "
                      + payment
                      + "\r\n\r\n")
                  .getBytes(ISO_8859_1));
      StringBuilder come = new StringBuilder();
      while (come.indexOf("theirs /broken") < 0) {
        come.append((char) socket.getInputStream().read());
      }
      cut.countDown();
      come.append(new String(socket.getInputStream().readAllBytes(), ISO_8859_1));
      assertThat(come.toString())
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("PAYMENT-RESPONSE")
          .doesNotEndWith("0\r\n\r\n");
    }
  }

  /**
   * Whether their callers pay or not, who are more than the server has threads; excess callers are
   * charged nothing.
   */
  @ParameterizedTest
  @ValueSource(strings = {"sold", "free"})
  void serversThatNeverAnswerHoldUpNoOtherCall(String path) throws Exception {
    int callers = 160;
    List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
    try (ServerSocket one = new ServerSocket(0, callers, InetAddress.getLoopbackAddress());
        ServerSocket two = new ServerSocket(0, callers, InetAddress.getLoopbackAddress())) {
      Map<String, String> settings = new HashMap<>();
      settings.put("gateway.http.threads", "48");
      settings.put("gateway.limits.in-flight-per-payer", "1000");
      silentRoute(settings, "one", one);
      silentRoute(settings, "two", two);
      serve(settings);
      for (String route : List.of("/one/", "/two/")) {
        PaymentRequired challenge = challenge(route + "sold");
        PaymentSigner payer = new PaymentSigner(Wallet.generate(), Clock.systemUTC());
        for (int call = 0; call < callers; call++) {
          HttpRequest.Builder request = request(route + path);
          if (path.equals("sold")) {
            String payment = payer.sign(challenge, challenge.accepts().get(0));
            request.header("PAYMENT-SIGNATURE", payment);
          }
          held.add(http.sendAsync(request.build(), BodyHandlers.ofString()));
        }
      }

      for (int call = 0; call < 10; call++) {
        assertThat(get("/one/other").statusCode()).isEqualTo(402);
        assertThat(get("/docs").statusCode()).isEqualTo(200);
        assertThat(paid("/" + call).body()).isEqualTo("theirs /" + call);
      }

      if (Runtime.version().feature() < VIRTUAL_THREADS) {
        await().until(() -> ended(held).anyMatch(it -> it.body().contains("at capacity")));
      }
      assertThat(ended(held))
          .allSatisfy(
              refused -> {
                assertThat(refused.statusCode()).isEqualTo(429);
                assertThat(refused.headers().firstValue("Retry-After")).isPresent();
                assertThat(refused.headers().firstValue("PAYMENT-RESPONSE")).isEmpty();
              });
    }
    await().until(() -> held.stream().allMatch(CompletableFuture::isDone));
    assertThat(get("/one/free").statusCode()).as("places were given back").isEqualTo(503);
  }

  /** Each payment waits for it; what does not ask it is served, and excess callers are told. */
  @Test
  void aFacilitatorThatNeverVerifiesHoldsUpNoOtherCall() throws Exception {
    int callers = 320;
    CountDownLatch verified = new CountDownLatch(1);
    HttpServer facilitator = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), callers);
    facilitator.setExecutor(Executors.newCachedThreadPool());
    facilitator.createContext(
        "/supported",
        exchange ->
            answer(
                exchange,
                "{\"kinds\":[{\"x402Version\":2,\"scheme\":\"exact\",\"network\":\"eip155:8453\"}],"
                    + "\"extensions\":[],\"signers\":{}}"));
    facilitator.createContext(
        "/verify",
        exchange -> {
          try {
            verified.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          answer(exchange, "{\"isValid\":false,\"invalidReason\":\"insufficient_funds\"}");
        });
    facilitator.start();
    List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
    try {
      serve(
          Map.of(
              "gateway.http.threads", "48",
              "gateway.routes.all.free", "/free",
              "gateway.payments.mode", "remote",
              "gateway.payments.pay-to", "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
              "gateway.facilitator.urls", "http://127.0.0.1:" + facilitator.getAddress().getPort(),
              "gateway.facilitator.verify-timeout", "100s"));
      await().until(() -> get("/sold").statusCode() == 402);
      PaymentRequired challenge = challenge("/sold");
      PaymentSigner payer = new PaymentSigner(Wallet.generate(), Clock.systemUTC());
      for (int call = 0; call < callers; call++) {
        String payment = payer.sign(challenge, challenge.accepts().get(0));
        held.add(
            http.sendAsync(
                request("/sold").header("PAYMENT-SIGNATURE", payment).build(),
                BodyHandlers.ofString()));
      }

      for (int call = 0; call < 10; call++) {
        assertThat(get("/other").statusCode()).isEqualTo(402);
        assertThat(get("/docs").statusCode()).isEqualTo(200);
        assertThat(get("/free").body()).isEqualTo("theirs /free");
      }

      if (Runtime.version().feature() < VIRTUAL_THREADS) {
        await().until(() -> ended(held).anyMatch(it -> it.body().contains("at capacity")));
      }
      assertThat(ended(held))
          .allSatisfy(
              refused -> {
                assertThat(refused.statusCode()).isEqualTo(429);
                assertThat(refused.headers().firstValue("Retry-After")).isPresent();
                assertThat(refused.headers().firstValue("PAYMENT-RESPONSE")).isEmpty();
              });
      verified.countDown();
      await().until(() -> held.stream().allMatch(CompletableFuture::isDone));
      assertThat(ended(held)).anyMatch(it -> it.statusCode() == 402);
      assertThat(seen).as("nothing was delivered").doesNotContain("GET /sold");
    } finally {
      verified.countDown();
      facilitator.stop(0);
    }
  }

  private static void answer(HttpExchange exchange, String json) throws IOException {
    byte[] body = json.getBytes(ISO_8859_1);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static Stream<HttpResponse<String>> ended(
      List<CompletableFuture<HttpResponse<String>>> calls) {
    return calls.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join);
  }

  private static void silentRoute(Map<String, String> settings, String word, ServerSocket server) {
    String route = "gateway.routes." + word;
    settings.put(route + ".path", "/" + word);
    settings.put(route + ".target", "http://127.0.0.1:" + server.getLocalPort());
    settings.put(route + ".price", "0.001");
    settings.put(route + ".free", "/free");
    settings.put(route + ".deadline", "100s");
  }
}
