package dev.octroi.reference.sandbox.cryptodata;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The vendor's rule that a query is one SELECT or WITH statement. */
final class SelectOnly {

  private static final int LONGEST = 10_000;

  /** Quoted text, quoted names and comments: what may hold any character without meaning. */
  private static final Pattern OPAQUE =
      Pattern.compile(
          "'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\"|--[^\\n]*+|/\\*(?s:.*?)\\*/|\\$\\$(?s:.*?)\\$\\$");

  private static final Pattern START =
      Pattern.compile("^[\\s(]*(select|with)\\b.*", Pattern.DOTALL);

  private SelectOnly() {}

  /** Refuses anything else with 400. */
  static void check(String sql) {
    if (sql.isBlank() || sql.length() > LONGEST) {
      throw Refusal.badRequest("Field sql must hold 1 to 10000 characters");
    }
    Matcher opaque = OPAQUE.matcher(sql);
    String bare = opaque.replaceAll(" ").strip().toLowerCase(Locale.ROOT);
    String single = bare.endsWith(";") ? bare.substring(0, bare.length() - 1) : bare;
    if (single.contains(";") || !START.matcher(single).matches()) {
      throw new Refusal(400, "INVALID_SQL", "Only one SELECT or WITH statement is taken");
    }
  }
}
