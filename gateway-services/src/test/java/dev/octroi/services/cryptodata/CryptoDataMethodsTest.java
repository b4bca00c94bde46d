package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.WireServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CryptoDataMethodsTest {

  private static final String SELECT = "{\"sql\":\"SELECT a FROM ethereum.blocks\"}";

  @Test
  @Tag("spec:record.sql_result")
  @Tag("spec:rule.crypto.2")
  @Tag("spec:request.crypto.onchain_sql.sql")
  void sqlAnswersWithTheStatedRecord() throws IOException {
    try (WireServer server = WireServer.saying(sample("onchain_sql"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(sql(client, SELECT))
          .startsWith(
              "{\"columns\":[\"block_date\",\"trades\",\"volume_usd\"],"
                  + "\"rows\":[[\"2026-06-08\",1843221,4120345678.12],"
                  + "[\"2026-06-07\",1721990,3899120045.77]],\"row_count\":2,"
                  + "\"execution_time_ms\":");
      WireServer.Request request = server.requests().get(0);
      assertThat(request.method()).isEqualTo("POST");
      assertThat(request.target()).isEqualTo("/base/onchain/sql");
      assertThat(request.body())
          .isEqualTo("{\"sql\":\"SELECT a FROM agent.ethereum_blocks\",\"max_rows\":1000}");
    }
  }

  @Test
  void rowsMayLackColumnsAndTheVendorsTimeGoesFirst() throws IOException {
    String body = "{\"data\":[{\"a\":1.10},{\"b\":{\"c\":1}}],\"meta\":{\"execution_time_ms\":7}}";
    try (WireServer server = WireServer.saying(body);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(sql(client, SELECT))
          .isEqualTo(
              "{\"columns\":[\"a\",\"b\"],\"rows\":[[1.10,null],[null,{\"c\":1}]],"
                  + "\"row_count\":2,\"execution_time_ms\":7}");
    }
  }

  /** Each row adds a column to all rows: 3,000 rows of a few bytes would be nine million cells. */
  @Test
  void rowsWithoutACommonColumnAreNoTable() throws IOException {
    StringJoiner rows = new StringJoiner(",", "{\"data\":[", "]}");
    for (int row = 0; row < 3_000; row++) {
      rows.add("{\"c" + row + "\":1}");
    }
    try (WireServer server = WireServer.saying(rows.toString());
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> sql(client, SELECT))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "null"})
  void noRowsAreAResult(String none) throws IOException {
    try (WireServer server = WireServer.saying("{\"data\":" + none + "}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(sql(client, SELECT)).startsWith("{\"columns\":[],\"rows\":[],\"row_count\":0,");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"sql\":1}",
        "{\"sql\":\" \"}",
        "{\"sql\":\"SELECT 1\",\"max_rows\":0}",
        "{\"sql\":\"SELECT 1\"}x",
        "{\"sql\":\"SELECT 1\",\"sql\":\"SELECT 2\"}"
      })
  @Tag("spec:error.crypto.invalid_params")
  @Tag("spec:request.crypto.onchain_sql.sql")
  void aBodyWithoutSqlIsRefused(String body) throws IOException {
    assertRefused(body, ErrorCode.INVALID_PARAMS);
  }

  @Test
  void sqlHasALongestLength() throws IOException {
    String longest = "SELECT '" + "x".repeat(10_000 - 9) + "'";
    try (WireServer server = WireServer.saying("{\"data\":[]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(sql(client, "{\"sql\":\"" + longest + "\"}")).contains("\"row_count\":0");
    }
    assertRefused("{\"sql\":\"" + longest + " \"}", ErrorCode.INVALID_PARAMS);
  }

  @Test
  @Tag("spec:error.crypto.sql_syntax_error")
  void anythingButOneSelectIsRefusedUnasked() throws IOException {
    assertRefused("{\"sql\":\"DROP TABLE x\"}", ErrorCode.SQL_SYNTAX_ERROR);
  }

  @ParameterizedTest
  @CsvSource({
    "400, SYNTAX, SQL_SYNTAX_ERROR",
    "408, X, QUERY_TIMEOUT",
    "504, X, QUERY_TIMEOUT",
    "400, QUERY_TIMEOUT, QUERY_TIMEOUT",
    "429, X, UPSTREAM_UNAVAILABLE",
    "500, X, UPSTREAM_FAILED"
  })
  @Tag("spec:error.crypto.sql_syntax_error")
  @Tag("spec:error.crypto.query_timeout")
  void theVendorsErrorsGetTheGroupsCodes(int status, String vendorCode, ErrorCode code)
      throws IOException {
    String body = "{\"error\":{\"code\":\"" + vendorCode + "\",\"message\":\"near FORM\"}}";
    try (WireServer server = WireServer.start((request, wire) -> wire.json(status, body));
        UpstreamClient client = new UpstreamClient(server.settings().withRetries(0))) {
      assertThatThrownBy(() -> sql(client, SELECT))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
    }
  }

  @Test
  @Tag("spec:error.crypto.sql_syntax_error")
  @Tag("spec:rule.crypto.2")
  void theVendorsErrorNamesTheTableAsTheCallerDid() throws IOException {
    String body =
        "{\"error\":{\"code\":\"X\",\"message\":\"Unknown table agent.ethereum_blocks\"}}";
    try (WireServer server = WireServer.start((request, wire) -> wire.json(400, body));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> sql(client, SELECT))
          .hasMessageContaining("Unknown table ethereum.blocks");
    }
  }

  @Test
  @Tag("spec:error.crypto.query_timeout")
  @Tag("spec:limit.sql_execution_time")
  void aQueryOverItsTimeIs408AndTheUpstreamIsHungUpOn() throws Exception {
    assertThat(CryptoDataMethods.QUERY_LIMIT).isEqualTo(Duration.ofSeconds(30));
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = WireServer.start((request, wire) -> wire.hang(hungUp));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      CryptoDataMethods methods =
          new CryptoDataMethods(
              client, new WordTranslator(Clock.systemUTC()), true, Duration.ofMillis(300));
      assertThatThrownBy(() -> methods.sql(bytes(SELECT), soon()))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.QUERY_TIMEOUT));
      assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  @Tag("spec:error.crypto.query_timeout")
  void aCallWhoseOwnTimeEndsAMomentBeforeTheQuerysIs408AsWell() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = WireServer.start((request, wire) -> wire.hang(hungUp));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Duration limit = Duration.ofMillis(300);
      CryptoDataMethods methods =
          new CryptoDataMethods(
              client, new WordTranslator(Clock.systemUTC()), true, limit.plusMillis(100));
      assertThatThrownBy(() -> methods.sql(bytes(SELECT), Deadline.in(limit)))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.QUERY_TIMEOUT));
    }
  }

  @Test
  void aQueryThatTheCallerGivesLessTimeIsNoQueryTimeout() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server = WireServer.start((request, wire) -> wire.hang(hungUp));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      CryptoDataMethods methods =
          new CryptoDataMethods(client, new WordTranslator(Clock.systemUTC()), true);
      assertThatThrownBy(() -> methods.sql(bytes(SELECT), Deadline.in(Duration.ofMillis(300))))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
  }

  @Test
  @Tag("spec:request.crypto.onchain_query.question")
  void aQuestionBecomesAStructuredQueryAndItsAnswerPasses() throws IOException {
    String schema = sample("onchain_schema");
    String rows = sample("onchain_query");
    try (WireServer server =
            WireServer.start(
                (request, wire) -> wire.json(200, request.method().equals("GET") ? schema : rows));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      String question = "{\"question\":\"top 5 ethereum dex trades by amount_usd\"}";
      assertThat(text(methods(client).query(bytes(question), soon()))).isEqualTo(rows);
      assertThat(server.requests().get(1).body())
          .isEqualTo(
              "{\"source\":\"agent.ethereum_dex_trades\","
                  + "\"sort\":[{\"field\":\"amount_usd\",\"order\":\"desc\"}],\"limit\":5}");
    }
  }

  @Test
  @Tag("spec:request.crypto.onchain_query.source")
  @Tag("spec:request.crypto.onchain_query.limit")
  void aSourceIsAskedForEvenWhenTheSchemaIsNotToBeHad() throws IOException {
    try (WireServer server =
            WireServer.start(
                (request, wire) ->
                    wire.json(request.method().equals("GET") ? 500 : 200, "{\"data\":[]}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      String question = "{\"source\":\"a.b\",\"question\":\"all rows\",\"limit\":3}";
      methods(client).query(bytes(question), soon());
      assertThat(server.requests().get(1).body())
          .isEqualTo("{\"source\":\"agent.a_b\",\"limit\":3}");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"source\":\"a.b\",\"question\":\"rows\"}', ethereum.dex_trades",
    "'{\"question\":\"dex trades by whales\"}', whales"
  })
  @Tag("spec:request.crypto.onchain_query.source")
  void aQuestionThatIsNotUnderstoodIsRefusedBeforeTheQueryIsRun(String question, String named)
      throws IOException {
    try (WireServer server = WireServer.saying(sample("onchain_schema"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> methods(client).query(bytes(question), soon()))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS))
          .hasMessageContaining(named);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  @Tag("spec:request.crypto.onchain_query.question")
  void withoutTheSchemaAQuestionIsTheUpstreamsFailureAndNotTheCallers() throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(500, "{}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> methods(client).query(bytes("{\"question\":\"trades\"}"), soon()))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"source\":\"a.b\"}",
        "{\"question\":\"about nothing\"}",
        "{\"question\":\"x\",\"source\":\"a.b\",\"limit\":10001}"
      })
  @Tag("spec:request.crypto.onchain_query.question")
  @Tag("spec:request.crypto.onchain_query.limit")
  void aQuestionThatCannotBeAskedIsRefused(String body) throws IOException {
    try (WireServer server = WireServer.saying(sample("onchain_schema"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> methods(client).query(bytes(body), soon()))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
    }
  }

  private static void assertRefused(String body, ErrorCode code) throws IOException {
    try (WireServer server = WireServer.saying("{\"data\":[]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> sql(client, body))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
      assertThat(server.requests()).isEmpty();
    }
  }

  private static String sql(UpstreamClient client, String body) {
    return text(methods(client).sql(bytes(body), soon()));
  }

  private static CryptoDataMethods methods(UpstreamClient client) {
    return new CryptoDataMethods(client, new WordTranslator(Clock.systemUTC()), true);
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(40));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Answer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static String sample(String name) throws IOException {
    try (InputStream in = CryptoDataMethodsTest.class.getResourceAsStream(name + ".json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
