package dev.octroi.api.openapi;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.Read;
import io.swagger.v3.oas.models.media.JsonSchema;
import java.math.BigDecimal;
import java.util.List;

/** Describes the parameters of rows, with the bounds by which they are checked. */
final class ReadParameters {

  private ReadParameters() {}

  static List<io.swagger.v3.oas.models.parameters.Parameter> of(
      Read row, String group, ExampleValues examples) {
    return row.parameters().stream().map(one -> described(row, one, group, examples)).toList();
  }

  private static io.swagger.v3.oas.models.parameters.Parameter described(
      Read row, Parameter parameter, String group, ExampleValues examples) {
    boolean inPath = (row.path() + "/").contains("/:" + parameter.name() + "/");
    JsonSchema schema = schema(parameter);
    var described =
        new io.swagger.v3.oas.models.parameters.Parameter()
            .name(parameter.name())
            .in(inPath ? "path" : "query")
            .required(inPath || parameter.required())
            .schema(schema);
    if (parameter.kind() == Kind.LIST) {
      described.style(io.swagger.v3.oas.models.parameters.Parameter.StyleEnum.FORM).explode(false);
    }
    String about = about(parameter.kind());
    if (!about.isEmpty()) {
      described.description(about);
    }
    examples
        .of(group, row.name(), parameter.name(), described.getRequired())
        .ifPresent(text -> described.example(typed(schema, text)));
    return described;
  }

  private static JsonSchema schema(Parameter parameter) {
    if (parameter.kind() == Kind.LIST) {
      JsonSchema list = RecordSchemas.ofType("array");
      list.setItems(text(parameter));
      list.setMinItems(1);
      list.setMaxItems(parameter.mostElements());
      return list;
    }
    JsonSchema schema =
        switch (parameter.kind()) {
          case INTEGER, TIME -> bounded(parameter, "integer");
          case DECIMAL -> bounded(parameter, "number");
          case BOOLEAN -> RecordSchemas.ofType("boolean");
          default -> text(parameter);
        };
    if (!parameter.allowed().isEmpty()) {
      schema.setEnum(
          parameter.allowed().stream().<Object>map(word -> typed(schema, word)).toList());
    }
    if (parameter.defaultValue() != null) {
      schema.setDefault(typed(schema, parameter.defaultValue()));
    }
    return schema;
  }

  private static JsonSchema bounded(Parameter parameter, String type) {
    JsonSchema number = RecordSchemas.ofType(type);
    number.setMinimum(parameter.min());
    number.setMaximum(parameter.max());
    return number;
  }

  private static JsonSchema text(Parameter parameter) {
    JsonSchema text = RecordSchemas.ofType("string");
    text.setMinLength(1);
    if (parameter.kind() == Kind.TEXT || parameter.kind() == Kind.LIST) {
      text.setMaxLength(parameter.longest());
    } else {
      text.setPattern("^(?:" + parameter.kind().form() + ")$");
    }
    return text;
  }

  private static Object typed(JsonSchema schema, String text) {
    if (schema.getTypes().contains("integer")) {
      return Long.valueOf(text);
    }
    if (schema.getTypes().contains("number")) {
      return new BigDecimal(text);
    }
    return schema.getTypes().contains("array") ? List.of(text.split(",", -1)) : text;
  }

  private static String about(Kind kind) {
    return switch (kind) {
      case PAIR -> "BASE-QUOTE; anything else is 400 `invalid_pair`.";
      case TIME -> "Unix seconds.";
      case EVM_ADDRESS -> "0x and 40 hexadecimal digits; anything else is 400 `invalid_address`.";
      case BASE58_ADDRESS -> "Base58 of 32 bytes; anything else is 400 `invalid_address`.";
      case LIST -> "Repeated, as `name[]`, or separated by commas.";
      case TEXT, INTEGER, DECIMAL, BOOLEAN -> "";
    };
  }
}
