package dev.octroi.api.catalogue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Worded;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The JSON Schema of a body, from the constraints of the records that it is read into. */
final class BodySchema {

  private BodySchema() {}

  @SafeVarargs
  static ObjectNode of(Class<? extends Record>... bodies) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    for (Class<? extends Record> body : bodies) {
      for (RecordComponent component : body.getRecordComponents()) {
        Method member = component.getAccessor();
        String name =
            one(member, JsonProperty.class).map(JsonProperty::value).orElse(component.getName());
        ObjectNode property = property(component.getType(), member);
        Optional.ofNullable(component.getAnnotation(Field.class))
            .ifPresent(field -> describe(property, field));
        properties.set(name, property);
        if (isRequired(member)) {
          schema.withArray("/required").add(name);
        }
      }
    }
    return schema;
  }

  private static boolean isRequired(Method member) {
    return Stream.of(NotBlank.class, NotEmpty.class, NotNull.class)
        .anyMatch(member::isAnnotationPresent);
  }

  private static ObjectNode property(Class<?> type, Method member) {
    ObjectNode property = JsonNodeFactory.instance.objectNode();
    if (type == String.class) {
      property.put("type", "string");
      one(member, NotBlank.class).ifPresent(rule -> property.put("minLength", 1));
      size(property, member, "minLength", "maxLength");
      one(member, Pattern.class)
          .ifPresent(rule -> property.put("pattern", "^(?:" + rule.regexp() + ")$"));
    } else if (type == Integer.class) {
      property.put("type", "integer");
      one(member, Min.class).ifPresent(rule -> property.put("minimum", rule.value()));
      one(member, Max.class).ifPresent(rule -> property.put("maximum", rule.value()));
    } else if (type == Boolean.class) {
      property.put("type", "boolean");
    } else if (type == List.class) {
      property.put("type", "array").putObject("items").put("type", "string");
      one(member, NotEmpty.class).ifPresent(rule -> property.put("minItems", 1));
      size(property, member, "minItems", "maxItems");
    }
    return property;
  }

  /** What the record checks by itself, or with an error code of its own. */
  private static void describe(ObjectNode property, Field field) {
    property.put("description", field.value());
    if (field.longest() > 0) {
      property.put("maxLength", field.longest());
    }
    if (field.most() > 0) {
      property.put("minimum", field.least()).put("maximum", field.most());
    }
    Worded[] words = field.words().getEnumConstants();
    if (words != null) {
      ArrayNode values = property.putArray("enum");
      Stream.of(words).map(Worded::word).forEach(values::add);
    }
    if (!field.format().isEmpty()) {
      property.put("format", field.format());
    }
    switch (field.byDefault()) {
      case "" -> {}
      case "true", "false" -> property.put("default", Boolean.parseBoolean(field.byDefault()));
      default -> property.put("default", Integer.parseInt(field.byDefault()));
    }
  }

  private static void size(ObjectNode property, Method member, String least, String most) {
    one(member, Size.class)
        .ifPresent(
            rule -> {
              if (rule.min() > 0) {
                property.put(least, rule.min());
              }
              property.put(most, rule.max());
            });
  }

  private static <A extends Annotation> Optional<A> one(Method member, Class<A> type) {
    return Optional.ofNullable(member.getAnnotation(type));
  }
}
