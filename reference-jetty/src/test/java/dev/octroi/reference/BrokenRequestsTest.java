package dev.octroi.reference;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.octroi.api.settings.SettingsSources;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Requests that are none, at the whole reference deployment: what they get, and what they cost. */
class BrokenRequestsTest {

  private static final int LIMIT = 60;
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final Pattern BROKEN = Pattern.compile("octroi_requests_broken_total ([0-9.E]+)");
  private static final String CHAT =
      "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  private static final String CHUNKED = CHAT + "Transfer-Encoding: chunked\r\n\r\n";

  private static ReferenceGateway gateway;
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private final StringBuffer julLogged = new StringBuffer();
  private final Handler jul =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue()) {
            julLogged.append(line.getMessage()).append('\n');
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private static ReferenceGateway start(Path folder, String limit) throws Exception {
    Map<String, String> settings =
        Map.of("gateway.http.port", "0", "gateway.limits.unpaid-per-minute", limit);
    SettingsSources sources = SettingsSources.none().values("test", settings);
    return ReferenceGateway.start(new ServeOptions(new DataDirectory(folder), sources));
  }

  @BeforeAll
  static void serve(@TempDir Path folder) throws Exception {
    gateway = start(folder, "1000000");
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @BeforeEach
  void listen() {
    logged.start();
    ((Logger) LoggerFactory.getLogger("ROOT")).addAppender(logged);
    LogManager.getLogManager().getLogger("").addHandler(jul);
  }

  /** Warnings are what the deployment writes down unless it is told otherwise. */
  @AfterEach
  void nothingWasLogged() {
    ((Logger) LoggerFactory.getLogger("ROOT")).detachAppender(logged);
    LogManager.getLogManager().getLogger("").removeHandler(jul);
    assertThat(logged.list)
        .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
        .filteredOn(line -> !isQuietByDefault(line.getLoggerName()))
        .extracting(ILoggingEvent::getFormattedMessage)
        .isEmpty();
    assertThat(julLogged).isEmpty();
  }

  /** {@link LoggingTest} holds that these two are. */
  private static boolean isQuietByDefault(String logger) {
    return logger.endsWith(".HttpParser") || logger.endsWith(".HostPort");
  }

  @ParameterizedTest
  @CsvSource({
    "400, 'GET /v1/models HTTP/1.1\r\n\r\n'",
    "400, 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n'",
    "400, 'GET /v1/models HTTP/1.1\r\nHost: localhost:99999999\r\n\r\n'",
    "400, 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nno colon here\r\n\r\n'",
    "400, 'G(T /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n'",
    "400, 'GET /v1/models/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n'",
    "400, 'GET /v1/models/%C0%AF HTTP/1.1\r\nHost: localhost\r\n\r\n'",
    "400, 'GET /v1/%2e%2e/x HTTP/1.1\r\nHost: localhost\r\n\r\n'",
    "400, 'GET /v1/marketplace/cryptodata%2Fmarket/etf HTTP/1.1\r\nHost: localhost\r\n\r\n'",
    "400, 'GET v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n'",
    "400, 'GET * HTTP/1.1\r\nHost: localhost\r\n\r\n'",
    "404, 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'",
    "405, 'FROB /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n'",
    "417, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 7\r\nContent-Length: 2\r\n\r\n{}'",
    "426, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'",
    "505, 'GET /v1/models HTTP/7.3\r\nHost: localhost\r\n\r\n'",
    "400, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: two\r\n\r\n{}'",
    "400, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: foo\r\n\r\n{}'",
    "400, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: ;//\r\nContent-Length: 2\r\n\r\n{}'"
  })
  void aRequestThatCannotBeReadIsRefusedInTheFlatShape(int status, String request)
      throws IOException {
    assertFlat(status, said(gateway, request));
  }

  /** Else a proxy's next call on it fails (RFC 9112, section 9.6). */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/models/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /v1/models/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /v1/mo dels HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /v1/models HTTP/7.3\r\nHost: localhost\r\n\r\n"
      })
  void anAnswerAfterWhichTheConnectionEndsSaysSo(String request) throws IOException {
    assertThat(said(gateway, request)).containsIgnoringCase("\r\nconnection: close\r\n");
  }

  @Test
  void aHeadThatIsTooLongIsRefusedInTheFlatShape() throws IOException {
    String head =
        "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(50_000) + "\r\n\r\n";
    assertFlat(431, said(gateway, head));
    assertFlat(
        414, said(gateway, "GET /" + "a".repeat(50_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  }

  private static void assertFlat(int status, String answer) {
    assertThat(answer).as(answer).startsWith("HTTP/1.1 " + status);
    assertThat(answer).containsIgnoringCase("content-type: application/json");
    assertThat(answer).containsIgnoringCase("cache-control: no-store");
    assertThat(answer).containsPattern("\r\n\r\n(?:[0-9A-F]+\r\n)?\\{\"error\":\"[^\"]+\"}");
    assertThat(answer.toLowerCase(java.util.Locale.ROOT)).doesNotContain("jetty", "<html");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        CHAT + "Content-Length: 100\r\n\r\n{",
        CHUNKED + "zz\r\n{}\r\n0\r\n\r\n",
        CHUNKED + "fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        CHUNKED + "2;\u0000\r\n{}\r\n0\r\n\r\n",
        CHUNKED + "2\r\n{}xx\r\n0\r\n\r\n",
        CHUNKED + "2\r\n{}\r\n0\r\nbad trailer\u0000\r\n\r\n"
      })
  void aBrokenBodyIsRefusedAndCounted(String request) throws Exception {
    double before = broken();
    assertFlat(400, said(gateway, request));
    assertThat(broken()).isEqualTo(before + 1);
  }

  @Test
  void aCallerWhoBreaksOffIsCountedAndNotLogged() throws Exception {
    double before = broken();
    for (int call = 0; call < 10; call++) {
      reset(gateway, CHAT + "Content-Length: 100\r\n\r\n{");
      reset(gateway, "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    await().untilAsserted(() -> assertThat(broken()).isEqualTo(before + 10));
    assertThat(metrics()).doesNotContain("status=\"5xx\"");
  }

  /** Otherwise it would cost nothing to have them refused without end. */
  @Test
  void brokenRequestsCountAgainstTheLimitOfTheirAddress(@TempDir Path folder) throws Exception {
    try (ReferenceGateway strict = start(folder, Integer.toString(LIMIT))) {
      for (int call = 0; call < LIMIT; call++) {
        said(strict, "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n");
      }
      assertThat(
              said(
                  strict,
                  "GET /v1/marketplace/cryptodata/market/fear-greed HTTP/1.1\r\nHost: localhost\r\n"
                      + "Connection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 429");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/models/openai%2Fgpt-5.4-mini", "/api/v1/models/openai%2fgpt-5.4-mini"})
  void aModelsNameMayHoldAnEscapedSlash(String target) throws IOException {
    String answer =
        said(
            gateway, "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 200").contains("\"id\":\"gpt-5.4-mini\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/models/..%2Fmessages",
        "/v1/models/x%2F..%2F..%2Fmarketplace%2Fcryptodata%2Fmarket%2Ffear-greed",
        "/v1/models%2F..%2Fmarketplace/cryptodata/market/fear-greed",
        "/v1/marketplace/cryptodata/market%2Ffear-greed",
        "/v1%2Fmarketplace%2Fcryptodata%2Fmarket%2Ffear-greed"
      })
  void anEscapedSlashAnywhereElseReachesNothing(String target) throws IOException {
    String answer =
        said(
            gateway, "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertFlat(400, answer);
    assertThat(answer).doesNotContain("accepts", "previous_close");
  }

  private static void reset(ReferenceGateway at, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", at.baseUrl().getPort())) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.setSoLinger(true, 0);
    }
  }

  private static String said(ReferenceGateway at, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", at.baseUrl().getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static double broken() throws Exception {
    Matcher found = BROKEN.matcher(metrics());
    assertThat(found.find()).isTrue();
    return Double.parseDouble(found.group(1));
  }

  private static String metrics() throws Exception {
    URI metrics = gateway.baseUrl().resolve("/metrics");
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.body();
  }
}
