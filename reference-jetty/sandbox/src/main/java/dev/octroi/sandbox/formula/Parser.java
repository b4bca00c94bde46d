package dev.octroi.sandbox.formula;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the expression of one definition. Used once. */
final class Parser {

  /** Operators from the loosest to the tightest; those of one level bind leftmost first. */
  private static final List<List<String>> LEVELS =
      List.of(
          List.of("??"),
          List.of("or"),
          List.of("and"),
          List.of("==", "!=", "<=", ">=", "<", ">", "among"),
          List.of("+", "-"),
          List.of("*", "/", "%"));

  /** {@code not} is of a whole comparison. */
  private static final int COMPARISON = 3;

  private final Formulas formulas;
  private final String text;
  private Map<String, Integer> locals = new HashMap<>();
  private int slots;
  private int at;

  Parser(Formulas formulas, String text, List<String> parameters) {
    this.formulas = formulas;
    this.text = text;
    parameters.forEach(name -> locals.put(name, slots++));
  }

  /** The whole text as one expression. */
  Formula whole() {
    Formula formula = expression();
    blanks();
    if (at < text.length()) {
      throw wrong("the end");
    }
    return formula;
  }

  /** How many local names there are, parameters included. */
  int slots() {
    return slots;
  }

  private Formula expression() {
    if (word("let")) {
      return let();
    }
    Formula condition = binary(0);
    if (!sign("?")) {
      return condition;
    }
    Formula yes = expression();
    expect(":");
    Formula no = expression();
    return scope -> (Values.truth(condition.value(scope)) ? yes : no).value(scope);
  }

  private Formula let() {
    Map<String, Integer> outer = locals;
    locals = new HashMap<>(outer);
    List<Formula> values = new ArrayList<>();
    do {
      String name = name();
      expect("=");
      Formula value = expression();
      int slot = slots++;
      values.add(scope -> scope.keep(slot, value.value(scope)));
      locals.put(name, slot);
    } while (sign(","));
    if (!word("in")) {
      throw wrong("in");
    }
    Formula body = expression();
    locals = outer;
    return scope -> {
      values.forEach(value -> value.value(scope));
      return body.value(scope);
    };
  }

  private Formula binary(int level) {
    if (level == LEVELS.size()) {
      return unary();
    }
    if (level == COMPARISON && word("not")) {
      Formula formula = binary(level);
      return scope -> !Values.truth(formula.value(scope));
    }
    Formula left = binary(level + 1);
    for (String operator = operator(level); operator != null; operator = operator(level)) {
      left = applied(operator, left, binary(level + 1));
    }
    return left;
  }

  private @Nullable String operator(int level) {
    for (String operator : LEVELS.get(level)) {
      if (Character.isLetter(operator.charAt(0)) ? word(operator) : sign(operator)) {
        return operator;
      }
    }
    return null;
  }

  private static Formula applied(String operator, Formula left, Formula right) {
    return switch (operator) {
      case "??" ->
          scope -> {
            Object value = left.value(scope);
            return value == null ? right.value(scope) : value;
          };
      case "or" -> scope -> Values.truth(left.value(scope)) || Values.truth(right.value(scope));
      case "and" -> scope -> Values.truth(left.value(scope)) && Values.truth(right.value(scope));
      case "==" -> scope -> Values.same(left.value(scope), right.value(scope));
      case "!=" -> scope -> !Values.same(left.value(scope), right.value(scope));
      case "<" -> scope -> Values.compare(left.value(scope), right.value(scope)) < 0;
      case ">" -> scope -> Values.compare(left.value(scope), right.value(scope)) > 0;
      case "<=" -> scope -> Values.compare(left.value(scope), right.value(scope)) <= 0;
      case ">=" -> scope -> Values.compare(left.value(scope), right.value(scope)) >= 0;
      case "among" -> scope -> Values.contains(right.value(scope), left.value(scope));
      default -> {
        char sign = operator.charAt(0);
        yield scope -> Values.calculate(sign, left.value(scope), right.value(scope));
      }
    };
  }

  private Formula unary() {
    if (sign("-")) {
      Formula formula = unary();
      return scope -> Values.calculate('-', 0L, formula.value(scope));
    }
    Formula formula = postfix();
    if (sign("@")) {
      Formula time = postfix();
      return scope -> scope.at(Values.whole(time.value(scope)), formula);
    }
    return formula;
  }

  private Formula postfix() {
    Formula formula = primary();
    while (true) {
      if (sign("?.")) {
        formula = member(formula, true);
      } else if (sign(".")) {
        formula = member(formula, false);
      } else {
        return formula;
      }
    }
  }

  /** What stands after a dot: an attribute, a function of what stands before, or an expression. */
  private Formula member(Formula base, boolean orNull) {
    Formula member;
    if (text.startsWith("{", at) || text.startsWith("(", at)) {
      Formula body = primary();
      member = scope -> scope.of(base.value(scope), body);
    } else {
      String name = name();
      List<Formula> arguments = new ArrayList<>(List.of(base));
      member =
          text.startsWith("(", at)
              ? formulas.call(name, arguments(arguments))
              : formulas.attribute(name, base);
    }
    return orNull ? scope -> base.value(scope) == null ? null : member.value(scope) : member;
  }

  private List<Formula> arguments(List<Formula> arguments) {
    expect("(");
    while (!sign(")")) {
      arguments.add(expression());
      if (!sign(",")) {
        expect(")");
        return arguments;
      }
    }
    return arguments;
  }

  private Formula primary() {
    blanks();
    char first = at < text.length() ? text.charAt(at) : ' ';
    if (Character.isDigit(first)) {
      return number();
    }
    switch (first) {
      case '\'' -> {
        return constant(upTo('\''));
      }
      case '"' -> {
        return filled(upTo('"'));
      }
      case '{' -> {
        return object();
      }
      case '[' -> {
        return list();
      }
      case '(' -> {
        at++;
        Formula inner = expression();
        expect(")");
        return inner;
      }
      case '$' -> {
        at++;
        return new Formula.Parameter(name());
      }
      case '.' -> {
        at++;
        return member(Scope::item, false);
      }
      default -> {
        return named(name());
      }
    }
  }

  private Formula named(String name) {
    switch (name) {
      case "true" -> {
        return constant(true);
      }
      case "false" -> {
        return constant(false);
      }
      case "null" -> {
        return constant(null);
      }
      case "it" -> {
        return Scope::item;
      }
      case "t" -> {
        return Scope::time;
      }
      default -> {}
    }
    boolean called = text.startsWith("(", at);
    Integer slot = locals.get(name);
    if (slot != null && !called) {
      int place = slot;
      return scope -> scope.local(place);
    }
    List<Formula> none = new ArrayList<>();
    return formulas.call(name, called ? arguments(none) : none);
  }

  private static Formula constant(@Nullable Object value) {
    return scope -> value;
  }

  private Formula number() {
    int start = at;
    while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '_')) {
      at++;
    }
    int end = at;
    if (at + 1 < text.length()
        && text.charAt(at) == '.'
        && Character.isDigit(text.charAt(at + 1))) {
      for (at++; at < text.length() && Character.isDigit(text.charAt(at)); ) {
        at++;
      }
    }
    String digits = text.substring(start, at).replace("_", "");
    return at == end ? constant(Long.valueOf(digits)) : constant(Double.valueOf(digits));
  }

  private String upTo(char quote) {
    int end = text.indexOf(quote, ++at);
    if (end < 0) {
      throw wrong("a quote");
    }
    String inner = text.substring(at, end);
    at = end + 1;
    return inner;
  }

  /** A text with expressions in braces. */
  private Formula filled(String inner) {
    List<Formula> parts = new ArrayList<>();
    int from = 0;
    for (int open = inner.indexOf('{'); open >= 0; open = inner.indexOf('{', from)) {
      parts.add(constant(inner.substring(from, open)));
      from = inner.indexOf('}', open) + 1;
      Parser nested = new Parser(formulas, inner.substring(open + 1, from - 1), List.of());
      nested.locals = locals;
      parts.add(nested.whole());
    }
    parts.add(constant(inner.substring(from)));
    return scope -> {
      StringBuilder whole = new StringBuilder();
      parts.forEach(part -> whole.append(Values.text(part.value(scope))));
      return whole.toString();
    };
  }

  private Formula list() {
    at++;
    List<Formula> elements = new ArrayList<>();
    List<Boolean> spread = new ArrayList<>();
    while (!sign("]")) {
      spread.add(sign("..."));
      elements.add(expression());
      if (!sign(",")) {
        expect("]");
        break;
      }
    }
    return scope -> {
      List<@Nullable Object> list = new ArrayList<>(elements.size());
      for (int each = 0; each < elements.size(); each++) {
        Object value = elements.get(each).value(scope);
        if (spread.get(each)) {
          list.addAll(Values.list(value));
        } else {
          list.add(value);
        }
      }
      return list;
    };
  }

  private Formula object() {
    at++;
    List<ObjectFormula.Member> members = new ArrayList<>();
    while (!sign("}")) {
      members.add(objectMember());
      if (!sign(",")) {
        expect("}");
        break;
      }
    }
    return new ObjectFormula(members);
  }

  /** {@code name: expression}, {@code name} for the attribute of that name, {@code ...others}. */
  private ObjectFormula.Member objectMember() {
    if (sign("...")) {
      return new ObjectFormula.Member(null, expression());
    }
    blanks();
    if (text.startsWith("\"", at)) {
      Formula key = filled(upTo('"'));
      expect(":");
      return new ObjectFormula.Member(key, expression());
    }
    String name = name();
    Formula value = sign(":") ? expression() : formulas.attribute(name, Scope::item);
    return new ObjectFormula.Member(constant(name), value);
  }

  private String name() {
    blanks();
    int start = at;
    while (at < text.length() && isOfName(text.charAt(at))) {
      at++;
    }
    if (at == start || (Character.isDigit(text.charAt(start)) && !isAttribute(start))) {
      throw wrong("a name");
    }
    return text.substring(start, at);
  }

  private boolean isAttribute(int start) {
    return start > 0 && text.charAt(start - 1) == '.';
  }

  private static boolean isOfName(char letter) {
    return Character.isLetterOrDigit(letter) || letter == '_';
  }

  private boolean word(String word) {
    blanks();
    int end = at + word.length();
    if (text.startsWith(word, at) && (end == text.length() || !isOfName(text.charAt(end)))) {
      at = end;
      return true;
    }
    return false;
  }

  private boolean sign(String sign) {
    blanks();
    if (!text.startsWith(sign, at) || isLonger(sign)) {
      return false;
    }
    at += sign.length();
    return true;
  }

  /** Whether a longer sign stands here, of which this one is but the beginning. */
  private boolean isLonger(String sign) {
    return (sign.equals("?") && (text.startsWith("??", at) || text.startsWith("?.", at)))
        || (sign.equals(".") && text.startsWith("...", at));
  }

  private void expect(String sign) {
    if (!sign(sign)) {
      throw wrong(sign);
    }
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private IllegalArgumentException wrong(String wanted) {
    String before = text.substring(Math.max(0, at - 60), at);
    return new IllegalArgumentException("expected " + wanted + " after: " + before);
  }
}
