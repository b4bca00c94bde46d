package dev.octroi.services.read;

import static dev.octroi.services.read.Parameter.limit;
import static dev.octroi.services.read.Parameter.optional;
import static dev.octroi.services.read.Parameter.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.VenueWords;
import dev.octroi.services.upstream.WireServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class UpstreamReadsTest {

  private static final TestRead MARKETS =
      new TestRead(
          "MARKETS",
          "/venue-a/markets",
          "/venue-a/list",
          Duration.ofSeconds(5),
          List.of(
              optional("symbol").upstream("ticker"),
              optional("status").withDefault("open"),
              limit(20, 100)));
  private static final TestRead WALLET =
      new TestRead(
          "WALLET",
          "/venue-a/wallet/:wallet",
          "/venue-a/wallet/{wallet}/all",
          Duration.ZERO,
          List.of(required("wallet")));

  private final ExecutorService readers = Executors.newCachedThreadPool();
  private final AtomicLong nanos = new AtomicLong();

  record TestRead(
      String name, String path, String upstreamPath, Duration freshness, List<Parameter> parameters)
      implements Read {
    @Override
    public ReadSource source() {
      return ReadSource.direct(upstreamPath);
    }

    @Override
    public BigDecimal price() {
      return new BigDecimal("0.001");
    }
  }

  private static final class Plain implements Connector {
    @Override
    public Answer error(Read row, Arguments arguments, UpstreamAnswer upstream) {
      throw Failures.of(upstream);
    }
  }

  @AfterEach
  void stopReaders() {
    readers.shutdownNow();
  }

  @Test
  @Tag("spec:decision.unlisted_parameters")
  void aReadIsAskedUnderTheUpstreamsNames() throws IOException {
    VenueWords words = new VenueWords(Map.of("venue-a", "somevenue"));
    try (WireServer server = WireServer.saying("{}");
        UpstreamClient client = new UpstreamClient(server.settings().with(words))) {
      Reads reads = reads(client);

      reads.read(MARKETS, Map.of(), query("symbol", "A&B/ü", "venue_a_id", "7"), soon());
      reads.read(WALLET, Map.of("wallet", "0x1?&"), Map.of(), soon());

      assertThat(server.requests())
          .extracting(WireServer.Request::target)
          .containsExactly(
              "/base/somevenue/list?ticker=A%26B%2F%C3%BC&somevenue_id=7&status=open&limit=20",
              "/base/somevenue/wallet/0x1%3F%26/all");
    }
  }

  @Test
  void anUnlistedParameterNeverOverridesOneOfOursAndNeverCarriesACredential() throws IOException {
    try (WireServer server = WireServer.saying("{}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      reads(client)
          .read(
              MARKETS,
              Map.of(),
              query("ticker", "mine", "symbol", "A", "X-Api-Key", "k", "apikey", "k"),
              soon());

      assertThat(server.requests().get(0).target())
          .isEqualTo("/base/venue-a/list?ticker=A&status=open&limit=20");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"error\":{\"code\":\"INTERNAL\",\"message\":\"broken\"}}",
        "{\"data\":null,\"error\":{\"message\":\"broken\"},\"meta\":{}}",
        "{\"status\":500,\"error\":\"broken\",\"message\":\"Try again\"}",
        "{\"detail\":{\"error\":\"internal\",\"message\":\"broken\"}}",
        "{\"requestId\":\"r\",\"error\":\"broken\",\"tag\":\"INTERNAL\"}"
      })
  void anErrorThatIsToldAsASuccessIsNoAnswerAndNotRemembered(String body) throws IOException {
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Reads reads = reads(client);
      for (int time = 0; time < 2; time++) {
        assertThatThrownBy(() -> reads.read(MARKETS, Map.of(), Map.of(), soon()))
            .isInstanceOfSatisfying(
                Failure.class,
                failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
      }
      assertThat(server.requests()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"data\":[],\"error\":null}",
        "{\"data\":[1],\"error\":{\"message\":\"a part is missing\"}}",
        "{\"error\":{}}",
        "{\"status\":\"open\",\"message\":\"none\"}"
      })
  void whatOnlyMentionsErrorsIsAnAnswer(String body) throws IOException {
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(reads(client).read(MARKETS, Map.of(), Map.of(), soon()).status()).isEqualTo(200);
    }
  }

  @Test
  void anAnswersBytesAreTheUpstreams() throws IOException {
    String odd = " {\"b\" : 1.0e+02,\t\"a\":\"\\u00fc\" , \"c\":-0 }\n";
    try (WireServer server = WireServer.saying(odd);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Answer answer = reads(client).read(MARKETS, Map.of(), Map.of(), soon());
      assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo(odd);
    }
  }

  @Test
  @Tag("spec:limit.prediction_data_refresh")
  @Tag("spec:decision.freshness")
  void anAnswerIsServedAgainWhileItIsFresh() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    try (WireServer server =
            WireServer.start((request, wire) -> wire.json(200, "" + calls.incrementAndGet()));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Reads reads = reads(client);

      assertThat(text(reads.read(MARKETS, Map.of(), query("symbol", "A", "x", "1"), soon())))
          .isEqualTo("1");
      nanos.addAndGet(Duration.ofMillis(4999).toNanos());
      assertThat(text(reads.read(MARKETS, Map.of(), query("x", "1", "symbol", "A"), soon())))
          .isEqualTo("1");
      assertThat(text(reads.read(MARKETS, Map.of(), query("symbol", "B", "x", "1"), soon())))
          .isEqualTo("2");
      nanos.addAndGet(Duration.ofMillis(2).toNanos());
      assertThat(text(reads.read(MARKETS, Map.of(), query("symbol", "A", "x", "1"), soon())))
          .isEqualTo("3");
    }
  }

  @Test
  void aRowWithoutFreshnessIsAskedEveryTime() throws IOException {
    try (WireServer server = WireServer.saying("{}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Reads reads = reads(client);
      reads.read(WALLET, Map.of("wallet", "a"), Map.of(), soon());
      reads.read(WALLET, Map.of("wallet", "a"), Map.of(), soon());
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  void aFailureIsNotRemembered() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    try (WireServer server =
            WireServer.start(
                (request, wire) -> wire.json(calls.incrementAndGet() == 1 ? 500 : 200, "{}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Reads reads = reads(client);
      assertThatThrownBy(() -> reads.read(MARKETS, Map.of(), Map.of(), soon()))
          .isInstanceOf(Failure.class);
      assertThat(reads.read(MARKETS, Map.of(), Map.of(), soon()).status()).isEqualTo(200);
    }
  }

  @Test
  void memoryIsBounded() throws IOException {
    try (WireServer server = WireServer.saying("\"" + "x".repeat(3000) + "\"");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Reads reads = reads(client, new CacheSettings(2000, Duration.ZERO));
      reads.read(MARKETS, Map.of(), Map.of(), soon());
      await()
          .until(
              () -> {
                reads.read(MARKETS, Map.of(), Map.of(), soon());
                return server.requests().size() > 1;
              });
    }
  }

  @Test
  void whatCallersAskForCountsInTheMemoryToo() throws IOException {
    try (WireServer server = WireServer.saying("{}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Reads reads = reads(client, new CacheSettings(2000, Duration.ZERO));
      Map<String, List<String>> asked = query("symbol", "x".repeat(2000));
      await()
          .until(
              () -> {
                reads.read(MARKETS, Map.of(), asked, soon());
                return server.requests().size() > 1;
              });
    }
  }

  @Test
  @Tag("spec:decision.freshness")
  void fiftyIdenticalConcurrentReadsAreOneUpstreamCall() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  open.await();
                  wire.json(200, "{\"a\":1}");
                });
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Reads reads = reads(client);
      AtomicInteger begun = new AtomicInteger();
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int reader = 0; reader < 50; reader++) {
        answers.add(
            CompletableFuture.supplyAsync(
                () -> {
                  begun.incrementAndGet();
                  return reads.read(WALLET, Map.of("wallet", "a"), Map.of(), soon());
                },
                readers));
      }
      await().until(() -> begun.get() == 50 && !server.requests().isEmpty() && allWait());
      open.countDown();

      for (CompletableFuture<Answer> answer : answers) {
        assertThat(text(answer.get(20, TimeUnit.SECONDS))).isEqualTo("{\"a\":1}");
      }
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aReaderLeavesAtItsDeadlineAndTheOthersGetTheAnswer() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  open.await();
                  wire.json(200, "{}");
                });
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Reads reads = reads(client);
      CompletableFuture<Answer> impatient =
          CompletableFuture.supplyAsync(
              () ->
                  reads.read(
                      WALLET,
                      Map.of("wallet", "a"),
                      Map.of(),
                      Deadline.in(Duration.ofMillis(1500))),
              readers);
      await().until(() -> !server.requests().isEmpty());
      CompletableFuture<Answer> patient =
          CompletableFuture.supplyAsync(
              () -> reads.read(WALLET, Map.of("wallet", "a"), Map.of(), soon()), readers);

      assertThatThrownBy(() -> impatient.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(Failure.class);
      open.countDown();
      assertThat(patient.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void theCallIsCancelledWhenItsLastReaderLeaves() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = WireServer.start((request, wire) -> wire.hang(hungUp));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Reads reads = reads(client);
      assertThatThrownBy(
              () ->
                  reads.read(
                      WALLET,
                      Map.of("wallet", "a"),
                      Map.of(),
                      Deadline.in(Duration.ofMillis(1500))))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
      assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Whether every reader's thread waits for the shared answer. */
  private static boolean allWait() {
    return Thread.getAllStackTraces().entrySet().stream()
            .filter(thread -> thread.getKey().getName().startsWith("pool-"))
            .filter(
                thread ->
                    List.of(thread.getValue()).stream()
                        .anyMatch(frame -> frame.getMethodName().equals("until")))
            .filter(thread -> thread.getKey().getState() == Thread.State.TIMED_WAITING)
            .count()
        == 50;
  }

  private Reads reads(UpstreamClient client) {
    return reads(client, CacheSettings.standard());
  }

  private Reads reads(UpstreamClient client, CacheSettings settings) {
    return new UpstreamReads(client, new Plain(), settings, Clock.systemUTC(), nanos::get);
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(30));
  }

  private static Map<String, List<String>> query(String... namesAndValues) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    for (int at = 0; at < namesAndValues.length; at += 2) {
      query.put(namesAndValues[at], List.of(namesAndValues[at + 1]));
    }
    return query;
  }

  private static String text(Answer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
