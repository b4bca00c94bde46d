package dev.octroi.sandbox.contract;

import dev.octroi.sandbox.contract.Rule.Barred;
import dev.octroi.sandbox.contract.Rule.Bounds;
import dev.octroi.sandbox.contract.Rule.ByMember;
import dev.octroi.sandbox.contract.Rule.Dependence;
import dev.octroi.sandbox.contract.Rule.Either;
import dev.octroi.sandbox.contract.Rule.Group;
import dev.octroi.sandbox.contract.Rule.Member;
import dev.octroi.sandbox.contract.Rule.Named;
import dev.octroi.sandbox.contract.Rule.Numeric;
import dev.octroi.sandbox.contract.Rule.Series;
import dev.octroi.sandbox.contract.Rule.Shape;
import dev.octroi.sandbox.contract.Rule.Text;
import dev.octroi.sandbox.contract.Rule.Truth;
import dev.octroi.sandbox.contract.Rule.Whatever;
import dev.octroi.sandbox.contract.Rule.Words;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the files of a contract. */
final class ContractReader {

  private static final Pattern OPERATION =
      Pattern.compile("(public )?(GET|POST|DELETE|PUT|PATCH) (/\\S*)(?: for (\\S+))?");
  private static final Pattern MEMBER = Pattern.compile("(\\S+?)(!?)(?:\\s+(.*?))?(?:\\s+= (.*))?");
  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "json", "application/json",
          "form", "application/x-www-form-urlencoded",
          "multipart", "multipart/form-data");
  private static final Map<String, Group.Count> GROUPS =
      Map.of(
          "one-of", Group.Count.ONE,
          "some-of", Group.Count.SOME,
          "not-both", Group.Count.NOT_BOTH,
          "together", Group.Count.TOGETHER);

  private final Map<String, Rule> shapes = new HashMap<>();
  private final List<Operation> operations = new ArrayList<>();
  private final List<Member> credentials = new ArrayList<>();
  private final List<Member> headers = new ArrayList<>();
  private String base = "";
  private @Nullable String source;
  private boolean isBeyond;
  private boolean nullable;

  private ContractReader() {}

  static Contract files(List<String> names) {
    return texts(names.stream().map(ContractReader::text).toList());
  }

  static Contract texts(List<String> texts) {
    ContractReader reader = new ContractReader();
    texts.forEach(reader::read);
    return new Contract(reader.base, reader.credentials, reader.operations);
  }

  private static String text(String file) {
    try (InputStream in =
        Objects.requireNonNull(Contract.class.getResourceAsStream(file), "missing " + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void read(String text) {
    isBeyond = false;
    source = null;
    for (Line line : Line.tree(text).children()) {
      String word = line.word();
      switch (word) {
        case "source" -> source = line.rest();
        case "note" -> {}
        case "beyond" -> isBeyond = true;
        case "nulls" -> nullable = true;
        case "base" -> base = line.rest();
        case "auth" -> credentials.add(member(line.inner()));
        case "header" -> headers.add(member(line.inner()));
        case "type" -> {
          Member named = member(line.inner());
          shapes.put(named.name(), named.rule());
        }
        case "shape" -> shape(line);
        default -> operation(line);
      }
    }
  }

  private void shape(Line line) {
    String[] words = line.rest().split(" by ", 2);
    shapes.put(words[0], words.length == 1 ? members(line) : cases(words[1], line));
  }

  private void operation(Line line) {
    Matcher matcher = OPERATION.matcher(line.text());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Not understood: " + line.text());
    }
    List<Line> query = new ArrayList<>();
    List<Line> variables = new ArrayList<>();
    List<Line> own = new ArrayList<>();
    Operation.Body body = null;
    for (Line child : line.children()) {
      switch (child.word()) {
        case "path" -> variables.add(child.inner());
        case "header" -> own.add(child.inner());
        case "body", "body!" -> body = body(child);
        default -> query.add(child);
      }
    }
    String path = matcher.group(3);
    Shape known = members(new Line("", own));
    Map<String, Member> all = new LinkedHashMap<>();
    headers.forEach(header -> all.put(header.name(), header));
    all.putAll(known.members());
    String models = matcher.group(4);
    operations.add(
        new Operation(
            matcher.group(2),
            path,
            models == null ? null : globs(models),
            matcher.group(1) != null,
            isBeyond,
            source(),
            new Shape(members(new Line("", variables)).members(), anyText(), List.of()),
            members(new Line("", query)),
            new Shape(all, known.others(), known.groups()),
            body));
  }

  private String source() {
    if (source == null) {
      throw new IllegalArgumentException("A contract names its source and its date");
    }
    return source;
  }

  private static Pattern globs(String words) {
    return Pattern.compile(
        Stream.of(words.split(","))
            .map(word -> Pattern.quote(word).replace("*", "\\E.*\\Q"))
            .collect(Collectors.joining("|")));
  }

  private static Rule anyText() {
    return new Text(null, Bounds.NONE);
  }

  private Operation.Body body(Line line) {
    List<String> types =
        Stream.of(line.rest().split("\\|"))
            .map(word -> Objects.requireNonNull(MEDIA_TYPES.get(word), word))
            .toList();
    return new Operation.Body(types, line.word().endsWith("!"), members(line));
  }

  private Shape members(Line parent) {
    Map<String, Member> members = new LinkedHashMap<>();
    List<Dependence> groups = new ArrayList<>();
    Rule others = null;
    for (Line line : parent.children()) {
      Group.Count count = GROUPS.get(line.word());
      if (count != null) {
        groups.add(new Group(count, List.of(line.rest().split(" "))));
      } else if (line.word().equals("not-with")) {
        groups.add(barred(line.rest()));
      } else if (line.word().equals("*")) {
        others = new SpecReader(line.rest(), line).whole();
      } else if (line.word().startsWith("+")) {
        Shape included = included(line.word().substring(1));
        members.putAll(included.members());
        groups.addAll(included.groups());
        others = included.others() == null ? others : included.others();
      } else {
        Member member = member(line);
        members.put(member.name(), member);
      }
    }
    return new Shape(members, others, List.copyOf(groups));
  }

  /** Reads {@code category=company,people includeText excludeText}. */
  private static Barred barred(String text) {
    List<String> names = List.of(text.split(" "));
    String[] sides = names.get(0).split("=", 2);
    return new Barred(sides[0], List.of(sides[1].split(",")), names.subList(1, names.size()));
  }

  private Shape included(String name) {
    if (shapes.get(name) instanceof Shape shape) {
      return shape;
    }
    throw new IllegalArgumentException("No shape before this line has the name " + name);
  }

  private ByMember cases(String name, Line parent) {
    Map<String, Shape> cases = new LinkedHashMap<>();
    for (Line line : parent.children()) {
      Shape shape = members(line);
      Map<String, Member> all = new LinkedHashMap<>(shape.members());
      all.putIfAbsent(name, new Member(name, false, anyText(), null, false));
      Shape whole = new Shape(all, shape.others(), shape.groups());
      Stream.of(line.text().split(",")).forEach(word -> cases.put(word, whole));
    }
    return new ByMember(name, cases);
  }

  private Member member(Line line) {
    Matcher matcher = MEMBER.matcher(line.text());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Not a member: " + line.text());
    }
    String spec = matcher.group(3);
    return new Member(
        matcher.group(1),
        !matcher.group(2).isEmpty(),
        new SpecReader(spec == null ? "text" : spec, line).whole(),
        matcher.group(4),
        nullable);
  }

  /**
   * A line and what is indented below it.
   *
   * @param text without its indent
   */
  private record Line(String text, List<Line> children) {

    static Line tree(String text) {
      Line root = new Line("", new ArrayList<>());
      Deque<Line> open = new ArrayDeque<>(List.of(root));
      Deque<Integer> indents = new ArrayDeque<>(List.of(-1));
      for (String raw : text.lines().toList()) {
        String bare = raw.strip();
        if (bare.isEmpty() || bare.startsWith("#")) {
          continue;
        }
        int indent = raw.length() - raw.stripLeading().length();
        while (indents.element() >= indent) {
          indents.pop();
          open.pop();
        }
        Line line = new Line(bare, new ArrayList<>());
        open.element().children().add(line);
        open.push(line);
        indents.push(indent);
      }
      return root;
    }

    String word() {
      int space = text.indexOf(' ');
      return space < 0 ? text : text.substring(0, space);
    }

    String rest() {
      int space = text.indexOf(' ');
      return space < 0 ? "" : text.substring(space + 1).strip();
    }

    /** The line without its first word. */
    Line inner() {
      return new Line(rest(), children);
    }
  }

  /** Reads what a value must be. */
  private final class SpecReader {

    private static final Pattern RANGE = Pattern.compile("\\((-?[\\d.]*?)\\.\\.(-?[\\d.]*)\\)");
    private static final Pattern WORD = Pattern.compile("[a-z]+");
    private static final Pattern NAME = Pattern.compile("@([\\w-]+)");

    private final String spec;
    private final Line line;
    private int at;

    SpecReader(String spec, Line line) {
      this.spec = spec;
      this.line = line;
    }

    Rule whole() {
      Rule rule = either();
      if (at < spec.length()) {
        throw wrong();
      }
      return rule;
    }

    private Rule either() {
      List<Rule> rules = new ArrayList<>(List.of(one()));
      while (spec.startsWith(" | ", at)) {
        at += 3;
        rules.add(one());
      }
      return rules.size() == 1 ? rules.get(0) : new Either(List.copyOf(rules));
    }

    private Rule one() {
      char first = at < spec.length() ? spec.charAt(at) : ' ';
      return switch (first) {
        case '{' -> new Words(words(), false);
        case '/' -> pattern();
        case '[' -> list(false);
        case '@' -> new Named(found(NAME).group(1), shapes);
        default -> word(found(WORD).group());
      };
    }

    private Rule word(String word) {
      return switch (word) {
        case "text" -> new Text(null, bounds());
        case "int" ->
            spec.startsWith("{", at) ? new Words(words(), true) : new Numeric(true, bounds());
        case "num" -> new Numeric(false, bounds());
        case "bool" -> new Truth();
        case "null" -> new Whatever(true);
        case "any" -> new Whatever(false);
        case "file" -> new Rule.File();
        case "csv" -> list(true);
        case "object" -> line.children().isEmpty() ? free() : members(line);
        case "by" -> {
          at++;
          yield cases(found(Pattern.compile("\\w+")).group(), line);
        }
        default -> throw wrong();
      };
    }

    private Shape free() {
      return new Shape(Map.of(), new Whatever(false), List.of());
    }

    private Rule list(boolean commas) {
      at++;
      Rule element = either();
      if (!spec.startsWith("]", at)) {
        throw wrong();
      }
      at++;
      return new Series(element, bounds(), commas);
    }

    private List<String> words() {
      int end = spec.indexOf('}', at);
      List<String> words = List.of(spec.substring(at + 1, end).split(",", -1));
      at = end + 1;
      return words;
    }

    private Rule pattern() {
      int end = at + 1;
      while (spec.charAt(end) != '/' || spec.charAt(end - 1) == '\\') {
        end++;
      }
      Pattern pattern = Pattern.compile(spec.substring(at + 1, end).replace("\\/", "/"));
      at = end + 1;
      return new Text(pattern, Bounds.NONE);
    }

    private Bounds bounds() {
      if (!spec.startsWith("(", at)) {
        return Bounds.NONE;
      }
      Matcher range = found(RANGE);
      return new Bounds(number(range.group(1)), number(range.group(2)));
    }

    private @Nullable BigDecimal number(String digits) {
      return digits.isEmpty() ? null : new BigDecimal(digits);
    }

    private Matcher found(Pattern pattern) {
      Matcher matcher = pattern.matcher(spec).region(at, spec.length());
      if (!matcher.lookingAt()) {
        throw wrong();
      }
      at = matcher.end();
      return matcher;
    }

    private IllegalArgumentException wrong() {
      return new IllegalArgumentException("Not understood: " + line.text());
    }
  }
}
