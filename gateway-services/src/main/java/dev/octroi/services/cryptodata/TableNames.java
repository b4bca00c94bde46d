package dev.octroi.services.cryptodata;

import dev.octroi.services.cryptodata.SqlStatement.Token;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names of on-chain tables: {@code <network>.<table>} for callers (specification, crypto data,
 * rule 2), {@code agent.<network>_<table>} at the vendor, whose tables all lie in one database.
 */
final class TableNames {

  private static final String DATABASE = "agent";
  private static final Pattern VENDORS = Pattern.compile("agent\\.([a-z0-9]+)_(\\w+)");

  /** A vendor's name within a text, each part perhaps in quotes. */
  private static final Pattern TOLD =
      Pattern.compile(
          "(?<![\\w.])([\"`]?)agent\\1\\s*\\.\\s*([\"`]?)([a-z0-9]+)_(\\w+)\\2(?!\\w)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern CALLERS = Pattern.compile("(\\w+)\\.(\\w+)");

  private TableNames() {}

  /** The vendor's name of a table; the name itself where it is the vendor's, or neither's. */
  static String vendors(String name) {
    Matcher matcher = CALLERS.matcher(name);
    return matcher.matches() && !matcher.group(1).equalsIgnoreCase(DATABASE)
        ? vendors(matcher.group(1), matcher.group(2))
        : name;
  }

  private static String vendors(String network, String table) {
    return DATABASE + "." + (network + "_" + table).toLowerCase(Locale.ROOT);
  }

  /** The name of a table for callers; the name itself where it is not of the vendor's form. */
  static String callers(String name) {
    Matcher matcher = VENDORS.matcher(name);
    return matcher.matches() ? matcher.group(1) + "." + matcher.group(2) : name;
  }

  /**
   * A caller's statement in the vendor's words.
   *
   * @param sql what goes out
   * @param renamed tables that the caller named {@code <network>.<table>}, in lower case
   */
  record Renamed(String sql, Set<String> renamed) {

    /**
     * The vendor's message in the caller's words: those of a caller who names tables {@code
     * <network>.<table>} for every table, also one that the vendor only proposes.
     */
    String told(String message) {
      if (renamed.isEmpty()) {
        return message;
      }
      String told =
          TOLD.matcher(message)
              .replaceAll(
                  name ->
                      Matcher.quoteReplacement(
                          (name.group(3) + "." + name.group(4)).toLowerCase(Locale.ROOT)));
      for (String name : renamed) {
        Pattern vendors =
            Pattern.compile(
                "(?<![\\w.])([\"`]?)"
                    + Pattern.quote(vendors(name).substring(DATABASE.length() + 1))
                    + "\\1(?!\\w)",
                Pattern.CASE_INSENSITIVE);
        told = vendors.matcher(told).replaceAll(Matcher.quoteReplacement(name));
      }
      return told;
    }
  }

  /**
   * Renames the tables of a statement that has been checked: where a table stands, and where one
   * qualifies a column.
   */
  static Renamed renamed(String sql, List<Token> tokens) {
    return new Statement(sql, tokens).renamed();
  }

  /** One walk over a statement's tokens. */
  private static final class Statement {

    private static final Set<String> CLAUSES =
        Set.of(
            "SELECT",
            "WHERE",
            "PREWHERE",
            "GROUP",
            "ORDER",
            "HAVING",
            "LIMIT",
            "UNION",
            "EXCEPT",
            "INTERSECT",
            "SETTINGS",
            "WINDOW",
            "QUALIFY",
            "FORMAT",
            "OFFSET",
            "FETCH");

    /** What stands after a table without being its alias. */
    private static final Set<String> AFTER_A_TABLE =
        Stream.concat(
                CLAUSES.stream().filter(word -> !word.equals("SELECT")),
                Stream.of(
                    "JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "ON", "USING",
                    "FINAL", "SAMPLE", "ARRAY", "GLOBAL", "ANY", "ALL", "ASOF", "SEMI", "ANTI"))
            .collect(Collectors.toUnmodifiableSet());

    /** Within one pair of parentheses. */
    private static final class Scope {
      final boolean query;
      boolean from;
      boolean table;

      Scope(boolean query, boolean from) {
        this.query = query;
        this.from = from;
        this.table = from;
      }
    }

    private final String sql;
    private final List<Token> tokens;

    /** The names of tables by the places at which they stand. */
    private final Map<Integer, String> tables = new LinkedHashMap<>();

    private final Deque<Scope> scopes = new ArrayDeque<>();

    Statement(String sql, List<Token> tokens) {
      this.sql = sql;
      this.tokens = tokens;
      scopes.push(new Scope(true, false));
    }

    Renamed renamed() {
      for (int at = 0; at < tokens.size(); at++) {
        visit(at);
      }
      Set<String> names = new LinkedHashSet<>(tables.values());
      return new Renamed(written(names), names);
    }

    private void visit(int at) {
      Token token = tokens.get(at);
      Scope scope = scopes.peek();
      switch (token.word()) {
        // Elements of a list are no tables.
        case "[" -> scopes.push(new Scope(false, false));
        case "(" -> {
          boolean query = word(at + 1).equals("SELECT") || word(at + 1).equals("WITH");
          boolean nested = word(at + 1).equals("(") && (scope.table || at == 0);
          scopes.push(new Scope(query || nested || scope.table, scope.table && !query));
          scope.table = false;
        }
        case ")", "]" -> {
          if (scopes.size() > 1) {
            scopes.pop();
          }
        }
        case "," -> scope.table = scope.from;
        case "FROM" -> {
          if (scope.query && !word(at - 1).equals("DISTINCT")) {
            scope.from = true;
            scope.table = true;
          }
        }
        case "JOIN" -> {
          // An ARRAY JOIN is of columns, and so are those after its commas.
          boolean columns = word(at - 1).equals("ARRAY");
          scope.from = scope.from && !columns;
          scope.table = scope.query && !columns;
        }
        case "LATERAL", "ONLY" -> {
          if (!scope.table || word(at + 1).equals(".")) {
            named(at, scope);
          }
        }
        default -> named(at, scope);
      }
    }

    private void named(int at, Scope scope) {
      Token token = tokens.get(at);
      if (scope.table && token.named()) {
        table(at);
        scope.table = false;
      } else if (CLAUSES.contains(token.word())) {
        scope.from = false;
      }
    }

    private void table(int at) {
      boolean twoParts = isDotted(at) && !isDotted(at + 2) && !word(at + 3).equals("(");
      if (twoParts && !tokens.get(at).text().equalsIgnoreCase(DATABASE)) {
        tables.put(at, name(at));
      }
    }

    /** Whether a name, a dot and another name stand here. */
    private boolean isDotted(int at) {
      return at >= 0
          && at + 2 < tokens.size()
          && tokens.get(at).named()
          && tokens.get(at + 1).is(".")
          && tokens.get(at + 2).named();
    }

    private String name(int at) {
      return (tokens.get(at).text() + "." + tokens.get(at + 2).text()).toLowerCase(Locale.ROOT);
    }

    private String word(int at) {
      return at < 0 || at >= tokens.size() ? "" : tokens.get(at).word();
    }

    private String written(Set<String> names) {
      Set<String> aliased = aliased(names);
      StringBuilder written = new StringBuilder();
      int copied = 0;
      for (int at = 0; at < tokens.size(); at++) {
        boolean table = tables.containsKey(at);
        boolean qualifier = !table && isQualifier(at, names);
        if (table || qualifier) {
          boolean isAliased = aliased.contains(name(at));
          written.append(sql, copied, tokens.get(at).start());
          written.append(qualifier && isAliased ? bare(name(at)) : vendors(name(at)));
          copied = tokens.get(at + 2).end();
          if (table && isAliased && !hasAlias(at)) {
            written.append(" AS ").append(bare(name(at)));
          }
          at += 2;
        }
      }
      return written.append(sql, copied, sql.length()).toString();
    }

    /** Whether a renamed table qualifies a column here: {@code ethereum.transfers.amount}. */
    private boolean isQualifier(int at, Set<String> names) {
      return isDotted(at)
          && word(at + 3).equals(".")
          && !word(at - 1).equals(".")
          && names.contains(name(at));
    }

    private boolean hasAlias(int at) {
      String next = word(at + 3);
      boolean named = at + 3 < tokens.size() && tokens.get(at + 3).named();
      return next.equals("AS") || (named && !AFTER_A_TABLE.contains(next));
    }

    /**
     * The tables that go by their bare names, because a column is qualified by that: {@code
     * transfers.amount}. Of two tables of one name neither does. Each token is looked at once: a
     * statement may be tables from its beginning to its end.
     */
    private Set<String> aliased(Set<String> names) {
      Set<String> qualifiers = new HashSet<>();
      for (int at = 0; at < tokens.size(); at++) {
        boolean qualifies =
            tokens.get(at).named() && word(at + 1).equals(".") && !word(at - 1).equals(".");
        if (qualifies && !tables.containsKey(at)) {
          qualifiers.add(tokens.get(at).text().toLowerCase(Locale.ROOT));
        }
      }
      Map<String, Integer> tablesOfThatName = new HashMap<>();
      names.forEach(name -> tablesOfThatName.merge(bare(name), 1, Integer::sum));
      return names.stream()
          .filter(name -> tablesOfThatName.getOrDefault(bare(name), 0) == 1)
          .filter(name -> qualifiers.contains(bare(name)))
          .collect(Collectors.toSet());
    }

    private static String bare(String name) {
      return name.substring(name.indexOf('.') + 1);
    }
  }
}
