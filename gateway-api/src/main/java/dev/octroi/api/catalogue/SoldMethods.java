package dev.octroi.api.catalogue;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The described methods of resource classes, by the words of what they sell. */
final class SoldMethods {

  private SoldMethods() {}

  static Map<String, Sold> of(Collection<Class<?>> resources) {
    Map<String, Sold> methods = new HashMap<>();
    for (Class<?> resource : resources) {
      for (Method method : resource.getMethods()) {
        Sold sold = method.getAnnotation(Sold.class);
        if (sold != null) {
          methods.put(word(resource, method), sold);
        }
      }
    }
    return methods;
  }

  private static String word(Class<?> resource, Method method) {
    String verb = method.isAnnotationPresent(GET.class) ? "GET" : "POST";
    String below =
        Optional.ofNullable(method.getAnnotation(Path.class))
            .map(path -> "/" + path.value())
            .orElse("");
    return verb + resource.getAnnotation(Path.class).value() + below;
  }
}
