package dev.octroi.services.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import dev.octroi.services.upstream.UpstreamClient.UpstreamHost;
import dev.octroi.services.upstream.UpstreamClient.UpstreamObserver;
import dev.octroi.services.upstream.UpstreamSettings.BreakerSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class UpstreamClientTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final UpstreamRequest READ = UpstreamRequest.get("/x?a=b%2Fc");

  @Test
  void aReadCarriesPathQueryAndCredential() throws IOException {
    try (WireServer server = WireServer.saying("{\"a\":1.50}");
        UpstreamClient client =
            new UpstreamClient(server.settings().with(Credential.bearer("geheim")))) {
      UpstreamAnswer answer = client.send(READ, Deadline.in(LONG));

      assertThat(text(answer)).isEqualTo("{\"a\":1.50}");
      WireServer.Request request = server.requests().get(0);
      assertThat(request.target()).isEqualTo("/base/x?a=b%2Fc");
      assertThat(request.headers())
          .containsEntry("Authorization", "Bearer geheim")
          .containsEntry("Accept-Encoding", "gzip");
    }
  }

  @Test
  @Timeout(20)
  void aProbeWaitsForNoEndOfTheAnswer() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  wire.text("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
                  wire.hang(hungUp);
                });
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(client.probe(LONG).status()).isEqualTo(200);
      assertThat(hungUp.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void anObserverSeesEachCallAndAddsItsHeaders() throws IOException {
    List<String> seen = new CopyOnWriteArrayList<>();
    UpstreamObserver observer =
        (upstream, method) ->
            new UpstreamObserver.Watched() {
              @Override
              public Map<String, String> headers() {
                return Map.of("traceparent", "of-the-observer");
              }

              @Override
              public void ended(int status) {
                seen.add(upstream + " " + method + " " + status);
              }
            };
    UpstreamHost host = new UpstreamHost(observer, HostThreads.OF_THE_JVM);
    try (WireServer server =
            WireServer.start((request, wire) -> wire.answer(404, "", new byte[0]));
        UpstreamClient client = new UpstreamClient(server.settings(), host);
        UpstreamClient gone =
            new UpstreamClient(
                UpstreamSettings.of("gone", URI.create("http://127.0.0.1:1")).withRetries(0),
                host)) {
      client.send(READ, Deadline.in(LONG));
      assertThat(server.requests().get(0).headers())
          .containsEntry("traceparent", "of-the-observer");
      assertThatThrownBy(() -> gone.send(READ, Deadline.in(LONG))).isInstanceOf(Failure.class);
      assertThat(seen).containsExactly(server.settings().name() + " GET 404", "gone GET 0");
    }
  }

  @Test
  void callsRunOnTheHostsThreadsAndUnderTheUpstreamsName() throws IOException {
    Set<Thread> made = ConcurrentHashMap.newKeySet();
    ThreadFactory hosts =
        task -> {
          Thread thread = new Thread(task, "of the host");
          thread.setDaemon(true);
          made.add(thread);
          return thread;
        };
    UpstreamHost host = new UpstreamHost(UpstreamObserver.NONE, new HostThreads(hosts));
    try (WireServer server =
            WireServer.start((request, wire) -> wire.answer(404, "", new byte[0]));
        UpstreamClient client = new UpstreamClient(server.settings(), host)) {
      client.send(READ, Deadline.in(LONG));
      assertThat(made)
          .isNotEmpty()
          .allMatch(
              thread ->
                  thread.getName().matches("upstream-" + server.settings().name() + "-[0-9]+"));
    }
  }

  @Test
  void credentialsTakeTheVendorsForm() {
    assertThat(Credential.header("x-api-key", "k").headerValue()).isEqualTo("k");
    assertThat(Credential.basic("a", "b").headerValue()).isEqualTo("Basic YTpi");
    assertThat(Credential.none().headerName()).isEmpty();
  }

  @Test
  void aSecretNeverShows() {
    UpstreamSettings settings =
        UpstreamSettings.of("test", URI.create("http://127.0.0.1:1"))
            .with(Credential.header("x-api-key", "geheim"));
    assertThat(settings.toString()).contains("x-api-key: ***").doesNotContain("geheim");
    assertThat(Credential.basic("konto", "geheim").toString()).doesNotContain("a29udG8");
  }

  @Test
  void aCompressedAnswerIsUnpacked() throws IOException {
    byte[] packed = gzip("{\"a\":[1,2,3]}");
    try (WireServer server =
            WireServer.start((request, wire) -> wire.answer(200, gzipHeaders(), packed));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(text(client.send(READ, Deadline.in(LONG)))).isEqualTo("{\"a\":[1,2,3]}");
    }
  }

  @Test
  void aCompressedAnswerThatUnpacksTooLargeIs502() throws IOException {
    byte[] packed = gzip("[" + " ".repeat(1 << 20) + "]");
    try (WireServer server =
            WireServer.start((request, wire) -> wire.answer(200, gzipHeaders(), packed));
        UpstreamClient client = new UpstreamClient(server.settings().withMaxBodyBytes(100_000))) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  @Test
  void anAnswerOverTheLimitIs502() throws IOException {
    try (WireServer server = WireServer.saying("\"" + "x".repeat(5000) + "\"");
        UpstreamClient client = new UpstreamClient(server.settings().withMaxBodyBytes(5000))) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "{\"a\":1",
        "{\"a\":1}}",
        "{\"a\":1}{}",
        "{a:1}",
        "[01]",
        "[NaN]",
        "{\"a\":1,\"b\":{\"c\":1,\"c\":2}}"
      })
  void anAnswerThatIsNotOneJsonValueIs502(String body) throws IOException {
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  @Test
  void anAnswerOfAnotherTypeIs502() throws IOException {
    byte[] page = "{}".getBytes(StandardCharsets.UTF_8);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> wire.answer(200, "Content-Type: text/html\r\n", page));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  /** JSON is UTF-8 between machines: the price is put into it as such. */
  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-32", "ISO-8859-1"})
  void anAnswerInAnotherCharsetIs502(String charset) throws IOException {
    byte[] body = "{\"a\":\"é\"}".getBytes(Charset.forName(charset));
    String head = "Content-Type: application/json; charset=" + charset + "\r\n";
    try (WireServer server = WireServer.start((request, wire) -> wire.answer(200, head, body));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br", "deflate", "gzip, gzip"})
  void anAnswerThatIsNotCompressedAsItSaysIs502(String encoding) throws IOException {
    String head = "Content-Type: application/json\r\nContent-Encoding: " + encoding + "\r\n";
    try (WireServer server =
            WireServer.start(
                (request, wire) ->
                    wire.answer(200, head, "{\"a\":1}".getBytes(StandardCharsets.UTF_8)));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 401, 402, 403})
  void aRedirectionOrARefusalOfOurCredentialIs502(int status) throws IOException {
    try (WireServer server =
            WireServer.start((request, wire) -> wire.json(status, "{\"your\":\"account\"}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  @Test
  void anErrorOfTheUpstreamIsAnAnswer() throws IOException {
    try (WireServer server =
            WireServer.start((request, wire) -> wire.json(404, "{\"error\":{\"code\":\"X\"}}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      UpstreamAnswer answer = client.send(READ, Deadline.in(LONG));
      assertThat(answer.status()).isEqualTo(404);
      assertThat(text(answer)).isEqualTo("{\"error\":{\"code\":\"X\"}}");
    }
  }

  @Test
  void anAnswerCutInItsMiddleIs502() throws IOException {
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  wire.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":");
                  wire.cut();
                });
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  @Test
  void anUpstreamThatSpeaksNoHttpIs502() throws IOException {
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  wire.text("SSH-2.0-OpenSSH_9.2\r\n\r\n");
                  wire.cut();
                });
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  @Test
  void anUnreachableUpstreamIs503AndItsAddressStaysInside() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    URI base = URI.create("http://127.0.0.1:" + closed);
    try (UpstreamClient client = new UpstreamClient(UpstreamSettings.of("test", base))) {
      assertThatThrownBy(() -> client.send(READ, Deadline.in(LONG)))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> {
                assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_UNAVAILABLE);
                assertThat(failure.retryAfter()).isPresent();
                assertThat(failure.getMessage()).doesNotContain("127.0.0.1", "Exception");
              });
    }
  }

  @Test
  void anUpstreamThatNeverAnswersIsHungUpOnAtTheDeadline() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = WireServer.start((request, wire) -> wire.hang(hungUp));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(
          () -> client.send(READ, Deadline.in(Duration.ofMillis(300))), ErrorCode.UPSTREAM_FAILED);
      assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void theDeadlineHoldsForTheBodyToo() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  wire.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":");
                  wire.hang(hungUp);
                });
        UpstreamClient client =
            new UpstreamClient(server.settings().withDeadline(Duration.ofSeconds(2)))) {
      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
      assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void cancellingACallClosesItsConnection() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = WireServer.start((request, wire) -> wire.hang(hungUp));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      CompletableFuture<UpstreamAnswer> call = client.sendAsync(READ, Deadline.in(LONG));
      await().until(() -> !server.requests().isEmpty());

      call.cancel(true);

      assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void aReadIsRepeatedOnceAfterATransientError(int status) throws IOException {
    AtomicInteger calls = new AtomicInteger();
    try (WireServer server =
            WireServer.start(
                (request, wire) ->
                    wire.json(calls.incrementAndGet() == 1 ? status : 200, "{\"a\":1}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(client.send(READ, Deadline.in(LONG)).status()).isEqualTo(200);
      assertThat(calls).hasValue(2);
    }
  }

  @Test
  void aPersistentErrorIsAnsweredAfterTheLastRepetition() throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(503, "{}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(client.send(READ, Deadline.in(LONG)).status()).isEqualTo(503);
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  void nothingIsRepeatedThatIsNotIdempotentOrWasAskedToWait() throws IOException {
    try (WireServer server =
            WireServer.start(
                (request, wire) -> wire.answer(503, "Retry-After: 7\r\n", new byte[0]));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      UpstreamAnswer answer = client.send(READ, Deadline.in(LONG));
      assertThat(answer.retryAfter()).contains(Duration.ofSeconds(7));
      assertThat(server.requests()).hasSize(1);
    }
    UpstreamRequest effect = UpstreamRequest.post("/x", "{}".getBytes(UTF_8), "application/json");
    try (WireServer server = WireServer.start((request, wire) -> wire.json(503, "{}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(client.send(effect, Deadline.in(LONG)).status()).isEqualTo(503);
      assertThat(server.requests()).extracting(WireServer.Request::body).containsExactly("{}");
    }
  }

  @Test
  void theBreakerOpensAndClosesAgain() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    BreakerSettings hasty = new BreakerSettings(50, 4, Duration.ofMillis(400));
    try (WireServer server =
            WireServer.start(
                (request, wire) -> wire.json(calls.incrementAndGet() <= 4 ? 502 : 200, "{}"));
        UpstreamClient client = new UpstreamClient(server.settings().withRetries(0).with(hasty))) {
      for (int call = 0; call < 4; call++) {
        assertThat(client.send(READ, Deadline.in(LONG)).status()).isEqualTo(502);
      }
      assertThatThrownBy(() -> client.send(READ, Deadline.in(LONG)))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> {
                assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_UNAVAILABLE);
                assertThat(failure.retryAfter()).contains(Duration.ofMillis(400));
              });
      assertFails(client::requireReachable, ErrorCode.UPSTREAM_UNAVAILABLE);
      assertThat(calls).hasValue(4);

      await()
          .untilAsserted(() -> assertThatCode(client::requireReachable).doesNotThrowAnyException());
      await()
          .ignoreException(Failure.class)
          .until(() -> client.send(READ, Deadline.in(LONG)).status() == 200);
    }
  }

  @Test
  void callersWithShortDeadlinesCannotOpenTheBreaker() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(6);
    BreakerSettings hasty = new BreakerSettings(50, 2, Duration.ofMinutes(5));
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  if (request.target().endsWith("slow")) {
                    wire.hang(hungUp);
                  } else {
                    wire.json(200, "{}");
                  }
                });
        UpstreamClient client = new UpstreamClient(server.settings().with(hasty))) {
      for (int call = 0; call < 6; call++) {
        assertFails(
            () -> client.send(UpstreamRequest.get("/slow"), Deadline.in(Duration.ofMillis(100))),
            ErrorCode.UPSTREAM_FAILED);
      }
      assertThat(client.send(READ, Deadline.in(LONG)).status()).isEqualTo(200);
    }
  }

  @Test
  void callersWhoProvokeErrorsCannotOpenTheBreaker() throws IOException {
    BreakerSettings hasty = new BreakerSettings(50, 2, Duration.ofMinutes(5));
    String large = "\"" + "x".repeat(5000) + "\"";
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  boolean plain = request.target().endsWith("plain");
                  wire.json(plain ? 500 : 200, request.target().endsWith("large") ? large : "{}");
                });
        UpstreamClient client =
            new UpstreamClient(server.settings().with(hasty).withMaxBodyBytes(1000))) {
      for (int call = 0; call < 6; call++) {
        assertThat(client.send(UpstreamRequest.get("/plain"), Deadline.in(LONG)).status())
            .isEqualTo(500);
        assertFails(
            () -> client.send(UpstreamRequest.get("/large"), Deadline.in(LONG)),
            ErrorCode.UPSTREAM_FAILED);
      }
      assertThat(client.send(READ, Deadline.in(LONG)).status()).isEqualTo(200);
    }
  }

  @Test
  void aCallBeyondTheConnectionCapWaitsItsTurn() throws Exception {
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch open = new CountDownLatch(1);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                  open.await();
                  atOnce.decrementAndGet();
                  wire.json(200, "{}");
                });
        UpstreamClient client = new UpstreamClient(server.settings().withMaxConnections(2))) {
      List<CompletableFuture<UpstreamAnswer>> calls = new ArrayList<>();
      for (int call = 0; call < 10; call++) {
        calls.add(client.sendAsync(READ, Deadline.in(LONG)));
      }
      await().until(() -> atOnce.get() == 2);
      assertFails(
          () -> client.send(READ, Deadline.in(Duration.ofMillis(200))),
          ErrorCode.UPSTREAM_UNAVAILABLE);
      open.countDown();

      for (CompletableFuture<UpstreamAnswer> call : calls) {
        assertThat(call.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
      }
      assertThat(most).hasValue(2);
      assertThat(server.requests()).hasSize(10);
    }
  }

  @Test
  void aConnectionIsGivenBackHoweverItsCallEnded() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(3);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  if (request.target().endsWith("slow")) {
                    wire.hang(hungUp);
                  } else {
                    wire.json(200, request.target().endsWith("bad") ? "?" : "{}");
                  }
                });
        UpstreamClient client = new UpstreamClient(server.settings().withMaxConnections(1))) {
      for (int round = 0; round < 3; round++) {
        assertFails(
            () -> client.send(UpstreamRequest.get("/bad"), Deadline.in(LONG)),
            ErrorCode.UPSTREAM_FAILED);
        CompletableFuture<UpstreamAnswer> slow =
            client.sendAsync(UpstreamRequest.get("/slow"), Deadline.in(LONG));
        CompletableFuture<UpstreamAnswer> waits =
            client.sendAsync(UpstreamRequest.get("/slow"), Deadline.in(LONG));
        waits.cancel(true);
        slow.cancel(true);
        assertThat(client.send(READ, Deadline.in(LONG)).status()).isEqualTo(200);
      }
    }
  }

  @Test
  void whereCallsMayTakeLongFewWaitForThem() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = WireServer.start((request, wire) -> wire.hang(hungUp));
        UpstreamClient client =
            new UpstreamClient(
                server.settings().withMaxConnections(1).withDeadline(Duration.ofMinutes(4)))) {
      List<CompletableFuture<UpstreamAnswer>> calls = new ArrayList<>();
      for (int call = 0; call < 5; call++) {
        calls.add(client.sendAsync(READ, Deadline.in(LONG)));
      }
      assertThat(calls).noneMatch(CompletableFuture::isDone);

      assertFails(() -> client.send(READ, Deadline.in(LONG)), ErrorCode.UPSTREAM_UNAVAILABLE);
      calls.forEach(call -> call.cancel(true));
    }
  }

  private static final Charset UTF_8 = StandardCharsets.UTF_8;

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }

  private static String text(UpstreamAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static String gzipHeaders() {
    return "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }
}
