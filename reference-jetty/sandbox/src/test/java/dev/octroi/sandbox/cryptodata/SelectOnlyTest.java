package dev.octroi.sandbox.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.sandbox.formula.Refusal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken runs as it was meant, and holds nothing but what is known. */
class SelectOnlyTest {

  private static final VendorServer SERVER = new VendorServer();

  private static final Pattern QUOTED = Pattern.compile("'(?:[^']|'')*'|\"[^\"]*\"");
  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Every word that a statement may have outside of quotes, functions aside. */
  private static final Set<String> WORDS =
      Set.of(
          ("ALL AND AS ASC BETWEEN BIGINT BOOLEAN BOTH BY CASE CAST CROSS CURRENT CURRENT_DATE"
                  + " CURRENT_TIMESTAMP DATE DAY DECIMAL DESC DISTINCT DOUBLE E ELSE END EPOCH"
                  + " ESCAPE EXCEPT EXISTS EXTRACT FALSE FETCH FILTER FIRST FOLLOWING FROM GROUP"
                  + " HAVING HOUR ILIKE IN INNER INT INTEGER INTERSECT INTERVAL IS JOIN LAST"
                  + " LEADING LEFT LIKE LIMIT MONTH NATURAL NEXT NOT NULL NULLS NUMERIC OFFSET ON"
                  + " ONLY OR ORDER OUTER OVER PARTITION PRECEDING PRECISION QUALIFY RANGE RIGHT"
                  + " ROW ROWS SELECT THEN TIME TIMESTAMP TIMESTAMPTZ TRAILING TRIM TRUE UNBOUNDED"
                  + " UNION USING VARCHAR WEEK WHEN WHERE WITH YEAR ZONE")
              .split(" "));

  private static final Set<String> FUNCTIONS =
      Set.of("ABS", "AVG", "COUNT", "LAG", "LOWER", "MAX", "ROUND", "ROW_NUMBER", "SUM", "UPPER");

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM ethereum.blocks",
        "select b.hash, b.gas_used * 1.0 / b.gas_limit as share from ethereum.blocks b limit 3;",
        "SELECT \"hash\", Block_Number FROM Ethereum.Blocks WHERE block_number % 2 = 0 LIMIT 1",
        "SELECT DISTINCT project FROM base.dex_trades ORDER BY project DESC NULLS LAST",
        "SELECT * FROM base.blocks b INNER JOIN base.transactions t USING (block_number) LIMIT 2",
        "SELECT b.* FROM base.blocks AS b LEFT OUTER JOIN base.transactions t"
            + " ON t.block_number = b.block_number AND t.success IS TRUE LIMIT 2",
        "SELECT 1 FROM base.blocks a CROSS JOIN base.blocks b LIMIT 1",
        "SELECT project, SUM(amount_usd) AS \"Total, in USD\" FROM base.dex_trades GROUP BY project"
            + " HAVING COUNT(*) > 10 ORDER BY 2",
        "SELECT project, version, COUNT(DISTINCT taker) n FROM base.dex_trades"
            + " GROUP BY project, version ORDER BY n DESC FETCH FIRST 5 ROWS ONLY",
        "SELECT date_trunc('hour', block_time) AS h, AVG(gas_price_gwei) FROM base.transactions"
            + " GROUP BY date_trunc('hour', block_time) ORDER BY h",
        "SELECT CAST(block_time AS DATE) d, COUNT(*) FILTER (WHERE success) ok FROM base.transactions"
            + " GROUP BY CAST(block_time AS DATE)",
        "SELECT EXTRACT(HOUR FROM block_time), EXTRACT(EPOCH FROM block_time) FROM base.blocks"
            + " LIMIT 1",
        "SELECT CASE WHEN amount_usd >= 1000 THEN 'big' WHEN amount_usd IS NULL THEN '?' ELSE"
            + " 'small' END AS size FROM base.transfers WHERE symbol IN ('UNI', 'LINK') LIMIT 3",
        "SELECT CASE version WHEN '2' THEN 2 ELSE 3 END FROM base.dex_trades LIMIT 1",
        "SELECT * FROM base.transfers WHERE amount_usd BETWEEN 10 AND 1e3 AND NOT symbol = 'UNI'"
            + " OR (symbol NOT LIKE 'U%' ESCAPE '!' AND symbol ILIKE 'li%') LIMIT 3",
        "SELECT block_time FROM base.blocks WHERE block_time > TIMESTAMP '2026-01-01 00:00:00'"
            + " AND block_date >= DATE '2026-01-01' AND block_time < CURRENT_TIMESTAMP LIMIT 1",
        "SELECT block_time - INTERVAL '1' DAY AS before FROM base.blocks LIMIT 1",
        "SELECT block_number FROM base.blocks WHERE block_time > NOW() - INTERVAL '3000' HOUR"
            + " LIMIT 1",
        "SELECT symbol, amount_usd, ROW_NUMBER() OVER (PARTITION BY symbol ORDER BY amount_usd DESC)"
            + " AS place FROM base.transfers LIMIT 5",
        "SELECT block_number, LAG(gas_used, 1, 0) OVER (ORDER BY block_number) FROM base.blocks"
            + " LIMIT 2",
        "SELECT SUM(gas_used) OVER (ORDER BY block_number ROWS BETWEEN 6 PRECEDING AND CURRENT ROW)"
            + " FROM base.blocks LIMIT 2",
        "SELECT SUM(gas_used) OVER (ORDER BY block_number ROWS UNBOUNDED PRECEDING) FROM"
            + " base.blocks LIMIT 2",
        "SELECT hash FROM base.blocks QUALIFY ROW_NUMBER() OVER (ORDER BY gas_used) <= 3",
        "WITH a AS (SELECT symbol s FROM base.transfers), b (t, n) AS (SELECT s, COUNT(*) FROM a"
            + " GROUP BY s) SELECT * FROM b ORDER BY n DESC LIMIT 3 OFFSET 1",
        "SELECT * FROM (SELECT hash, gas_used FROM base.blocks ORDER BY gas_used LIMIT 5) x"
            + " WHERE x.gas_used > (SELECT MIN(gas_used) FROM base.blocks)",
        "(SELECT symbol FROM base.transfers) UNION ALL (SELECT symbol FROM ethereum.transfers)"
            + " ORDER BY 1 LIMIT 4",
        "SELECT symbol FROM base.transfers EXCEPT SELECT symbol FROM ethereum.transfers",
        "SELECT COUNT(*) FROM base.transfers t WHERE EXISTS (SELECT 1 FROM base.transactions x"
            + " WHERE x.hash = t.tx_hash) AND t.symbol NOT IN (SELECT symbol FROM"
            + " agent.ethereum_yields_daily)",
        "SELECT LOWER(symbol) || '-' || UPPER('x'), TRIM(' a '), TRIM(LEADING '0' FROM '007'),"
            + " LEFT(hash, 4), SUBSTRING(hash, 3, 2), LENGTH(hash) FROM base.transfers"
            + " JOIN base.transactions ON tx_hash = hash LIMIT 1",
        "SELECT ROUND(AVG(apy), 2), MEDIAN(apy), STDDEV(apy), COALESCE(NULL, 1), NULLIF(1, 1),"
            + " GREATEST(1, 2), POWER(2, 10), ABS(-1), +1, -1.5e-3, MOD(7, 2)"
            + " FROM ethereum.yields_daily",
        "SELECT '1'::INT + CAST('2.50' AS DECIMAL(10, 2)), CAST(1 AS DOUBLE PRECISION), TRUE,"
            + " 1 IS DISTINCT FROM 2, (1, 2) = (1, 2)",
        "SELECT 'it''s; -- no /* comment */' AS x -- a comment; with DROP TABLE\n /* and ; */",
        "SELECT ethereum.blocks.hash FROM ethereum.blocks, ethereum.yields_daily LIMIT 1"
      })
  void whatAnalystsWriteIsTaken(String sql) throws Exception {
    VendorServer.Reply reply = SERVER.sql(sql);

    assertThat(reply.status()).as("%s %s", reply, SelectOnly.rewritten(sql)).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "SELECT 'a''b' AS t => a'b",
        "SELECT '\\' || 'x' AS t => \\x",
        "SELECT 1 + 2 * 3 AS t => 7",
        "SELECT 10 - 4 - 3 AS t => 3",
        "SELECT NOT FALSE AND FALSE AS t => false",
        "SELECT TRUE OR FALSE AND FALSE AS t => true",
        "SELECT -2 * -3 AS t => 6",
        "SELECT 7 / 2 AS t => 3",
        "SELECT 'x' || 1 + 1 AS t => x2",
        "SELECT \"from\" AS t FROM (SELECT 5 AS \"from\") \"x y\" => 5"
      })
  void whatIsTakenMeansTheSame(String sql, String expected) throws Exception {
    VendorServer.Reply reply = SERVER.sql(sql);

    assertThat(reply.data().path(0).path("t").asText()).as("%s", reply).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT SPACE(1)                   | There is no function SPACE",
        "SELECT * FROM ethereum.nothing    | There is no table ethereum.nothing",
        "SELECT * FROM blocks              | There is no table blocks",
        "SELECT CAST(1 AS JAVA_OBJECT)     | There is no type JAVA_OBJECT",
        "SELEC 1                           | The statement is not SQL from line 1, column 1",
        "SELECT 1 FROM ethereum.blocks FOR UPDATE | The statement has a part that is not taken",
        "DROP TABLE ethereum.blocks        | Only one SELECT or WITH statement is taken",
        "SELECT * FROM (agent.base_blocks) | The statement has a part that is not taken:"
            + " (agent.base_blocks)",
        "SELECT * FROM (agent.ethereum_dex_trades a JOIN agent.base_blocks b ON 1 = 1)"
            + "| The statement has a part that is not taken: (agent.ethereum_dex_trades a JOIN ..."
      })
  void aRefusalSaysWhy(String sql, String message) throws Exception {
    assertThat(SERVER.sql(sql).json().path("error").path("message").asText()).isEqualTo(message);
  }

  /** Statements made of pieces of good and of hostile ones, most of which are nothing. */
  @Test
  void nothingOfACallersTextReachesTheDatabaseBare() {
    List<String> pieces = pieces();
    Random random = new Random(15);
    int taken = 0;
    for (int round = 0; round < 60_000; round++) {
      StringBuilder sql = new StringBuilder("SELECT ");
      for (int more = random.nextInt(9); more >= 0; more--) {
        sql.append(pieces.get(random.nextInt(pieces.size())))
            .append(random.nextBoolean() ? " " : "");
      }
      Optional<String> rewritten = rewritten(sql.toString());
      if (rewritten.isPresent()) {
        taken++;
        assertThat(bareWords(rewritten.get())).as("%s", sql).isSubsetOf(allWords());
        assertThat(rewritten(rewritten.get())).as("%s", sql).isEqualTo(rewritten);
      }
    }
    assertThat(taken).isGreaterThan(1_000);
  }

  private static List<String> pieces() {
    List<String> pieces = new ArrayList<>();
    for (String sql : HostileSql.refused(Path.of("secret"), Path.of("target"))) {
      if (sql.length() < 200) {
        pieces.addAll(List.of(sql.split("(?<=\\W)|(?=\\W)")));
      }
    }
    Stream.of("1", "*", "a", "a.b", "base.blocks", "FROM base.blocks", "FROM base.blocks b", ",")
        .forEach(piece -> pieces.addAll(List.of(piece, piece, piece, piece)));
    for (String piece :
        List.of("'x'", "\"x\"", "COUNT(*)", "AS y", "WHERE a = 1", "+", "(1)", "z")) {
      pieces.addAll(Collections.nCopies(20, piece));
    }
    return pieces;
  }

  private static Optional<String> rewritten(String sql) {
    try {
      return Optional.of(SelectOnly.rewritten(sql));
    } catch (Refusal refusal) {
      return Optional.empty();
    }
  }

  private static List<String> bareWords(String sql) {
    String bare = QUOTED.matcher(sql).replaceAll("0");
    assertThat(bare).doesNotContain("/*", "--", ";", "$", "`", "{", "[", "'", "\"", "@", "#", "\\");
    return WORD.matcher(bare)
        .results()
        .map(MatchResult::group)
        .map(word -> word.toUpperCase(Locale.ROOT))
        .toList();
  }

  private static List<String> allWords() {
    return Stream.concat(WORDS.stream(), FUNCTIONS.stream()).toList();
  }
}
