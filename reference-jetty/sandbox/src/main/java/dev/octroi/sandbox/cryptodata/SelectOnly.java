package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.formula.Refusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.AnalyticType;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CaseExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.DateTimeLiteralExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExtractExpression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.IntervalExpression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.TimeKeyExpression;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.expression.WhenClause;
import net.sf.jsqlparser.expression.WindowElement;
import net.sf.jsqlparser.expression.WindowOffset;
import net.sf.jsqlparser.expression.operators.arithmetic.Addition;
import net.sf.jsqlparser.expression.operators.arithmetic.Concat;
import net.sf.jsqlparser.expression.operators.arithmetic.Division;
import net.sf.jsqlparser.expression.operators.arithmetic.Modulo;
import net.sf.jsqlparser.expression.operators.arithmetic.Multiplication;
import net.sf.jsqlparser.expression.operators.arithmetic.Subtraction;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExistsExpression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsDistinctExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import net.sf.jsqlparser.statement.select.ExceptOp;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.GroupByElement;
import net.sf.jsqlparser.statement.select.IntersectOp;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.OrderByElement;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.SetOperation;
import net.sf.jsqlparser.statement.select.SetOperationList;
import net.sf.jsqlparser.statement.select.UnionOp;
import net.sf.jsqlparser.statement.select.WithItem;
import org.jspecify.annotations.Nullable;

/**
 * The rule that a query is one SELECT or WITH statement over the on-chain tables, with functions,
 * operators and types of closed lists.
 *
 * <p>A statement is parsed, and written anew from the parsed tree: the database gets no character
 * of the caller's text but in names and texts that are quoted here, and in numbers. So it does not
 * matter how the database would have read a comment, a quote or a bracket of the caller's. What has
 * no place in this class is refused: a node of a type that is not named here, and, since the text
 * must be the whole tree's, a part of a node that is not written here.
 */
final class SelectOnly {

  /** The parser's time grows with the third power of those in each other. */
  private static final int MOST_PARENTHESES = 300;

  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]{0,127}");
  private static final Pattern QUOTED = Pattern.compile("\"[^\"\\p{Cntrl}]{1,128}\"");
  private static final Pattern WHOLE = Pattern.compile("\\d{1,40}");
  private static final Pattern DECIMAL =
      Pattern.compile("(\\d{1,40}\\.?|\\d{0,40}\\.\\d{1,40})([eE][+-]?\\d{1,3})?");
  private static final Pattern MOMENT = Pattern.compile("'[0-9T :.Z+-]{1,40}'");
  private static final Pattern SPAN = Pattern.compile("'\\d{1,9}'|\\d{1,9}");
  private static final Pattern NOT_COMPARED = Pattern.compile("[\\s\"]+");

  private static final Pattern TYPE =
      Pattern.compile(
          "TINYINT|SMALLINT|INT|INTEGER|BIGINT|REAL|FLOAT|DOUBLE|DOUBLE PRECISION|BOOLEAN|DATE|TIME"
              + "|TIMESTAMP|TIMESTAMP WITH(OUT)? TIME ZONE|VARCHAR( ?\\(\\d{1,4}\\))?"
              + "|(DECIMAL|NUMERIC)( ?\\(\\d{1,2}(, ?\\d{1,2})?\\))?");

  private static final Set<String> MOMENTS = Set.of("DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ");

  private static final Set<String> TIME_KEYS =
      Set.of("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP");

  private static final Set<String> FIELDS =
      Set.of(
          "YEAR",
          "QUARTER",
          "MONTH",
          "WEEK",
          "ISO_WEEK",
          "DAY",
          "DAY_OF_WEEK",
          "DAY_OF_YEAR",
          "DOW",
          "DOY",
          "HOUR",
          "MINUTE",
          "SECOND",
          "EPOCH");

  /** None of them makes a text longer, reads anything but its arguments or has an effect. */
  private static final Set<String> FUNCTIONS =
      Set.of(
          "ABS",
          "AVG",
          "CEIL",
          "CEILING",
          "CHAR_LENGTH",
          "COALESCE",
          "CONCAT",
          "CORR",
          "COUNT",
          "DATEADD",
          "DATEDIFF",
          "DATE_TRUNC",
          "DAY_OF_WEEK",
          "DAY_OF_YEAR",
          "EXP",
          "FLOOR",
          "GREATEST",
          "HOUR",
          "LEAST",
          "LEFT",
          "LENGTH",
          "LN",
          "LOG",
          "LOG10",
          "LOWER",
          "LTRIM",
          "MAX",
          "MEDIAN",
          "MIN",
          "MINUTE",
          "MOD",
          "MONTH",
          "NOW",
          "NULLIF",
          "POWER",
          "QUARTER",
          "RIGHT",
          "ROUND",
          "RTRIM",
          "SECOND",
          "SIGN",
          "SQRT",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "SUBSTR",
          "SUBSTRING",
          "SUM",
          "TRUNC",
          "UPPER",
          "VARIANCE",
          "VAR_POP",
          "VAR_SAMP",
          "WEEK",
          "YEAR");

  /** Over a window, besides the aggregates. */
  private static final Set<String> WINDOW_FUNCTIONS =
      Set.of(
          "AVG",
          "COUNT",
          "CUME_DIST",
          "DENSE_RANK",
          "FIRST_VALUE",
          "LAG",
          "LAST_VALUE",
          "LEAD",
          "MAX",
          "MIN",
          "NTILE",
          "PERCENT_RANK",
          "RANK",
          "ROW_NUMBER",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "SUM",
          "VARIANCE",
          "VAR_POP",
          "VAR_SAMP");

  private static final Map<Class<? extends BinaryExpression>, Set<String>> OPERATORS =
      Map.ofEntries(
          Map.entry(Addition.class, Set.of("+")),
          Map.entry(Subtraction.class, Set.of("-")),
          Map.entry(Multiplication.class, Set.of("*")),
          Map.entry(Division.class, Set.of("/")),
          Map.entry(Modulo.class, Set.of("%")),
          Map.entry(Concat.class, Set.of("||")),
          Map.entry(AndExpression.class, Set.of("AND")),
          Map.entry(OrExpression.class, Set.of("OR")),
          Map.entry(EqualsTo.class, Set.of("=")),
          Map.entry(NotEqualsTo.class, Set.of("<>", "!=")),
          Map.entry(GreaterThan.class, Set.of(">")),
          Map.entry(GreaterThanEquals.class, Set.of(">=")),
          Map.entry(MinorThan.class, Set.of("<")),
          Map.entry(MinorThanEquals.class, Set.of("<=")));

  private static final Map<Class<?>, BiConsumer<SelectOnly, Object>> EXPRESSIONS = expressions();

  private final StringBuilder text = new StringBuilder();

  /** The names of common table expressions that may be read here, the innermost first. */
  private final Deque<Set<String>> common = new ArrayDeque<>();

  private SelectOnly() {}

  /**
   * Gives the statement to run in place of a caller's.
   *
   * @throws Refusal 400 for anything but a statement as the class describes it
   */
  static String rewritten(String sql) {
    if (sql.chars().filter(character -> character == '(').count() > MOST_PARENTHESES) {
      throw refused("The statement has more than " + MOST_PARENTHESES + " parentheses");
    }
    try {
      Select select = parsed(sql);
      SelectOnly written = new SelectOnly();
      written.select(select);
      String text = written.text.toString();
      if (!compared(text).equals(compared(select.toString()))) {
        throw refused("The statement has a part that is not taken");
      }
      return text;
    } catch (StackOverflowError deep) {
      throw refused("The statement is nested too deeply");
    }
  }

  private static Select parsed(String sql) {
    CCJSqlParser parser = new CCJSqlParser(new StringProvider(sql));
    Statement statement;
    boolean more;
    try {
      statement = parser.Statement();
      more = parser.getNextToken().kind != CCJSqlParserConstants.EOF;
    } catch (ParseException unreadable) {
      throw refused("The statement is not SQL" + place(unreadable));
    } catch (RuntimeException unreadable) {
      throw refused("The statement is not SQL");
    }
    if (more || !(statement instanceof Select select)) {
      throw refused("Only one SELECT or WITH statement is taken");
    }
    return select;
  }

  static Refusal refused(String message) {
    return new Refusal(400, "INVALID_SQL", message);
  }

  private static String place(ParseException unreadable) {
    if (unreadable.currentToken == null || unreadable.currentToken.next == null) {
      return "";
    }
    return " from line "
        + unreadable.currentToken.next.beginLine
        + ", column "
        + unreadable.currentToken.next.beginColumn;
  }

  private static String compared(String sql) {
    return NOT_COMPARED.matcher(sql).replaceAll("").toLowerCase(Locale.ROOT);
  }

  // Statements.

  private void select(Select select) {
    common.push(new TreeSet<>(String.CASE_INSENSITIVE_ORDER));
    if (select.getWithItemsList() != null && !select.getWithItemsList().isEmpty()) {
      text.append("WITH ");
      list(select.getWithItemsList(), this::with);
      text.append(' ');
    }
    if (select.getClass() == PlainSelect.class) {
      plain((PlainSelect) select);
    } else if (select.getClass() == SetOperationList.class) {
      operations((SetOperationList) select);
    } else if (select.getClass() == ParenthesedSelect.class) {
      text.append('(');
      select(((ParenthesedSelect) select).getSelect());
      text.append(')');
      alias(select.getAlias());
    } else {
      throw notTaken(select);
    }
    tail(select);
    common.pop();
  }

  /** A common table expression is in scope after itself: so none is recursive. */
  private void with(WithItem<?> item) {
    if (item.isRecursive() || !(item.getParenthesedStatement() instanceof ParenthesedSelect)) {
      throw refused("WITH takes SELECT statements that are not recursive");
    }
    name(plainName(item.getAliasName()));
    if (item.getWithItemList() != null && !item.getWithItemList().isEmpty()) {
      text.append(" (");
      list(item.getWithItemList(), column -> expression(column.getExpression()));
      text.append(')');
    }
    text.append(" AS ");
    select(item.getSelect());
    common.element().add(plainName(item.getAliasName()));
  }

  private void plain(PlainSelect select) {
    text.append("SELECT ");
    if (select.getDistinct() != null) {
      text.append("DISTINCT ");
    }
    list(select.getSelectItems(), this::item);
    if (select.getFromItem() != null) {
      text.append(" FROM ");
      from(select.getFromItem());
      if (select.getJoins() != null) {
        select.getJoins().forEach(this::join);
      }
    }
    after(" WHERE ", select.getWhere());
    if (select.getGroupBy() != null) {
      group(select.getGroupBy());
    }
    after(" HAVING ", select.getHaving());
    after(" QUALIFY ", select.getQualify());
  }

  private void operations(SetOperationList operations) {
    for (int at = 0; at < operations.getSelects().size(); at++) {
      if (at > 0) {
        operation(operations.getOperation(at - 1));
      }
      select(operations.getSelect(at));
    }
  }

  private void operation(SetOperation operation) {
    if (!Set.of(UnionOp.class, IntersectOp.class, ExceptOp.class).contains(operation.getClass())) {
      throw notTaken(operation);
    }
    word(operation.toString(), Set.of("UNION", "UNION ALL", "INTERSECT", "EXCEPT"));
  }

  private void tail(Select select) {
    if (select.getOrderByElements() != null) {
      text.append(" ORDER BY ");
      list(select.getOrderByElements(), this::order);
    }
    if (select.getLimit() != null) {
      after(" LIMIT ", select.getLimit().getRowCount());
    }
    if (select.getOffset() != null) {
      after(" OFFSET ", select.getOffset().getOffset());
      if (select.getOffset().getOffsetParam() != null) {
        word(select.getOffset().getOffsetParam(), Set.of("ROW", "ROWS"));
      }
    }
    if (select.getFetch() != null) {
      text.append(select.getFetch().isFetchParamFirst() ? " FETCH FIRST" : " FETCH NEXT");
      after(" ", select.getFetch().getExpression());
      select
          .getFetch()
          .getFetchParameters()
          .forEach(part -> word(part, Set.of("ROW", "ROWS", "ONLY")));
    }
  }

  private void item(SelectItem<?> item) {
    expression(item.getExpression());
    alias(item.getAlias());
  }

  private void alias(@Nullable Alias alias) {
    if (alias != null) {
      text.append(alias.isUseAs() ? " AS " : " ");
      name(plainName(alias.getName()));
    }
  }

  private void group(GroupByElement group) {
    text.append(" GROUP BY ");
    expression(group.getGroupByExpressionList());
  }

  private void order(OrderByElement order) {
    expression(order.getExpression());
    if (!order.isAsc()) {
      text.append(" DESC");
    } else if (order.isAscDescPresent()) {
      text.append(" ASC");
    }
    if (order.getNullOrdering() != null) {
      text.append(
          order.getNullOrdering() == OrderByElement.NullOrdering.NULLS_FIRST
              ? " NULLS FIRST"
              : " NULLS LAST");
    }
  }

  private void from(FromItem item) {
    if (item.getClass() == Table.class) {
      table((Table) item);
    } else if (item.getClass() == ParenthesedSelect.class) {
      select((ParenthesedSelect) item);
    } else {
      throw notTaken(item);
    }
  }

  private void table(Table table) {
    String name = plainName(table.getName());
    if (table.getSchemaName() == null) {
      if (common.stream().noneMatch(names -> names.contains(name))) {
        throw refused("There is no table " + shown(name));
      }
      name(name);
    } else {
      String schema = plainName(table.getSchemaName());
      if (OnchainTable.find(schema, name).isEmpty()) {
        throw refused("There is no table " + shown(schema) + "." + shown(name));
      }
      schema(schema);
      name(name.toLowerCase(Locale.ROOT));
    }
    alias(table.getAlias());
  }

  private void join(Join join) {
    if (join.isSimple()) {
      text.append(", ");
    } else {
      List<String> words = new ArrayList<>();
      add(words, join.isNatural(), "NATURAL");
      add(words, join.isLeft(), "LEFT");
      add(words, join.isRight(), "RIGHT");
      add(words, join.isCross(), "CROSS");
      add(words, join.isOuter(), "OUTER");
      add(words, join.isInner(), "INNER");
      text.append(' ').append(String.join(" ", words)).append(" JOIN ");
    }
    from(join.getFromItem());
    for (Expression condition : join.getOnExpressions()) {
      after(" ON ", condition);
    }
    if (!join.getUsingColumns().isEmpty()) {
      text.append(" USING (");
      list(join.getUsingColumns(), this::expression);
      text.append(')');
    }
  }

  private static void add(List<String> words, boolean there, String word) {
    if (there) {
      words.add(word);
    }
  }

  // Expressions.

  private void expression(@Nullable Expression expression) {
    if (expression == null) {
      throw refused("The statement has a part that is not taken");
    }
    BiConsumer<SelectOnly, Object> writer = EXPRESSIONS.get(expression.getClass());
    if (writer == null) {
      throw notTaken(expression);
    }
    writer.accept(this, expression);
  }

  private static Map<Class<?>, BiConsumer<SelectOnly, Object>> expressions() {
    Map<Class<?>, BiConsumer<SelectOnly, Object>> all = new HashMap<>();
    OPERATORS.keySet().forEach(type -> put(all, type, SelectOnly::operator));
    put(all, AllColumns.class, (to, node) -> to.text.append('*'));
    put(all, AllTableColumns.class, SelectOnly::allOfTable);
    put(all, AnalyticExpression.class, SelectOnly::window);
    put(all, Between.class, SelectOnly::between);
    put(all, BooleanValue.class, (to, node) -> to.text.append(node.getValue()));
    put(all, CaseExpression.class, SelectOnly::cases);
    put(all, CastExpression.class, SelectOnly::cast);
    put(all, Column.class, SelectOnly::column);
    put(all, DateTimeLiteralExpression.class, SelectOnly::moment);
    put(all, DoubleValue.class, (to, node) -> to.verbatim(node.toString(), DECIMAL));
    put(all, ExistsExpression.class, SelectOnly::exists);
    put(all, ExpressionList.class, SelectOnly::expressions);
    put(all, ExtractExpression.class, SelectOnly::extract);
    put(all, Function.class, SelectOnly::function);
    put(all, InExpression.class, SelectOnly::in);
    put(all, IntervalExpression.class, SelectOnly::interval);
    put(all, IsBooleanExpression.class, SelectOnly::isBoolean);
    put(all, IsDistinctExpression.class, SelectOnly::isDistinct);
    put(all, IsNullExpression.class, SelectOnly::isNull);
    put(all, JdbcParameter.class, (to, node) -> to.text.append('?'));
    put(all, LikeExpression.class, SelectOnly::like);
    put(all, LongValue.class, (to, node) -> to.verbatim(node.getStringValue(), WHOLE));
    put(all, NotExpression.class, SelectOnly::not);
    put(all, NullValue.class, (to, node) -> to.text.append("NULL"));
    put(all, ParenthesedExpressionList.class, SelectOnly::parentheses);
    put(all, ParenthesedSelect.class, SelectOnly::select);
    put(all, SignedExpression.class, SelectOnly::signed);
    put(all, StringValue.class, SelectOnly::string);
    put(all, TimeKeyExpression.class, SelectOnly::timeKey);
    put(all, TrimFunction.class, SelectOnly::trim);
    return Map.copyOf(all);
  }

  private static <T> void put(
      Map<Class<?>, BiConsumer<SelectOnly, Object>> all,
      Class<? extends T> type,
      BiConsumer<SelectOnly, T> writer) {
    all.put(type, (to, node) -> writer.accept(to, type.cast(node)));
  }

  private void operator(BinaryExpression node) {
    expression(node.getLeftExpression());
    word(node.getStringExpression(), OPERATORS.getOrDefault(node.getClass(), Set.of()));
    expression(node.getRightExpression());
  }

  private void allOfTable(AllTableColumns node) {
    name(plainName(node.getTable().getName()));
    text.append(".*");
  }

  private void column(Column column) {
    Table table = column.getTable();
    if (table != null && table.getName() != null) {
      if (table.getSchemaName() != null) {
        schema(plainName(table.getSchemaName()));
      }
      name(plainName(table.getName()));
      text.append('.');
    }
    name(plainName(column.getColumnName()));
  }

  private void string(StringValue node) {
    if (node.getPrefix() != null || !"'".equals(node.getQuoteStr())) {
      throw refused("A text stands in single quotes");
    }
    text.append('\'').append(node.getNotExcapedValue().replace("'", "''")).append('\'');
  }

  private void moment(DateTimeLiteralExpression node) {
    word(node.getType().name(), MOMENTS);
    verbatim(node.getValue(), MOMENT);
  }

  private void timeKey(TimeKeyExpression node) {
    word(node.getStringValue(), TIME_KEYS);
  }

  private void interval(IntervalExpression node) {
    text.append("INTERVAL ");
    verbatim(node.getParameter(), SPAN);
    word(String.valueOf(node.getIntervalQualifier()), FIELDS);
  }

  private void signed(SignedExpression node) {
    word(String.valueOf(node.getSign()), Set.of("+", "-"));
    expression(node.getExpression());
  }

  private void not(NotExpression node) {
    text.append("NOT ");
    expression(node.getExpression());
  }

  private void between(Between node) {
    expression(node.getLeftExpression());
    text.append(node.isNot() ? " NOT BETWEEN " : " BETWEEN ");
    expression(node.getBetweenExpressionStart());
    text.append(" AND ");
    expression(node.getBetweenExpressionEnd());
  }

  private void in(InExpression node) {
    expression(node.getLeftExpression());
    text.append(node.isNot() ? " NOT IN " : " IN ");
    expression(node.getRightExpression());
  }

  private void like(LikeExpression node) {
    expression(node.getLeftExpression());
    text.append(node.isNot() ? " NOT " : " ");
    word(node.getLikeKeyWord().name(), Set.of("LIKE", "ILIKE"));
    expression(node.getRightExpression());
    after(" ESCAPE ", node.getEscape());
  }

  private void exists(ExistsExpression node) {
    text.append(node.isNot() ? "NOT EXISTS " : "EXISTS ");
    expression(node.getRightExpression());
  }

  private void isNull(IsNullExpression node) {
    expression(node.getLeftExpression());
    text.append(node.isNot() ? " IS NOT NULL" : " IS NULL");
  }

  private void isBoolean(IsBooleanExpression node) {
    expression(node.getLeftExpression());
    text.append(node.isNot() ? " IS NOT " : " IS ").append(node.isTrue() ? "TRUE" : "FALSE");
  }

  private void isDistinct(IsDistinctExpression node) {
    expression(node.getLeftExpression());
    text.append(node.isNot() ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ");
    expression(node.getRightExpression());
  }

  private void expressions(ExpressionList<?> node) {
    list(node, this::expression);
  }

  private void parentheses(ParenthesedExpressionList<?> node) {
    text.append('(');
    list(node, this::expression);
    text.append(')');
  }

  private void cases(CaseExpression node) {
    text.append("CASE ");
    after("", node.getSwitchExpression());
    for (WhenClause when : node.getWhenClauses()) {
      after(" WHEN ", when.getWhenExpression());
      after(" THEN ", when.getThenExpression());
    }
    after(" ELSE ", node.getElseExpression());
    text.append(" END");
  }

  private void cast(CastExpression node) {
    String type = node.getColDataType().toString().toUpperCase(Locale.ROOT);
    if (!TYPE.matcher(type).matches()) {
      throw refused("There is no type " + shown(type));
    }
    if ("CAST".equalsIgnoreCase(node.keyword)) {
      text.append("CAST(");
      expression(node.getLeftExpression());
      text.append(" AS ").append(type).append(')');
    } else {
      expression(node.getLeftExpression());
      text.append("::").append(type);
    }
  }

  private void extract(ExtractExpression node) {
    text.append("EXTRACT(");
    word(node.getName(), FIELDS);
    text.append(" FROM ");
    expression(node.getExpression());
    text.append(')');
  }

  private void trim(TrimFunction node) {
    text.append("TRIM(");
    if (node.getTrimSpecification() != null) {
      word(node.getTrimSpecification().name(), Set.of("LEADING", "TRAILING", "BOTH"));
    }
    after("", node.getExpression());
    after(node.isUsingFromKeyword() ? " FROM " : ", ", node.getFromExpression());
    text.append(')');
  }

  private void function(Function node) {
    functionName(node.getName(), FUNCTIONS);
    text.append('(');
    if (node.isDistinct()) {
      text.append("DISTINCT ");
    }
    if (node.getParameters() != null) {
      list(node.getParameters(), this::expression);
    }
    text.append(')');
  }

  private void window(AnalyticExpression node) {
    functionName(
        node.getName(), node.getType() == AnalyticType.FILTER_ONLY ? FUNCTIONS : WINDOW_FUNCTIONS);
    text.append('(');
    if (node.isDistinct()) {
      text.append("DISTINCT ");
    }
    if (node.isAllColumns() && node.getExpression() == null) {
      text.append('*');
    }
    after("", node.getExpression());
    after(", ", node.getOffset());
    after(", ", node.getDefaultValue());
    text.append(')');
    if (node.getFilterExpression() != null) {
      after(" FILTER (WHERE ", node.getFilterExpression());
      text.append(')');
    }
    if (node.getType() == AnalyticType.FILTER_ONLY) {
      return;
    }
    if (node.getType() != AnalyticType.OVER) {
      throw notTaken(node);
    }
    text.append(" OVER (");
    if (node.getPartitionExpressionList() != null && !node.getPartitionExpressionList().isEmpty()) {
      text.append("PARTITION BY ");
      list(node.getPartitionExpressionList(), this::expression);
    }
    if (node.getOrderByElements() != null) {
      text.append(" ORDER BY ");
      list(node.getOrderByElements(), this::order);
    }
    if (node.getWindowElement() != null) {
      frame(node.getWindowElement());
    }
    text.append(')');
  }

  private void frame(WindowElement frame) {
    word(frame.getType().name(), Set.of("ROWS", "RANGE"));
    if (frame.getRange() == null) {
      bound(frame.getOffset());
    } else {
      text.append("BETWEEN ");
      bound(frame.getRange().getStart());
      text.append("AND ");
      bound(frame.getRange().getEnd());
    }
  }

  private void bound(WindowOffset bound) {
    if (bound.getType() == WindowOffset.Type.CURRENT) {
      text.append("CURRENT ROW ");
      return;
    }
    if (bound.getExpression() == null) {
      text.append("UNBOUNDED ");
    } else {
      expression(bound.getExpression());
    }
    word(String.valueOf(bound.getType()), Set.of("PRECEDING", "FOLLOWING"));
  }

  // Words, names and lists.

  private void functionName(String name, Set<String> known) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (!known.contains(upper)) {
      throw refused("There is no function " + shown(name));
    }
    text.append(upper);
  }

  /** A word of a closed list, between blanks. */
  private void word(String word, Set<String> known) {
    String upper = word.toUpperCase(Locale.ROOT);
    if (!known.contains(upper)) {
      throw refused("The statement has a part that is not taken: " + shown(word));
    }
    text.append(' ').append(upper).append(' ');
  }

  private void verbatim(String written, Pattern form) {
    if (!form.matcher(written).matches()) {
      throw refused("The statement has a value of no known form: " + shown(written));
    }
    text.append(written);
  }

  private void name(String plain) {
    text.append('"').append(plain).append('"');
  }

  /** The database tells schemas by their case. */
  private void schema(String plain) {
    name(plain.toLowerCase(Locale.ROOT));
    text.append('.');
  }

  private static String plainName(String written) {
    if (NAME.matcher(written).matches()) {
      return written;
    }
    if (!QUOTED.matcher(written).matches()) {
      throw refused("A name has a form that is not taken");
    }
    return written.substring(1, written.length() - 1);
  }

  private void after(String words, @Nullable Expression expression) {
    if (expression != null) {
      text.append(words);
      expression(expression);
    }
  }

  private <T> void list(Collection<T> items, Consumer<? super T> writer) {
    boolean more = false;
    for (T item : items) {
      text.append(more ? ", " : "");
      writer.accept(item);
      more = true;
    }
  }

  private static Refusal notTaken(Object node) {
    return refused("The statement has a part that is not taken: " + shown(node.toString()));
  }

  /** A part of the caller's text in a message: its names and digits, not too many. */
  private static String shown(String text) {
    String plain = text.replaceAll("[^A-Za-z0-9_(), .]", "");
    return plain.length() <= 40
        ? plain
        : plain.substring(0, 40).replaceAll("[A-Za-z0-9_.]+$", "") + "...";
  }
}
