package dev.octroi.services.cryptodata;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.util.List;
import java.util.Set;

/**
 * The gate in front of the upstream's SQL: exactly one SELECT or WITH statement that only reads
 * (specification, crypto data, rule 2). It knows quotes, comments, parentheses and semicolons, and
 * leaves everything else to the engine.
 */
final class SqlStatement {

  /** Longer statements are refused, in characters. */
  static final int MAX_LENGTH = 10_000;

  private static final Set<String> BEGINNINGS = Set.of("SELECT", "WITH");

  /** What a common table expression, or the statement after it, could change rows with. */
  private static final Set<String> EFFECTS = Set.of("INSERT", "UPDATE", "DELETE", "MERGE");

  private SqlStatement() {}

  /**
   * Checks a statement. Engines differ on whether a backslash escapes a quote, so it must pass both
   * ways: a text that is harmless in one reading may hide a second statement in the other.
   *
   * @throws Failure 400 {@code sql_syntax_error}
   */
  static void check(String sql) {
    check(SqlTokens.of(sql, false));
    if (sql.indexOf('\\') >= 0) {
      check(SqlTokens.of(sql, true));
    }
  }

  private static void check(List<String> tokens) {
    int depth = 0;
    String before = "(";
    for (int at = 0; at < tokens.size(); at++) {
      String token = tokens.get(at);
      depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
      require(depth >= 0, "A parenthesis is closed that was not opened");
      require(!token.equals(";") || at == tokens.size() - 1, "One statement is taken, not several");
      boolean begins = before.equals("(") || before.equals(")");
      require(
          !token.equals("INTO") && !(begins && EFFECTS.contains(token)), "Only reads are taken");
      before = token;
    }
    require(depth == 0, "A parenthesis is not closed");
    String first = tokens.stream().filter(token -> !token.equals("(")).findFirst().orElse("");
    require(BEGINNINGS.contains(first), "A statement begins with SELECT or WITH");
  }

  static void require(boolean holds, String message) {
    if (!holds) {
      throw new Failure(ErrorCode.SQL_SYNTAX_ERROR, message);
    }
  }
}
