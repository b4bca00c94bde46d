package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.octroi.services.cryptodata.TableNames.Renamed;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spec:rule.crypto.2")
class TableNamesTest {

  private static final String ONE = "ethereum.dex_trades";
  private static final String TWO = "base.logs";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM ethereum.transfers|SELECT * FROM agent.ethereum_transfers",
        "select * from Ethereum.Transfers t|select * from agent.ethereum_transfers t",
        "SELECT * FROM \"ethereum\".\"transfers\"|SELECT * FROM agent.ethereum_transfers",
        "SELECT * FROM `ethereum` . transfers|SELECT * FROM agent.ethereum_transfers",
        "SELECT * FROM /* a */ ethereum.transfers -- b"
            + "|SELECT * FROM /* a */ agent.ethereum_transfers -- b",
        "SELECT * FROM base.transfers, ethereum.blocks WHERE 1=1"
            + "|SELECT * FROM agent.base_transfers, agent.ethereum_blocks WHERE 1=1",
        "SELECT * FROM base.transfers a LEFT JOIN ethereum.blocks b ON a.x=b.y"
            + "|SELECT * FROM agent.base_transfers a LEFT JOIN agent.ethereum_blocks b ON a.x=b.y",
        "SELECT ethereum.transfers.amount FROM ethereum.transfers"
            + "|SELECT agent.ethereum_transfers.amount FROM agent.ethereum_transfers",
        "SELECT transfers.amount FROM ethereum.transfers"
            + "|SELECT transfers.amount FROM agent.ethereum_transfers AS transfers",
        "SELECT ethereum.transfers.a, transfers.b FROM ethereum.transfers WHERE transfers.c=1"
            + "|SELECT transfers.a, transfers.b FROM agent.ethereum_transfers AS transfers"
            + " WHERE transfers.c=1",
        "WITH t AS (SELECT * FROM base.transfers) SELECT * FROM t JOIN base.blocks USING (n)"
            + "|WITH t AS (SELECT * FROM agent.base_transfers) SELECT * FROM t JOIN"
            + " agent.base_blocks USING (n)",
        "(SELECT 1 FROM base.a) UNION ALL (SELECT 1 FROM base.b)"
            + "|(SELECT 1 FROM agent.base_a) UNION ALL (SELECT 1 FROM agent.base_b)",
        "SELECT (SELECT max(n) FROM base.blocks) FROM (SELECT * FROM base.transfers) x"
            + "|SELECT (SELECT max(n) FROM agent.base_blocks) FROM (SELECT * FROM"
            + " agent.base_transfers) x",
        "SELECT * FROM (base.a JOIN base.b ON 1=1)"
            + "|SELECT * FROM (agent.base_a JOIN agent.base_b ON 1=1)",
        "SELECT 1 WHERE x IN (SELECT y FROM base.a WHERE base.a.z = 1)"
            + "|SELECT 1 WHERE x IN (SELECT y FROM agent.base_a WHERE agent.base_a.z = 1)"
      })
  void aNetworksTablesAreTheVendors(String sql, String vendors) {
    assertThat(renamed(sql).sql()).isEqualTo(vendors);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM agent.ethereum_transfers",
        "SELECT 'FROM ethereum.transfers', \"from base.a\" FROM t",
        "SELECT a.b, c.d FROM a JOIN c ON a.x = c.x ORDER BY a.b, c.d",
        "SELECT EXTRACT(YEAR FROM t.block_time) FROM t",
        "SELECT trim(BOTH ' ' FROM t.name), substring(t.name FROM t.n) FROM t",
        "SELECT * FROM t WHERE a IS NOT DISTINCT FROM t.b",
        "SELECT * FROM numbers(10) -- FROM base.a",
        "SELECT x FROM t ARRAY JOIN t.list AS x",
        "SELECT x FROM t LEFT ARRAY JOIN t.list AS x, t.more AS y",
        "SELECT x FROM t JOIN u ON t.x IN [u.y, u.z]",
        "SELECT lateral.x, only.y FROM lateral, only",
        "SELECT * FROM a.b.c"
      })
  void whatIsNoTableOfANetworkStays(String sql) {
    assertThat(renamed(sql).sql()).isEqualTo(sql);
  }

  /**
   * Wherever a statement may stand, and however its tables are listed in it: both tables are the
   * vendor's in what goes out, columns stay, and what the vendor says of it is the caller's again.
   */
  @ParameterizedTest
  @MethodSource
  void everyFormOfAFromClauseIsRenamedAndToldBack(String sql) {
    String vendors = sql.replace(ONE, "agent.ethereum_dex_trades").replace(TWO, "agent.base_logs");
    Renamed renamed = renamed(sql);
    assertThat(renamed.sql()).isEqualTo(vendors);
    assertThat(renamed.told("Cannot run " + vendors)).isEqualTo("Cannot run " + sql);
  }

  static Stream<String> everyFormOfAFromClauseIsRenamedAndToldBack() {
    List<String> tables =
        List.of(
            "%s, %s",
            "%s a, %s AS b",
            "(%s), (%s)",
            "((%s)), ((%s) )",
            "(%s a), (%s AS b)",
            "(%s, %s)",
            "(%s a JOIN %s b ON a.x = b.y)",
            "((%s a) CROSS JOIN (%s b))",
            "%s a JOIN (%s b JOIN c.d.e f ON b.x = f.y) ON a.x = f.y",
            "%s NATURAL JOIN %s",
            "%s a LEFT OUTER JOIN %s b USING (x, y)",
            "%s a FULL JOIN %s b ON (a.x = b.y AND f(a.z, b.z) > 1)",
            "%s a ASOF LEFT JOIN %s b ON a.x = b.x",
            "%s a GLOBAL ANY RIGHT JOIN %s b ON has([a.x, b.y], b.z)",
            "%s FINAL, %s SAMPLE 0.1",
            "%s a ARRAY JOIN a.list AS x, a.more AS y JOIN %s b ON x = b.x",
            "(SELECT * FROM %s) a, (SELECT * FROM (%s)) AS b (x, y)",
            "((SELECT x FROM %s) UNION ALL (SELECT x FROM %s)) a",
            "%s a CROSS JOIN LATERAL (SELECT * FROM %s b WHERE b.x = a.x) c",
            "%s a, LATERAL (SELECT 1 FROM %s) b",
            "ONLY %s, ONLY (%s)",
            "numbers(10) n, %s a, %s b",
            "(WITH w AS (SELECT 1 FROM %s) SELECT * FROM w, %s) a");
    List<String> statements =
        List.of(
            "SELECT * FROM @",
            "SELECT a.x, b.y FROM @ WHERE a.x = b.y ORDER BY a.x, b.y LIMIT 5",
            "SELECT x FROM @ GROUP BY GROUPING SETS ((a.x, b.y), (a.z)) HAVING max(a.x) > 1",
            "WITH w AS (SELECT * FROM @), v AS (SELECT 1) SELECT w.x, v.y FROM w, v",
            "WITH w AS MATERIALIZED (SELECT * FROM @) SELECT * FROM w",
            "SELECT 1 UNION ALL SELECT * FROM @ EXCEPT SELECT 2",
            "(SELECT 1 FROM @) INTERSECT (SELECT 2)",
            "((SELECT 1 FROM @))",
            "SELECT (SELECT max(x) FROM @) AS m, [a.b, c.d] FROM t",
            "SELECT * FROM t WHERE t.x IN (SELECT y FROM @) AND t.z = 1",
            "SELECT * FROM t WHERE NOT EXISTS (SELECT 1 FROM @ WHERE a.x = t.x)",
            "SELECT * FROM t JOIN u ON t.x = (SELECT max(y) FROM @)",
            "SELECT * FROM t ORDER BY (SELECT max(y) FROM @), t.x",
            "SELECT EXTRACT(YEAR FROM t.at), trim(BOTH ' ' FROM t.n) FROM t, (SELECT * FROM @) s",
            "/* FROM a.b */ SELECT 'FROM a.b', c /* , */ FROM\n@ -- , a.b");
    return statements.stream()
        .flatMap(
            statement ->
                tables.stream().map(form -> statement.replace("@", form.formatted(ONE, TWO))));
  }

  @Test
  void theVendorsErrorIsToldInTheCallersNames() {
    Renamed statement = renamed("SELECT x FROM ethereum.transfers");
    assertThat(statement.told("Table agent.ethereum_transfers does not exist"))
        .isEqualTo("Table ethereum.transfers does not exist");
    assertThat(statement.told("unknown column x of ETHEREUM_TRANSFERS"))
        .isEqualTo("unknown column x of ethereum.transfers");
    assertThat(statement.told("agent.ethereum_transfers_raw, my_ethereum_transfers"))
        .isEqualTo("ethereum.transfers_raw, my_ethereum_transfers");
    assertThat(statement.told("Table \"agent\".\"ETHEREUM_transfers\", `agent`.`base_blocks`"))
        .isEqualTo("Table ethereum.transfers, base.blocks");
    assertThat(statement.told("Table `ethereum_transfers` of agent has no x"))
        .isEqualTo("Table ethereum.transfers of agent has no x");
    assertThat(renamed("SELECT x FROM agent.ethereum_transfers").told("agent.ethereum_transfers"))
        .isEqualTo("agent.ethereum_transfers");
  }

  @Test
  void aStatementOfNothingButTablesTakesNoTime() {
    String sql = "SELECT 1 FROM b.b" + ",b.b".repeat(2_490);
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () ->
            assertThat(renamed(sql).sql())
                .isEqualTo("SELECT 1 FROM agent.b_b" + ",agent.b_b".repeat(2_490)));
  }

  @ParameterizedTest
  @CsvSource({
    "ethereum.transfers, agent.ethereum_transfers",
    "agent.ethereum_transfers, agent.ethereum_transfers",
    "transfers, transfers"
  })
  void aTableHasANameOnEitherSide(String name, String vendors) {
    assertThat(TableNames.vendors(name)).isEqualTo(vendors);
    assertThat(TableNames.callers(vendors))
        .isEqualTo(name.equals(vendors) ? name.replace("agent.ethereum_", "ethereum.") : name);
  }

  private static Renamed renamed(String sql) {
    return TableNames.renamed(sql, SqlStatement.check(sql));
  }
}
