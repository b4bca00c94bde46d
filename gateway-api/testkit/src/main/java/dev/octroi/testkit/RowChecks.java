package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads checks as they are declared, and the numbers that they compare. */
final class RowChecks {

  private RowChecks() {}

  static RowCheck of(JsonNode declared) {
    String kind = declared.required("kind").textValue();
    return switch (kind) {
      case "changes" ->
          new RowCheck.Changes(
              text(declared, "parameter"),
              declared.required("value"),
              text(declared, "at"),
              optional(declared, "becomes"));
      case "unknown" ->
          new RowCheck.Unknown(
              text(declared, "parameter"), declared.required("value"), text(declared, "code"));
      case "pages" ->
          new RowCheck.Pages(
              text(declared, "items"), text(declared, "by"), optional(declared, "cursor"));
      case "limited" -> new RowCheck.Limited(text(declared, "items"));
      case "sorted" ->
          new RowCheck.Sorted(
              text(declared, "items"),
              text(declared, "by"),
              text(declared, "order").equals("desc"));
      case "ordered" ->
          new RowCheck.Ordered(
              text(declared, "items"),
              texts(declared.required("fields")),
              texts(declared.path("also")));
      case "adds" ->
          new RowCheck.Adds(
              text(declared, "items"),
              texts(declared.required("fields")),
              declared.required("to").decimalValue());
      case "distinct" ->
          new RowCheck.Distinct(text(declared, "items"), texts(declared.required("by")));
      default -> throw new AssertionError("There is no check " + kind);
    };
  }

  static JsonNode text(String value) {
    return TextNode.valueOf(value);
  }

  /** The items at a place; the answer itself for the empty place. Never none. */
  static List<JsonNode> items(JsonNode answer, String at) {
    if (at.isEmpty()) {
      return List.of(answer);
    }
    List<JsonNode> items = new ArrayList<>();
    answer.at(at).forEach(items::add);
    assertThat(items).as(at).isNotEmpty();
    return items;
  }

  /** The number at a place; {@code =100} is a number itself, and a minus before a place negates. */
  static BigDecimal number(JsonNode item, String field) {
    if (field.startsWith("=")) {
      return new BigDecimal(field.substring(1));
    }
    boolean negated = field.startsWith("-");
    JsonNode value = item.at(negated ? field.substring(1) : field);
    assertThat(value.isNumber()).as(field + " is a number in " + item).isTrue();
    return negated ? value.decimalValue().negate() : value.decimalValue();
  }

  private static String text(JsonNode declared, String name) {
    return declared.required(name).textValue();
  }

  private static @Nullable String optional(JsonNode declared, String name) {
    return declared.path(name).textValue();
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.textValue()));
    return texts;
  }
}
