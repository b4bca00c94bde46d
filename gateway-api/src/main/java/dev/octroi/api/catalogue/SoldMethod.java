package dev.octroi.api.catalogue;

import dev.octroi.payments.Paid;
import dev.octroi.payments.Tariff;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A described method of a resource class.
 *
 * @param tariff what prices its calls; empty where its price is listed
 */
record SoldMethod(Class<?> resource, Sold sold, Optional<Class<? extends Tariff>> tariff) {

  /** The described methods of resource classes, by the words of what they sell. */
  static Map<String, SoldMethod> of(Collection<Class<?>> resources) {
    Map<String, SoldMethod> methods = new HashMap<>();
    for (Class<?> resource : resources) {
      for (Method method : resource.getMethods()) {
        Sold sold = method.getAnnotation(Sold.class);
        if (sold != null) {
          methods.put(word(resource, method), new SoldMethod(resource, sold, tariff(method)));
        }
      }
    }
    return methods;
  }

  private static Optional<Class<? extends Tariff>> tariff(Method method) {
    return Optional.ofNullable(method.getAnnotation(Paid.class))
        .<Class<? extends Tariff>>map(Paid::by)
        .filter(by -> by != Tariff.class);
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
