package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spec:rule.crypto.2")
class SqlStatementTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "select * from ethereum.blocks;",
        "  -- a remark; with DROP TABLE\n SELECT 1 /* ; DELETE */ ; -- end",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "(SELECT 1) UNION (SELECT 2)",
        "SELECT ';', 'it''s', \"a;b\", `c;d` FROM t",
        "SELECT 'DELETE' AS \"INSERT\", updated, deleted_at FROM t WHERE note = 'drop; table'",
        "SELECT upper(replace(a, 'x', 'y')), truncate(b, 2) FROM t",
        "SELECT '$$' FROM t WHERE price > $1",
        "SELECT 'C:\\\\temp' FROM t"
      })
  void aStatementThatReadsIsTaken(String sql) {
    assertThatCode(() -> SqlStatement.check(sql)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ";",
        "-- nothing",
        "SELEC 1",
        "DELETE FROM t",
        "INSERT INTO t VALUES (1)",
        "SELECT 1; DROP TABLE t",
        "SELECT 1;;",
        "SELECT 1; SELECT 2",
        "SELECT 'open",
        "SELECT \"open",
        "SELECT 1 /* open",
        "SELECT 1 /* a /* b */ c */",
        "SELECT (1",
        "SELECT 1)",
        "SELECT * INTO t2 FROM t",
        "SELECT 1 INTO OUTFILE 'x'",
        "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a",
        "WITH a AS (SELECT 1) DELETE FROM t",
        "WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a",
        "EXPLAIN SELECT 1",
        "SELECT $$a$$; DROP TABLE t; --$$",
        "SELECT $x$ ; $x$",
        "SELECT '\\'; DROP TABLE t; --'",
        "SELECT '\\''; DROP TABLE t; --'"
      })
  @Tag("spec:error.crypto.sql_syntax_error")
  void anythingElseIsASyntaxError(String sql) {
    assertThatThrownBy(() -> SqlStatement.check(sql))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.SQL_SYNTAX_ERROR));
  }
}
