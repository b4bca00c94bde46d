package dev.octroi.payments.jaxrs;

import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.flow.PaidEndpoint;
import dev.octroi.payments.jaxrs.PaidMethods.MethodTerms;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The price of every method of the application, resolved from the annotations once.
 *
 * <p>The nearest annotation rules: the method itself, then the methods it overrides or implements,
 * then the class, its superclasses and its interfaces.
 */
final class PriceTable {

  private final Map<Class<? extends Tariff>, Tariff> tariffs;
  private final Map<Method, MethodTerms> rows = new ConcurrentHashMap<>();

  PriceTable(Map<Class<? extends Tariff>, Tariff> tariffs) {
    this.tariffs = new ConcurrentHashMap<>(tariffs);
  }

  MethodTerms terms(Class<?> resource, Method method) {
    return rows.computeIfAbsent(method, key -> resolve(resource, key));
  }

  private MethodTerms resolve(Class<?> resource, Method method) {
    List<AnnotatedElement> places =
        Stream.concat(AnnotatedPlaces.ofMethod(resource, method), AnnotatedPlaces.ofClass(resource))
            .toList();
    String name = resource.getSimpleName() + "." + method.getName();
    for (AnnotatedElement place : places) {
      Paid paid = place.getAnnotation(Paid.class);
      boolean free = place.isAnnotationPresent(Free.class);
      if (paid != null && free) {
        return new MethodTerms.Wrong(name + " is @Paid and @Free at the same place");
      }
      if (free) {
        return new MethodTerms.Free();
      }
      if (paid != null) {
        return priced(name, paid, produces(places));
      }
    }
    return new MethodTerms.Undeclared();
  }

  private MethodTerms priced(String name, Paid paid, List<MediaType> produces) {
    boolean computed = paid.by() != Tariff.class;
    if (computed && !paid.value().isEmpty()) {
      return new MethodTerms.Wrong(name + " is @Paid with a value and a tariff: keep one of them");
    }
    if (!computed && paid.value().isEmpty()) {
      return new MethodTerms.Wrong(
          name + " is @Paid without a price: give a value such as \"0.01\", or by = a Tariff");
    }
    if (paid.redelivery() == Redelivery.RESUMED && paid.settle() != Settle.BEFORE) {
      return new MethodTerms.Wrong(
          name + " is RESUMED, which only a method can be that settles before its effect");
    }
    if (paid.settle() == Settle.LATER && !computed) {
      return new MethodTerms.Wrong(name + " settles later: give it a Tariff that notes a Deferral");
    }
    Tariff tariff;
    try {
      tariff = computed ? instance(paid.by()) : fixed(paid.value());
    } catch (IllegalArgumentException e) {
      return new MethodTerms.Wrong(name + ": " + e.getMessage());
    }
    try {
      return new MethodTerms.Priced(
          new PricedMethod(
              new PaidEndpoint(name, tariff, paid.settle(), paid.redelivery()), produces));
    } catch (IllegalArgumentException e) {
      return new MethodTerms.Wrong(String.valueOf(e.getMessage()));
    }
  }

  private static Tariff fixed(String dollars) {
    Usd price = Usd.parse(dollars);
    return request -> price;
  }

  private Tariff instance(Class<? extends Tariff> type) {
    return tariffs.computeIfAbsent(type, PriceTable::construct);
  }

  private static Tariff construct(Class<? extends Tariff> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          type.getSimpleName()
              + " has no usable public constructor without parameters: add one, or hand an instance"
              + " to Payments.Builder.tariff",
          e);
    }
  }

  private static List<MediaType> produces(List<AnnotatedElement> places) {
    return places.stream()
        .map(place -> Optional.ofNullable(place.getAnnotation(Produces.class)))
        .flatMap(Optional::stream)
        .findFirst()
        .map(declared -> Stream.of(declared.value()).flatMap(PriceTable::mediaTypes).toList())
        .orElse(List.of());
  }

  private static Stream<MediaType> mediaTypes(String declared) {
    return Stream.of(declared.split(",")).map(String::trim).map(MediaType::valueOf);
  }

  /**
   * A row of the price table: a resource method and what it costs.
   *
   * @param produces the media types that the method declares, in its order; empty where it does not
   */
  record PricedMethod(PaidEndpoint endpoint, List<MediaType> produces) {}

  /**
   * Where an annotation of a resource method may stand, nearest first: JAX-RS annotations are
   * inherited by overriding methods, and proxies made by a container subclass the real class.
   */
  static final class AnnotatedPlaces {

    private AnnotatedPlaces() {}

    /** The method, what it overrides in superclasses, then what it implements. */
    static Stream<AnnotatedElement> ofMethod(Class<?> resource, Method method) {
      Stream<AnnotatedElement> inherited =
          types(resource)
              .flatMap(type -> Stream.of(type.getDeclaredMethods()))
              .filter(other -> !other.isBridge() && isInherited(method, other))
              .map(AnnotatedElement.class::cast);
      return Stream.concat(Stream.of(method), inherited).distinct();
    }

    /** The class, its superclasses, then its interfaces. */
    static Stream<AnnotatedElement> ofClass(Class<?> resource) {
      return types(resource).map(AnnotatedElement.class::cast);
    }

    private static Stream<Class<?>> types(Class<?> resource) {
      List<Class<?>> classes = new ArrayList<>();
      for (Class<?> type = resource; type != null && type != Object.class; ) {
        classes.add(type);
        type = type.getSuperclass();
      }
      Set<Class<?>> interfaces = new LinkedHashSet<>();
      classes.forEach(type -> collectInterfaces(type, interfaces));
      return Stream.concat(classes.stream(), interfaces.stream()).distinct();
    }

    private static void collectInterfaces(Class<?> type, Set<Class<?>> into) {
      for (Class<?> face : type.getInterfaces()) {
        into.add(face);
        collectInterfaces(face, into);
      }
    }

    /** Same name elsewhere, and parameters that one could override with: erased generics differ. */
    private static boolean isInherited(Method method, Method other) {
      if (method.getDeclaringClass() == other.getDeclaringClass()
          || !method.getName().equals(other.getName())
          || method.getParameterCount() != other.getParameterCount()) {
        return false;
      }
      Class<?>[] narrow = method.getParameterTypes();
      Class<?>[] wide = other.getParameterTypes();
      for (int i = 0; i < narrow.length; i++) {
        if (!wide[i].isAssignableFrom(narrow[i]) && !narrow[i].isAssignableFrom(wide[i])) {
          return false;
        }
      }
      return true;
    }
  }
}
