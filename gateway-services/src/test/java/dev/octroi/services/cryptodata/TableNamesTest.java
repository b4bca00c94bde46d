package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.cryptodata.TableNames.Renamed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spec:rule.crypto.2")
class TableNamesTest {

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
        "SELECT * FROM a.b.c"
      })
  void whatIsNoTableOfANetworkStays(String sql) {
    assertThat(renamed(sql).sql()).isEqualTo(sql);
  }

  @Test
  void theVendorsErrorIsToldInTheCallersNames() {
    Renamed statement = renamed("SELECT x FROM ethereum.transfers");
    assertThat(statement.told("Table agent.ethereum_transfers does not exist"))
        .isEqualTo("Table ethereum.transfers does not exist");
    assertThat(statement.told("unknown column x of ETHEREUM_TRANSFERS"))
        .isEqualTo("unknown column x of ethereum.transfers");
    assertThat(statement.told("agent.ethereum_transfers_raw, my_ethereum_transfers"))
        .isEqualTo("agent.ethereum_transfers_raw, my_ethereum_transfers");
    assertThat(renamed("SELECT x FROM agent.ethereum_transfers").told("agent.ethereum_transfers"))
        .isEqualTo("agent.ethereum_transfers");
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
