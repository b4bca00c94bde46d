package dev.octroi.services.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.UpstreamClient.StreamRequest;
import dev.octroi.services.upstream.UpstreamSettings.BreakerSettings;
import dev.octroi.services.upstream.UpstreamStream.BrokenStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class UpstreamStreamTest {

  private static final Charset US = StandardCharsets.US_ASCII;
  private static final String HEAD =
      "HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String END = "0\r\n\r\n";
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final StreamRequest ASK = StreamRequest.of("/v1/x", "{\"a\":1}".getBytes(US));

  @Test
  void eachByteIsReadWhenTheUpstreamHasWrittenIt() throws IOException {
    CountDownLatch seen = new CountDownLatch(1);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  wire.text(HEAD + chunk("one"));
                  seen.await();
                  wire.text(chunk("two") + END);
                });
        UpstreamClient client = new UpstreamClient(server.settings());
        UpstreamStream stream = client.open(ASK, Deadline.in(LONG))) {
      assertThat(stream.status()).isEqualTo(200);
      assertThat(stream.header("Content-Type")).contains("text/event-stream");
      assertThat(new String(stream.body().readNBytes(3), US)).isEqualTo("one");
      seen.countDown();
      assertThat(new String(stream.readAll(100), US)).isEqualTo("two");
      assertThat(stream.body().read()).isEqualTo(-1);
    }
  }

  @Test
  void theCallCarriesBodyCredentialAndTheVendorsHeaders() throws IOException {
    try (WireServer server = WireServer.saying("{}");
        UpstreamClient client =
            new UpstreamClient(server.settings().with(Credential.header("x-api-key", "geheim")));
        UpstreamStream stream =
            client.open(ASK.with(Map.of("x-version", "7")), Deadline.in(LONG))) {
      assertThat(new String(stream.readAll(2), US)).isEqualTo("{}");
      WireServer.Request request = server.requests().get(0);
      assertThat(request.target()).isEqualTo("/base/v1/x");
      assertThat(request.body()).isEqualTo("{\"a\":1}");
      assertThat(request.headers())
          .containsEntry("x-api-key", "geheim")
          .containsEntry("x-version", "7")
          .containsEntry("Accept-Encoding", "identity")
          .containsEntry("Content-Type", "application/json");
    }
  }

  @Test
  @Tag("spec:language.stream.cancel")
  void closingHangsUpOnTheUpstream() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = beginning(hungUp);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      UpstreamStream stream = client.open(ASK, Deadline.in(LONG));
      stream.close();
      stream.close();

      assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> stream.readAll(100)).isInstanceOf(BrokenStream.class);
    }
  }

  @Test
  @Tag("spec:language.stream.cancel")
  void closingWakesAReaderThatWaits() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = beginning(hungUp);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      UpstreamStream stream = client.open(ASK, Deadline.in(LONG));
      CompletableFuture<Throwable> reader =
          CompletableFuture.supplyAsync(() -> catchThrowable(() -> stream.readAll(100)));
      stream.close();

      assertThat(reader.get(20, TimeUnit.SECONDS)).isInstanceOf(BrokenStream.class);
    }
  }

  @Test
  @Tag("spec:language.stream.back_pressure")
  void aReaderThatDoesNotReadStopsTheUpstreamsWriting() throws Exception {
    AtomicLong written = new AtomicLong();
    long all = 64L << 20;
    String mebibyte = chunk("x".repeat(1 << 20));
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  wire.text(HEAD);
                  while (written.get() < all) {
                    wire.text(mebibyte);
                    written.addAndGet(1 << 20);
                  }
                  wire.text(END);
                });
        UpstreamClient client = new UpstreamClient(server.settings());
        UpstreamStream stream = client.open(ASK, Deadline.in(LONG))) {
      AtomicLong last = new AtomicLong(-1);
      await()
          .pollInterval(Duration.ofMillis(200))
          .until(() -> last.getAndSet(written.get()) == written.get());

      assertThat(written).hasValueLessThan(all);
      assertThat(stream.body().transferTo(OutputStream.nullOutputStream())).isEqualTo(all);
      assertThat(written).hasValue(all);
    }
  }

  @Test
  void aStreamThatBreaksOffIsNoWholeStream() throws IOException {
    CountDownLatch seen = new CountDownLatch(1);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  wire.text(HEAD + chunk("one"));
                  seen.await();
                  wire.cut();
                });
        UpstreamClient client = new UpstreamClient(server.settings());
        UpstreamStream stream = client.open(ASK, Deadline.in(LONG))) {
      seen.countDown();
      assertBreaks(() -> stream.readAll(100), "broke off");
    }
  }

  @Test
  void anUpstreamThatFallsSilentIsLeft() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = beginning(hungUp);
        UpstreamClient client = new UpstreamClient(server.settings());
        UpstreamStream stream = client.open(ASK.timeouts(LONG, SHORT), Deadline.in(LONG))) {
      assertBreaks(() -> stream.readAll(100), "in time");
      assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aStreamEndsAtItsDeadlineHoweverMuchComes() throws IOException {
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  wire.text(HEAD);
                  while (true) {
                    wire.text(chunk("more"));
                  }
                });
        UpstreamClient client = new UpstreamClient(server.settings());
        UpstreamStream stream = client.open(ASK, Deadline.in(Duration.ofSeconds(1)))) {
      assertBreaks(() -> stream.body().transferTo(OutputStream.nullOutputStream()), "in time");
    }
  }

  @Test
  void aFirstByteThatDoesNotComeInTimeIs502() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  wire.text(HEAD);
                  wire.hang(hungUp);
                });
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(
          () -> client.open(ASK.timeouts(SHORT, LONG), Deadline.in(LONG)),
          ErrorCode.UPSTREAM_FAILED);
      assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void anErrorIsAnAnswerWhoseBodyHasBeenRead() throws IOException {
    byte[] body = "{\"error\":{}}".getBytes(US);
    try (WireServer server =
            WireServer.start((request, wire) -> wire.answer(429, "Retry-After: 7\r\n", body));
        UpstreamClient client = new UpstreamClient(server.settings().withMaxConnections(1));
        UpstreamStream first = client.open(ASK, Deadline.in(LONG));
        UpstreamStream second = client.open(ASK, Deadline.in(LONG))) {
      assertThat(first.status()).isEqualTo(429);
      assertThat(first.successful()).isFalse();
      assertThat(first.retryAfter()).contains(Duration.ofSeconds(7));
      assertThat(second.readAll(100)).isEqualTo(body);
    }
  }

  @Test
  void anErrorOfAnySizeIsReadToALimit() throws IOException {
    byte[] body = new byte[1 << 20];
    try (WireServer server = WireServer.start((request, wire) -> wire.answer(500, "", body));
        UpstreamClient client = new UpstreamClient(server.settings());
        UpstreamStream stream = client.open(ASK, Deadline.in(LONG))) {
      assertThat(stream.readAll(1 << 20)).hasSize(64 * 1024);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 401, 402, 403})
  void aRedirectionOrARefusalOfOurCredentialIs502(int status) throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(status, "{}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertFails(() -> client.open(ASK, Deadline.in(LONG)), ErrorCode.UPSTREAM_FAILED);
    }
  }

  @Test
  void anAnswerLongerThanItMayBeIsRefused() throws IOException {
    try (WireServer server = WireServer.saying("{\"a\":1}");
        UpstreamClient client = new UpstreamClient(server.settings());
        UpstreamStream stream = client.open(ASK, Deadline.in(LONG))) {
      assertBreaks(() -> stream.readAll(6), "could not be read");
    }
  }

  @Test
  void aConnectionIsTakenUntilTheStreamIsClosed() throws IOException {
    try (WireServer server = beginning(new CountDownLatch(1));
        UpstreamClient client = new UpstreamClient(server.settings().withMaxConnections(1))) {
      UpstreamStream first = client.open(ASK, Deadline.in(LONG));
      assertFails(
          () -> client.open(ASK.timeouts(SHORT, LONG), Deadline.in(LONG)),
          ErrorCode.UPSTREAM_UNAVAILABLE);
      first.close();
      client.open(ASK, Deadline.in(LONG)).close();
      client.open(ASK, Deadline.in(LONG)).close();
    }
  }

  @Test
  void anUpstreamThatIsNotThereIs503AndSoIsOneThatKeepsFailing() throws IOException {
    WireServer gone = WireServer.saying("{}");
    gone.close();
    BreakerSettings quick = new BreakerSettings(50, 2, LONG);
    try (UpstreamClient client = new UpstreamClient(gone.settings().with(quick))) {
      for (int call = 0; call < 3; call++) {
        assertFails(() -> client.open(ASK, Deadline.in(LONG)), ErrorCode.UPSTREAM_UNAVAILABLE);
      }
      assertThatThrownBy(() -> client.open(ASK, Deadline.in(LONG)))
          .hasMessage("The upstream is down");
    }
  }

  @Test
  void streamsThatAreOpenHoldNoThreads() throws IOException {
    try (WireServer server = beginning(new CountDownLatch(1))) {
      List<UpstreamStream> streams = new ArrayList<>();
      try (UpstreamClient client = new UpstreamClient(named(server, "leak"))) {
        for (int count = 0; count < 60; count++) {
          streams.add(client.open(ASK, Deadline.in(LONG)));
        }
        assertThat(threads("upstream-leak-")).isLessThan(30);
        streams.forEach(UpstreamStream::close);
      }
      await().until(() -> threads("upstream-leak-") == 0);
    }
  }

  private static UpstreamSettings named(WireServer server, String name) {
    return UpstreamSettings.of(name, server.base());
  }

  private static long threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .count();
  }

  /** Begins an answer and then says no more. */
  private static WireServer beginning(CountDownLatch hungUp) throws IOException {
    return WireServer.start(
        (request, wire) -> {
          wire.text(HEAD + chunk("one"));
          wire.hang(hungUp);
        });
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }

  private static void assertBreaks(ThrowingCallable reading, String why) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            BrokenStream.class,
            broken -> assertThat(broken.failure().code()).isEqualTo(ErrorCode.UPSTREAM_FAILED))
        .hasMessageContaining(why);
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }
}
