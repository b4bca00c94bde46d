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
   * @return its tokens as the vendor's engine reads it, for which a backslash escapes
   * @throws Failure 400 {@code sql_syntax_error}
   */
  static List<Token> check(String sql) {
    if (sql.indexOf('\\') >= 0) {
      check(SqlTokens.of(sql, false));
    }
    List<Token> tokens = SqlTokens.of(sql, true);
    check(tokens);
    return tokens;
  }

  private static void check(List<Token> tokens) {
    int depth = 0;
    String before = "(";
    for (int at = 0; at < tokens.size(); at++) {
      String token = tokens.get(at).word();
      depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
      require(depth >= 0, "A parenthesis is closed that was not opened");
      require(!token.equals(";") || at == tokens.size() - 1, "One statement is taken, not several");
      boolean begins = before.equals("(") || before.equals(")");
      require(
          !token.equals("INTO") && !(begins && EFFECTS.contains(token)), "Only reads are taken");
      before = token;
    }
    require(depth == 0, "A parenthesis is not closed");
    String first =
        tokens.stream().map(Token::word).filter(token -> !token.equals("(")).findFirst().orElse("");
    require(BEGINNINGS.contains(first), "A statement begins with SELECT or WITH");
  }

  static void require(boolean holds, String message) {
    if (!holds) {
      throw new Failure(ErrorCode.SQL_SYNTAX_ERROR, message);
    }
  }

  /**
   * A piece of a statement outside of its comments.
   *
   * @param text as it is written; of a name in quotes, the name; of a text in quotes, nothing
   * @param named whether it can be a name
   * @param quoted whether it stands in quotes, and is no keyword
   * @param start where it begins
   * @param end where it ends, exclusive
   */
  record Token(String text, boolean named, boolean quoted, int start, int end) {

    /** A keyword, a parenthesis or another sign in upper case; empty for what stands in quotes. */
    String word() {
      return quoted ? "" : text.toUpperCase(Locale.ROOT);
    }

    boolean is(String keyword) {
      return word().equals(keyword);
    }
  }

  /** Takes a statement apart. */
  static final class SqlTokens {

    private static final String QUOTES = "'\"`";

    private final String sql;
    private final boolean backslashEscapes;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private SqlTokens(String sql, boolean backslashEscapes) {
      this.sql = sql;
      this.backslashEscapes = backslashEscapes;
    }

    /**
     * @param backslashEscapes whether a backslash inside of quotes makes the next character plain
     * @throws dev.octroi.services.Failure 400 {@code sql_syntax_error} for an open quote or comment
     */
    static List<Token> of(String sql, boolean backslashEscapes) {
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
        if (!Character.isWhitespace(character)) {
          tokens.add(new Token(String.valueOf(character), false, false, at, at + 1));
        }
        at++;
      }
    }

    private void quoted(char quote) {
      int start = at++;
      while (at < sql.length() && sql.charAt(at) != quote) {
        at += backslashEscapes && sql.charAt(at) == '\\' ? 2 : 1;
      }
      SqlStatement.require(at < sql.length(), "A quote is not closed");
      at++;
      boolean name = quote != '\'';
      tokens.add(new Token(name ? sql.substring(start + 1, at - 1) : "", name, true, start, at));
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
      tokens.add(new Token(sql.substring(start, at), true, false, start, at));
    }
  }
}
