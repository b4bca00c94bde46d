package dev.octroi.sandbox.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.sandbox.formula.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands if the rule of the statement did not: here everything reaches the database. */
class SqlEngineTest {

  private static final OnchainTables TABLES =
      new OnchainTables(
          OpenSqlEngine.class,
          VendorServer.NOW::getEpochSecond,
          Duration.ofSeconds(2),
          Duration.ofMinutes(1));

  @TempDir private static Path folder;

  @BeforeAll
  static void writeSecret() throws Exception {
    Files.writeString(folder.resolve("master.key"), HostileSql.SECRET);
  }

  @AfterAll
  static void stop() {
    TABLES.close();
  }

  /** Each alone, and behind a query, with which the database runs what is none. */
  static Stream<String> statements() {
    List<String> refused =
        HostileSql.refused(folder.resolve("master.key"), folder.resolve("written"));
    return Stream.of(
            refused.stream(),
            refused.stream()
                .filter(sql -> !sql.matches("(SELECT|WITH|VALUES|TABLE|CALL|SHOW|/[*]) ?.*"))
                .map(sql -> "SELECT 1; " + sql),
            HostileSql.bombs().stream())
        .flatMap(each -> each);
  }

  @ParameterizedTest
  @MethodSource("statements")
  @Tag("slow")
  void noStatementReadsAFileWritesOneStartsAProcessOrTakesTheTablesAway(String sql)
      throws Exception {
    assertThat(answer(sql)).doesNotContain(HostileSql.SECRET);
    theTablesAreThereAndNothingElseIs();
  }

  @Test
  void aResultBeyondAllMemoryMakesNoSqlUserAdministrator() throws Exception {
    answer("SELECT SPACE(CAST(2147483646 + x AS INT)) FROM SYSTEM_RANGE(1, 1)");

    assertThat(answer("SELECT FILE_READ('" + folder.resolve("master.key") + "', 'UTF-8')"))
        .isEqualTo("400 Admin rights are required for this operation");
    theTablesAreThereAndNothingElseIs();
  }

  @Test
  void anObjectMadeOfBytesIsNoAnswer() throws Exception {
    assertThat(answer("SELECT CAST(X'ACED0005737200' AS JAVA_OBJECT)"))
        .isEqualTo("400 A column has a type that is not answered");
    assertThat(answer("SELECT CAST(X'ACED0005737200' AS JAVA_OBJECT) AS o ORDER BY o"))
        .startsWith("400 ");
  }

  @Test
  void anAnswerThatIsTooLongIsNone() {
    String wide = "a.*, b.*, c.*, d.* FROM ethereum.transactions a, ethereum.transactions b,";
    assertThat(answer("SELECT " + wide + " ethereum.dex_trades c, ethereum.dex_trades d", 10_000))
        .isEqualTo("400 The answer is longer than 4 MiB");
    assertThat(
            answer("SELECT 1 a, 2 b, 3 c, 4 d, 5 e, 6 f, 7 g FROM SYSTEM_RANGE(1, 40000)", 40_000))
        .isEqualTo("400 The answer has more than 200000 cells");
  }

  private static void theTablesAreThereAndNothingElseIs() throws Exception {
    assertThat(answer("SELECT COUNT(*) AS n FROM ethereum.blocks")).isEqualTo("[{\"n\":1000}]");
    assertThat(folder).isDirectoryNotContaining("glob:**written*");
    assertThat(TABLES.processes())
        .allSatisfy(process -> assertThat(process.descendants()).isEmpty());
  }

  private static String answer(String sql) {
    return answer(sql, 1_000);
  }

  private static String answer(String sql, int maxRows) {
    try {
      return TABLES.query(new SqlQuery(sql, List.of(), maxRows)).text();
    } catch (Refusal refusal) {
      return refusal.status() + " " + refusal.getMessage();
    }
  }
}
