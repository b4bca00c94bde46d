package dev.octroi.api.openapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.octroi.payments.Usd;
import io.swagger.v3.oas.models.media.JsonSchema;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes schemas of the gateway's own records from their types. */
final class RecordSchemas {

  private RecordSchemas() {}

  /** The schema of a request's body, of which every member may be left out. */
  static JsonSchema ofBody(Class<?> record) {
    return object(record, false);
  }

  /** The schema of an answer: every member is there, and may be null where it is nullable. */
  static JsonSchema ofAnswer(Class<?> record) {
    return object(record, true);
  }

  private static JsonSchema object(Class<?> record, boolean answer) {
    JsonSchema object = ofType("object");
    for (RecordComponent component : record.getRecordComponents()) {
      String name = name(component);
      JsonSchema member = of(component.getGenericType(), answer);
      boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      if (nullable && member.getTypes() != null) {
        member.addType("null");
      }
      object.addProperty(name, member);
      if (answer) {
        object.addRequiredItem(name);
      }
    }
    return object;
  }

  private static String name(RecordComponent component) {
    JsonProperty given = component.getAccessor().getAnnotation(JsonProperty.class);
    return given == null ? component.getName() : given.value();
  }

  private static JsonSchema of(Type type, boolean answer) {
    if (type instanceof ParameterizedType generic) {
      Class<?> raw = (Class<?>) generic.getRawType();
      Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
      if (raw == Optional.class) {
        return of(last, answer);
      }
      if (Iterable.class.isAssignableFrom(raw)) {
        JsonSchema array = ofType("array");
        array.setItems(of(last, answer));
        return array;
      }
      if (Map.class.isAssignableFrom(raw)) {
        JsonSchema map = ofType("object");
        map.setAdditionalProperties(of(last, answer));
        return map;
      }
      return new JsonSchema();
    }
    return type instanceof Class<?> plain ? ofClass(plain, answer) : new JsonSchema();
  }

  private static JsonSchema ofClass(Class<?> type, boolean answer) {
    if (type.isRecord() && type != Usd.class) {
      return object(type, answer);
    }
    if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
      return ofType("integer");
    }
    if (type == Boolean.class || type == boolean.class) {
      return ofType("boolean");
    }
    if (type == BigDecimal.class || type == Double.class || type == double.class) {
      return ofType("number");
    }
    return text(type);
  }

  private static JsonSchema text(Class<?> type) {
    JsonSchema text = ofType("string");
    if (type == Usd.class) {
      text.setPattern("^-?[0-9]+\\.[0-9]{6}$");
      text.setDescription("US dollars");
    } else if (type == Instant.class) {
      text.setFormat("date-time");
    } else if (type == LocalDate.class) {
      text.setFormat("date");
    } else if (type == UUID.class) {
      text.setFormat("uuid");
    } else if (type != String.class && !type.isEnum()) {
      return new JsonSchema();
    }
    return text;
  }

  /** A schema of one type. */
  static JsonSchema ofType(String type) {
    JsonSchema schema = new JsonSchema();
    schema.addType(type);
    return schema;
  }
}
