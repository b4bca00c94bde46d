package dev.octroi.api.catalogue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation.PathTemplate;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.Described;
import dev.octroi.api.group.SoldRow.ListedBy;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.api.settings.GatewaySettings;
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
import java.time.Clock;
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

/**
 * The paid methods of a host's own resource classes as a group: price book, description, discovery,
 * tools, figures and console have them like a built-in group's. {@link Sold} says what a method
 * does; what it does not say is read from the signature. Immutable, thread-safe.
 */
public final class MethodGroup implements Group {

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

  private final Profile profile;
  private final List<Class<?>> resources;
  private final List<SoldRow> rows;

  /**
   * A group of these classes.
   *
   * @param word what settings and keys call it: lower-case letters and digits
   * @param title the name for people
   * @param resources classes with {@code @Path}; what of them is {@code @Paid} is sold
   * @throws IllegalArgumentException if nothing of them is paid, or lies below no word of its own
   */
  public MethodGroup(String word, String title, Class<?>... resources) {
    this.resources = List.of(resources);
    Map<Method, String> paid = new LinkedHashMap<>();
    for (Class<?> resource : resources) {
      Stream.of(resource.getMethods())
          .filter(method -> verb(method).isPresent() && paid(method).isPresent())
          .sorted(Comparator.comparing(method -> template(resource, method) + verb(method)))
          .forEach(method -> paid.put(method, template(resource, method)));
    }
    if (paid.isEmpty()) {
      throw new IllegalArgumentException("nothing of the group " + word + " is @Paid");
    }
    this.profile =
        new Profile(word, title, title + ".", ErrorShape.FLAT, bases(paid.values()), List.of());
    this.rows =
        paid.entrySet().stream().map(entry -> row(entry.getKey(), entry.getValue())).toList();
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

  private static String template(Class<?> resource, Method method) {
    return PathTemplate.of(resource, method, new HashMap<>());
  }

  /** What stands before the first parameter, and lies in none of the others. */
  private static List<String> bases(Collection<String> templates) {
    List<String> literal =
        templates.stream()
            .map(template -> template.replaceFirst("/[^/]*\\{.*", ""))
            .distinct()
            .sorted()
            .toList();
    List<String> bases = new ArrayList<>();
    for (String base : literal) {
      if (base.isEmpty() || base.equals("/")) {
        throw new IllegalArgumentException(
            "a path that is sold begins with a word, so that it is told apart from others: not "
                + templates);
      }
      if (bases.stream().noneMatch(other -> base.startsWith(other + "/"))) {
        bases.add(base);
      }
    }
    return bases;
  }

  private SoldRow row(Method method, String template) {
    Paid paid = paid(method).orElseThrow();
    String verb = verb(method).orElseThrow();
    Sold sold = method.getAnnotation(Sold.class);
    Map<String, Place> places = new LinkedHashMap<>();
    return new SoldRow(
        verb,
        template,
        this,
        paid.value().isEmpty() ? Optional.empty() : Optional.of(Usd.parse(paid.value())),
        false,
        Optional.empty(),
        Optional.of(
            new Described(
                name(verb, template),
                about(sold, method),
                input(sold, method, verb, template, places),
                places,
                sold == null ? JsonNodeFactory.instance.objectNode() : object(sold.example()),
                JsonNodeFactory.instance.objectNode(),
                new ListedBy(
                    "@Paid of "
                        + method.getDeclaringClass().getSimpleName()
                        + "."
                        + method.getName(),
                    "first",
                    Optional.empty()))));
  }

  private String name(String verb, String template) {
    String name = verb.toLowerCase(Locale.ROOT) + "_" + PathTemplate.word(template);
    return name.substring(0, Math.min(name.length(), Operation.LONGEST_NAME - word().length() - 1));
  }

  /** By {@link Sold}, else by an OpenAPI annotation, else by the method's name. */
  private String about(@Nullable Sold sold, Method method) {
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
        .orElse(title() + ": " + words + ".");
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
    boolean bodied = !verb.equals("GET") && !verb.equals("DELETE");
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
        if (bodied) {
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

  @Override
  public Profile profile() {
    return profile;
  }

  /** The host serves them whatever the settings say. */
  @Override
  public boolean isChosen() {
    return false;
  }

  @Override
  public List<Class<?>> resources() {
    return resources;
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Methods(rows);
  }

  /** The same under any settings: the host serves them. */
  private record Methods(List<SoldRow> rows) implements ConfiguredGroup {

    @Override
    public OpenGroup open(GroupContext context) {
      return OpenGroup.of();
    }
  }
}
