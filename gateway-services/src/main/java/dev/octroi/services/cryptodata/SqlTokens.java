package dev.octroi.services.cryptodata;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The words, parentheses and semicolons of a statement outside of its quotes and comments; a quoted
 * text stands as one token, {@code ''}.
 */
final class SqlTokens {

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
