package dev.octroi.api.openapi;

import jakarta.ws.rs.HttpMethod;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the methods of resource classes that a container routes to. */
final class Routes {

  private Routes() {}

  /** In the order of the classes, and of paths and verbs within a class. */
  static List<Route> of(Collection<Class<?>> resources) {
    return resources.stream()
        .flatMap(
            resource ->
                of(resource).sorted(Comparator.comparing(Route::path).thenComparing(Route::verb)))
        .toList();
  }

  private static Stream<Route> of(Class<?> resource) {
    return Arrays.stream(resource.getMethods())
        .flatMap(method -> verb(method).map(verb -> Route.of(resource, method, verb)).stream());
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
}
