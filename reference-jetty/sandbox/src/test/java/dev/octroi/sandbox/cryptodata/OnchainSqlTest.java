package dev.octroi.sandbox.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL runs for real, reads only and ends in time. */
class OnchainSqlTest {

  private static final Duration LAG = Duration.ofMinutes(5);

  private static final String ENDLESS =
      "SELECT COUNT(*) FROM ethereum.transactions a, ethereum.transactions b,"
          + " ethereum.transfers c, ethereum.dex_trades d WHERE a.gas_used + b.gas_used"
          + " + c.amount_usd + d.amount_usd < 0";

  private static final VendorServer SERVER = new VendorServer();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void aSelectAnswersItsRows() throws Exception {
    VendorServer.Reply reply =
        SERVER.sql("SELECT block_number, gas_used FROM ethereum.blocks ORDER BY 1 DESC LIMIT 3");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.data()).hasSize(3);
    assertThat(reply.data().get(0).fieldNames())
        .toIterable()
        .containsExactly("block_number", "gas_used");
    assertThat(reply.data().get(0).path("block_number").asLong())
        .isGreaterThan(reply.data().get(1).path("block_number").asLong());
    assertThat(reply.json().path("meta").path("total").asInt()).isEqualTo(3);
    assertThat(reply.json().path("meta").path("execution_time_ms").isIntegralNumber()).isTrue();
  }

  @Test
  void tradesJoinTheTransactionsTheyHappenedIn() throws Exception {
    VendorServer.Reply reply =
        SERVER.sql(
            "SELECT COUNT(*) AS n FROM ethereum.dex_trades d"
                + " JOIN ethereum.transactions t ON t.hash = d.tx_hash"
                + " JOIN ethereum.blocks b ON b.block_number = t.block_number");

    JsonNode all = SERVER.sql("SELECT COUNT(*) AS n FROM ethereum.dex_trades").data();
    assertThat(reply.data()).isEqualTo(all);
    assertThat(all.get(0).path("n").asInt()).isGreaterThan(1_000);
  }

  @Test
  void aWithStatementAndAnAggregateWork() throws Exception {
    VendorServer.Reply reply =
        SERVER.sql(
            "WITH big AS (SELECT project, amount_usd FROM base.dex_trades WHERE amount_usd > 1000)"
                + " SELECT project, SUM(amount_usd) AS usd FROM big GROUP BY project ORDER BY usd");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.data()).hasSize(3);
  }

  @Test
  void maxRowsEndsTheAnswer() throws Exception {
    VendorServer.Reply reply =
        SERVER.post(
            "/onchain/sql", "{\"sql\":\"SELECT * FROM solana.transactions\",\"max_rows\":7}");

    assertThat(reply.data()).hasSize(7);
  }

  @Test
  @Tag("spec:limit.onchain_freshness")
  @Tag("spec:rule.crypto.3")
  void theTablesLagTheTipByFiveMinutes() throws Exception {
    VendorServer.Reply reply =
        SERVER.sql("SELECT MAX(block_time) AS newest FROM ethereum.transactions");

    Instant newest = Instant.parse(reply.data().get(0).path("newest").asText());
    assertThat(Duration.between(newest, VendorServer.NOW)).isBetween(LAG, LAG.plusSeconds(24));
  }

  @Test
  void theSchemaNamesEveryTableWithItsColumns() throws Exception {
    JsonNode tables = SERVER.get("/onchain/schema").data();

    assertThat(tables).hasSize(13);
    assertThat(tables)
        .anySatisfy(
            table -> {
              assertThat(table.path("database").asText()).isEqualTo("ethereum");
              assertThat(table.path("table").asText()).isEqualTo("dex_trades");
              assertThat(table.path("columns")).hasSize(12);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELEC 1",
        "SELECT FROM",
        "SELECT * FROM ethereum.nothing",
        "SELECT nothing FROM ethereum.blocks",
        "INSERT INTO ethereum.blocks (block_number) VALUES (1)",
        "DELETE FROM ethereum.blocks",
        "DROP TABLE ethereum.blocks",
        "CREATE ALIAS run AS 'void run() {}'",
        "SELECT 1; DROP TABLE ethereum.blocks",
        "/* SELECT */ DROP TABLE ethereum.blocks",
        "WITH x AS (SELECT 1) DELETE FROM ethereum.blocks",
        "SELECT FILE_READ('/etc/passwd')",
        "SELECT * FROM CSVREAD('/etc/passwd')",
        "SELECT CSVWRITE('/tmp/octroi-test', 'SELECT 1')",
        "SELECT * FROM LINK_SCHEMA('x', '', 'jdbc:h2:mem:', 'a', 'b', 'c')",
        "CALL 1",
        "SET MODE MySQL"
      })
  void whatIsNoGoodSelectIsTheVendors400(String sql) throws Exception {
    VendorServer.Reply reply = SERVER.sql(sql);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.code()).isIn("INVALID_SQL", "BAD_REQUEST");
    assertThat(SERVER.sql("SELECT COUNT(*) AS n FROM ethereum.blocks").data().get(0).path("n"))
        .hasToString("1000");
  }

  @Test
  void aSemicolonInsideOfTextIsNoSecondStatement() throws Exception {
    assertThat(SERVER.sql("SELECT 'a;b' AS x -- and; more\n;").status()).isEqualTo(200);
  }

  @Test
  void anUnreadableBodyIs400() throws Exception {
    assertThat(SERVER.post("/onchain/sql", "not json").status()).isEqualTo(400);
    assertThat(SERVER.post("/onchain/sql", "{\"sql\":\"SELECT 1\",\"max_rows\":0}").status())
        .isEqualTo(422);
  }

  @Test
  void aQueryOverTheLimitIsStopped() throws Exception {
    try (VendorServer hasty = new VendorServer(Duration.ofSeconds(1))) {
      VendorServer.Reply reply = hasty.sql(ENDLESS);

      assertThat(reply.status()).isEqualTo(408);
      assertThat(reply.code()).isEqualTo("QUERY_TIMEOUT");
      await().until(() -> hasty.vendor.runningQueries() == 0);
    }
  }

  @Test
  void aQueryEndsWhenItsCallerHangsUp() throws IOException {
    try (VendorServer server = new VendorServer()) {
      CompletableFuture<HttpResponse<String>> pending = server.sqlPending(ENDLESS);
      await().until(() -> server.vendor.runningQueries() == 1);

      pending.cancel(true);

      await().until(() -> server.vendor.runningQueries() == 0);
    }
  }

  @Test
  void aFifthQueryAtOnceIsRefused() throws Exception {
    try (VendorServer server = new VendorServer()) {
      for (int at = 0; at < 4; at++) {
        server.sqlPending(ENDLESS);
      }
      await().until(() -> server.vendor.runningQueries() == 4);

      assertThat(server.sql("SELECT 1").status()).isEqualTo(429);
    }
  }

  @Test
  void aFifthQueryTakesThePlaceOfOneThatEnds() throws Exception {
    try (VendorServer server = new VendorServer()) {
      CompletableFuture<HttpResponse<String>> first = server.sqlPending(ENDLESS);
      for (int at = 1; at < 4; at++) {
        server.sqlPending(ENDLESS);
      }
      await().until(() -> server.vendor.runningQueries() == 4);
      CompletableFuture<HttpResponse<String>> fifth = server.sqlPending("SELECT 1");

      first.cancel(true);

      assertThat(fifth.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aStructuredQueryFiltersSortsAndPages() throws Exception {
    String query =
        """
        {"source":"ethereum.dex_trades","fields":["project","amount_usd"],
         "filters":[{"field":"amount_usd","op":"gte","value":1000},
                    {"field":"project","op":"in","value":["uniswap","curve"]}],
         "sort":[{"field":"amount_usd","order":"desc"}],"limit":5,"offset":%d}
        """;
    VendorServer.Reply first = SERVER.post("/onchain/query", query.formatted(0));
    VendorServer.Reply second = SERVER.post("/onchain/query", query.formatted(5));

    assertThat(first.status()).isEqualTo(200);
    assertThat(first.data()).hasSize(5);
    double last = first.data().get(4).path("amount_usd").asDouble();
    assertThat(second.data().get(0).path("amount_usd").asDouble()).isLessThanOrEqualTo(last);
    assertThat(first.data())
        .allSatisfy(
            row -> {
              assertThat(row.path("amount_usd").asDouble()).isGreaterThanOrEqualTo(1000);
              assertThat(row.path("project").asText()).isIn("uniswap", "curve");
            });
  }

  @Test
  void theOlderNameOfATableStillWorks() throws Exception {
    assertThat(SERVER.sql("SELECT * FROM agent.ethereum_yields_daily LIMIT 1").data()).hasSize(1);
    assertThat(SERVER.post("/onchain/query", "{\"source\":\"agent.ethereum_yields_daily\"}").data())
        .hasSize(20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"source\":\"ethereum.nothing\"}",
        "{\"source\":\"ethereum.blocks\",\"fields\":[\"1) --\"]}",
        "{\"source\":\"ethereum.blocks\",\"filters\":[{\"field\":\"hash\",\"op\":\"or\",\"value\":1}]}",
        "{\"source\":\"ethereum.blocks\",\"filters\":[{\"field\":\"hash\",\"op\":\"in\",\"value\":[]}]}",
        "{\"source\":\"ethereum.blocks\",\"sort\":[{\"field\":\"nothing\"}]}"
      })
  void aBadStructuredQueryIsRefused(String body) throws Exception {
    assertThat(SERVER.post("/onchain/query", body).status()).isIn(400, 422);
  }
}
