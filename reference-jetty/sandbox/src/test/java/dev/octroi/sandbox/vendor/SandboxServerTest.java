package dev.octroi.sandbox.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.sandbox.contract.Contract;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxServerTest {

  private static final Echo VENDOR = new Echo();
  private static final SandboxServer SERVER = SandboxServer.start(0, List.of(VENDOR));
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void everyAnswerIsLabelledAsSandbox() throws Exception {
    HttpResponse<String> answer = get("/thing?b=2&b=3");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Sandbox")).contains("octroi");
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(answer.body()).contains("\"path\":\"/thing\"").contains("\"b\":[\"2\",\"3\"]");
  }

  @Test
  void aCallWithoutCredentialGetsTheVendorsOwn401() throws Exception {
    HttpResponse<String> answer =
        CLIENT.send(
            HttpRequest.newBuilder(uri("/thing")).build(), HttpResponse.BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("\"echo_error\":401");
  }

  @ParameterizedTest
  @CsvSource({
    "Host: localhost, 200",
    "Host: 127.0.0.1:8403, 200",
    "Host: rebound.example, 403",
    "Host: localhost.evil.example:8403, 403",
    "Host: 192.168.1.5, 403",
    "Host: localhost\\r\\nOrigin: http://localhost:3000, 200",
    "Host: localhost\\r\\nOrigin: https://evil.example, 403",
    "Host: localhost\\r\\nOrigin: null, 403",
    "Host: localhost\\r\\nSec-Fetch-Site: cross-site, 403"
  })
  void aWebPageOfAnotherSiteIsRefused(String headers, int status) throws Exception {
    String request =
        "GET /echo/thing HTTP/1.1\r\n"
            + headers.translateEscapes()
            + "\r\nAuthorization: Bearer sandbox\r\nConnection: close\r\n\r\n";
    try (Socket socket = new Socket("127.0.0.1", SERVER.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 " + status);
      if (status == 403) {
        assertThat(answer).containsPattern("\\{\"error\":\"[^\"]+\"}").doesNotContain("path");
      }
    }
  }

  @Test
  void anUnknownMountIs404() throws Exception {
    URI nowhere = URI.create("http://127.0.0.1:" + SERVER.port() + "/elsewhere/x");

    assertThat(send(HttpRequest.newBuilder(nowhere)).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "/x?q=octroi-fail-502, 502",
    "/x/octroi_fail_429/y, 429",
    "/x?pair=FAIL500/OCTROI, 500",
    "/x?pair=FAIL-OCTROI, 503",
    "/x?symbol=OCTROIFAIL504, 504",
    "/x?address=0x0c720102000000000000000000000000000503, 200",
    "/x?address=0x0c72010200000000000000000000000000000503, 503",
    "/x?hash=0x0c72010200000000000000000000000000000000000000000000000000000502, 502",
    "/x?wallet=octroif111111111111111111111111111111111111, 503",
    "/x?url=https://example.com/octroi-fail-500, 500",
    "/x?q=octroi-failure, 200"
  })
  void aMagicValueOfAnyFormFailsTheCall(String path, int status) throws Exception {
    assertThat(get(path).statusCode()).isEqualTo(status);
  }

  @Test
  void aMagicValueInTheBodyFailsTheCall() throws Exception {
    HttpRequest.Builder post =
        HttpRequest.newBuilder(uri("/x"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"a\":[{\"b\":\"octroi-fail-500\"}]}"));

    assertThat(send(post).body()).contains("\"echo_error\":500");
  }

  @Test
  void aSlowAnswerIsTheProperOneAfterTheDelay() throws Exception {
    HttpRequest slow = authorised(HttpRequest.newBuilder(uri("/x?q=octroi-slow-700"))).build();
    CompletableFuture<HttpResponse<String>> pending =
        CLIENT.sendAsync(slow, HttpResponse.BodyHandlers.ofString());
    long before = System.nanoTime();

    assertThat(pending.get().statusCode()).isEqualTo(200);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(500));
  }

  @Test
  void aHangingCallGetsNoAnswer() {
    HttpRequest.Builder hang =
        HttpRequest.newBuilder(uri("/x?q=octroi-hang")).timeout(Duration.ofMillis(500));

    assertThatThrownBy(() -> send(hang)).isInstanceOf(java.net.http.HttpTimeoutException.class);
  }

  @Test
  void aCutAnswerEndsBeforeItsLength() {
    assertThatThrownBy(() -> get("/x?q=octroi-cut")).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"octroi-malformed", "octroi-empty"})
  void rubbishIsNotJson(String magic) throws Exception {
    HttpResponse<String> answer = get("/x?q=" + magic);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).doesNotEndWith("}");
  }

  @Test
  void aHugeAnswerIsOver60Mebibytes() throws Exception {
    HttpRequest huge = authorised(HttpRequest.newBuilder(uri("/x?q=octroi-huge"))).build();
    try (var body = CLIENT.send(huge, HttpResponse.BodyHandlers.ofInputStream()).body()) {
      assertThat(body.skip(Long.MAX_VALUE)).isGreaterThan(60L << 20);
    }
  }

  @Test
  void aBodyOverTheBoundIsRefused() throws Exception {
    HttpRequest.Builder post =
        HttpRequest.newBuilder(uri("/x"))
            .POST(HttpRequest.BodyPublishers.ofString("x".repeat(300_000)));

    assertThat(send(post).statusCode()).isEqualTo(413);
  }

  @Test
  void aVendorIsInterruptedWhenItsCallerHasGone() throws Exception {
    HttpClient impatient = HttpClient.newHttpClient();
    CompletableFuture<HttpResponse<String>> pending =
        impatient.sendAsync(
            authorised(HttpRequest.newBuilder(uri("/wait"))).build(),
            HttpResponse.BodyHandlers.ofString());
    VENDOR.waiting.await();

    pending.cancel(true);

    await().atMost(Duration.ofSeconds(10)).untilTrue(VENDOR.interrupted);
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(authorised(request).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest.Builder authorised(HttpRequest.Builder request) {
    return request.header("Authorization", "Bearer sandbox");
  }

  private static URI uri(String path) {
    return URI.create(SERVER.baseAddress("echo") + path);
  }

  /** Answers with what it was asked; waits for good on {@code /wait}. */
  private static final class Echo implements SandboxVendor {

    private final CountDownLatch waiting = new CountDownLatch(1);
    private final AtomicBoolean interrupted = new AtomicBoolean();

    @Override
    public String mount() {
      return "echo";
    }

    @Override
    public Contract contract() {
      return Contract.parse(
          """
          source this test
          auth authorization /Bearer \\S+/
          shape words
            * [text]
          GET /{thing}
            +words
          GET /{thing}/{more}
          GET /x/{word}/y
          POST /x
            body json
              a [object]
                b
          """);
    }

    @Override
    public SandboxAnswer answer(SandboxRequest request) {
      if (request.path().equals("/wait")) {
        waiting.countDown();
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException gone) {
          interrupted.set(true);
        }
      }
      return SandboxAnswer.ok(
          Map.of(
              "path",
              request.path(),
              "query",
              request.query(),
              "body",
              new String(request.body(), StandardCharsets.UTF_8)));
    }

    @Override
    public SandboxAnswer failure(int status, String message) {
      return SandboxAnswer.status(status, Map.of("echo_error", status));
    }
  }
}
