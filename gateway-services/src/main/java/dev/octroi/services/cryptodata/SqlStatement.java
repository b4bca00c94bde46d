package dev.octroi.services.cryptodata;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

  /**
   * The words, parentheses and semicolons of a statement outside of its quotes and comments; a
   * quoted text stands as one token, {@code ''}.
   */
  static final class SqlTokens {

    private static final String QUOTES = "'\"`";

    private final String sql;
    private final boolean backslashEscapes;
    private final List<String> tokens = new ArrayList<>();
    private int at;

    private SqlTokens(String sql, boolean backslashEscapes) {
      this.sql = sql;
      this.backslashEscapes = backslashEscapes;
    }

    /**
     * @param backslashEscapes whether a backslash inside of quotes makes the next character plain
     * @throws dev.octroi.services.Failure 400 {@code sql_syntax_error} for an open quote or comment
     */
    static List<String> of(String sql, boolean backslashEscapes) {
      SqlTokens scanner = new SqlTokens(sql, backslashEscapes);
      while (scanner.at < sql.length()) {
        scanner.next();
      }
      return scanner.tokens;
    }

    private void next() {
      char character = sql.charAt(at);
      if (QUOTES.indexOf(character) >= 0) {
        quoted(character);
      } else if (sql.startsWith("--", at)) {
        int end = sql.indexOf('\n', at);
        at = end < 0 ? sql.length() : end + 1;
      } else if (sql.startsWith("/*", at)) {
        comment();
      } else if (character == '$' && dollarQuote()) {
        SqlStatement.require(false, "Dollar quotes are not taken");
      } else if (Character.isLetter(character) || character == '_') {
        word();
      } else {
        if (character == '(' || character == ')' || character == ';') {
          tokens.add(String.valueOf(character));
        } else if (!Character.isWhitespace(character)) {
          tokens.add("?");
        }
        at++;
      }
    }

    private void quoted(char quote) {
      at++;
      while (at < sql.length() && sql.charAt(at) != quote) {
        at += backslashEscapes && sql.charAt(at) == '\\' ? 2 : 1;
      }
      SqlStatement.require(at < sql.length(), "A quote is not closed");
      at++;
      tokens.add("''");
    }

    /** Engines differ on comments within comments, so they are not taken. */
    private void comment() {
      int end = sql.indexOf("*/", at + 2);
      SqlStatement.require(end >= 0, "A comment is not closed");
      int nested = sql.indexOf("/*", at + 2);
      SqlStatement.require(nested < 0 || nested > end, "A comment holds another");
      at = end + 2;
    }

    private boolean dollarQuote() {
      int end = at + 1;
      while (end < sql.length() && Character.isLetterOrDigit(sql.charAt(end))) {
        end++;
      }
      return end < sql.length() && sql.charAt(end) == '$';
    }

    private void word() {
      int start = at;
      while (at < sql.length()
          && (Character.isLetterOrDigit(sql.charAt(at)) || sql.charAt(at) == '_')) {
        at++;
      }
      tokens.add(sql.substring(start, at).toUpperCase(Locale.ROOT));
    }
  }
}
