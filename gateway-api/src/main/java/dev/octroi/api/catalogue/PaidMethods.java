package dev.octroi.api.catalogue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.HostGroup.Goods;
import dev.octroi.api.catalogue.Operation.PathTemplate;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Usd;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.MatrixParam;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what is sold from the paid methods of resource classes. */
final class PaidMethods {

  private static final JsonMapper JSON = new JsonMapper();

  private static final List<Class<? extends Annotation>> NO_BODY =
      List.of(
          Context.class,
          CookieParam.class,
          FormParam.class,
          HeaderParam.class,
          MatrixParam.class,
          PathParam.class,
          QueryParam.class);

  private PaidMethods() {}

  /** In the order of the classes, and of paths and methods within a class. */
  static List<Goods> of(String title, Class<?>... resources) {
    List<Goods> goods = new ArrayList<>();
    for (Class<?> resource : resources) {
      Stream.of(resource.getMethods())
          .filter(method -> verb(method).isPresent() && paid(method).isPresent())
          .map(method -> goods(title, resource, method))
          .sorted(Comparator.comparing(one -> one.template() + " " + one.method()))
          .forEach(goods::add);
    }
    return goods;
  }

  private static Goods goods(String title, Class<?> resource, Method method) {
    Paid paid = paid(method).orElseThrow();
    String verb = verb(method).orElseThrow();
    String template = PathTemplate.of(resource, method, new HashMap<>());
    Sold sold = method.getAnnotation(Sold.class);
    Map<String, Place> places = new LinkedHashMap<>();
    return new Goods(
        verb,
        template,
        paid.value().isEmpty() ? Optional.empty() : Optional.of(Usd.parse(paid.value())),
        about(title, sold, method),
        input(sold, method, verb, template, places),
        places,
        sold == null ? JsonNodeFactory.instance.objectNode() : object(sold.example()),
        "@Paid of " + resource.getSimpleName() + "." + method.getName(),
        Catalogue.tariff(paid));
  }

  private static Optional<String> verb(Method method) {
    return Arrays.stream(method.getAnnotations())
        .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
        .filter(verb -> verb != null)
        .map(HttpMethod::value)
        .findFirst();
  }

  private static Optional<Paid> paid(Method method) {
    if (method.isAnnotationPresent(Free.class)) {
      return Optional.empty();
    }
    return Optional.ofNullable(method.getAnnotation(Paid.class))
        .or(() -> Optional.ofNullable(method.getDeclaringClass().getAnnotation(Paid.class)));
  }

  /** By {@link Sold}, else by an OpenAPI annotation, else by the method's name. */
  private static String about(String title, @Nullable Sold sold, Method method) {
    if (sold != null) {
      return sold.about();
    }
    String words = method.getName().replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    return Arrays.stream(method.getAnnotations())
        .filter(annotation -> annotation.annotationType().getSimpleName().equals("Operation"))
        .flatMap(
            annotation -> Stream.of("summary", "description").map(name -> text(annotation, name)))
        .filter(text -> !text.isBlank())
        .findFirst()
        .orElse(title + ": " + words + ".");
  }

  private static String text(Annotation annotation, String member) {
    try {
      return String.valueOf(annotation.annotationType().getMethod(member).invoke(annotation));
    } catch (ReflectiveOperationException without) {
      return "";
    }
  }

  private static ObjectNode input(
      @Nullable Sold sold, Method method, String verb, String template, Map<String, Place> places) {
    ObjectNode input = body(sold, method);
    List<String> inPath = PathTemplate.parameters(template);
    for (String name : inPath) {
      input.withObject("/properties").putObject(name).put("type", "string");
      input.withArray("/required").add(name);
    }
    for (Parameter parameter : method.getParameters()) {
      QueryParam query = parameter.getAnnotation(QueryParam.class);
      if (query != null && !inPath.contains(query.value())) {
        ObjectNode property = input.withObject("/properties").putObject(query.value());
        property.setAll(schema(parameter.getType()));
        Optional.ofNullable(parameter.getAnnotation(DefaultValue.class))
            .ifPresent(value -> property.put("default", value.value()));
        if (SoldRow.hasBody(verb)) {
          places.put(query.value(), Place.QUERY);
        }
      }
    }
    return input;
  }

  /** The members of the body, as far as they are known. */
  private static ObjectNode body(@Nullable Sold sold, Method method) {
    if (sold != null && sold.body().length > 0) {
      return BodySchema.of(sold.body());
    }
    return Stream.of(method.getParameters())
        .filter(parameter -> NO_BODY.stream().noneMatch(parameter::isAnnotationPresent))
        .map(Parameter::getType)
        .filter(Class::isRecord)
        .findFirst()
        .map(type -> BodySchema.of(type.asSubclass(Record.class)))
        .orElseGet(
            () -> {
              ObjectNode any = JsonNodeFactory.instance.objectNode().put("type", "object");
              any.putObject("properties");
              return any;
            });
  }

  private static ObjectNode schema(Class<?> type) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    if (Collection.class.isAssignableFrom(type)) {
      schema.put("type", "array").putObject("items").put("type", "string");
    } else if (type == boolean.class || type == Boolean.class) {
      schema.put("type", "boolean");
    } else if (List.of(int.class, long.class, short.class, Integer.class, Long.class)
        .contains(type)) {
      schema.put("type", "integer");
    } else if (Number.class.isAssignableFrom(type) || type == double.class || type == float.class) {
      schema.put("type", "number");
    } else {
      schema.put("type", "string");
    }
    return schema;
  }

  private static ObjectNode object(String json) {
    try {
      return (ObjectNode) JSON.readTree(json);
    } catch (IOException | ClassCastException e) {
      throw new IllegalArgumentException("the example of @Sold is no JSON object: " + json, e);
    }
  }
}
