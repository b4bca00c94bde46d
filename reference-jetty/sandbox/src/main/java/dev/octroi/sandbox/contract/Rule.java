package dev.octroi.sandbox.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.octroi.sandbox.contract.Violation.Kind;
import dev.octroi.sandbox.contract.Violation.Where;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a value must be. Immutable once its contract is read. */
sealed interface Rule {

  /** Why a value is refused; empty for a good one. */
  Optional<Violation> check(JsonNode value, Spot spot);

  /** The words that a value is one of; empty where any will do. */
  default List<String> words() {
    return List.of();
  }

  /**
   * Where a value stands.
   *
   * @param typed whether it has a type of its own, as in JSON; in queries and forms all is text
   */
  record Spot(Where where, boolean typed, List<String> name) {

    Spot at(String member) {
      List<String> deeper = new ArrayList<>(name);
      deeper.add(member);
      return new Spot(where, typed, List.copyOf(deeper));
    }

    Optional<Violation> refuse(Kind kind, String message) {
      return Optional.of(new Violation(kind, where, name, message));
    }

    /** Refuses another type. */
    Optional<Violation> must(boolean holds, String message) {
      return must(holds, Kind.TYPE, message);
    }

    Optional<Violation> must(boolean holds, Kind kind, String message) {
      return holds ? Optional.empty() : refuse(kind, "must be " + message);
    }
  }

  /** Inclusive ends; null for none. */
  record Bounds(@Nullable BigDecimal least, @Nullable BigDecimal most) {

    static final Bounds NONE = new Bounds(null, null);

    /**
     * @param what what has the number: {@code of a length }, or nothing where it is the value
     */
    Optional<Violation> check(BigDecimal number, Spot spot, String what) {
      if (least != null && number.compareTo(least) < 0) {
        return spot.must(false, Kind.BOUND, what + "at least " + least);
      }
      return spot.must(
          most == null || number.compareTo(most) <= 0, Kind.BOUND, what + "at most " + most);
    }
  }

  /** A text of a length, which a pattern may describe. */
  record Text(@Nullable Pattern pattern, Bounds length) implements Rule {

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      if (!value.isTextual()) {
        return spot.must(false, "a string");
      }
      String text = value.textValue();
      if (pattern != null && !pattern.matcher(text).matches()) {
        return spot.must(false, Kind.VALUE, "of the form " + pattern);
      }
      return length.check(
          BigDecimal.valueOf(text.codePointCount(0, text.length())), spot, "of a length of ");
    }
  }

  /** One of some words, or of some whole numbers. */
  record Words(List<String> words, boolean whole) implements Rule {

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      boolean type = (spot.typed() && whole) ? value.isIntegralNumber() : value.isTextual();
      String all = "one of " + String.join(", ", words);
      return spot.must(type, all)
          .or(() -> spot.must(words.contains(value.asText()), Kind.VALUE, all));
    }
  }

  /** A number. */
  record Numeric(boolean whole, Bounds bounds) implements Rule {

    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,18}(\\.\\d{1,18})?");

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      boolean number =
          spot.typed()
              ? (whole ? value.isIntegralNumber() : value.isNumber())
              : (whole ? WHOLE : DECIMAL).matcher(value.asText()).matches();
      if (!number) {
        return spot.must(false, whole ? "an integer" : "a number");
      }
      return bounds.check(
          spot.typed() ? value.decimalValue() : new BigDecimal(value.asText()), spot, "");
    }
  }

  /** A boolean. */
  record Truth() implements Rule {

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      boolean good =
          spot.typed()
              ? value.isBoolean()
              : value.asText().equals("true") || value.asText().equals("false");
      return spot.must(good, "a boolean");
    }
  }

  /** JSON's null, or whatever there is. */
  record Whatever(boolean onlyNull) implements Rule {

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      return spot.must(!onlyNull || value.isNull(), "null");
    }
  }

  /** A list: of JSON, of a parameter that is repeated, or a text with commas. */
  record Series(Rule element, Bounds size, boolean commas) implements Rule {

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      Collection<JsonNode> elements;
      if (commas) {
        if (!value.isTextual()) {
          return spot.must(false, "a string");
        }
        elements =
            Stream.of(value.textValue().split(",", -1))
                .map(part -> (JsonNode) TextNode.valueOf(part.strip()))
                .toList();
      } else if (value.isArray()) {
        elements = value.valueStream().toList();
      } else {
        return spot.must(false, "a list");
      }
      Optional<Violation> count =
          size.check(BigDecimal.valueOf(elements.size()), spot, "a list of ");
      if (count.isPresent()) {
        return count;
      }
      int at = 0;
      for (JsonNode one : elements) {
        Optional<Violation> violation = element.check(one, commas ? spot : spot.at("" + at++));
        if (violation.isPresent()) {
          return violation;
        }
      }
      return Optional.empty();
    }

    @Override
    public List<String> words() {
      return element.words();
    }

    /** Whether a parameter may come more than once. */
    static boolean isRepeated(Rule rule) {
      return rule instanceof Series series && !series.commas();
    }
  }

  /**
   * An object.
   *
   * @param members by name
   * @param others what members of other names are; null where there are none
   * @param groups members that depend on each other
   */
  record Shape(Map<String, Member> members, @Nullable Rule others, List<Dependence> groups)
      implements Rule {

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      if (!value.isObject()) {
        return spot.must(false, "an object");
      }
      Map<String, JsonNode> given = new LinkedHashMap<>();
      value.properties().forEach(member -> given.put(member.getKey(), member.getValue()));
      return check(given, spot);
    }

    Optional<Violation> check(Map<String, JsonNode> given, Spot spot) {
      for (Map.Entry<String, JsonNode> one : given.entrySet()) {
        Member member = members.get(one.getKey());
        Rule rule = member == null ? others : member.rule();
        Spot there = spot.at(one.getKey());
        if (rule == null) {
          return there.refuse(Kind.UNKNOWN, "is not known");
        }
        if (member != null && member.isLeftOut(one.getValue())) {
          continue;
        }
        Optional<Violation> violation = rule.check(one.getValue(), there);
        if (violation.isPresent()) {
          return violation;
        }
      }
      for (Member member : members.values()) {
        if (member.required() && !given.containsKey(member.name())) {
          return spot.at(member.name()).refuse(Kind.MISSING, "is required");
        }
      }
      return groups.stream().flatMap(group -> group.check(given, spot).stream()).findFirst();
    }
  }

  /**
   * A member of an object, a parameter or a header.
   *
   * @param absent what stands where the caller gives none; null for nothing
   * @param nullable whether a null is as good as none
   */
  record Member(
      String name, boolean required, Rule rule, @Nullable String absent, boolean nullable) {

    boolean isLeftOut(JsonNode value) {
      return nullable && !required && value.isNull();
    }

    /** Whether an empty text is as good as none. */
    boolean isFreeText() {
      return rule instanceof Text;
    }
  }

  /** What has to hold of several members together. */
  sealed interface Dependence {
    Optional<Violation> check(Map<String, JsonNode> given, Spot spot);
  }

  /** Members that are refused beside some words of another one. */
  record Barred(String name, List<String> words, List<String> names) implements Dependence {

    @Override
    public Optional<Violation> check(Map<String, JsonNode> given, Spot spot) {
      JsonNode value = given.get(name);
      if (value == null || !words.contains(value.asText())) {
        return Optional.empty();
      }
      return names.stream()
          .filter(given::containsKey)
          .findFirst()
          .flatMap(
              other ->
                  spot.at(other)
                      .refuse(
                          Kind.COMBINATION,
                          "is not taken where " + name + " is " + value.asText()));
    }
  }

  /** How many of some members are given. */
  record Group(Count count, List<String> names) implements Dependence {

    /** How many of them are given. */
    enum Count {
      ONE("exactly one of"),
      SOME("at least one of"),
      NOT_BOTH("at most one of"),
      TOGETHER("all or none of");

      private final String said;

      Count(String said) {
        this.said = said;
      }
    }

    @Override
    public Optional<Violation> check(Map<String, JsonNode> given, Spot spot) {
      long there = names.stream().filter(given::containsKey).count();
      boolean good =
          switch (count) {
            case ONE -> there == 1;
            case SOME -> there >= 1;
            case NOT_BOTH -> there <= 1;
            case TOGETHER -> there == 0 || there == names.size();
          };
      String message = count.said + " " + String.join(", ", names) + " must be given";
      if (good) {
        return Optional.empty();
      }
      return spot.refuse(there == 0 ? Kind.MISSING : Kind.COMBINATION, message);
    }
  }

  /**
   * An object of several shapes, told apart by one member.
   *
   * @param shapes by that member's value; {@code *} is for an object without it
   */
  record ByMember(String name, Map<String, Shape> shapes) implements Rule {

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      if (!value.isObject()) {
        return spot.must(false, "an object");
      }
      JsonNode kind = value.path(name);
      Shape shape = shapes.get(kind.isMissingNode() ? "*" : kind.asText());
      if (shape != null) {
        return shape.check(value, spot);
      }
      Spot there = spot.at(name);
      return kind.isMissingNode()
          ? there.refuse(Kind.MISSING, "is required")
          : there.must(false, Kind.VALUE, "one of " + String.join(", ", shapes.keySet()));
    }
  }

  /**
   * One of several rules. What is told of a value that fits none is the deepest fault, and rather
   * one of a value of the right type.
   */
  record Either(List<Rule> rules) implements Rule {

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      List<Violation> faults = new ArrayList<>();
      for (Rule rule : rules) {
        Optional<Violation> violation = rule.check(value, spot);
        if (violation.isEmpty()) {
          return violation;
        }
        faults.add(violation.get());
      }
      return faults.stream()
          .max(
              Comparator.comparingInt((Violation fault) -> fault.name().size())
                  .thenComparing(fault -> fault.kind() != Kind.TYPE));
    }

    @Override
    public List<String> words() {
      return rules.stream().flatMap(rule -> rule.words().stream()).toList();
    }
  }

  /** A file of a form. */
  record File() implements Rule {

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      return spot.must(value.isBinary(), "a file");
    }
  }

  /** A rule that has a name; it may hold itself. */
  record Named(String name, Map<String, Rule> shapes) implements Rule {

    @Override
    public List<String> words() {
      return named().words();
    }

    @Override
    public Optional<Violation> check(JsonNode value, Spot spot) {
      return named().check(value, spot);
    }

    Rule named() {
      Rule rule = shapes.get(name);
      if (rule == null) {
        throw new IllegalArgumentException("No shape has the name " + name);
      }
      return rule;
    }

    @Override
    public String toString() {
      return "@" + name;
    }
  }
}
