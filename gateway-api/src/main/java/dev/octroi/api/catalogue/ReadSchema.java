package dev.octroi.api.catalogue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.group.Group;
import dev.octroi.services.JarResource;
import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Read;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The JSON Schema of a row's parameters, and arguments that do. */
final class ReadSchema {

  private static final String EVM_ADDRESS = "0x857b06519E91e3A54538791bDbb0E22373e36b66";

  private ReadSchema() {}

  static ObjectNode of(Read row) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    for (Parameter parameter : taken(row)) {
      properties.set(parameter.name(), property(parameter));
      if (parameter.required()) {
        schema.withArray("/required").add(parameter.name());
      }
    }
    return schema;
  }

  /** The parameters that the vendor can do something with. */
  private static List<Parameter> taken(Read row) {
    return row.parameters().stream().filter(parameter -> parameter.refusal() == null).toList();
  }

  /** Empty where a required value is the upstream's to know. */
  static ObjectNode example(ExampleValues known, Read row) {
    ObjectNode example = JsonNodeFactory.instance.objectNode();
    for (Parameter parameter : taken(row)) {
      if (parameter.required() || known.isGiven(row.name(), parameter.name())) {
        String value = known.of(row.name(), parameter.name()).orElseGet(() -> sample(parameter));
        if (value == null) {
          return JsonNodeFactory.instance.objectNode();
        }
        put(example, parameter, value);
      }
    }
    return example;
  }

  private static void put(ObjectNode example, Parameter parameter, String value) {
    switch (parameter.kind()) {
      case LIST -> example.putArray(parameter.name()).add(value);
      case INTEGER, TIME -> example.put(parameter.name(), Long.parseLong(value));
      case DECIMAL -> example.put(parameter.name(), new BigDecimal(value));
      case BOOLEAN -> example.put(parameter.name(), Boolean.parseBoolean(value));
      default -> example.put(parameter.name(), value);
    }
  }

  private static ObjectNode property(Parameter parameter) {
    ObjectNode property = JsonNodeFactory.instance.objectNode();
    property.put("description", Catalogue.parameter(parameter.name()));
    if (parameter.kind() == Parameter.Kind.LIST) {
      return list(property, parameter);
    }
    switch (parameter.kind()) {
      case INTEGER -> property.put("type", "integer");
      case TIME -> {
        String text = property.path("description").asText();
        property.put("type", "integer").put("description", text + " Unix seconds.");
      }
      case DECIMAL -> property.put("type", "number");
      case BOOLEAN -> property.put("type", "boolean");
      case PAIR, DATE, EVM_ADDRESS, BASE58_ADDRESS -> formed(property, parameter);
      default ->
          property
              .put("type", "string")
              .put("minLength", parameter.shortest())
              .put("maxLength", parameter.longest());
    }
    if (parameter.kind() != Parameter.Kind.TEXT) {
      bounds(property, parameter, "minimum", "maximum");
    }
    values(property, parameter);
    return property;
  }

  private static ObjectNode formed(ObjectNode property, Parameter parameter) {
    return property.put("type", "string").put("pattern", "^(?:" + parameter.kind().form() + ")$");
  }

  private static ObjectNode list(ObjectNode property, Parameter parameter) {
    ObjectNode items = property.put("type", "array").putObject("items");
    items.put("type", "string").put("minLength", 1);
    parameter.allowed().forEach(value -> items.withArray("/enum").add(value));
    bounds(property, parameter, "minItems", "maxItems");
    return property;
  }

  private static void bounds(ObjectNode property, Parameter parameter, String least, String most) {
    put(property, least, parameter.min());
    put(property, most, parameter.max());
  }

  private static void put(ObjectNode property, String name, @Nullable BigDecimal bound) {
    if (bound != null) {
      property.put(name, bound);
    }
  }

  private static void values(ObjectNode property, Parameter parameter) {
    boolean whole = parameter.kind() == Parameter.Kind.INTEGER;
    for (String value : parameter.allowed()) {
      ArrayNode values = property.withArray("/enum");
      if (whole) {
        values.add(Long.parseLong(value));
      } else {
        values.add(value);
      }
    }
    String absent = parameter.defaultValue();
    if (absent != null) {
      switch (parameter.kind()) {
        case INTEGER -> property.put("default", Long.parseLong(absent));
        case BOOLEAN -> property.put("default", Boolean.parseBoolean(absent));
        default -> property.put("default", absent);
      }
    }
  }

  private static @Nullable String sample(Parameter parameter) {
    if (!parameter.allowed().isEmpty()) {
      return parameter.allowed().get(0);
    }
    return switch (parameter.kind()) {
      case PAIR -> "BTC-USDT";
      case EVM_ADDRESS -> EVM_ADDRESS;
      case TIME -> "1767225600";
      default -> parameter.name().startsWith("address") ? EVM_ADDRESS : null;
    };
  }

  /**
   * Values that the sandbox knows for the parameters of a group's reads, by row or for all of them,
   * from {@code examples.properties} beside the group's class. Immutable.
   */
  static final class ExampleValues {

    private final Properties values;

    ExampleValues(Group group) {
      values = JarResource.properties(group.getClass(), "examples.properties");
    }

    /** A value for a parameter of a row. */
    Optional<String> of(String row, String name) {
      return Optional.ofNullable(values.getProperty(row + "." + name))
          .or(() -> Optional.ofNullable(values.getProperty(name)));
    }

    /** Whether a row has an example of a parameter that it would do without. */
    boolean isGiven(String row, String name) {
      return values.containsKey(row + "." + name);
    }
  }
}
