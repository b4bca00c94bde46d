package dev.octroi.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.catalogue.Operation.PathTemplate;
import dev.octroi.payments.Paid;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Produces;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A resource's method as a container routes it.
 *
 * @param verb the HTTP method, upper case
 * @param path its template, with a slash in front and parameters in braces, without their patterns
 * @param patterns the regular expressions of its path parameters, by name; any for {@code ""}
 * @param method what is called
 */
record Route(String verb, String path, Map<String, String> patterns, Method method) {

  Route {
    patterns = Map.copyOf(patterns);
  }

  static Route of(Class<?> resource, Method method, String verb) {
    Map<String, String> patterns = new LinkedHashMap<>();
    return new Route(verb, PathTemplate.of(resource, method, patterns), patterns, method);
  }

  /**
   * Those of resource classes: in the order of the classes, and of paths and verbs within a class.
   */
  static List<Route> all(Collection<Class<?>> resources) {
    return resources.stream()
        .flatMap(
            resource ->
                of(resource).sorted(Comparator.comparing(Route::path).thenComparing(Route::verb)))
        .toList();
  }

  private static Stream<Route> of(Class<?> resource) {
    return Arrays.stream(resource.getMethods())
        .flatMap(method -> verb(method).map(verb -> of(resource, method, verb)).stream());
  }

  private static Optional<String> verb(Method method) {
    for (Annotation annotation : method.getAnnotations()) {
      HttpMethod verb = annotation.annotationType().getAnnotation(HttpMethod.class);
      if (verb != null) {
        return Optional.of(verb.value());
      }
    }
    return Optional.empty();
  }

  boolean isPaid() {
    return method.isAnnotationPresent(Paid.class);
  }

  /** The media types that it says it answers with, without their parameters. */
  String[] produces() {
    Produces own = method.getAnnotation(Produces.class);
    Produces said = own == null ? method.getDeclaringClass().getAnnotation(Produces.class) : own;
    String[] types = said == null ? new String[] {"application/json"} : said.value();
    return Arrays.stream(types).map(type -> type.replaceAll(";.*", "")).toArray(String[]::new);
  }

  /** Whether what is called is handed the body. */
  boolean takesBody() {
    return Arrays.stream(method.getParameterTypes())
        .anyMatch(type -> type == byte[].class || type == InputStream.class);
  }

  Optional<Described> described() {
    return Optional.ofNullable(method.getAnnotation(Described.class));
  }

  /** What a free call may send; missing where the method says none. */
  JsonNode example() {
    return OpenApiJson.written(described().map(Described::example).orElse(""));
  }

  /** Whether a filter of that name stands before it. */
  boolean isBound(String binding) {
    return named(method.getAnnotations(), binding)
        || named(method.getDeclaringClass().getAnnotations(), binding);
  }

  private static boolean named(Annotation[] annotations, String name) {
    for (Annotation annotation : annotations) {
      if (annotation.annotationType().getSimpleName().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
